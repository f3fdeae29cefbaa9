"""The `catan-env play` command, as a user types it."""

import io
import re
import subprocess
import sys

import pytest

from catan_env import cli


def run(*arguments):
    """The command in a separate process."""
    return subprocess.run(
        [sys.executable, "-m", "catan_env", *arguments], capture_output=True, text=True
    )


def test_play_prints_a_table():
    done = run("play", "random", "builder", "--games", "4", "--seed", "3")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["entrant", "wins", "win", "rate", "95", "%", "interval", "points"]
    assert lines[2].startswith("2 builder       4   100.0 %   51.0 - 100.0    10.")
    assert lines[3].startswith("4 games, ")
    assert lines[3].startswith("4 games, 0 without a winner; ")


def test_play_prints_the_same_again(capsys):
    for _ in range(2):
        assert cli.main(["play", "builder", "builder", "random", "--games", "2"]) == 0
    first, second = capsys.readouterr().out.split("entrant")[1:]
    assert first == second


def test_show_prints_every_position_of_one_game(capsys):
    assert cli.main(["play", "builder", "random", "--show", "--rules", "duel"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "a builder  b random" in out
    assert re.search(r"seat \d: .*; seat \d wins", out)
    assert "1 game, " in out
    assert out.count("bank ") == int(re.search(r"(\d+) decisions", out)[1])


def test_show_clears_a_terminal_for_every_position(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert cli.main(["play", "builder", "random", "--show", "--delay", "0"]) == 0
    out = terminal.getvalue()
    assert out.startswith("\x1b[2J\x1b[H")
    assert out.count("\x1b[2J") == out.count("bank ")


def test_a_policy_may_lie_where_the_command_is_called(tmp_path, monkeypatch, capsys):
    (tmp_path / "lastmove.py").write_text(
        "class Last:\n"
        "    def __init__(self, seed): pass\n"
        "    def act(self, view): return view.legal_actions.indices[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    assert cli.main(["play", "lastmove:Last", "builder", "--games", "1"]) == 0
    assert "1 lastmove:Last" in capsys.readouterr().out


def test_what_was_played_is_told_when_it_is_interrupted(tmp_path, monkeypatch, capsys):
    (tmp_path / "tired.py").write_text(
        "from catan_env.policies.builder import Builder\n"
        "games = 0\n"
        "class Tired(Builder):\n"
        "    def __init__(self, seed):\n"
        "        global games\n"
        "        games += 1\n"
        "    def act(self, view):\n"
        "        if games == 4:\n"
        "            raise KeyboardInterrupt\n"
        "        return super().act(view)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    assert cli.main(["play", "tired:Tired", "builder", "--games", "9"]) == 130
    assert "2 games, " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("sail", "catan-env: argument command: invalid choice: 'sail'"),
        ("play", "catan-env play: the following arguments are required: policy"),
        ("play random", "catan-env play: 1 seats; allowed are 2, 3 and 4"),
        (
            "play random random random random random",
            "catan-env play: 5 seats; allowed",
        ),
        (
            "play random grady",
            "catan-env play: unknown policy 'grady'; allowed are random",
        ),
        (
            "page greedy --rules german_0.1",
            "catan-env page: a page has no rules 'german_0.1'; allow",
        ),
        ("play random no:Where", "catan-env play: policy 'no:Where': no module 'no'"),
        (
            "play random random --games x",
            "catan-env play: argument --games: 'x'; allowed are whole numbers, 1 or more",
        ),
        (
            "play random random --games 0",
            "catan-env play: argument --games: '0'; allowed",
        ),
        (
            "play random random --max-turns -1",
            "catan-env play: argument --max-turns: '-1'; allowed are 0 or more",
        ),
        (
            "league init no/where --max-turns 4294967296",
            "catan-env league init: argument --max-turns: '4294967296'; allowed are 0..4294967295",
        ),
        (
            "play random random --delay 1e300",
            "catan-env play: argument --delay: '1e300'; allowed are 0..1000000",
        ),
        (
            "play random random --delay -1",
            "catan-env play: argument --delay: '-1'; allowed",
        ),
        (
            "play random random --rules house",
            "catan-env play: unknown rules 'house'; allowed are 'base'",
        ),
        (
            "play random random --board flat",
            "catan-env play: unknown board 'flat'; allowed are 'spiral'",
        ),
        ("play random random random --rules duel", "catan-env play: a duel has 2 seats, got 3"),
        (
            "play random random --seed -1",
            "catan-env play: argument --seed: '-1'; allowed",
        ),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(arguments, said, capsys):
    assert cli.main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(said)


def test_a_policy_that_answers_what_is_illegal_ends_the_command(tmp_path):
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    def __init__(self, seed): pass\n    def act(self, view): return 1.5\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "catan_env", "play", "bad:Bad", "random"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == (
        "catan-env play: Bad.act answered 1.5 (float); allowed is one integer in 0..847"
    )


def test_play_overwrites_no_record(tmp_path, capsys):
    line = ["play", "random", "random", "--rules", "duel", "--record", str(tmp_path), "--games"]
    assert cli.main([*line, "1", "--seed", "1"]) == 0
    kept = (tmp_path / "game-1.sgn.json").read_text()
    capsys.readouterr()
    assert cli.main([*line, "2"]) == 2
    assert capsys.readouterr().err == (
        f"catan-env play: --record {tmp_path} has game-1.sgn.json already: name another folder, or "
        "empty it\n"
    )
    assert (tmp_path / "game-1.sgn.json").read_text() == kept
    assert len(list(tmp_path.iterdir())) == 1
    assert cli.main([*line, "1"]) == 0


def test_a_table_without_a_folder_for_its_games_names_the_variable(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert cli.main(["table", "--no-open"]) == 2
    assert capsys.readouterr().err == (
        f"catan-env table: cannot keep games in {tmp_path}/file/catan_env: Not a directory; set "
        "XDG_STATE_HOME to a folder that can be written\n"
    )


FAILING = {
    "import": ("x = [1, 2].index(3)\n", "cannot be imported: ValueError: 3 is not in list"),
    "syntax": ("def f(:\n", "cannot be imported: SyntaxError: invalid syntax (failing.py, line 1)"),
    "attribute": ("import os\nos.no\n", "cannot be imported: AttributeError: module 'os' has no"),
    "library": ("import nolib\n", "cannot be imported: ModuleNotFoundError: No module named 'nol"),
    "leaving at import": ("raise SystemExit(0)\n", "cannot be imported: SystemExit: 0"),
    "leaving when made": (
        "class Bot:\n    def __init__(self, seed): raise SystemExit('no weights')\n",
        "cannot be made with a seed: SystemExit: no weights",
    ),
    "leaving": (
        "class Bot:\n    def __init__(self, seed): pass\n"
        "    def act(self, view): raise SystemExit(0)\n",
        "failed for seat 0 in phase PLACE_SETTLEMENT of turn 0: SystemExit: 0",
    ),
    "making": (
        "class Bot:\n    def __init__(self, seed): open('weights.txt')\n",
        "cannot be made with a seed: FileNotFoundError: [Errno 2] No such file or directory: 'we",
    ),
    "acting": (
        "class Bot:\n    def __init__(self, seed): pass\n"
        "    def act(self, view): return [1, 2].index(3)\n",
        "failed for seat 0 in phase PLACE_SETTLEMENT of turn 0: ValueError: 3 is not in list",
    ),
    "function": (
        "def Bot(view): raise KeyError(3)\n",
        "failed for seat 0 in phase PLACE_SETTLEMENT",
    ),
}


@pytest.mark.parametrize("when", FAILING)
def test_an_error_in_a_policys_code_has_its_traceback_and_a_last_line_that_names_it(when, tmp_path):
    code, said = FAILING[when]
    (tmp_path / "failing.py").write_text(code)
    done = _played("failing:Bot", tmp_path)
    *trace, last = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (2, "")
    assert last.startswith(f"catan-env play: policy failing:Bot {said}")
    assert last.endswith(f"(failing.py, line {code.count(chr(10))})")
    assert f'failing.py", line {code.count(chr(10))}' in "\n".join(trace)
    assert "catan_env" not in "".join(trace)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("class Bot: pass", "cannot be made with a seed: TypeError: Bot() takes no arguments"),
        ("class Bot:\n    def __init__(self, seed): pass", "is not a policy; allowed are random"),
        (
            "class Bot:\n    def __init__(self, seed): pass\n    def act(self): pass",
            "failed for seat 0 in phase PLACE_SETTLEMENT of turn 0: TypeError: Bot.act() takes 1",
        ),
    ],
)
def test_a_class_that_is_no_policy_is_one_line(code, said, tmp_path):
    (tmp_path / "failing.py").write_text(code)
    done = _played("failing:Bot", tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("catan-env play: policy ") and said in done.stderr


def _played(policy, folder):
    """The end of a game with that policy, whose module lies in the folder."""
    return subprocess.run(
        [sys.executable, "-m", "catan_env", "play", policy, "random", "--games", "1"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
