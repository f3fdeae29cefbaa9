"""`catan-env serve` and `catan-env match`."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from catan_env import Game
from catan_env.cli import main

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")

ROOT = Path(__file__).resolve().parents[2]
RANDOM = f"{sys.executable} -m catan_env agent --policy random"


@pytest.fixture(autouse=True)
def in_the_root(monkeypatch):
    """Agents are started where the package can be imported."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def test_serve_plays_and_tells(tmp_path, capsys):
    results = tmp_path / "results.json"
    status = main(
        [
            "serve", "--agent", RANDOM, "--agent", f"{RANDOM} --seed 5", "--games", "2",
            "--seed", "7", "--timeout", "20", "--placement", "random", "--byte-order", "little",
            "--max-turns", "20", "--rotate", "--log-dir", str(tmp_path), "--json", str(results),
        ]
    )  # fmt: skip
    assert status == 0
    said = json.loads(results.read_text())
    assert [game["seats"] for game in said["games"]] == [[0, 1], [1, 0]]
    for game in said["games"]:
        assert game["kicks"] == [] and game["turns"] == 21 and game["winner"] is None
        assert all(times["count"] > 9 for times in game["decision_times"])
    table = capsys.readouterr().out.splitlines()
    assert table[0].split()[:2] == ["agent", "wins"] and len(table) == 4
    record = Game.from_sgn((tmp_path / "game-0001.sgn.json").read_text())
    assert record.turn == 21
    assert {file.name for file in tmp_path.glob("game-0001-*")} == {
        "game-0001-seat-0.out", "game-0001-seat-0.err",
        "game-0001-seat-1.out", "game-0001-seat-1.err",
    }  # fmt: skip


def test_a_match_is_the_same_for_its_seed_however_many_games_run_at_once(tmp_path):
    games = []
    for jobs in ("1", "2"):
        results = tmp_path / f"{jobs}.json"
        main(
            [
                "match", "--agent", RANDOM, "--agent", f"{RANDOM} --seed 5", "--games", "4",
                "--timeout", "60", "--max-turns", "6", "--jobs", jobs, "--json", str(results),
            ]
        )  # fmt: skip
        games.append(json.loads(results.read_text())["games"])
    for first, second in zip(*games, strict=True):
        for what in ("game", "seed", "seats", "winner", "points", "turns", "kicks"):
            assert first[what] == second[what]
    assert [(game["seed"], game["seats"]) for game in games[0]] == [
        (0, [0, 1]), (0, [1, 0]), (1, [0, 1]), (1, [1, 0]),
    ]  # fmt: skip


TWO = ["--agent", RANDOM, "--agent", RANDOM]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--agent", RANDOM], "1 agents; a game has 2, 3 or 4 seats"),
        (["--agent", "no-such-command", *TWO], "no command 'no-such-command'"),
        ([*TWO, "--games", "0"], "--games is 0; allowed are 1 or more"),
        ([*TWO, "--port", "70000"], "--port is 70000"),
        ([*TWO, "--json", "no/such/folder/x.json"], "there is no folder no/such/folder"),
        ([*TWO, "--log-dir", "LICENSE/logs"], "--log-dir LICENSE/logs: "),
        ([*TWO, "--placement", "nobody"], "unknown policy 'nobody'"),
        ([*TWO, "--dialect", "klingon"], "invalid choice: 'klingon'"),
        ([*TWO, "--memory", "lots"], "invalid int value: 'lots'"),
    ],
)
def test_serve_says_in_one_line_what_is_wrong(arguments, complaint, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["serve", *arguments])
    said = capsys.readouterr().err
    assert stopped.value.code == 2 and said.count("\n") == 1 and complaint in said


def test_serve_says_in_one_line_that_its_port_is_in_use(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SystemExit) as stopped:
        main(["serve", *TWO, "--port", str(taken.getsockname()[1])])
    said = capsys.readouterr().err
    assert stopped.value.code == 2 and said.count("\n") == 1 and "in use" in said


def test_a_seat_may_wait_for_an_agent_that_is_started_elsewhere(tmp_path):
    results = tmp_path / "results.json"
    command = [sys.executable, "-m", "catan_env", "serve", "--agent", RANDOM, "--agent", "wait"]
    server = subprocess.Popen(
        [*command, "--max-turns", "4", "--timeout", "30", "--json", str(results)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    with server, server.stderr:
        line = next(line for line in server.stderr if line.startswith("seat 1 waits"))
        assert subprocess.run([*RANDOM.split(), *line.split()[-2:]]).returncode == 0
    (game,) = json.loads(results.read_text())["games"]
    assert game["kicks"] == [] and game["decision_times"][1]["count"] >= 2
