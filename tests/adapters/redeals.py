"""Other games that a seat cannot tell from the one it plays: their hidden cards are dealt again."""

from typing import Any

import numpy as np

from catan_env.guests.renaissance.position import Position
from catan_env.guests.renaissance.view import SeatView
from catan_env.guests.renaissance.worlds import draw_worlds
from catan_env.kernel.memory import copy_of


def dice(game: Any, seat: int, seed: int) -> Any:
    """The dice of the others are thrown again."""
    other, chance = game.copy(), np.random.default_rng(seed)
    thrown = chance.integers(1, 7, len(game.dice)).tolist()
    other.dice = [die if k == seat else thrown[k] for k, die in enumerate(game.dice)]
    other._chance = chance
    return other


def hanabi(game: Any, seat: int, seed: int) -> Any:
    """The seat's own hand and the deck are dealt again, also where hints contradict the cards."""
    other, hand = game.copy(), game.hands[seat]
    hidden = [*hand, *game._deck]
    order = np.random.default_rng(seed).permutation(len(hidden)).tolist()
    shuffled = [hidden[k] for k in order]
    other.hands[seat], other._deck = shuffled[: len(hand)], shuffled[len(hand) :]
    return other


class _World(Position):
    """A drawn position of Masters of Renaissance, with the views of its seats."""

    def view(self, seat: int) -> SeatView:
        """The view of a seat."""
        return SeatView.of(copy_of(self._array), seat)


def renaissance(game: Any, seat: int, seed: int) -> Any:
    """Covered cards, the others' leaders and the seed are drawn again; None in the set-up."""
    if game.round == 0:
        return None
    return _World(draw_worlds(game.view(seat), 1, np.random.default_rng(seed)))
