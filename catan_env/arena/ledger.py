"""What a league keeps: who plays in it, and the outcome and record of every game, once.

A ledger is a database, SQLite's file `league.db` in a folder or whatever a URL of SQLAlchemy's
names. An outcome is only ever added, with its record, in one transaction: what ends the process
amid a game loses that game, and nothing else.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catan_env.arena.outcome import Outcome
from catan_env.extras import missing

try:
    import sqlalchemy as sql
    from sqlalchemy.exc import IntegrityError, SQLAlchemyError
except ImportError as error:
    raise missing("a league", "league", error) from error

FILE = "league.db"
VERSION = 1
"""Of the tables; a ledger of another is refused."""

TABLES = sql.MetaData()
FACTS = sql.Table(
    "facts",
    TABLES,
    sql.Column("name", sql.String(40), primary_key=True),
    sql.Column("value", sql.Text, nullable=False),
)
ENTRANTS = sql.Table(
    "entrants",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("name", sql.String(80), nullable=False, unique=True),
    sql.Column("policy", sql.Text, nullable=False),
    sql.Column("is_active", sql.Boolean, nullable=False, default=True),
)
OUTCOMES = sql.Table(
    "outcomes",
    TABLES,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("line_up", sql.String(200), nullable=False),
    sql.Column("meeting", sql.Integer, nullable=False),
    sql.Column("seed", sql.String(20), nullable=False),
    sql.Column("seats", sql.Text, nullable=False),
    sql.Column("winner", sql.Integer, sql.ForeignKey(ENTRANTS.c.id)),
    sql.Column("points", sql.Text, nullable=False),
    sql.Column("turns", sql.Integer, nullable=False),
    sql.Column("decisions", sql.Integer, nullable=False),
    sql.Column("state", sql.String(64), nullable=False),
    sql.Column("record", sql.LargeBinary, nullable=False),
    sql.UniqueConstraint("line_up", "meeting"),
)


class LedgerError(ValueError):
    """A ledger that cannot be opened, or does not hold what is asked for."""


@dataclass(frozen=True)
class Entrant:
    """Who plays in a league; one that was removed plays no more, and its games stay."""

    id: int
    name: str
    policy: str
    is_active: bool = True


@dataclass(frozen=True)
class Meeting:
    """The game that the same entrants play for the n-th time, counted from 0."""

    line_up: tuple[int, ...]
    """Entrants by id, ascending."""
    number: int

    @property
    def key(self) -> str:
        """The line-up as it stands in the ledger."""
        return " ".join(map(str, self.line_up))


@dataclass(frozen=True)
class Kept:
    """A game in the ledger; `outcome` counts entrants by id."""

    number: int
    meeting: Meeting
    outcome: Outcome


class Ledger:
    """A league's database; LedgerError where it is none."""

    def __init__(self, place: str) -> None:
        self._engine = sql.create_engine(url_of(place))
        try:
            with self._engine.connect() as connection:
                has_tables = sql.inspect(connection).has_table("facts")
        except SQLAlchemyError as error:
            raise LedgerError(f"{place}: {_reason(error)}") from None
        self.facts = self._read_facts() if has_tables else {}
        if has_tables and self.facts.get("version") != VERSION:
            raise LedgerError(f"{place}: a ledger of version {self.facts.get('version')}")

    @property
    def exists(self) -> bool:
        """Whether there is a league in it."""
        return bool(self.facts)

    def create(self, facts: dict[str, Any]) -> None:
        """Begin a league with these facts."""
        TABLES.create_all(self._engine)
        rows = [
            {"name": name, "value": json.dumps(value)}
            for name, value in {**facts, "version": VERSION}.items()
        ]
        with self._engine.begin() as connection:
            connection.execute(FACTS.insert(), rows)
        self.facts = self._read_facts()

    def add(self, name: str, policy: str) -> None:
        """Let somebody play from now on."""
        with self._engine.begin() as connection:
            try:
                connection.execute(ENTRANTS.insert(), {"name": name, "policy": policy})
            except IntegrityError:
                raise LedgerError(f"there is an entrant {name!r} already") from None

    def remove(self, name: str) -> None:
        """Let somebody play no more."""
        change = ENTRANTS.update().where(ENTRANTS.c.name == name).values(is_active=False)
        with self._engine.begin() as connection:
            if not connection.execute(change).rowcount:
                raise LedgerError(f"there is no entrant {name!r}")

    def entrants(self) -> list[Entrant]:
        """Everybody who was ever added."""
        with self._engine.connect() as connection:
            rows = connection.execute(sql.select(ENTRANTS).order_by(ENTRANTS.c.id))
            return [Entrant(*row) for row in rows]

    def meetings(self) -> dict[str, int]:
        """How many games each line-up has played, by its key."""
        counted = sql.select(OUTCOMES.c.line_up, sql.func.count()).group_by(OUTCOMES.c.line_up)
        with self._engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(counted)}

    def keep(self, meeting: Meeting, outcome: Outcome, record: str) -> bool:
        """Add a game; False where somebody else has played this meeting."""
        row = {
            "line_up": meeting.key,
            "meeting": meeting.number,
            "seed": str(outcome.seed),
            "seats": json.dumps(outcome.seats),
            "winner": outcome.winner,
            "points": json.dumps(outcome.points),
            "turns": outcome.turns,
            "decisions": outcome.decisions,
            "state": outcome.state,
            "record": gzip.compress(record.encode(), mtime=0),
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(OUTCOMES.insert(), row)
        except IntegrityError:
            return False
        return True

    def games(self) -> Iterator[Kept]:
        """Every game in the order of its end, without its record."""
        columns = [column for column in OUTCOMES.c if column.name != "record"]
        with self._engine.connect() as connection:
            for row in connection.execute(sql.select(*columns).order_by(OUTCOMES.c.number)):
                yield _kept(row)

    def record(self, number: int) -> str:
        """The record of a game."""
        asked = sql.select(OUTCOMES.c.record).where(OUTCOMES.c.number == number)
        with self._engine.connect() as connection:
            packed = connection.execute(asked).scalar()
        if packed is None:
            raise LedgerError(f"there is no game {number}")
        try:
            return gzip.decompress(packed).decode()
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise LedgerError(f"game {number}: its record is damaged: {error}") from None

    def _read_facts(self) -> dict[str, Any]:
        with self._engine.connect() as connection:
            return {
                row.name: json.loads(row.value) for row in connection.execute(sql.select(FACTS))
            }


def url_of(place: str) -> str:
    """The URL of a place: a URL itself, or a folder.

    >>> url_of("mine")
    'sqlite:///mine/league.db'
    """
    return place if "://" in place else f"sqlite:///{Path(place) / FILE}"


def _kept(row: Any) -> Kept:
    seats = tuple(json.loads(row.seats))
    outcome = Outcome(
        game=row.number,
        seed=int(row.seed),
        seats=seats,
        winner=row.winner,
        points=tuple(json.loads(row.points)),
        turns=row.turns,
        decisions=row.decisions,
        state=row.state,
    )
    return Kept(row.number, Meeting(tuple(sorted(seats)), row.meeting), outcome)


def _reason(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
