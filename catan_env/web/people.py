"""People who play at a server: their games and results, in SQLite. There are no accounts.

A person is known by a secret key, which their browser stores and their link contains. Only its
hash is in the file, which its owner alone can read.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from catan_env.web.secret import new_link

TABLES = """
CREATE TABLE IF NOT EXISTS people (
  id INTEGER PRIMARY KEY, hash TEXT UNIQUE NOT NULL, name TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
  path TEXT PRIMARY KEY, record TEXT NOT NULL, rules TEXT NOT NULL, begun INTEGER NOT NULL,
  winner INTEGER, turns INTEGER
);
CREATE TABLE IF NOT EXISTS seats (
  path TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, policy TEXT, person INTEGER,
  PRIMARY KEY (path, seat)
);
CREATE INDEX IF NOT EXISTS seats_of_people ON seats (person);
"""
MOST_LISTED = 50


class PlayedGame(NamedTuple):
    """A game of a person's list; `winner` is None while it is unfinished."""

    path: str
    names: list[str]
    seat: int
    winner: int | None
    turns: int | None
    begun: int


class Result(NamedTuple):
    """The games that a person has finished at a table with a policy."""

    policy: str
    games: int
    wins: int


class People:
    """The people in one file; ValueError if it is damaged, or locked for `patience` seconds.

    Later OSError if it is locked for so long.

    >>> people = People(":memory:")
    >>> key = people.enter("", "Ann")
    >>> people.enter(key, "") == key, people.name(key)
    (True, 'Ann')
    """

    def __init__(self, path: str | Path, patience: float = 5.0) -> None:
        self._lock = Lock()
        self._name = Path(path).name
        if str(path) != ":memory:":
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._file = sqlite3.connect(path, patience, check_same_thread=False)
        try:
            self._file.executescript(TABLES)
        except sqlite3.OperationalError as error:  # as of a file that another server has locked
            raise ValueError(f"{path}: {error}") from None
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{path}: {error}; delete it to start a new one") from None

    def enter(self, key: str, name: str) -> str:
        """The key of a person, who may have a new name; a new key if that one is unknown."""
        known = self.number(key)
        if known is None:
            key = new_link()
            self._do("INSERT INTO people (hash, name) VALUES (?, ?)", _hash(key), name)
        elif name:
            self._do("UPDATE people SET name = ? WHERE id = ?", name, known)
        return key

    def name(self, key: str) -> str:
        """The person's name; empty if there is none."""
        rows = self._ask("SELECT name FROM people WHERE hash = ?", _hash(key))
        return rows[0][0] if rows else ""

    def begin(
        self,
        path: str,
        record: Path,
        rules: str,
        names: Sequence[str],
        policies: Sequence[str | None],
        people: Sequence[int | None],
    ) -> None:
        """Note a game that begins: by seat, the names, the policies and the people's numbers."""
        now = int(time.time())
        self._do("INSERT INTO games VALUES (?, ?, ?, ?, NULL, NULL)", path, str(record), rules, now)
        for seat, (name, policy, person) in enumerate(zip(names, policies, people, strict=True)):
            self._do("INSERT INTO seats VALUES (?, ?, ?, ?, ?)", path, seat, name, policy, person)

    def end(self, path: str, winner: int | None, turns: int) -> None:
        """Note the result of a game."""
        self._do("UPDATE games SET winner = ?, turns = ? WHERE path = ?", winner, turns, path)

    def games(self, key: str) -> list[PlayedGame]:
        """The person's games, the latest first."""
        rows = self._ask(
            "SELECT path, seat, winner, turns, begun FROM seats JOIN games USING (path) "
            "WHERE person = ? ORDER BY begun DESC, games.rowid DESC LIMIT ?",
            self.number(key),
            MOST_LISTED,
        )
        return [
            PlayedGame(path, self._names(path), seat, winner, turns, begun)
            for path, seat, winner, turns, begun in rows
        ]

    def results(self, key: str) -> list[Result]:
        """The person's finished games against each policy, the most games first."""
        rows = self._ask(
            "SELECT other.policy, COUNT(DISTINCT own.path), "
            "COUNT(DISTINCT CASE WHEN winner = own.seat THEN own.path END) "
            "FROM seats own JOIN games USING (path) JOIN seats other ON other.path = own.path "
            "WHERE own.person = ? AND other.policy IS NOT NULL AND winner IS NOT NULL "
            "GROUP BY other.policy ORDER BY 2 DESC, 1",
            self.number(key),
        )
        return [Result(*row) for row in rows]

    def record(self, key: str, path: str) -> Path | None:
        """The record of a game that the person has played to its end; ValueError before that.

        The record of a game in progress has all hands, and the secret of its dice.
        """
        rows = self._ask(
            "SELECT record, turns FROM games JOIN seats USING (path) WHERE path = ? AND person = ?",
            path,
            self.number(key),
        )
        if rows and rows[0][1] is None:
            raise ValueError("this game is not over yet")
        return Path(rows[0][0]) if rows else None

    def at_table(self, path: str) -> list[int | None]:
        """The people's numbers at a table, by seat; empty if the table is not in the file."""
        rows = self._ask("SELECT person FROM seats WHERE path = ? ORDER BY seat", path)
        return [row[0] for row in rows]

    def number(self, key: str) -> int | None:
        """The person's number in this file; None if the key is unknown."""
        rows = self._ask("SELECT id FROM people WHERE hash = ?", _hash(key))
        return rows[0][0] if rows else None

    def _names(self, path: str) -> list[str]:
        rows = self._ask("SELECT name FROM seats WHERE path = ? ORDER BY seat", path)
        return [row[0] for row in rows]

    def _ask(self, query: str, *values: Any) -> list[Any]:
        with self._used():
            return self._file.execute(query, values).fetchall()

    def _do(self, statement: str, *values: Any) -> None:
        with self._used(), self._file:
            self._file.execute(statement, values)

    @contextmanager
    def _used(self) -> Iterator[None]:
        """The file for one thread; OSError if it is locked, or its disk is full."""
        try:
            with self._lock:
                yield
        except sqlite3.OperationalError as error:
            raise OSError(f"{self._name}: {error}") from error


def _hash(key: str) -> str:
    return sha256(key.encode()).hexdigest()
