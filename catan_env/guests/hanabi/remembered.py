"""The observation with a memory: what the past events tell a table that follows conventions.

The canonical observation shows the last action only. `remembered` appends the public picture that
`policies.conventions` keeps from event to event, a recurrent state, as bits:

- for each card in hand, the observer's first: its possible identities, and 1 if a hint touched it
- the kinds of cards that are useless, the last copy of their kind, and expected to be playable

Cards are grouped by colour, as everywhere in the observation.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from catan_env.guests.hanabi.blueprint.memory import block_of
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.observation import observation_size
from catan_env.guests.hanabi.policies.conventions import Picture
from catan_env.guests.hanabi.position import Vector
from catan_env.guests.hanabi.rules import Rules
from catan_env.guests.hanabi.view import SeatView

Array = np.ndarray[Any, Any]
KINDS_SHOWN = ("useless", "last", "expected")


def memory_size(rules: Rules, players: int) -> int:
    """The number of bits that a memory adds to an observation."""
    kinds = len(rules.kinds)
    return players * rules.cards_in_hand(players) * (kinds + 1) + len(KINDS_SHOWN) * kinds


def input_size(rules: Rules, players: int) -> int:
    """The size of an observation with its memory."""
    return observation_size(rules, players) + memory_size(rules, players)


def memory_bits(pictures: Any, seats: Array, rules: Rules, players: int) -> Array:
    """The memory as seat `seats[i]` sees picture i: (n, memory_size) int8.

    `pictures` are blocks of `blueprint.memory`, in which places without a card are 0.
    """
    n, hand, kinds = len(pictures), rules.cards_in_hand(players), len(rules.kinds)
    order = (np.asarray(seats, np.int64)[:, None] + np.arange(players)) % players
    possible = np.take_along_axis(pictures["possible"][:, :, :hand], order[:, :, None], 1)
    touched = np.take_along_axis(pictures["touched"], order, 1)
    cards = [_bits(possible, kinds), _bits(touched, hand)[..., None]]
    shown = [_bits(pictures[name], kinds) for name in KINDS_SHOWN]
    of_hands = np.concatenate(cards, axis=-1).reshape(n, -1)
    return np.concatenate([of_hands, *shown], axis=1).view(np.int8)


def picture_after(events: Iterable[Event], rules: Rules, players: int) -> Picture:
    """The public picture after a game's events."""
    picture = Picture(rules, players)
    for event in events:
        picture.follow(event)
    return picture


def with_memory(observation: Vector, picture: Picture, seat: int) -> Vector:
    """A seat's observation with the memory that `picture` holds."""
    seats = np.array([seat])
    memory = memory_bits(block_of(picture), seats, picture.rules, picture.players)
    return np.concatenate([observation, memory[0]])


def remembered(view: SeatView) -> Vector:
    """A view's observation with the memory of all its events."""
    picture = picture_after(view.events, view.rules, view.players)
    return with_memory(view.observation, picture, view.viewer)


class RememberingGame(Game):
    """A game whose observations have a memory; its views are those of any game.

    >>> game = RememberingGame(players=2, seed=5)
    >>> game.observe(0).shape, game.view(0).observation.shape
    ((993,), (658,))
    """

    def observe(self, seat: int) -> Vector:
        """The observation of `seat` with its memory."""
        picture = picture_after(self.events, self.rules, self.players)
        return with_memory(super().observe(seat), picture, seat)

    def copy(self) -> "RememberingGame":
        """A game with the same past and the same deck."""
        game = RememberingGame.__new__(RememberingGame)
        game.__dict__.update(self._copied())
        return game


def _bits(numbers: Array, width: int) -> Array:
    """The lowest bits of int64 numbers, (..., width) uint8."""
    octets = np.ascontiguousarray(numbers, "<i8")[..., None].view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little")[..., :width]
