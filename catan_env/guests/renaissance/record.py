"""Records of games as text: JSON with the seed, the marks and the players' names."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from catan_env.adapters.records import check_fields, object_in
from catan_env.guests.renaissance.game import EXCHANGE_AT, Game
from catan_env.guests.renaissance.native.state import PLACES_OF_GOODS
from catan_env.kernel.shown import shown

END_OF_MARKS = EXCHANGE_AT + PLACES_OF_GOODS**2
FIELDS = {"version": int, "seats": int, "seed": int, "cards": str, "marks": list}


class Record(NamedTuple):
    """A game and the names of its players, by seat."""

    game: Game
    names: list[str]


def dumps(game: Game, names: Sequence[str] = ()) -> str:
    """A game as text.

    >>> game = Game(seats=2, seed=7)
    >>> loads(dumps(game, ["ann", "bob"])).names
    ['ann', 'bob']
    """
    return json.dumps({**game.record(), "players": list(names) or names_of(game.seats)}) + "\n"


def loads(text: str) -> Record:
    """The game of a record; ValueError names the fault."""
    record = object_in(text)
    check_fields(record, FIELDS)
    if not all(type(mark) is int and 0 <= mark < END_OF_MARKS for mark in record["marks"]):
        raise ValueError(f"'marks' are whole numbers in 0..{END_OF_MARKS - 1}")
    game = Game.from_record(record)
    return Record(game, _names(record.get("players"), game.seats))


def names_of(seats: int) -> list[str]:
    """Names for players that have none."""
    return [f"seat {seat}" for seat in range(seats)]


def _names(given: Any, seats: int) -> list[str]:
    if given is None:
        return names_of(seats)
    if not isinstance(given, list) or len(given) != seats or not all(map(_is_name, given)):
        raise ValueError(f"'players' is {shown(given)}; allowed are {seats} names")
    return list(given)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and bool(name.strip())
