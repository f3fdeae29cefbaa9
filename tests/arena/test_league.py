"""A league keeps every game once, and every figure can be computed again."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from catan_env.arena.schedule import board_number
from catan_env.cli import main

sqlalchemy = pytest.importorskip("sqlalchemy")
from catan_env.arena.league import League  # noqa: E402
from catan_env.arena.ledger import Ledger, Meeting  # noqa: E402


@pytest.fixture
def place(tmp_path) -> str:
    """A league of three who play duels."""
    place = str(tmp_path / "league")
    table = ["--seats", "2", "--rules", "duel", "--seed", "5", "--max-turns", "60"]
    assert main(["league", "init", place, *table]) == 0
    for name in ("builder", "random", "lazy"):
        policy = "random" if name == "lazy" else name
        assert main(["league", "add", place, policy, "--name", name]) == 0
    return place


def test_everybody_meets_everybody_on_the_same_boards_in_every_seat(place):
    ledger = Ledger(place)
    games = list(League(ledger).run(12))
    assert len(games) == 12
    kept = list(ledger.games())
    assert {game.meeting.key: 0 for game in kept} == {"1 2": 0, "1 3": 0, "2 3": 0}
    for key in ("1 2", "1 3", "2 3"):
        met = [game for game in kept if game.meeting.key == key]
        assert [game.meeting.number for game in met] == [0, 1, 2, 3]
        assert met[0].outcome.seats == met[1].outcome.seats[::-1]
        seeds = [game.outcome.seed for game in met]
        assert (seeds[0], seeds[2]) == (seeds[1], seeds[3]) and seeds[0] != seeds[2]
        assert [board_number(game.meeting.number, 2) for game in met] == [0, 0, 1, 1]


def test_a_meeting_is_kept_once(place):
    ledger = Ledger(place)
    league = League(ledger)
    meeting = league.next_meeting()
    outcome, record = league.play(meeting)
    assert ledger.keep(meeting, outcome, record)
    assert not ledger.keep(meeting, outcome, record)
    assert len(list(ledger.games())) == 1


def test_a_meeting_is_the_same_game_whoever_plays_it(place):
    league = League(Ledger(place))
    meeting = Meeting((1, 2), 3)
    assert league.play(meeting) == league.play(meeting)


def test_standings_follow_from_the_export(place, capsys):
    main(["league", "run", place, "--games", "12"])
    shown = capsys.readouterr().out.splitlines()
    assert main(["league", "export", place]) == 0
    facts, *games = map(json.loads, capsys.readouterr().out.splitlines())
    names = {entrant["id"]: entrant["name"] for entrant in facts["entrants"]}
    for line in shown[1:]:
        name, _, played, rate, *_ = line.split()
        took_part = [game for game in games if name in [names[e] for e in game["seats"]]]
        wins = sum(names.get(game["winner"]) == name for game in games)
        assert int(played) == len(took_part) == 8
        assert float(rate) == pytest.approx(100 * wins / 8, abs=0.06)
    assert shown[1].startswith("builder ")


def test_who_is_removed_plays_no_more_and_keeps_its_games(place, capsys):
    main(["league", "run", place, "--games", "3"])
    assert main(["league", "remove", place, "lazy"]) == 0
    main(["league", "run", place, "--games", "3"])
    last = [game.meeting.key for game in Ledger(place).games()][3:]
    assert last == ["1 2"] * 3
    assert "lazy " in capsys.readouterr().out


def test_check_finds_a_damaged_record_and_one_of_another_game(place, capsys):
    main(["league", "run", place, "--games", "3"])
    assert main(["league", "check", place]) == 0
    assert capsys.readouterr().out.endswith("3 games, 0 at fault\n")
    engine = sqlalchemy.create_engine(f"sqlite:///{place}/league.db")
    other = Ledger(place).record(3).encode()
    for number, record in ((1, b"nothing"), (2, gzip.compress(other))):
        with engine.begin() as connection:
            change = sqlalchemy.text("update outcomes set record = :r where number = :n")
            connection.execute(change, {"r": record, "n": number})
    assert main(["league", "check", place]) == 1
    said = capsys.readouterr()
    assert "game 1: its record is damaged" in said.err
    assert "game 2: its record leads to another state" in said.err


def test_a_game_is_shown_as_its_record(place, capsys):
    main(["league", "run", place, "--games", "1"])
    capsys.readouterr()
    assert main(["league", "show", place, "1"]) == 0
    assert json.loads(capsys.readouterr().out)
    assert main(["league", "show", place, "2"]) == 2
    assert capsys.readouterr().err == "catan-env league: there is no game 2\n"


def test_a_killed_league_has_counted_every_game_once_and_goes_on(place):
    command = [sys.executable, "-m", "catan_env", "league", "run", place, "--games", "100000"]
    for kill in range(int(os.environ.get("LEAGUE_KILLS", "2"))):
        before = len(list(Ledger(place).games()))
        runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(list(Ledger(place).games())) <= before and runner.poll() is None:
            time.sleep(0.05 + 0.013 * (kill % 7))
        runner.send_signal(signal.SIGKILL)
        assert runner.wait() == -signal.SIGKILL
    games = list(Ledger(place).games())
    assert len({(game.meeting.key, game.meeting.number) for game in games}) == len(games) > 1
    assert not list(League(Ledger(place)).faults())
    for key, count in Ledger(place).meetings().items():
        met = [game.meeting.number for game in games if game.meeting.key == key]
        assert sorted(met) == list(range(count))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run nowhere", "nowhere: there is no such folder"),
        ("init {place}", "{place}: there is a league already"),
        ("add {place} random --name lazy", "there is an entrant 'lazy' already"),
        ("add {place} nobody", "unknown policy 'nobody'"),
        ("remove {place} nobody", "there is no entrant 'nobody'"),
        ("init {place}2 --rules house", "unknown rules 'house'"),
    ],
)
def test_what_cannot_be_is_one_line(arguments, said, place, capsys):
    assert main(["league", *arguments.format(place=place).split()]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"catan-env league: {said.format(place=place)}")
    assert error.count("\n") == 1


def test_too_few_entrants_are_one_line(tmp_path, capsys):
    place = str(tmp_path)
    main(["league", "init", place])
    assert main(["league", "run", place]) == 2
    assert "0 entrants play; a table has 4 seats" in capsys.readouterr().err
    assert Path(place, "league.db").exists()
