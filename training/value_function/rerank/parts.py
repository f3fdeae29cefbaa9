"""Files of decisions, each of which a process writes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from catan_env.batch import Batch
from catan_env.game.rules import Rules
from catan_env.notation.whole_files import replacing
from catan_env.policies.rerank import Reranker, RerankNetwork
from catan_env.training.value_function.rerank.decisions import (
    Decisions,
    Labels,
    choices_of,
    decisions,
)
from catan_env.training.value_function.win_probability import choices

AT_ONCE, MAX_TURNS = 128, 400
"""Games at once, and their turns."""


class Table(NamedTuple):
    """The table whose moves are labelled, and how far they are played on."""

    seats: int
    trade: bool
    worlds: int
    ahead: int
    own: bool = False
    """True if the network of the games plays the acting seat there."""


class Part(NamedTuple):
    """Decisions of one file."""

    path: Path
    table: Table
    network: Path | None
    """The network that plays; `greedy` does without one."""
    size: int
    seed: tuple[int, int, int]


@cache
def labels_for(table: Table, path: Path | None) -> Labels:
    """The labels of a table and of the network that plays, once in each process."""
    network = RerankNetwork(path) if path and table.own else None
    return Labels(table.seats, table.worlds, table.ahead, network)


def write(part: Part) -> None:
    """Play and label the decisions of a file."""
    table, draw = part.table, np.random.default_rng(part.seed)
    rules = replace(Rules.base(), player_trade=table.trade)
    batch = Batch(
        AT_ONCE, seats=table.seats, rules=rules, seed=int(draw.integers(1 << 30)),
        max_turns=MAX_TURNS, observations=False,
    )  # fmt: skip
    choose = choices_of(Reranker(part.network).batched()) if part.network else choices
    found = decisions(labels_for(table, part.network), batch, choose, part.size, draw)
    with replacing(part.path) as file:
        np.savez_compressed(file, **found._asdict())


def read(parts: Sequence[Part]) -> Decisions:
    """The decisions of files, joined."""
    found = []
    for part in parts:
        with np.load(part.path) as arrays:
            found.append(Decisions(**arrays))
    return Decisions(*map(np.concatenate, zip(*found, strict=True)))
