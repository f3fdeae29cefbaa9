"""A server's database of games, from which it resumes them after it was killed.

A game is its seed and the marks of its record (`Game.record`), one row each, written before any
client is sent them. SQLite by default; by URL any database that SQLAlchemy supports, such as
PostgreSQL.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from catan_env.extras import missing

try:
    import sqlalchemy as sql
except ImportError as error:
    raise missing("keeping games", "renaissance", error) from error

from catan_env.guests.renaissance.game import Game
from catan_env.net.address import without_password

IN_MEMORY = "sqlite://"
_metadata = sql.MetaData()
_GAMES = sql.Table(
    "renaissance_games",
    _metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("seats", sql.Integer, nullable=False),
    sql.Column("seed", sql.String(20), nullable=False),
    sql.Column("cards", sql.String(20), nullable=False),
    sql.Column("nicknames", sql.Text, nullable=False),
    sqlite_autoincrement=True,  # else SQLite reuses the last number when its game has ended
)
_MARKS = sql.Table(
    "renaissance_marks",
    _metadata,
    sql.Column("game", sql.Integer, sql.ForeignKey("renaissance_games.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("mark", sql.Integer, nullable=False),
)


class Kept(NamedTuple):
    """A saved game: its number, its players, and its position."""

    number: int
    nicknames: list[str]
    game: Game


class Records:
    """The games of one server, by number; ValueError if the database cannot be opened.

    >>> records = Records()
    >>> game = Game(1, seed=7)
    >>> number = records.begin(game, ["ann"])
    >>> game.play(0)
    >>> records.add(number, 0, game.record()["marks"])
    >>> [kept.game == game for kept in records.games()]
    [True]
    """

    def __init__(self, url: str = IN_MEMORY) -> None:
        options: dict[str, Any] = {}
        if url.startswith("sqlite"):  # one connection, which may move to a server's thread
            options["connect_args"] = {"check_same_thread": False}
        if url == IN_MEMORY:
            options["poolclass"] = sql.StaticPool
        if "://" not in url:
            example = f"sqlite:///{url or 'games.db'}"
            raise ValueError(f"cannot save games in {url!r}: it is not a URL, such as {example}")
        try:
            self._engine = sql.create_engine(url, **options)
            if self._engine.dialect.name == "sqlite":
                sql.event.listen(self._engine, "connect", _write_ahead)
            _metadata.create_all(self._engine)
            self._connection = self._engine.connect()
        except (sql.exc.SQLAlchemyError, ImportError) as error:
            reason = str(error).partition("\n")[0]
            raise ValueError(f"cannot save games in {without_password(url)}: {reason}") from None
        except ValueError:
            reason = "its port or an option is not a number"
            raise ValueError(f"cannot save games in {without_password(url)}: {reason}") from None

    def begin(self, game: Game, nicknames: Sequence[str]) -> int:
        """Save a new game; return its number, which is never reused."""
        row = {
            "seats": game.seats,
            "seed": str(game.seed),
            "cards": game.cards,
            "nicknames": json.dumps(list(nicknames)),
        }
        with self._connection.begin():
            made = self._connection.execute(sql.insert(_GAMES).values(row))
        key = made.inserted_primary_key
        assert key is not None
        return int(key[0])

    def add(self, number: int, first: int, marks: Sequence[int]) -> None:
        """Save what has happened in a game since mark `first`."""
        rows = [{"game": number, "number": first + k, "mark": mark} for k, mark in enumerate(marks)]
        if rows:
            with self._connection.begin():
                self._connection.execute(sql.insert(_MARKS), rows)

    def forget(self, number: int) -> None:
        """Delete a game."""
        with self._connection.begin():
            self._connection.execute(sql.delete(_MARKS).where(_MARKS.c.game == number))
            self._connection.execute(sql.delete(_GAMES).where(_GAMES.c.id == number))

    def count(self) -> int:
        """The number of saved games."""
        with self._connection.begin():
            counted = self._connection.execute(sql.select(sql.func.count()).select_from(_GAMES))
            return int(counted.scalar_one())

    def games(self) -> Iterator[Kept]:
        """All saved games, in their current positions."""
        with self._connection.begin():
            rows = self._connection.execute(sql.select(_GAMES).order_by(_GAMES.c.id)).all()
        for row in rows:
            game = Game(row.seats, int(row.seed), row.cards)
            game.replay(self._marks(row.id))
            yield Kept(row.id, json.loads(row.nicknames), game)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()
        self._engine.dispose()

    def _marks(self, number: int) -> list[int]:
        chosen = sql.select(_MARKS.c.mark).where(_MARKS.c.game == number).order_by(_MARKS.c.number)
        with self._connection.begin():
            return list(self._connection.execute(chosen).scalars())


def _write_ahead(connection: Any, _: Any) -> None:
    """Commit durably against a killed process; only a crash of the machine may lose games."""
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {pragma}")
