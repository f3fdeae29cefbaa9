"""Files of settlements, each of which a process writes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from catan_env.batch import Batch
from catan_env.game.rules import Rules
from catan_env.notation.whole_files import replacing
from catan_env.training.value_function.rerank.decisions import Decisions
from catan_env.training.value_function.set_up.placements import Labels, Placements, placements

AT_ONCE = 64
"""Games at once."""


class Part(NamedTuple):
    """Settlements of one file."""

    path: Path
    seats: int
    trade: bool
    worlds: int
    ahead: int
    size: int
    seed: tuple[int, int]


@cache
def labels_for(seats: int, worlds: int, ahead: int) -> Labels:
    """The labels of a table, once in each process."""
    return Labels(seats, worlds, ahead)


def write(part: Part) -> None:
    """Play and label the settlements of a file."""
    draw, rules = np.random.default_rng(part.seed), replace(Rules.base(), player_trade=part.trade)
    batch = Batch(AT_ONCE, seats=part.seats, rules=rules, seed=1, observations=False)
    labels = labels_for(part.seats, part.worlds, part.ahead)
    found = placements(labels, batch, part.size, draw)
    with replacing(part.path) as file:
        np.savez_compressed(file, **found._asdict())


def read(parts: Sequence[Part]) -> Decisions:
    """The settlements of files, joined, as decisions without log odds by value."""
    found = []
    for part in parts:
        with np.load(part.path) as arrays:
            found.append(Placements(**arrays))
    inputs, wins = map(np.concatenate, zip(*found, strict=True))
    return Decisions(inputs, np.zeros_like(wins), wins)
