"""Records of games as text: JSON with the seed, the marks and the players' names."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from catan_env.adapters.records import object_in
from catan_env.guests.renaissance.game import Game
from catan_env.kernel.shown import shown


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
