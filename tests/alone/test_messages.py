"""The worker's messages have the keys of a live table's.

These tests read the worker's script: they need neither WebAssembly nor node, as those of
`test_games.py` do, which compare whole messages.
"""

import re
from dataclasses import dataclass
from importlib import resources
from typing import get_args

import pytest

from catan_env.game.game import Game
from catan_env.web import messages
from catan_env.web.table import LiveTable

ROOM = resources.files("catan_env.alone").joinpath("room.js").read_text("utf-8")
LITERAL = re.compile(r"\{\s*type: \"(\w+)\"")
KEY = re.compile(r"(\.\.\.)?\b(\w+)\b")
FIELDS = {
    kind.__struct_config__.tag: set(kind.__struct_fields__) for kind in get_args(messages.Said)
}


@dataclass(frozen=True)
class Keys:
    """The keys of an object in the script."""

    own: set[str]
    spread: set[str]
    """The names of the objects whose keys it contains, too."""


def keys_at(start: int) -> Keys:
    """The keys of the object that begins at that place of the script."""
    found, depth, is_key = Keys(set(), set()), 0, False
    place = start
    while place < len(ROOM):
        letter = ROOM[place]
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            return found
        if depth == 1 and letter in "{,":
            is_key = True
        elif is_key and (match := KEY.match(ROOM, place)):
            (found.spread if match[1] else found.own).add(match[2])
            is_key, place = False, match.end() - 1
        place += 1
    raise AssertionError("an object of room.js has no end")


def keys_of(name: str) -> Keys:
    """The keys of the first object that is assigned to that name."""
    begun = f"const {name} = "
    return keys_at(ROOM.index(begun) + len(begun))


@pytest.mark.parametrize("match", list(LITERAL.finditer(ROOM)), ids=lambda match: match[1])
def test_a_message_has_the_fields_of_a_live_tables(match: re.Match[str]) -> None:
    assert keys_at(match.start()).own - {"type"} == FIELDS[match[1]]


def test_the_welcome_has_the_data_of_a_live_tables() -> None:
    table = LiveTable(Game(3), ["Ann", "Ben", "Cleo"], {})
    begun = ROOM.index("data: {", ROOM.index('type: "welcome"')) + len("data: ")
    data = keys_at(begun)
    assert data.spread == {"data", "live"}
    whole = data.own | keys_of("data").own | keys_of("live").own
    assert whole == table.data(0).keys()
