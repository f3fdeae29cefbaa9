"""Reading a game from a file of another program."""

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from catan_env.foreign import catanatron_json, colonist_json, jsettlers_log, stac_log
from catan_env.foreign.errors import ForeignError
from catan_env.game.game import Game

__all__ = ["FORMATS", "ForeignError", "ForeignGame", "read_foreign"]


class ForeignGame(NamedTuple):
    """A game that our rules allow to its last step, and its players' names by seat."""

    game: Game
    players: tuple[str, ...]


class Format(NamedTuple):
    """A program's format of records."""

    is_one: Callable[[Any], bool]
    """True if a file looks like a record in this format: its JSON value, or its text."""
    read: Callable[[bytes, int], tuple[Game, tuple[str, ...]]]
    """The game in a record, and the players' names; the number is the points it is played to,
    unless the record has them."""


FORMATS = {
    "catanatron": Format(catanatron_json.is_one, catanatron_json.read),
    "colonist": Format(colonist_json.is_one, colonist_json.read),
    "jsettlers": Format(jsettlers_log.is_one, jsettlers_log.read),
    "stac": Format(stac_log.is_one, stac_log.read),
}
"""The known formats by name."""


def read_foreign(path: str | Path, points_to_win: int = 10) -> ForeignGame:
    """The game in a file of another program, whose format is recognized by its content.

    Raises ForeignError if the file is damaged, or if our rules do not allow a step; OSError if it
    cannot be read.
    """
    data = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8)
    value = _value(data)
    for one in FORMATS.values():
        if one.is_one(value):
            return ForeignGame(*one.read(data, points_to_win))
    known = f"an unknown format; known are the records of {', '.join(FORMATS)}"
    raise ForeignError(f"not JSON, and {known}" if isinstance(value, str) else known)


def _value(data: bytes) -> Any:
    """The JSON value in a file; its text if it is not JSON."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if data.lstrip()[:1] in (b"{", b"["):
            raise ForeignError(f"not JSON: {error}") from None
        return data.decode("utf-8", "replace")
