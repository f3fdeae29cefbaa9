"""The stored data of a league: its entrants, and the outcome and record of every game, once.

A ledger is a database, SQLite's file `league.db` in a folder or the one of a SQLAlchemy
URL. An outcome is only ever added, with its record, in one transaction: if the process ends
during a game, that game is lost, and nothing else.
"""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import Any

from catan_env.arena.league.database import LedgerError
from catan_env.arena.league.entrant import Entrant
from catan_env.arena.league.moves import MovesError
from catan_env.arena.league.result import Result
from catan_env.arena.league.schema import (
    DERIVED,
    ENTRANTS,
    FACTS,
    FILES,
    OUTCOMES,
    RECORDS,
    TABLES,
    VERSION,
    migrate,
    sql,
)
from catan_env.arena.league.store import Store
from catan_env.net.address import without_password

AT_ONCE = 10_000
"""Rows that are read into memory at a time."""


class Ledger:
    """A league's database; LedgerError if there is none.

    `read_only`: never writes, and does not migrate an old schema.
    """

    def __init__(self, place: str, read_only: bool = False) -> None:
        self.place = place
        self._store = Store(place)
        self.settings: dict[str, Any] = {}
        self._files: dict[str, bytes] = {}
        if self._store.exists:
            with self._store.reading() as connection:
                if sql.inspect(connection).has_table("facts"):
                    self.settings = _settings(connection)
        if not read_only:
            self._store.check()
        self._check_version(read_only)

    @property
    def exists(self) -> bool:
        """True if there is a league in it."""
        return bool(self.settings)

    @property
    def folder(self) -> Path | None:
        """The folder of its file; None if it is in a database server."""
        file = self._store.file
        return None if file is None else file.resolve().parent

    def create(self, settings: dict[str, Any]) -> None:
        """Create a league with these settings, and its folder if it is missing."""
        if "://" not in self.place:
            Path(self.place).mkdir(parents=True, exist_ok=True)
        self._store.create_private()
        rows = [
            {"name": name, "value": json.dumps(value)}
            for name, value in {**settings, "version": VERSION}.items()
        ]
        try:
            with self._store.altering() as connection:
                TABLES.create_all(connection)
                connection.execute(FACTS.insert(), rows)
                self.settings = _settings(connection)
        except (sql.exc.IntegrityError, LedgerError):  # another process may have been quicker
            self._check_is_new()
            raise

    def _check_is_new(self) -> None:
        """LedgerError if there is a league by now."""
        other = Ledger(self.place, read_only=True)
        other.close()
        if other.exists:
            place = without_password(self.place)
            raise LedgerError(f"{place}: there is a league already") from None

    def _check_version(self, read_only: bool) -> None:
        version = self.settings.get("version", VERSION)
        if version == VERSION:
            return
        shown = without_password(self.place)
        if version > VERSION:
            raise LedgerError(
                f"{shown}: its tables have version {version}; the latest known is {VERSION}"
            )
        if read_only:
            raise LedgerError(f"{shown}: an older ledger; run catan-env league check")
        try:
            with self._store.altering() as connection:
                migrate(connection)
                self.settings = _settings(connection)
        except MovesError as error:
            raise LedgerError(f"{shown}: {error}; the ledger is unchanged") from None
        self._store.make_private()

    def close(self) -> None:
        """Close the database."""
        self._store.close()

    def add(
        self,
        name: str,
        words: str,
        kind: str = "policy",
        version: str = "",
        author: str = "",
        files: bytes | None = None,
    ) -> None:
        """Add an entrant; an earlier version of the same name is not scheduled any more."""
        _check_words(name=name, version=version, author=author)
        row = {"name": name, "words": words, "kind": kind, "version": version, "author": author}
        digest = None if files is None else sha256(files).hexdigest()
        is_kept = sql.select(FILES.c.digest).where(FILES.c.digest == digest)
        rest = ENTRANTS.update().where(ENTRANTS.c.name == name).values(is_active=False)
        with self._store.writing() as connection:
            if files is not None and connection.execute(is_kept).first() is None:
                connection.execute(FILES.insert(), {"digest": digest, "packed": files})
            connection.execute(rest)
            title = f"{name} {version}".strip()
            others = connection.execute(sql.select(ENTRANTS)).all()
            taken = f"there is an entrant {title!r} already; a new --version replaces it"
            if title in {_entrant(other, {}).title for other in others}:
                raise LedgerError(taken)
            try:
                connection.execute(ENTRANTS.insert(), {**row, "files": digest})
            except sql.exc.IntegrityError:  # another process has just added it
                raise LedgerError(taken) from None

    def remove(self, name: str) -> None:
        """Stop scheduling an entrant."""
        self._change(name, is_active=False)

    def pardon(self, name: str) -> None:
        """Schedule an entrant again, with its faults so far forgiven."""
        self._change(name, is_active=True, pardoned_at=self.last())

    def restore(self, name: str, version: str) -> None:
        """Schedule that version again, instead of the others, with its faults forgiven."""
        last, is_it = self.last(), ENTRANTS.c.version == version
        chosen = ENTRANTS.update().where(ENTRANTS.c.name == name, is_it)
        others = ENTRANTS.update().where(ENTRANTS.c.name == name, sql.not_(is_it))
        with self._store.writing() as connection:
            if not connection.execute(chosen.values(is_active=True, pardoned_at=last)).rowcount:
                raise LedgerError(f"there is no entrant {f'{name} {version}'.strip()!r}")
            connection.execute(others.values(is_active=False))

    def _change(self, name: str, **values: Any) -> None:
        """Change the version of that name that is scheduled, otherwise the newest."""
        versions = sql.select(ENTRANTS.c.id).where(ENTRANTS.c.name == name)
        current = versions.order_by(ENTRANTS.c.is_active.desc(), ENTRANTS.c.id.desc())
        with self._store.writing() as connection:
            found = connection.execute(current).scalar()
            if found is None:
                raise LedgerError(f"there is no entrant {name!r}")
            connection.execute(ENTRANTS.update().where(ENTRANTS.c.id == found).values(**values))

    def entrants(self, with_files: bool = False) -> list[Entrant]:
        """All entrants that were ever added, by id."""
        wanted = sql.select(ENTRANTS).order_by(ENTRANTS.c.id)
        new = sql.select(FILES).where(FILES.c.digest.not_in(list(self._files)))
        with self._store.reading() as connection:
            rows = connection.execute(wanted).all()
            if with_files:
                self._files |= {row.digest: row.packed for row in connection.execute(new)}
        return [_entrant(row, self._files if with_files else {}) for row in rows]

    def keep(self, results: Sequence[Result]) -> list[Result]:
        """Add games; returns those that were new, with their numbers."""
        try:
            return self._insert(results)
        except sql.exc.IntegrityError:
            if len(results) == 1:
                return self._keep_if_new(results[0])
            return [kept for result in results for kept in self.keep([result])]

    def _keep_if_new(self, result: Result) -> list[Result]:
        """Add a game unless it is stored already; its number may have been taken meanwhile."""
        while not self._has(result):
            try:
                return self._insert([result])
            except sql.exc.IntegrityError:
                continue
        return []

    def _has(self, result: Result) -> bool:
        same = sql.and_(
            OUTCOMES.c.line_up == result.meeting.key,
            OUTCOMES.c.meeting == result.meeting.number,
        )
        with self._store.reading() as connection:
            return connection.execute(sql.select(OUTCOMES.c.number).where(same)).first() is not None

    def _insert(self, results: Sequence[Result]) -> list[Result]:
        if not results:
            return []
        last = sql.select(sql.func.coalesce(sql.func.max(OUTCOMES.c.number), 0))
        with self._store.writing() as connection:
            number = connection.execute(last).scalar() or 0
            rows = [{**r.row(), "number": number + k} for k, r in enumerate(results, 1)]
            moves = [{"game": number + k, "moves": r.moves} for k, r in enumerate(results, 1)]
            _insert_many(connection, OUTCOMES, rows)
            _insert_many(connection, RECORDS, moves)
        return [result.numbered(number + k) for k, result in enumerate(results, 1)]

    def count(self) -> int:
        """The number of games stored."""
        with self._store.reading() as connection:
            counted = sql.select(sql.func.count()).select_from(OUTCOMES)
            return int(connection.execute(counted).scalar() or 0)

    def last(self) -> int:
        """The number of the last game, 0 before the first."""
        latest = sql.select(sql.func.coalesce(sql.func.max(OUTCOMES.c.number), 0))
        with self._store.reading() as connection:
            return int(connection.execute(latest).scalar() or 0)

    def meetings(self) -> dict[str, int]:
        """The number of the next game of each line-up, by its key."""
        latest = sql.select(OUTCOMES.c.line_up, sql.func.max(OUTCOMES.c.meeting) + 1)
        with self._store.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(latest.group_by("line_up"))}

    def missing(self) -> dict[str, list[int]]:
        """Meetings that are not stored although later ones of their line-up are."""
        gaps = (
            sql.select(OUTCOMES.c.line_up)
            .group_by(OUTCOMES.c.line_up)
            .having(sql.func.count() <= sql.func.max(OUTCOMES.c.meeting))
        )
        found: dict[str, list[int]] = {}
        with self._store.reading() as connection:
            for (key,) in connection.execute(gaps).all():
                wanted = sql.select(OUTCOMES.c.meeting).where(OUTCOMES.c.line_up == key)
                there = set(connection.execute(wanted).scalars())
                found[key] = sorted(set(range(max(there))) - there)
        return found

    def games(self, after: int = 0) -> Iterator[Result]:
        """Every game in the order in which it was stored, without its record."""
        wanted = OUTCOMES.select().where(OUTCOMES.c.number > after).order_by(OUTCOMES.c.number)
        for row in self.rows(wanted):
            yield Result.from_row(row)

    def game(self, number: int) -> Result:
        """One game, with its record; LedgerError if it is missing."""
        if number > self.last():  # it may be more than the database's integers can hold
            raise LedgerError(f"there is no game {number}")
        wanted = (
            sql.select(OUTCOMES, RECORDS.c.moves)
            .join_from(OUTCOMES, RECORDS, RECORDS.c.game == OUTCOMES.c.number, isouter=True)
            .where(OUTCOMES.c.number == number)
        )
        with self._store.reading() as connection:
            row = connection.execute(wanted).first()
        if row is None:
            raise LedgerError(f"there is no game {number}")
        return Result.from_row(row, row.moves or b"")

    def rows(self, wanted: Any) -> Iterator[Any]:
        """The rows of a query, read in parts."""
        with self._store.reading() as connection:
            yield from connection.execution_options(yield_per=AT_ONCE).execute(wanted)

    def derived(self, name: str) -> tuple[int, Any]:
        """The result computed from the games up to a number; 0 and None if there is none."""
        wanted = sql.select(DERIVED.c.upto, DERIVED.c.value).where(DERIVED.c.name == name)
        with self._store.reading() as connection:
            row = connection.execute(wanted).first()
        return (0, None) if row is None else (row.upto, json.loads(row.value))

    def keep_derived(self, name: str, upto: int, value: Any) -> None:
        """Store a computed result, unless one of more games is stored."""
        row = {"name": name, "upto": upto, "value": json.dumps(value)}
        is_it = DERIVED.c.name == name
        renew = DERIVED.update().where(is_it, DERIVED.c.upto <= upto).values(row)
        with self._store.writing() as connection:
            if connection.execute(renew).rowcount:
                return
        try:
            self.change(DERIVED.insert().values(row))
        except sql.exc.IntegrityError:  # one of more games, or another process was quicker
            later = sql.select(DERIVED.c.name).where(is_it, DERIVED.c.upto > upto)
            if not list(self.rows(later)):
                self.keep_derived(name, upto, value)

    def change(self, *statements: Any) -> None:
        """Change, in one transaction, tables other than those of entrants and outcomes."""
        with self._store.writing() as connection:
            for statement in statements:
                connection.execute(statement)


