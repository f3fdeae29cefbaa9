"""Tables on disk from their first move, so that a server that was stopped can restore them.

A table has two files in its folder, readable by their owner alone: `NAME.sgn.json`, the record,
which grows by one message per line, and `NAME.table.json`, a `TableFile` with its links.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import ENOSPC
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from catan_env.game.game import Game
from catan_env.notation import GrowingRecord, dumps, read, to_sgn
from catan_env.notation.files import SUFFIX
from catan_env.notation.whole_files import naming, replacing

LINKS = ".table.json"
VERSION = 1
PRIVATE = 0o600
"""The permissions of the files: their owner may read and write them."""


class TableFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a table that its record does not contain."""

    version: int
    host: str
    port: int
    secrets: dict[str, int | None]
    """The seat of each link's secret; None for spectators."""
    people: list[int]
    """The seats of people."""
    policies: list[str]
    """The policies' names by seat; a person's is the one that replaces them."""
    path: str
    """The path of the replay."""
    pace: float
    ask: str | None = None
    """The adviser's name."""
    timeout: float | None = None
    """Seconds that each person has for a turn."""


class Journal:
    """The record of one game on disk; every step is there before any page receives it.

    Written to the operating system at each step, so that it survives the process, and to the disk
    at the end of each turn.
    """

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self.path = path
        """The record; the file with the links is next to it."""
        self._names = tuple(names)
        self._record: GrowingRecord | None = None
        self._file = -1
        self._size = 0
        self._turn = 0

    def follow(self, game: Game) -> None:
        """Append the events since the last call; OSError if they cannot be stored."""
        if self._record is None:
            self.rewrite(game)
            return
        try:
            self._append(game)
        except BaseException:
            self._record = None  # its messages are ahead of the file
            raise

    def rewrite(self, game: Game) -> None:
        """Replace the whole record, as after a choice that was taken back."""
        self.close()
        record = GrowingRecord(game, self._names)
        text = "".join(map(_line, record.messages(game)))
        write_private(self.path, text)
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        self._size = os.fstat(self._file).st_size
        self._record, self._turn = record, game.turn

    def finish(self, game: Game) -> None:
        """Write the record of an ended game in its final form."""
        self.close()
        write_private(self.path, dumps(to_sgn(game, players=self._names)))

    def close(self) -> None:
        """Close the file; the record stays as it is."""
        self._record = None
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _append(self, game: Game) -> None:
        assert self._record is not None
        data = "".join(map(_line, self._record.messages(game))).encode()
        with naming(self.path):
            written = os.write(self._file, data)
            if written < len(data):
                os.ftruncate(self._file, self._size)
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            self._size += written
            if game.turn != self._turn or game.is_over:
                os.fsync(self._file)
                self._turn = game.turn


def begin(folder: Path, game: Game, names: Sequence[str], links: TableFile) -> Journal:
    """Store a table in a folder from its current position on."""
    journal = begin_record(folder, game, names)
    text = msgspec.json.format(msgspec.json.encode(links), indent=1).decode()
    with removed_on_failure(journal):
        write_private(_links_of(journal.path), f"{text}\n")
    return journal


def begin_record(folder: Path, game: Game, names: Sequence[str]) -> Journal:
    """Store a game in a folder from its current position on, without links."""
    journal = Journal(_new_record(folder, f"game-{game.seed}"), names)
    with removed_on_failure(journal):
        journal.rewrite(game)
    return journal


@contextmanager
def removed_on_failure(journal: Journal) -> Iterator[None]:
    """Remove the files of a table that cannot begin."""
    try:
        yield
    except BaseException:
        journal.close()
        for file in (journal.path, _links_of(journal.path)):
            file.unlink(missing_ok=True)
        raise


class StoredTable(NamedTuple):
    """A table in a folder."""

    record: Path
    links: TableFile
    players: tuple[str, ...]
    is_over: bool
    """True if the game has ended."""


def stored_tables(
    folder: Path, left_out: Callable[[str], object] | None = None
) -> list[StoredTable]:
    """The tables in a folder, the latest first.

    One whose files cannot be read is reported to `left_out`, with the file's name and the reason;
    without that, ValueError or OSError.
    """
    files = sorted(folder.glob(f"*{LINKS}"), key=lambda file: file.stat().st_mtime, reverse=True)
    found = []
    for file in files:
        try:
            found.append(_stored(file))
        except (ValueError, OSError) as error:
            if left_out is None:
                raise
            left_out(str(error))
    return found


def _stored(file: Path) -> StoredTable:
    links, record = _links_in(file), _record_of(file)
    try:
        game = (stored := read(record)).game
        return StoredTable(record, links, stored.players, game.is_over)
    except ValueError as error:
        raise ValueError(f"{record}: {error}") from None


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read: complete or absent, even if the power fails."""
    with naming(path), replacing(path, PRIVATE) as file, file.open("wb") as opened:
        opened.write(text.encode())
        opened.flush()
        os.fsync(opened.fileno())


def _links_of(record: Path) -> Path:
    return record.with_name(record.name.removesuffix(SUFFIX) + LINKS)


def _record_of(links: Path) -> Path:
    return links.with_name(links.name.removesuffix(LINKS) + SUFFIX)


def _links_in(file: Path) -> TableFile:
    try:
        links = msgspec.json.decode(file.read_bytes(), type=TableFile)
    except msgspec.DecodeError as error:
        raise ValueError(f"{file}: {error}") from None
    if links.version != VERSION:
        raise ValueError(f"{file}: version {links.version}; this is version {VERSION}")
    return links


def _new_record(folder: Path, stem: str) -> Path:
    """An empty record, numbered if the folder has a table or a record of that name.

    It is created at once: other threads begin tables of the same seed.
    """
    number, name = 1, stem
    while True:
        record = folder / f"{name}{SUFFIX}"
        with suppress(FileExistsError):
            if not _links_of(record).exists():
                os.close(os.open(record, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
                return record
        number += 1
        name = f"{stem}-{number}"


def _line(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":")) + "\n"


def for_pages(error: Exception) -> str:
    """The reason of an error, without the host's paths."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
