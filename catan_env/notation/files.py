"""Records as text and files: a JSON array, or one message per line, in `.sgn.json` files."""

import codecs
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from catan_env.game.game import Game
from catan_env.notation.errors import NotationError
from catan_env.notation.reader import read_messages
from catan_env.notation.record import Record, different_names
from catan_env.notation.values import Message
from catan_env.notation.versions import refuse_other_versions
from catan_env.notation.whole_files import write_whole
from catan_env.notation.writer import to_sgn

SUFFIX = ".sgn.json"


def dumps(messages: Iterable[Message]) -> str:
    """Return the text of a record: a JSON array, one message per line."""
    lines = ",\n".join(json.dumps(message, separators=(",", ":")) for message in messages)
    return f"[\n{lines}\n]\n"


def loads(source: str | Sequence[Message]) -> Record:
    """Return the record in a text or in messages; NotationError if it cannot be read."""
    if isinstance(source, str):
        return read_messages(*parse(source.removeprefix("\ufeff")))
    return read_messages(source)


def write(path: str | Path, messages: Iterable[Message]) -> None:
    """Write a record to a file; OSError if that fails."""
    write_whole(Path(path), dumps(messages))


def write_game(folder: str | Path, game: Game, players: Sequence[str], stem: str = "") -> Path:
    """Save a game in a folder, created if missing; the file is named after the seed, or `stem`.

    Equal names in `players`, as of policies, are numbered. OSError if it cannot be written.
    """
    path = Path(folder) / f"{stem or f'game-{game.seed}'}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, to_sgn(game, players=different_names(players)))
    return path


def read(path: str | Path) -> Record:
    """Return the record in a file; NotationError, or OSError if the file cannot be read."""
    return read_messages(*parse(read_text(path)))


def read_text(path: str | Path) -> str:
    """Return a file's text, which may end within a character; NotationError if it is not text."""
    data = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError as error:
        raise NotationError(f"{path} is not UTF-8 text: {error.reason}") from error


def files_of(path: str | Path) -> list[Path]:
    """Return the records in a folder, sorted by name; a file is its own list."""
    path = Path(path)
    return sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]


def read_records(path: str | Path) -> Iterator[Record]:
    """Yield the records in a folder, sorted by name, each read on demand; errors as of `read`."""
    return (read(file) for file in files_of(path))


def read_games(path: str | Path) -> Iterator[Game]:
    """Yield the games in a folder of records, as `read_records` does."""
    return (record.game for record in read_records(path))


def parse(text: str) -> tuple[list[Any], bool]:
    """Return the messages in a text, and True if it ends before the last one is complete.

    Any other fault raises NotationError with its line and column.
    """
    try:
        if text.lstrip()[:1] == "[":
            try:
                return json.loads(text), False
            except ValueError:
                pass
        return _parse_one_by_one(text)
    except RecursionError as error:
        raise NotationError("the text is nested too deeply") from error


def _parse_one_by_one(text: str) -> tuple[list[Any], bool]:
    """Like `parse`, for anything but a complete array: one message per line, cut off, or wrong."""
    decoder = json.JSONDecoder()
    messages: list[Any] = []
    at = _skip(text, 0)
    is_array = text[at : at + 1] == "["
    at = _skip(text, at + is_array)
    while at < len(text):
        if is_array and text[at] == "]":
            return _end(text, at + 1, messages)
        if text[at] != "{":
            _refuse_version_1_0(decoder, text)
            raise _syntax_error("expected a message, an object in braces", text, at)
        try:
            message, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            if _is_unfinished(text, at):
                return messages, True
            raise _syntax_error(error.msg, text, error.pos) from error
        except ValueError as error:
            raise _syntax_error("a number in it has too many digits", text, at) from error
        messages.append(message)
        at = _skip(text, at)
        if is_array and text[at : at + 1] == ",":
            at = _skip(text, at + 1)
            if text[at : at + 1] == "]":
                raise _syntax_error("a comma before the end of the array", text, at)
        elif is_array and at < len(text) and text[at] != "]":
            raise _syntax_error("a comma is missing between messages", text, at)
    if not messages and not is_array:
        raise NotationError("the text is empty; a record is a JSON array of messages")
    return messages, is_array


def _refuse_version_1_0(decoder: json.JSONDecoder, text: str) -> None:
    """Raise NotationError for a list of arrays, one per line, as version 1.0 writes them."""
    try:
        first, _ = decoder.raw_decode(text, _skip(text, 0))
    except ValueError:
        return
    refuse_other_versions([first])


def _end(text: str, at: int, messages: list[Any]) -> tuple[list[Any], bool]:
    rest = _skip(text, at)
    if rest < len(text):
        raise _syntax_error("text follows the end of the array", text, rest)
    return messages, False


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _is_unfinished(text: str, at: int) -> bool:
    """True if the text ends within the object that begins at `at`, with no fault before."""
    data = text[at:].encode("utf-8", "surrogatepass")
    try:
        msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        # A number cut after its sign, its point or its E is not a complete number yet.
        return str(error) == _TRUNCATED or str(error).endswith(f"(byte {len(data)})")
    except UnicodeDecodeError:
        return False
    return False


_TRUNCATED = "Input data was truncated"


def _syntax_error(reason: str, text: str, at: int) -> NotationError:
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return NotationError(f"no JSON in line {line}, column {column}: {reason}")