def _check_words(**words: str) -> None:
    """Raise LedgerError for text that does not fit on one line, or in a column of the tables."""
    if not words["name"].strip():
        raise LedgerError("an entrant needs a name")
    for column, said in words.items():
        kind = ENTRANTS.c[column].type
        most = kind.length if isinstance(kind, sql.String) else None
        if not said.isprintable() or (most is not None and len(said) > most):
            raise LedgerError(f"{column} {said!r}: allowed are {most} printable characters at most")


def _insert_many(connection: sql.Connection, table: sql.Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows of plain values, each with every column.

    The database's own adapter takes them unchanged: SQLAlchemy's conversion of each row, for types
    that need it, would take as long as SQLite.
    """
    insert, names = _insert_into(table, connection.dialect)
    values = rows if names is None else list(map(itemgetter(*names), rows))
    connection.exec_driver_sql(insert, values)


@lru_cache
def _insert_into(table: sql.Table, dialect: sql.Dialect) -> tuple[str, list[str] | None]:
    """The statement, and the order of the columns if it has positional parameters."""
    insert = table.insert().compile(dialect=dialect)
    return str(insert), insert.positiontup


def _settings(connection: sql.Connection) -> dict[str, Any]:
    return {row.name: json.loads(row.value) for row in connection.execute(sql.select(FACTS))}


def _entrant(row: Any, files: dict[str, bytes]) -> Entrant:
    return Entrant(
        row.id,
        row.name,
        row.kind,
        row.words,
        row.version,
        row.author,
        row.files,
        bool(row.is_active),
        row.pardoned_at,
        files.get(row.files),
    )
