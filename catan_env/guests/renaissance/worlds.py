"""Full games that agree with a seat's view: what it does not know is drawn at random."""

from typing import Any

import numpy as np

from catan_env.guests.renaissance.native.cards import (
    COLOUR,
    COLOURS,
    LEVEL,
    LEVELS,
    NUM_LEADERS,
    NUM_TOKENS,
)
from catan_env.guests.renaissance.native.state import EMPTY, NOBODY, new_states
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.view import SeatView

SEEDS = 1 << 63


def draw_worlds(view: SeatView, n: int, chance: np.random.Generator) -> Array:
    """N games of which the view's seat would have this view: (n,) `GAME`.

    Drawn are the covered cards, the others' leaders, the order of Lorenzo's tokens and the seed.
    The set-up must be complete.
    """
    worlds = new_states(n)
    worlds[:] = view._array
    worlds["viewer"] = NOBODY
    worlds["seed"] = chance.integers(SEEDS, size=n)
    covered, leaders = covered_cards(view), unseen_leaders(view)
    for world in worlds:
        _cover(world, covered, chance)
        _give_leaders(world, leaders, chance)
        if view.seats == 1:
            _order_tokens(world, chance)
    return worlds


def covered_cards(view: SeatView) -> list[list[list[int]]]:
    """The cards of each colour and level that are in no slot and not on top.

    Among them are those that Lorenzo's tokens have discarded (R094): a view contains no history.
    """
    state = view.state
    seen = {*state["slot"].ravel().tolist(), *state["top"].ravel().tolist()}
    result: list[list[list[int]]] = [[[] for _ in range(LEVELS)] for _ in COLOURS]
    for card, row in enumerate(state["dev"]):
        if card not in seen:
            result[row[COLOUR]][row[LEVEL] - 1].append(card)
    return result


def unseen_leaders(view: SeatView) -> list[int]:
    """The leaders that the view's seat was not dealt, and that no seat has activated."""
    state = view.state
    seen = {*state["leader"].ravel().tolist(), *state["dealt"].ravel().tolist()}
    return [leader for leader in range(NUM_LEADERS) if leader not in seen]


def _cover(world: Any, covered: list[list[list[int]]], chance: np.random.Generator) -> None:
    """Put covered cards under the top card of each stack."""
    for colour in range(len(COLOURS)):
        for level in range(LEVELS):
            left = int(world["left"][colour, level])
            if left:
                below = chance.permutation(covered[colour][level])[: left - 1]
                world["stack"][colour, level, : left - 1] = below
                world["stack"][colour, level, left - 1] = world["top"][colour, level]


def _give_leaders(world: Any, leaders: list[int], chance: np.random.Generator) -> None:
    """Give the others unseen leaders instead of the hidden ones."""
    hidden = np.argwhere(world["leader"][: world["seats"]] == EMPTY)
    for (seat, place), leader in zip(hidden, chance.permutation(leaders), strict=False):
        world["leader"][seat, place] = leader


def _order_tokens(world: Any, chance: np.random.Generator) -> None:
    """Put the tokens that are out first, and the others behind them in any order."""
    is_out = world["token_out"] == 1
    rest = chance.permutation(np.flatnonzero(~is_out))
    world["token"][:NUM_TOKENS] = [*np.flatnonzero(is_out), *rest]
