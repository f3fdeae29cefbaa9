"""Ledgers of older versions become ones of this version: completely, or not at all."""

import gzip
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from catan_env.cli import main
from tests.arena.league.places import ROOT, league

sqlalchemy = pytest.importorskip("sqlalchemy")
from catan_env.arena.league.check import Check  # noqa: E402
from catan_env.arena.league.database import LedgerError  # noqa: E402
from catan_env.arena.league.league import League  # noqa: E402
from catan_env.arena.league.ledger import Ledger  # noqa: E402
from catan_env.arena.league.store import Store  # noqa: E402

VERSION_1 = (ROOT / "tests/golden/league/version-1.sql").read_text()
"""Two entrants and one game: outcomes with lists, and a record in Settlers Game Notation."""


def first_version(folder: Path) -> str:
    """A league of version 1 in SQLite's file."""
    with closing(sqlite3.connect(folder / "league.db")) as connection:
        connection.executescript(VERSION_1)
    return str(folder)


def first_version_at(url: str) -> str:
    """The same league in PostgreSQL, in its own words."""
    words = VERSION_1.replace(" BLOB ", " bytea ").replace("X'", "'\\x")
    words = words.replace("',1);", "',true);")
    engine = sqlalchemy.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        for statement in words.split(";\n")[1:-2]:
            connection.exec_driver_sql(statement)
    engine.dispose()
    return url


def contents(place: str) -> list[str]:
    """All tables of SQLite's file, as statements."""
    with closing(sqlite3.connect(Path(place) / "league.db")) as connection:
        return list(connection.iterdump())


def is_migrated(place: str) -> bool:
    """Check that the game, its record and the entrants are there."""
    ledger = Ledger(place)
    (result,) = ledger.games()
    assert (result.seats, result.winner, result.points) == ((1, 2), 1, (3, 10))
    assert [entrant.title for entrant in ledger.entrants()] == ["greedy", "builder"]
    return not list(Check(ledger).faults())


def test_a_ledger_of_the_second_version_knows_no_engines(tmp_path):
    place = league(tmp_path, "builder", "random")
    list(League(Ledger(place)).run(2))
    with closing(sqlite3.connect(Path(place) / "league.db")) as connection:
        connection.executescript(
            "alter table outcomes drop column engine; "
            "update facts set value = '2' where name = 'version'"
        )
    assert [game.engine for game in Ledger(place).games()] == ["", ""]
    assert not list(Check(Ledger(place)).faults())


def test_a_league_of_the_first_version_continues(tmp_path):
    place = first_version(tmp_path)
    assert is_migrated(place)
    assert main(["league", "run", place, "--games", "2", "--workers", "1"]) == 0
    assert [result.meeting.number for result in Ledger(place).games()] == [0, 1, 2]


def test_a_league_of_the_first_version_continues_in_postgresql(cluster):
    place = first_version_at(cluster.url)
    assert is_migrated(place)
    Ledger(place).add("random", "random")
    assert [entrant.id for entrant in Ledger(place).entrants()] == [1, 2, 3]


KILLED = """
import os, signal, sys
from sqlalchemy import Engine, event
from catan_env.arena.league.ledger import Ledger

@event.listens_for(Engine, "before_cursor_execute")
def killed(connection, cursor, statement, *rest):
    if statement.startswith("INSERT INTO records"):
        os.kill(os.getpid(), signal.SIGKILL)

Ledger(sys.argv[1])
"""


def test_a_migration_that_is_killed_has_changed_nothing(tmp_path):
    place = first_version(tmp_path)
    before = contents(place)
    command = [sys.executable, "-c", KILLED, place]
    assert subprocess.run(command, cwd=ROOT).returncode == -signal.SIGKILL
    assert contents(place) == before
    assert is_migrated(place)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (b"", "its record cannot be read: the text is empty"),
        (b"\0", "its record cannot be read: Not a gzipped file"),
        (gzip.compress(b"[]")[:-9], "its record cannot be read: Compressed file ended before"),
        (gzip.compress(b"\xff"), "its record cannot be read: 'utf-8' codec can't decode"),
        (gzip.compress(b"[{]"), "its record cannot be read: no JSON in line 1"),
    ],
    ids=("nothing", "not packed", "cut off", "not text", "not JSON"),
)
def test_a_record_that_cannot_be_read_ends_a_migration_without_a_change(record, reason, tmp_path):
    place = first_version(tmp_path)
    with closing(sqlite3.connect(tmp_path / "league.db")) as connection:
        connection.execute("update outcomes set record = ?", (record,))
        connection.commit()
    before = contents(place)
    with pytest.raises(LedgerError) as error:
        Ledger(place)
    said = str(error.value)
    assert said.startswith(f"{place}: game 1: {reason}"), said
    assert said.endswith("; the ledger is unchanged")
    assert contents(place) == before


@pytest.mark.parametrize("database", ["file", "cluster"])
def test_processes_that_open_an_old_ledger_simultaneously_migrate_it_once(
    database, tmp_path, request
):
    if database == "file":
        place = first_version(tmp_path)
    else:
        place = first_version_at(request.getfixturevalue("cluster").url)
    with ThreadPoolExecutor(4) as pool:
        opened = [pool.submit(Ledger, place) for _ in range(4)]
    assert [each.result().count() for each in opened] == [1] * 4
    assert is_migrated(place)


def test_no_process_fails_of_those_that_open_old_ledgers_simultaneously(tmp_path):
    """SQLite waits for no lock that two connections want at once to begin its log."""

    def opened(place):
        store = Store(str(place))
        with store.reading() as connection:
            entrants = connection.exec_driver_sql("select count(*) from entrants").scalar()
        store.close()
        return entrants

    with ThreadPoolExecutor(6) as pool:
        for number in range(200):
            place = tmp_path / str(number)
            place.mkdir()
            first_version(place)
            assert list(pool.map(opened, [place] * 6)) == [2] * 6
