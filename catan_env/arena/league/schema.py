"""The tables of a ledger, and the migrations of older ones.

Outcomes are only ever added. Values by seat have a column for each of four seats; those beyond
the table's are NULL. `derived` contains only data that can be recomputed from the outcomes,
`live` and `claims` the state of games that have no outcome yet.
"""

import gzip
import json
import zlib
from collections.abc import Callable
from typing import Any

from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.league.moves import MovesError, pack
from catan_env.arena.league.result import Result
from catan_env.arena.outcome import outcome_of
from catan_env.core.constants import SEATS
from catan_env.extras import missing
from catan_env.notation.files import loads

try:
    import sqlalchemy as sql
except ImportError as error:
    raise missing("a league", "league", error) from error

__all__ = [
    "CLAIMS",
    "DERIVED",
    "ENTRANTS",
    "FACTS",
    "FILES",
    "LIVE",
    "OUTCOMES",
    "RECORDS",
    "TABLES",
    "VERSION",
    "migrate",
    "sql",
]

VERSION = 6
"""Version of the tables; an older ledger is migrated, a newer one refused."""

TABLES = sql.MetaData()


def _key(name: str) -> sql.Column[Any]:
    return sql.Column(name, sql.Integer, primary_key=True)


def _by_seat(name: str, kind: Any) -> list[sql.Column[Any]]:
    return [sql.Column(f"{name}_{seat}", kind) for seat in range(SEATS)]


