"""A ledger's database: its connections and transactions, with its errors in one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catan_env.arena.league.database import (
    LedgerError,
    UnreachableError,
    engine_of,
    file_of,
    is_damaged,
    is_gone,
    is_there,
    reason_of,
)
from catan_env.arena.league.schema import sql
from catan_env.net.address import without_password

PRIVATE = 0o600
"""The mode of SQLite's file, and of the files next to it."""
DAMAGED = (
    "{place}: the file is damaged ({fault}); nothing was written. Stop its runs, copy {file}*, and "
    "restore a backup, or what can be read: sqlite3 {file} .recover | sqlite3 recovered.db"
)


class Store:
    """The database at a place, which need not exist yet."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._engine = engine_of(place)

    @property
    def exists(self) -> bool:
        """True if there is anything to open."""
        return is_there(self._engine.url)

    @property
    def file(self) -> Path | None:
        """SQLite's file; None if the database is in a server, or in memory."""
        return file_of(self._engine.url)

    def create_private(self) -> None:
        """Create SQLite's file: it contains all entrants' commands and files."""
        if self.file is not None:
            self.file.touch(PRIVATE)

    def make_private(self) -> None:
        """Give an older version's file the mode of a new one."""
        if self.file is not None:
            self.file.chmod(PRIVATE)

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    def check(self) -> None:
        """LedgerError if SQLite's file is damaged: writing to it would lose more."""
        if self.file is None or not self.file.exists():
            return
        with self.reading() as connection:
            fault = str(connection.exec_driver_sql("pragma quick_check(1)").scalar())
        if fault != "ok":
            raise self._damaged(" ".join(fault.split()))

    @contextmanager
    def reading(self) -> Iterator[sql.Connection]:
        """A connection that changes nothing."""
        with self._said(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sql.Connection]:
        """A transaction, which is stored when the block ends without an error."""
        with self._said(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def altering(self) -> Iterator[sql.Connection]:
        """Like `writing`, for changes of the tables: SQLite's driver begins nothing for those."""
        with self.writing() as connection:
            if self.file is not None:
                connection.exec_driver_sql("begin immediate")
            yield connection

    @contextmanager
    def _said(self) -> Iterator[None]:
        """A database error in one line; a violated constraint of its tables unchanged."""
        try:
            yield
        except sql.exc.IntegrityError:
            raise
        except sql.exc.DBAPIError as error:
            if is_damaged(error):
                raise self._damaged(reason_of(error)) from None
            kind = UnreachableError if is_gone(error) else LedgerError
            raise kind(f"{without_password(self.place)}: {reason_of(error)}") from None
        except sql.exc.SQLAlchemyError as error:
            raise LedgerError(f"{without_password(self.place)}: {reason_of(error)}") from None

    def _damaged(self, fault: str) -> LedgerError:
        return LedgerError(DAMAGED.format(place=self.place, file=self.file, fault=fault))
