"""`catan-env serve` and `catan-env match`."""

import json
import socket
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from catan_env import Game
from catan_env.arena.commands import WAIT, words_of
from catan_env.arena.sandbox import last_line
from catan_env.arena.tournament import Tournament
from catan_env.cli import main
from catan_env.machine import usable_processors
from catan_env.notation import read_games, read_records
from tests.arena.waiting import server_that_waits
from tests.covering import covering

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux"),
    pytest.mark.usefixtures("in_the_root"),
]

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "tests" / "arena" / "hostile.py"
RANDOM = f"{sys.executable} -m catan_env agent --policy random"
TWO = ["--agent", RANDOM, "--agent", RANDOM]


def test_our_own_command_is_the_one_installed_next_to_this_python(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    ours = Path(sys.executable).with_name("catan-env")
    assert ours.exists()
    assert words_of("catan-env agent --policy best") == [str(ours), "agent", "--policy", "best"]
    for line in ("./catan-env agent", "python3 catan-env", "catan-environment"):
        assert words_of(line) == line.split()


def test_serve_plays_and_prints_the_results(tmp_path, capsys):
    results = tmp_path / "results.json"
    status = main(
        [
            "serve", "--agent", RANDOM, "--agent", f"{RANDOM} --seed 5", "--games", "2",
            "--seed", "7", "--timeout", "20", "--placement", "random", "--byte-order", "little",
            "--max-turns", "20", "--rotate", "--log-dir", str(tmp_path), "--json", str(results),
        ]
    )  # fmt: skip
    assert status == 0
    agents, *games = map(json.loads, results.read_text().splitlines())
    said = {**agents, "games": games}
    assert [game["seats"] for game in said["games"]] == [[0, 1], [1, 0]]
    for game in said["games"]:
        assert game["kicks"] == [] and game["turns"] == 20 and game["winner"] is None
        for times in game["decision_times"]:
            assert times["count"] == len(times["all"]) > 9
            assert 0 < times["median"] <= times["longest"] == max(times["all"]) < 20_000
            assert times["all"] == [round(time, 3) for time in times["all"]]
    table = capsys.readouterr().out.splitlines()
    assert table[0].split()[:2] == ["entrant", "wins"] and len(table) == 4
    record = Game.from_sgn((tmp_path / "game-0001.sgn.json").read_text())
    assert record.turn == 21
    assert {file.name for file in tmp_path.glob("game-0001-*")} == {
        "game-0001-seat-0.out", "game-0001-seat-0.err",
        "game-0001-seat-1.out", "game-0001-seat-1.err",
    }  # fmt: skip


def saved_games(folder: Path) -> list[tuple]:
    """The contents of the records in a folder, in the form of the results file."""
    return [
        (game.winner, [game.points(seat) for seat in range(game.seats)], game.turn,
         sha256(game.state_bytes()).hexdigest())
        for game in read_games(folder)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [
        ["--placement", "random"],
        pytest.param(["--dialect", "literal"], marks=pytest.mark.nightly),
    ],
)
def test_the_records_of_a_server_replay_to_its_final_positions(options, tmp_path):
    """A whole game, with an agent that is removed at its first turn."""
    results, kicked = tmp_path / "results.json", f"{sys.executable} {HOSTILE} garbage"
    agents = [RANDOM, f"{RANDOM} --seed 5", RANDOM.replace("random", "builder"), kicked]
    main(
        [
            "serve", *(word for agent in agents for word in ("--agent", agent)), *options,
            "--games", "1", "--seed", "12", "--timeout", "30", "--log-dir", str(tmp_path / "logs"),
            "--record", str(tmp_path / "saved"), "--json", str(results),
        ]
    )  # fmt: skip
    said = games_in(results)
    assert [[kick["agent"] for kick in game["kicks"]] for game in said] == [[3]]
    assert any(game["winner"] is not None for game in said)
    assert saved_games(tmp_path / "saved") == [
        (game["winner"], game["points"], game["turns"], game["state"]) for game in said
    ]
    for record in read_records(tmp_path / "saved"):
        assert record.game.to_sgn(players=record.players) == list(record.messages)
    assert not list((tmp_path / "logs").glob("*.json"))


def test_the_agents_output_goes_to_a_folder_that_is_printed(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    shout = tmp_path / "shout"
    shout.write_text("#!/bin/sh\necho MY OUTPUT\necho MY ERROR >&2\n")
    shout.chmod(0o755)
    assert main(["serve", "--agent", str(shout), "--agent", str(shout)]) == 1
    shown = capfd.readouterr()
    assert "MY OUTPUT" not in shown.out + shown.err
    (folder,) = tmp_path.glob("catan-env-*")
    assert f"agents' output: {folder}\n" in shown.err
    assert (folder / "game-0001-seat-0.out").read_text() == "MY OUTPUT\n"
    assert (folder / "game-0001-seat-1.err").read_text() == "MY ERROR\n"
    assert (folder / "game-0001.sgn.json").exists()


def test_a_second_run_into_the_same_folder_replaces_the_agents_output(tmp_path, capfd):
    fails = tmp_path / "fails"
    for number in ("1", "2"):
        said = f"echo OUTPUT {number}\n" + ("echo ERROR >&2\n" if number == "1" else "")
        fails.write_text(f"#!/bin/sh\n{said}exit 3\n")
        fails.chmod(0o755)
        agents = ["--agent", str(fails), "--agent", str(fails)]
        folders = ["--log-dir", str(tmp_path), "--record", str(tmp_path / number)]
        assert main(["serve", *agents, *folders]) == 1
        shown = capfd.readouterr().err
        assert shown.count("ends: ERROR") == (2 if number == "1" else 0)
        assert (tmp_path / "game-0001-seat-0.out").read_text() == f"OUTPUT {number}\n"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_game_that_cannot_be_stored_ends_a_match_with_the_table_so_far(workers, tmp_path, capfd):
    in_the_way, results = tmp_path / "game-0003.sgn.json", tmp_path / "results.json"
    in_the_way.mkdir()
    options = ["--games", "4", "--max-turns", "2", "--timeout", "60", "--workers", workers]
    kept = ["--record", str(tmp_path), "--log-dir", str(tmp_path), "--json", str(results)]
    assert main(["match", *TWO, *options, *kept]) == 2
    shown, stored = capfd.readouterr(), len(list(tmp_path.glob("game-*.sgn.json"))) - 1
    assert shown.err.splitlines()[-1] == f"catan-env match: {in_the_way}: Is a directory"
    games = "1 game" if stored == 1 else f"{stored} games"
    assert shown.out.splitlines()[-1].startswith(f"{games}, {stored} without a winner")
    assert len(games_in(results)) == stored and (stored == 2 or workers == "2")
    assert not list(tmp_path.glob(".game-*"))


def test_a_match_without_any_game_stored_ends_with_the_error_alone(tmp_path, capfd):
    (tmp_path / "game-0001.sgn.json").mkdir()
    options = ["--games", "1", "--max-turns", "2", "--record", str(tmp_path)]
    assert main(["match", *TWO, *options]) == 2
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("command", "option"), covering(["serve", "match"], ["--record", "--log-dir"])
)
def test_a_record_of_an_earlier_run_is_not_replaced(command, option, tmp_path, capfd):
    record, results = tmp_path / "game-0002.sgn.json", tmp_path / "results.json"
    for file in (record, results):
        file.write_text("earlier")
    options = ["--games", "2", option, str(tmp_path), "--json", str(results)]
    assert main([command, *TWO, *options]) == 2
    assert capfd.readouterr().err == (
        f"catan-env {command}: {option} {tmp_path} has game-0002.sgn.json already: name another "
        "folder, or empty it\n"
    )
    assert record.read_text() == results.read_text() == "earlier"


DIES = f"{sys.executable} {HOSTILE} dies_early"
NEVER_THERE = f"{sys.executable} nowhere.py"


FAILING = [
    ("/bin/false", 1, ""),
    (f"{DIES} marker", 4, ""),
    (NEVER_THERE, 2, "[Errno 2] No such file or directory"),
    (f"{RANDOM}ly", 2, "unknown policy 'randomly'"),
    (f"{RANDOM} --seed x", 2, "'x'; allowed are whole numbers"),
]
"""Commands, their exit status, and how their output ends."""


@pytest.mark.parametrize(("command", "failing"), covering(["serve", "match"], FAILING))
def test_the_reason_is_printed_if_all_agents_fail_at_the_start(command, failing, tmp_path, capfd):
    agent, status, last = failing
    reason = f"its process exited with status {status}"
    results = tmp_path / "results.json"
    arguments = ["--agent", agent, "--agent", agent, "--games", "2", "--log-dir", str(tmp_path)]
    assert main([command, *arguments, "--json", str(results)]) == 1
    sandbox, *kicks, final = capfd.readouterr().err.splitlines()
    assert sandbox.startswith("sandbox ")
    assert final == (
        f"no game was played, because no agent made a decision; the agents' output is in {tmp_path}"
    )
    assert len(kicks) == 4
    for number, said in enumerate(sorted(kicks)):
        game, seat = 1 + number // 2, number % 2
        assert said.startswith(f"game {game}: seat {seat} (") and reason in said
        if last:
            output = tmp_path / f"game-{game:04}-seat-{seat}.err"
            assert f"; {output} ends: " in said and last in said
        else:
            assert said.endswith(reason)
    games = games_in(results)
    assert [[kick["reason"] for kick in game["kicks"]] for game in games] == [[reason] * 2] * 2
    assert [game["winner"] for game in games] == [None, None]


@pytest.mark.skipif(len(usable_processors()) < 2, reason="this machine has one processor")
def test_agents_of_a_game_have_different_processors(tmp_path):
    says = f'{sys.executable} -c "import os; print(*os.sched_getaffinity(0))"'
    arguments = ["--agent", says, "--agent", says, "--games", "2", "--log-dir", str(tmp_path)]
    assert main(["serve", *arguments]) == 1
    outputs = [tmp_path / f"game-{game:04}-seat-{seat}.out" for game in (1, 2) for seat in (0, 1)]
    said = [int(output.read_text()) for output in outputs]
    assert said == usable_processors()[:2] * 2


def test_an_only_agent_wins_without_a_game_being_played(tmp_path, capfd):
    arguments = ["--agent", "/bin/false", "--agent", RANDOM, "--log-dir", str(tmp_path)]
    assert main(["serve", *arguments]) == 1
    shown = capfd.readouterr()
    assert "seat 0 (false) was kicked in turn 1: its process exited with status 1" in shown.err
    assert "no game was played" in shown.err and "1 game, 0 without a winner" in shown.out


def test_the_last_line_of_what_an_agent_said_can_be_printed(tmp_path):
    path = tmp_path / "seat.err"
    for said, line in (
        (b"", ""),
        (b"\n \n", ""),
        (b"one\ntwo \n\n", "two"),
        (b"\x1b[31mred\x1b[0m \xff", "?[31mred?[0m \ufffd"),
        (b"first\n" + b"x" * 100_000, "x" * 200),
    ):
        path.write_bytes(said)
        assert last_line(path) == line


def test_a_match_is_the_same_for_its_seed_however_many_games_run_at_once(tmp_path):
    games = []
    for workers, games_to_play in (("1", "2"), ("2", "4")):
        results = tmp_path / f"{workers}.json"
        main(
            [
                "match", "--agent", RANDOM, "--agent", f"{RANDOM} --seed 5",
                "--games", games_to_play, "--seed", "0", "--timeout", "60", "--max-turns", "6",
                "--workers", workers, "--json", str(results),
            ]
        )  # fmt: skip
        games.append(games_in(results))
    for first, second in zip(games[0], games[1][:2], strict=True):
        for what in ("game", "seed", "seats", "winner", "points", "turns", "kicks", "state"):
            assert first[what] == second[what]
    assert [(game["seed"], game["seats"]) for game in games[1]] == [
        (0, [0, 1]), (0, [1, 0]), (1, [0, 1]), (1, [1, 0]),
    ]  # fmt: skip


def test_a_board_of_a_match_is_played_in_every_rotation_in_which_the_seats_differ():
    games = {
        "ab": "ab ba ab ba", "aa": "aa aa aa aa", "abab": "abab baba abab baba",
        "aabb": "aabb baab bbaa abba",
    }  # fmt: skip
    boards = {"ab": [5, 5, 6, 6], "aa": [5, 6, 7, 8], "abab": [5, 5, 6, 6], "aabb": [5, 5, 5, 5]}
    for agents, by_seat in games.items():
        match = Tournament(tuple(agents), seed=5, rotate=True, paired=True)
        seated = ("".join(agents[agent] for agent in match.agents_by_seat(k)) for k in range(4))
        assert " ".join(seated) == by_seat
        assert [match.board_seed(k) for k in range(4)] == boards[agents]


def test_agents_that_are_started_elsewhere_are_different_ones():
    match = Tournament((WAIT, WAIT), seed=5, rotate=True, paired=True)
    assert [match.board_seed(k) for k in range(4)] == [5, 5, 6, 6]


def test_no_game_of_a_match_of_equal_agents_is_played_again(tmp_path):
    results = tmp_path / "results.json"
    options = ["--games", "2", "--seed", "5", "--max-turns", "2", "--timeout", "60"]
    assert main(["match", *TWO, *options, "--json", str(results)]) == 0
    first, second = games_in(results)
    assert (first["seed"], second["seed"]) == (5, 6)
    assert first["state"] != second["state"]


def games_in(results):
    """The games in a results file, in order."""
    _, *games = map(json.loads, results.read_text().splitlines())
    return sorted(games, key=lambda game: game["game"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--agent", RANDOM], "1 agents; a game has 2, 3 or 4 seats"),
        (["--agent", "no-such-command", *TWO], "no command 'no-such-command'"),
        ([*TWO, "--games", "0"], "--games: '0'; allowed are 1 or more"),
        ([*TWO, "--port", "70000"], "--port: '70000'; allowed are 0..65535"),
        ([*TWO, "--json", "no/such/folder/x.json"], "there is no folder no/such/folder"),
        ([*TWO, "--log-dir", "LICENSE/logs"], "--log-dir LICENSE/logs: "),
        ([*TWO, "--record", "LICENSE/saved"], "--record LICENSE/saved: "),
        ([*TWO, "--placement", "missing"], "unknown policy 'missing'"),
        ([*TWO, "--name", "a\nb", "--name", "c"], r"name 'a\nb': allowed are printable characters"),
        ([*TWO, "--name", "a", "--name", "\udcff"], r"'\udcff': allowed are printable"),
        (["--agent", f"{RANDOM}\udcff.npz", *TWO], r"'random\udcff': allowed are printable"),
        ([*TWO, "--dialect", "klingon"], "invalid choice: 'klingon'"),
        ([*TWO, "--memory", "lots"], "--memory: 'lots'; allowed are whole numbers"),
    ],
)
def test_serve_prints_errors_in_one_line(arguments, complaint, capsys):
    status = main(["serve", *arguments])
    said = capsys.readouterr().err
    assert status == 2 and said.count("\n") == 1 and complaint in said


def test_serve_prints_in_one_line_that_its_port_is_in_use(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        status = main(["serve", *TWO, "--port", str(taken.getsockname()[1])])
    said = capsys.readouterr().err
    assert status == 2 and said.count("\n") == 1 and "in use" in said


@pytest.mark.parametrize("command", ["serve", "match"])
def test_games_without_a_line_for_each_seat_are_refused(command, monkeypatch, capsys):
    monkeypatch.setattr("resource.getrlimit", lambda _: (129, 1 << 20))
    status = main([command, *TWO, "--games", "1"])
    said = capsys.readouterr().err
    assert status == 2 and said.count("\n") == 1
    assert "2 seats need 130 open files; this process may have 129 (ulimit -n)" in said


def test_a_seat_may_wait_for_an_agent_that_is_started_elsewhere(tmp_path):
    results = tmp_path / "results.json"
    options = ["--timeout", "30", "--json", str(results)]
    with server_that_waits(RANDOM, *options) as (_, host, port):
        assert subprocess.run([*RANDOM.split(), host, port]).returncode == 0
    (game,) = games_in(results)
    assert game["kicks"] == [] and game["decision_times"][1]["count"] >= 2


@pytest.mark.parametrize("dialect", ["announced", "literal"])
def test_agents_find_the_dialect_of_the_server_that_starts_them_in_a_variable(dialect, tmp_path):
    write = "import os, sys; sys.stderr.write(os.environ['CATAN_ENV_DIALECT'] + chr(10))"
    command = f'{sys.executable} -I -S -c "{write}"'
    arguments = ["--agent", command, "--agent", command, "--log-dir", str(tmp_path)]
    main(["serve", *arguments, "--dialect", dialect])
    assert (tmp_path / "game-0001-seat-0.err").read_text() == f"{dialect}\n"