FACTS = sql.Table(
    "facts",
    TABLES,
    sql.Column("name", sql.String(40), primary_key=True),
    sql.Column("value", sql.Text, nullable=False),
)
ENTRANTS = sql.Table(
    "entrants",
    TABLES,
    _key("id"),
    sql.Column("name", sql.String(80), nullable=False),
    sql.Column("version", sql.String(40), nullable=False, default=""),
    sql.Column("author", sql.String(80), nullable=False, default=""),
    sql.Column("kind", sql.String(10), nullable=False, default="policy"),
    sql.Column("words", sql.Text, nullable=False),
    sql.Column("files", sql.String(64)),
    sql.Column("is_active", sql.Boolean, nullable=False, default=True),
    sql.Column("pardoned_at", sql.Integer, nullable=False, default=0),
    sql.UniqueConstraint("name", "version"),
)
FILES = sql.Table(
    "files",
    TABLES,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("packed", sql.LargeBinary, nullable=False),
)
OUTCOMES = sql.Table(
    "outcomes",
    TABLES,
    _key("number"),
    sql.Column("line_up", sql.String(80), nullable=False),
    sql.Column("meeting", sql.Integer, nullable=False),
    sql.Column("played", sql.String(10), nullable=False),
    sql.Column("seed", sql.String(20), nullable=False),
    sql.Column("secret", sql.String(128)),
    sql.Column("winner", sql.Integer),
    sql.Column("turns", sql.Integer, nullable=False),
    sql.Column("decisions", sql.Integer, nullable=False),
    sql.Column("state", sql.String(64), nullable=False),
    sql.Column("ended", sql.Float, nullable=False),
    sql.Column("engine", sql.String(40), nullable=False, server_default=""),
    *_by_seat("entrant", sql.Integer),
    *_by_seat("points", sql.Integer),
    *_by_seat("late", sql.Integer),
    *_by_seat("asked", sql.Integer),
    *_by_seat("spent", sql.Float),
    *_by_seat("slowest", sql.Float),
    sql.Column("kicked", sql.Integer, nullable=False),
    sql.Column("kicks", sql.Text),
    sql.UniqueConstraint("line_up", "meeting"),
)
RECORDS = sql.Table(
    "records",
    TABLES,
    sql.Column("game", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("moves", sql.LargeBinary, nullable=False),
)
DERIVED = sql.Table(
    "derived",
    TABLES,
    sql.Column("name", sql.String(40), primary_key=True),
    sql.Column("upto", sql.Integer, nullable=False),
    sql.Column("value", sql.Text, nullable=False),
)

LIVE = sql.Table(
    "live",
    TABLES,
    sql.Column("line_up", sql.String(80), primary_key=True),
    sql.Column("meeting", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("names", sql.Text, nullable=False),
    sql.Column("moves", sql.LargeBinary, nullable=False),
    sql.Column("seen", sql.Float, nullable=False),
)

CLAIMS = sql.Table(
    "claims",
    TABLES,
    sql.Column("line_up", sql.String(80), primary_key=True),
    sql.Column("meeting", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("run", sql.String(120), nullable=False),
    sql.Column("seen", sql.Float, nullable=False),
)

Step = Callable[[sql.Connection], None]


def migrate(connection: sql.Connection) -> None:
    """Migrate the tables of an older version to this one, step by step, in this transaction.

    MovesError for a record that cannot be read.
    """
    is_it = FACTS.c.name == "version"
    # Another process may be migrating them: wait for its end, and read the version after that.
    stored = sql.select(FACTS.c.value).where(is_it).with_for_update()
    for number in range(json.loads(connection.execute(stored).scalar_one()), VERSION):
        STEPS[number](connection)
        changed = FACTS.update().where(is_it).values(value=json.dumps(number + 1))
        connection.execute(changed)


def _split_outcomes(connection: sql.Connection) -> None:
    """From 1: an outcome's lists become columns, its record the moves alone."""
    values = {row.name: json.loads(row.value) for row in connection.execute(sql.select(FACTS))}
    entrants = connection.execute(sql.text("select id, name, policy, is_active from entrants"))
    old_entrants = [row._asdict() for row in entrants]
    columns = "number, line_up, meeting, record, seats"
    games = connection.execute(sql.text(f"select {columns} from outcomes order by number"))
    old_games = [row._asdict() for row in games]
    for name in ("outcomes", "entrants"):
        connection.execute(sql.text(f"drop table {name}"))
    TABLES.create_all(connection)
    for old in old_entrants:
        policy = old.pop("policy")
        new = {**old, "is_active": bool(old["is_active"]), "words": policy}
        connection.execute(ENTRANTS.insert(), new)
    if connection.dialect.name == "postgresql":  # which counts no ids that are given to it
        counter = "pg_get_serial_sequence('entrants', 'id')"
        connection.execute(sql.text(f"select setval({counter}, max(id)) from entrants"))
    settings = MatchSettings.from_settings(values)
    for old in old_games:
        outcome, record = _converted(old, settings)
        connection.execute(OUTCOMES.insert(), outcome)
        connection.execute(RECORDS.insert(), record)


def _converted(
    old: dict[str, Any], settings: MatchSettings
) -> tuple[dict[str, Any], dict[str, Any]]:
    """An outcome of version 1 as its outcome and its record; MovesError if it cannot be read."""
    number = old["number"]
    line_up = tuple(map(int, old["line_up"].split()))
    meeting = Meeting(line_up, old["meeting"])
    places = tuple(line_up.index(entrant) for entrant in json.loads(old["seats"]))
    try:
        game = loads(gzip.decompress(old["record"]).decode()).game
        moves = pack(game, settings.new_game(meeting))
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise MovesError(f"game {number}: its record cannot be read: {error}") from None
    played = outcome_of(game, number - 1, places, 0, settings.max_turns)
    result = Result.of(meeting, played, moves, "process")
    return {**result.row(), "number": number}, {"game": number, "moves": moves}


def _add_engine(connection: sql.Connection) -> None:
    """From 2: outcomes name the engine that played them; that of earlier ones is unknown."""
    columns = sql.inspect(connection).get_columns("outcomes")
    if "engine" not in {column["name"] for column in columns}:
        change = "alter table outcomes add column engine varchar(40) not null default ''"
        connection.execute(sql.text(change))


def _add_live(connection: sql.Connection) -> None:
    """From 3: games can be watched while they are played."""
    LIVE.create(connection, checkfirst=True)


def _add_secret(connection: sql.Connection) -> None:
    """From 4: games over a protocol have a secret; those before drew from their seed."""
    columns = sql.inspect(connection).get_columns("outcomes")
    if "secret" not in {column["name"] for column in columns}:
        connection.execute(sql.text("alter table outcomes add column secret varchar(128)"))


def _add_claims(connection: sql.Connection) -> None:
    """From 5: runs store the meetings that they are playing."""
    CLAIMS.create(connection, checkfirst=True)


STEPS: dict[int, Step] = {
    1: _split_outcomes,
    2: _add_engine,
    3: _add_live,
    4: _add_secret,
    5: _add_claims,
}
"""The migration from each version to the next one."""
