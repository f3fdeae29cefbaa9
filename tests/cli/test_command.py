"""After any failure a command ends with one clear line and a matching exit status."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import catan_env
from catan_env import Game
from catan_env.cli import main
from catan_env.cli.command import COMMANDS
from catan_env.cli.ending import in_one_line
from catan_env.notation import write_game

ROOT = str(Path(__file__).resolve().parents[2])
CATAN_ENV = [sys.executable, "-m", "catan_env"]


@pytest.fixture
def record(tmp_path) -> Path:
    game = Game(2, seed=1)
    while not game.is_over and game.turn < 60:
        game.play(next(iter(game.legal_actions)))
    return write_game(tmp_path, game, ["Ann", "Ben"])


def test_the_version_is_the_packages(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"catan-env {catan_env.__version__}\n"


def test_a_bug_report_names_versions_processor_and_engine(capsys):
    assert main(["--version", "--verbose"]) == 0
    facts = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert facts["catan-env"] == catan_env.__version__
    assert facts["engine"].split(",")[0] in ("native", "jit", "python")
    assert {"Python", "system", "processor", "numpy", "numba", "torch"} <= set(facts)


def test_help_lists_every_command_and_loads_none(capsys):
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert re.findall(r"^    (\w+)", shown, re.MULTILINE) == [*COMMANDS]
    code = "import sys; from catan_env.cli import main; main(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "numpy" not in done.stdout.split() and "catan_env.arena.match" not in done.stdout.split()


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_its_options(name, capsys):
    assert main([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: catan-env {name} ")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("match --agent a --agent b --seats 3 --go-on", "--seats, --go-on: only with --protocol g"),
        ("serve --protocol-version 0.2", "--protocol-version: only with --protocol german"),
        (
            "serve --protocol german --dialect literal --byte-order big --placement random",
            "--placement, --dialect, --byte-order: only with --protocol binary",
        ),
        ("match --watch-full --watch-delay 0", "--watch-delay, --watch-full: only with --watch"),
        (
            "agent --policy random --cookie K 127.0.0.1 1",
            "--cookie: only with --protocol jsettlers",
        ),
        ("agent --policy random --seat 0 127.0.0.1 1", "--seat: only with --protocol jsettlers"),
        ("agent --policy random --colour Rot h 1", "--colour: only with --protocol german"),
        (
            "agent --policy random --protocol german --dialect literal h 1",
            "--dialect: only with --protocol binary",
        ),
        (
            "agent --policy random --protocol jsettlers --cookie K --table t --seat 0 --wait 0 h 1",
            "--table, --seat: only without --cookie",
        ),
        (
            "agent --policy random --protocol jsettlers --table t --games 2 --wait 0 h 1",
            "--games: only with --cookie",
        ),
        ("table --terminal --timeout 5 --pace 0", "--pace, --timeout: only without --terminal"),
        ("table --terminal --ask best --port 0", "--ask, --port: only without --terminal"),
        ("table --terminal --resume x", "--resume: only without --terminal"),
        ("table --against best --seat 2 --step 0", "--step, --seat: only with --from"),
        ("table --from x --people 0 --rules duel", "--people, --rules: only without --from"),
        ("table --from x --name --seed 0 --first 0", "--name, --seed, --first: only without --f"),
        ("table --resume x --board beginner --pace 1", "--board, --pace: only without --resume"),
        ("table --resume x --against --from y", "--against, --from: only without --resume"),
        (
            "hanabi replay x --html y --seat 1 --from 0 --to 5 --step",
            "--seat, --from, --to, --step: only without --html and --hanab-live",
        ),
        ("hanabi replay x --hanab-live y --to 5", "--to: only without --html and --hanab-live"),
        ("hanabi play --games 2 --seats 1", "--seats: only with --among"),
    ],
)
def test_an_option_without_effect_is_refused(line, error, capsys, monkeypatch):
    monkeypatch.setattr(os, "environ", os.environ.copy())
    assert main(line.split()) == 2
    said = capsys.readouterr().err
    assert error in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "status", "error"),
    [
        ("catan_env --version", 0, ""),
        ("catan_env play random random", 2, "catan-env play"),
        (
            "catan_env.training.evaluate random random",
            2,
            "python -m catan_env.training.evaluate",
        ),
    ],
)
def test_a_removed_current_folder_is_one_line(line, status, error, tmp_path):
    remove_and_run = f"rmdir {tmp_path} && exec {sys.executable} -m {line}"
    done = subprocess.run(
        remove_and_run, shell=True, cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": ROOT},
    )  # fmt: skip
    expected = f"{error}: the current folder: No such file or directory\n" if error else ""
    assert (done.returncode, done.stderr) == (status, expected)


@pytest.mark.parametrize(
    ("line", "closed", "status", "shown"),
    [
        ("play random random --games 1", ">&-", 0, ""),
        ("play random random --games 1", "2>&-", 0, "1 game, "),
        ("play nosuch random", "2>&-", 2, ""),
        ("check game-1.sgn.json", "2>&-", 0, "1 record: 1 unfinished"),
        ("mcp", "<&-", 0, ""),
        ("play random random --games 1", "<&- >&- 2>&-", 0, ""),
    ],
)
def test_a_closed_stream_is_an_empty_one(line, closed, status, shown, record):
    if line == "mcp":
        pytest.importorskip("mcp")
    command = f"{sys.executable} -m catan_env {line} {closed}"
    environment = {**os.environ, "PYTHONPATH": ROOT}
    done = subprocess.run(
        command, shell=True, cwd=record.parent, capture_output=True, text=True, env=environment
    )
    assert done.returncode == status and "Traceback" not in done.stderr
    assert shown in done.stdout and bool(shown) == bool(done.stdout)


def test_a_reader_that_goes_away_ends_a_command_in_silence(record):
    command = subprocess.Popen(
        [*CATAN_ENV, "replay", str(record), "--boards"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stdout is not None and command.stderr is not None
    command.stdout.readline()
    command.stdout.close()
    assert command.wait(60) == 141
    assert command.stderr.read() == b""
    command.stderr.close()


def test_output_that_the_terminal_cannot_show_is_one_line(record):
    record.write_text(record.read_text().replace("Ann", "Änne"))
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:strict"}
    command = [*CATAN_ENV, "replay", str(record)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == (
        "catan-env replay: the output cannot be ascii: it contains '\\xc4'; set PYTHONUTF8=1\n"
    )


def test_no_encoding_is_advised_where_none_helps():
    error = UnicodeEncodeError("utf-8", "a\ud800", 1, 2, "surrogates not allowed")
    assert in_one_line(error) == "the output cannot be utf-8: it contains '\\ud800'"


def test_a_file_that_cannot_be_written_is_one_line(record, capsys):
    status = main(["replay", str(record), "--html", str(record / "page.html")])
    assert (status, capsys.readouterr().err) == (
        2,
        f"catan-env replay: {record / 'page.html'}: Not a directory\n",
    )


def test_a_game_that_cannot_be_saved_ends_play_with_the_table_so_far(tmp_path, capsys):
    (tmp_path / "game-2.sgn.json").mkdir()
    status = main(["play", "random", "random", "--games", "4", "--record", str(tmp_path)])
    shown = capsys.readouterr()
    assert status == 2 and shown.out.splitlines()[-1].startswith("2 games, ")
    assert shown.err == f"catan-env play: {tmp_path / 'game-2.sgn.json'}: Is a directory\n"


def test_ctrl_c_ends_a_command_that_waits_for_a_file_in_silence(tmp_path):
    pipe = tmp_path / "slow.sgn.json"
    os.mkfifo(pipe)
    command = subprocess.Popen(
        [*CATAN_ENV, "check", str(pipe)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with open(pipe, "wb"):  # opens when the command reads
        command.send_signal(signal.SIGINT)
        assert command.communicate(timeout=600) == (b"", b"catan-env check: interrupted\n")
    assert command.returncode == 130


@pytest.mark.parametrize(
    ("sigint", "number", "status"),
    [
        (signal.SIG_DFL, signal.SIGINT, 130),
        pytest.param(signal.SIG_DFL, signal.SIGTERM, 143, marks=pytest.mark.nightly),
        (signal.SIG_IGN, signal.SIGTERM, 143),  # started behind a shell's `&`
    ],
)
def test_what_was_played_is_shown_when_the_command_is_stopped(sigint, number, status, tmp_path):
    command = subprocess.Popen(
        [*CATAN_ENV, "play", "builder", "builder", "--games", "1000000", "--record", "kept"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, sigint),
    )
    while not list(tmp_path.glob("kept/*")) and command.poll() is None:
        time.sleep(0.05)
    command.send_signal(number)
    out, err = command.communicate(timeout=600)
    assert command.returncode == status, err
    assert out.startswith("entrant ") and " games, " in out.replace("1 game,", "1 games,")
    assert "Traceback" not in err
