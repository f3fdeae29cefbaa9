"""Networks with a memory: they read the observation and the public picture of past events.

The input is that of `remembered.py`. Colours share their weights as in `colours.py`, whose network
this is, with more columns at every colour and in the rest.

`shapes`, `tables`, `facts`, `outputs` and `save` are those that `training.self_play` asks of a
game's own network; the same code serves NumPy's arrays and torch's tensors.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.weights import write
from catan_env.guests.hanabi.observation import observation_size
from catan_env.guests.hanabi.policies import colours
from catan_env.guests.hanabi.policies.colours import GAME, Columns, facts, outputs
from catan_env.guests.hanabi.remembered import KINDS_SHOWN, input_size
from catan_env.guests.hanabi.rules import Rules

Array = np.ndarray[Any, Any]
KIND = "remembering"
"""The name of this network in a weights file."""
VERSION = 1
"""The version of the layout: observation, memory."""


@cache
def columns(rules: Rules, players: int) -> tuple[Columns, list[int]]:
    """The columns of an input for each colour, in the same order for all, and the rest."""
    known, rest = colours.columns(rules, players)
    by_colour = [list(shown) for shown in known]
    kinds, cards = len(rules.kinds), players * rules.cards_in_hand(players)
    memory = observation_size(rules, players)
    starts = [memory + k * (kinds + 1) for k in range(cards)]
    starts += [memory + cards * (kinds + 1) + k * kinds for k in range(len(KINDS_SHOWN))]
    for colour, places in enumerate(by_colour):
        for start in starts:
            places.extend(range(start + rules.ranks * colour, start + rules.ranks * (colour + 1)))
    touched = [memory + k * (kinds + 1) + kinds for k in range(cards)]
    return by_colour, [*rest, *touched]


@cache
def shapes(
    rules: Rules, players: int, local: int = 128, hidden: int = 256
) -> dict[str, tuple[int, ...]]:
    """The shape of every array of weights: `local` wide at a colour, `hidden` in the trunk."""
    (first, *_), rest = columns(rules, players)
    widened = {"colour": (len(first), local), "rest": (len(rest), local)}
    widened["trunk"] = (local + len(rest), hidden)
    return colours.shapes(rules, players, local, hidden) | widened


@cache
def tables(rules: Rules, players: int) -> dict[str, Array]:
    """The constants of `colours.tables`, with the order of these columns."""
    by_colour, rest = columns(rules, players)
    order = np.array([c for shown in (*by_colour, rest) for c in shown])
    return colours.tables(rules, players) | {"order": order}


def save(path: str | Path, weights: Mapping[str, Any], rules: Rules, players: int) -> None:
    """Write a weights file, an `.npz` of float16; ValueError if a number is not finite."""
    size = input_size(rules, players)
    write(path, weights, game=GAME, kind=KIND, observation_version=VERSION, observation_size=size)


__all__ = ["columns", "facts", "outputs", "save", "shapes", "tables"]
