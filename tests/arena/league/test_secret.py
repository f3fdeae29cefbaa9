"""Networked games have secret random streams, which the ledger contains when they are over."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from catan_env.cli import main
from tests.arena.league.places import league

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import MatchSettings, Meeting

TABLE = ("--seats", "2", "--protocol", "binary", "--memory", "1024", "--max-turns", "40")


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> str:
    """A league of two in which a board was played over TCP in both rotations."""
    place = league(tmp_path_factory.mktemp("secret"), "builder", "random", table=TABLE)
    options = ("--games", "2", "--workers", "1", "--over-tcp")
    assert main(["league", "run", place, *options]) == 0
    return place


@pytest.fixture
def opened(played: str, tmp_path: Path) -> Iterator[tuple[str, sqlite3.Connection]]:
    """A copy of that league, and a connection to its database."""
    source, place = Path(played) / "league.db", tmp_path / "copy"
    place.mkdir()
    with closing(sqlite3.connect(source)) as a, sqlite3.connect(place / "league.db") as b:
        a.backup(b)
    with closing(sqlite3.connect(place / "league.db", isolation_level=None)) as connection:
        yield str(place), connection


def checked(place: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The output of `league check`."""
    capsys.readouterr()
    main(["league", "check", place])
    return "".join(capsys.readouterr())


def test_the_rotations_of_a_board_have_different_secrets_of_256_bits(played: str) -> None:
    with closing(Ledger(played)) as ledger:
        first, second = ledger.games()
    assert first.seed == second.seed
    assert first.secret != second.secret
    assert all(game.secret is not None and len(game.secret) == 64 for game in (first, second))


def test_the_ledger_is_checked_against_the_secrets(opened, capsys) -> None:
    place, connection = opened
    assert "2 games, 0 at fault" in checked(place, capsys)
    connection.execute("update outcomes set secret = ? where number = 1", ("00" * 32,))
    assert "game 1: not what its secret draws: seat" in checked(place, capsys)


def test_games_without_their_secrets_replay_from_their_outcomes(opened, capsys) -> None:
    place, connection = opened
    connection.execute("update outcomes set secret = null")
    assert "2 games, 0 at fault" in checked(place, capsys)


def test_the_records_name_the_secrets_and_are_checked(played: str, tmp_path: Path, capsys) -> None:
    assert main(["league", "export", played, "--record", str(tmp_path)]) == 0
    facts, *games = map(json.loads, capsys.readouterr().out.splitlines())
    assert "seed" not in facts  # the boards of later games follow from it
    record = json.loads((tmp_path / "game-000001.sgn.json").read_text())
    assert record[0]["x-game"]["secret"] == games[0]["secret"]
    assert main(["check", str(tmp_path)]) == 0
    record[0]["x-game"]["secret"] = games[1]["secret"]
    (tmp_path / "game-000001.sgn.json").write_text(json.dumps(record))
    assert main(["check", str(tmp_path)]) == 1
    assert "the record's secret draws something else" in capsys.readouterr().err


def test_a_ledger_of_the_fourth_version_replays_and_its_new_games_are_secret(
    tmp_path: Path, capsys
) -> None:
    table = (*TABLE, "--seed", "0")
    place = league(tmp_path, "builder", "random", table=table)
    assert "agents that know or guess the seed" in capsys.readouterr().err
    assert main(["league", "run", place, "--games", "2", "--workers", "1"]) == 0
    with closing(sqlite3.connect(Path(place) / "league.db", isolation_level=None)) as connection:
        connection.execute("alter table outcomes drop column secret")
        connection.execute("update facts set value = '4' where name = 'version'")
        connection.execute("delete from facts where name = 'predictable'")
    assert "2 games, 0 at fault" in checked(place, capsys)
    with closing(Ledger(place)) as ledger:
        assert [game.secret for game in ledger.games()] == [None, None]
        assert MatchSettings.from_settings(ledger.settings).fresh_secret() is not None


def test_a_league_with_a_seed_is_predictable_and_one_without_has_128_bits(tmp_path: Path) -> None:
    tables = []
    for k, options in enumerate(((), (), ("--seed", "7"))):
        place = league(tmp_path / str(k), table=(*TABLE, *options))
        with closing(Ledger(place)) as ledger:
            tables.append(MatchSettings.from_settings(ledger.settings))
    one, other, seeded = tables
    assert one.seed != other.seed and max(one.seed, other.seed) > 1 << 96
    meeting = Meeting((1, 2), 0)
    assert one.seed_of(meeting) != other.seed_of(meeting)
    assert seeded.seed == 7 and seeded.fresh_secret() is None
