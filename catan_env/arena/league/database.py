"""The database of a league: SQLite's file in a folder, or the one of a SQLAlchemy URL."""

import sqlite3
import time
from pathlib import Path
from typing import Any

from catan_env.arena.league.schema import sql
from catan_env.net.address import without_password

FILE = "league.db"
PATIENCE = 30.0
"""Seconds to wait for another process that writes to SQLite's file."""
PAUSE = 0.01
"""Seconds between two attempts to open it while other processes do."""
LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
PRIMARY_CODE = 0xFF
"""The part of SQLite's error codes that is not a detail."""


class LedgerError(ValueError):
    """A ledger that cannot be opened, or does not contain the requested data."""


class UnreachableError(LedgerError):
    """The database is gone; it may come back."""


def url_of(place: str) -> str:
    """The URL of a place: a URL itself, or a folder.

    >>> url_of("mine")
    'sqlite:///mine/league.db'
    """
    return place if "://" in place else f"sqlite:///{Path(place) / FILE}"


def file_of(url: sql.URL) -> Path | None:
    """SQLite's file; None for a database server, and for one in memory."""
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(url.database or "") if is_file else None


def is_there(url: sql.URL) -> bool:
    """True if there is anything to open: asking SQLite would create a file."""
    return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()


def engine_of(place: str) -> sql.Engine:
    """Make the engine that connects to a place; LedgerError if it names none."""
    try:
        url = sql.make_url(url_of(place))
        is_file = url.get_backend_name() == "sqlite"
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        engine = sql.create_engine(
            url,
            pool_pre_ping=not is_file,
            connect_args={"timeout": PATIENCE} if is_file else {"connect_timeout": 10},
        )
    except (sql.exc.SQLAlchemyError, ImportError) as error:
        raise LedgerError(f"{without_password(place)}: {reason_of(error)}") from None
    except ValueError:
        reason = "its port or an option is not a number"
        raise LedgerError(f"{without_password(place)}: {reason}") from None
    if is_file:
        sql.event.listen(engine, "connect", _let_readers_read)
    return engine


def _let_readers_read(connection: Any, _: Any) -> None:
    """Readers do not block the writer; committed data is durable."""
    _write_ahead(connection)
    connection.execute("pragma synchronous=full")


def _write_ahead(connection: Any) -> None:
    """Switch the file to a write-ahead log, which it then keeps.

    Of connections that switch it at the same moment, SQLite fails all but one instead of letting
    them wait: they try again.
    """
    last_attempt = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("pragma journal_mode=wal")
        except sqlite3.OperationalError as error:
            is_locked = error.sqlite_errorcode & PRIMARY_CODE in LOCKED
            if not is_locked or time.monotonic() > last_attempt:
                raise
            time.sleep(PAUSE)
        else:
            return


def is_gone(error: sql.exc.DBAPIError) -> bool:
    """True if the connection broke, none could be made, or another process holds SQLite's lock."""
    if isinstance(error.orig, sqlite3.Error):
        return _sqlite_code(error) in LOCKED
    return error.connection_invalidated or isinstance(error, sql.exc.OperationalError)


def is_damaged(error: sql.exc.DBAPIError) -> bool:
    """True if SQLite finds its file damaged, or not to be a database."""
    return isinstance(error.orig, sqlite3.Error) and _sqlite_code(error) in CORRUPT


def _sqlite_code(error: sql.exc.DBAPIError) -> int:
    return getattr(error.orig, "sqlite_errorcode", 0) & PRIMARY_CODE


def reason_of(error: Exception) -> str:
    """The database's own message, in one line."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]
