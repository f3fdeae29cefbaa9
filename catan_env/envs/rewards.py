"""User-defined rewards, computed from what one decision changed.

A decision of any seat changes the position, and every seat is paid for the change. There are two
forms of a reward, and `reward=` of every environment accepts them:

- A function `(before, event, after, seat) -> float` for `env`, `CatanEnv` and the Gymnasium id:
  `before` and `after` are read like a `Game`, `event` is the Event between them.
- An `ArrayReward` for all environments, also vectors: one call pays all seats of many games. The
  parts below are of this form; they are added and multiplied: `WIN + 0.1 * POINTS`.

A mapping of the parts' names to their weights is another way to write the latter:
`{"win": 1, "points": 0.1}`.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite, nan
from numbers import Real
from typing import Any

import numpy as np

from catan_env.core.board import PIPS, VERTEX_TILES
from catan_env.core.constants import NOBODY, SEATS, TILES, VERTICES, VICTORY_POINT

Array = np.ndarray[Any, Any]
EventReward = Callable[[Any, Any, Any, int], float]
"""`(before, event, after, seat) -> float`."""


class ArrayReward:
    """A function `(before, actions, after) -> (n, 4)`: the payment to each seat of n games.

    `before` and `after` are (n,) structured arrays with the fields of `catan_env.core.state.GAME`,
    `actions` (n,) int64 the flat indices that the seats `before["seat"]` played, -1 where the seat
    left the table (`catan_env.envs.aec`). The function may be compiled; it must not write to its
    arrays. Columns of absent seats are not read.

    >>> from catan_env.core.actions import BUY_ACTION
    >>> def bought(before, actions, after):
    ...     buys = (actions == BUY_ACTION)[:, None]
    ...     return buys & (before["seat"][:, None] == np.arange(4))
    >>> reward = WIN - 0.02 * ArrayReward(bought)
    """

    def __init__(self, function: Callable[[Array, Array, Array], Any]) -> None:
        if not callable(function):
            raise TypeError(f"an ArrayReward takes a function, not {function!r}")
        check_arguments(function, "before", "actions", "after")
        self.function = function

    def __call__(self, before: Array, actions: Array, after: Array) -> Array:
        """The payment to each seat: (n, 4) float64."""
        returned = self.function(before, actions, after)
        try:
            paid = np.asarray(returned, np.float64)
        except (TypeError, ValueError):
            raise TypeError(
                f"{name_of(self.function)} returned {returned!r}; expected an array of numbers"
            ) from None
        if paid.shape != (len(before), SEATS):
            raise ValueError(
                f"{name_of(self.function)} returned an array of shape {paid.shape}; "
                f"expected ({len(before)}, {SEATS})"
            )
        return paid

    def checked(self, before: Array, actions: Array, after: Array) -> Array:
        """The payment to each seat; ValueError if a seat at a table is not paid a finite number."""
        paid = self(before, actions, after)
        if not np.isfinite(paid).all():
            is_wrong = ~np.isfinite(paid) & (np.arange(SEATS) < before["seats"][:, None])
            for amount in paid[is_wrong]:
                raise ValueError(
                    f"{name_of(self.function)} returned {amount} for a seat; expected a finite "
                    "number"
                )
        return paid

    def __add__(self, other: Any) -> "ArrayReward":
        if not isinstance(other, ArrayReward):
            return NotImplemented
        return ArrayReward(Sum(self, other))

    def __sub__(self, other: Any) -> "ArrayReward":
        if not isinstance(other, ArrayReward):
            return NotImplemented
        return self + -1 * other

    def __mul__(self, weight: Any) -> "ArrayReward":
        if not isinstance(weight, Real):
            return NotImplemented
        return ArrayReward(Weighted(weight, self))

    __rmul__ = __mul__


@dataclass(frozen=True, repr=False)
class Sum:
    """The function of two rewards added; unlike a closure it can be pickled."""

    one: ArrayReward
    other: ArrayReward

    def __call__(self, before: Array, actions: Array, after: Array) -> Array:
        return self.one(before, actions, after) + self.other(before, actions, after)

    def __repr__(self) -> str:
        return f"{name_of(self.one.function)} + {name_of(self.other.function)}"


@dataclass(frozen=True, repr=False)
class Weighted:
    """The function of a reward multiplied by a number."""

    weight: Any  # a Real, which mypy does not multiply
    reward: ArrayReward

    def __call__(self, before: Array, actions: Array, after: Array) -> Array:
        paid: Array = self.weight * self.reward(before, actions, after)
        return paid

    def __repr__(self) -> str:
        return f"{self.weight} * {name_of(self.reward.function)}"


def won(before: Array, actions: Array, after: Array) -> Array:
    """1 to the winner and -1/(seats - 1) to the others when a game ends."""
    has_ended = (after["winner"] != NOBODY)[:, None] & (before["winner"] == NOBODY)[:, None]
    is_winner = after["winner"][:, None] == np.arange(SEATS)
    share: Array = -1.0 / (after["seats"][:, None] - 1)
    return np.where(has_ended, np.where(is_winner, 1.0, share), 0.0)


def points_made(before: Array, actions: Array, after: Array) -> Array:
    """The victory points gained, including hidden ones; negative for points lost."""
    return points_in(after) - points_in(before)


def points_in(states: Array) -> Array:
    """Each seat's victory points, including hidden ones: (n, 4)."""
    points: Array = states["points"] + states["cards"][:, :, VICTORY_POINT]
    return points.astype(np.float64)


def roads_built(before: Array, actions: Array, after: Array) -> Array:
    """The roads laid."""
    roads: Array = before["pieces"][:, :, 0] - after["pieces"][:, :, 0]
    return roads.astype(np.float64)


def production_gained(before: Array, actions: Array, after: Array) -> Array:
    """The rise in the number of cards expected from a roll, ignoring the robber."""
    gained = np.zeros((len(before), SEATS))
    built = (before["settlements"] != after["settlements"]) | (before["cities"] != after["cities"])
    rows = np.flatnonzero(built.any(axis=1))
    gained[rows] = production_in(after[rows]) - production_in(before[rows])
    return gained


def production_in(states: Array) -> Array:
    """The number of cards that each seat expects from a roll, ignoring the robber: (n, 4)."""
    cards = on_vertices(states["settlements"]) + 2 * on_vertices(states["cities"])
    at_vertices = _PIPS[states["token"]] @ _TILE_AT_VERTEX / 36
    expected: Array = np.einsum("nsv,nv->ns", cards, at_vertices)
    return expected


def on_vertices(sets: Array) -> Array:
    """Sets of vertices as numbers: (n, 4) int64 to (n, 4, 54) of 0 and 1."""
    bits: Array = sets[:, :, None] >> np.arange(VERTICES) & 1
    return bits


_PIPS = np.array([int(PIPS[token]) for token in range(13)])
_TILE_AT_VERTEX = np.zeros((TILES, VERTICES), np.int64)
for _vertex, _tiles in enumerate(VERTEX_TILES):
    _TILE_AT_VERTEX[list(_tiles), _vertex] = 1


def checked_reward(given: Any) -> ArrayReward | EventReward | None:
    """A reward as `reward=` accepts it; None for "sparse" and "shaped"."""
    if isinstance(given, str) and given in ("sparse", "shaped"):
        return None
    if isinstance(given, Mapping):
        return weighted(given)
    if callable(given):
        reward: ArrayReward | EventReward = given
        if not isinstance(given, ArrayReward):
            check_arguments(given, "before", "event", "after", "seat")
        return reward
    raise ValueError(
        f"reward is {given!r}; allowed are 'sparse', 'shaped', a mapping of "
        f"{', '.join(PARTS)} to their weights, an ArrayReward, and for one game a function "
        "(before, event, after, seat)"
    )


def weighted(weights: Mapping[str, Any]) -> ArrayReward:
    """The weighted sum of the parts."""
    unknown = sorted(set(weights) - set(PARTS))
    if unknown or not weights:
        named = f"names {', '.join(unknown)}" if unknown else "names no part"
        raise ValueError(f"reward {named}; the parts are {', '.join(PARTS)}")
    if wrong := [name for name, weight in weights.items() if not isinstance(weight, Real)]:
        raise TypeError(f"the weight of {wrong[0]} is {weights[wrong[0]]!r}; expected a number")
    if infinite := [name for name, weight in weights.items() if not isfinite(weight)]:
        raise ValueError(
            f"the weight of {infinite[0]} is {weights[infinite[0]]}; expected a finite one"
        )
    parts = [weight * PARTS[name] for name, weight in weights.items()]
    return sum(parts[1:], parts[0])


def paid_by(reward: EventReward, before: Any, event: Any, after: Any, seat: int) -> float:
    """The payment to a seat by a function of the event."""
    returned = reward(before, event, after, seat)
    try:
        paid = float(returned)
    except (TypeError, ValueError):
        paid = nan
    if not isfinite(paid):
        raise ValueError(f"{name_of(reward)} returned {returned!r}; expected a finite number")
    return paid


def check_arguments(function: Callable[..., Any], *names: str) -> None:
    """Raise TypeError if a function cannot be called with these arguments.

    >>> check_arguments(lambda before, event: 0, "before", "event", "after")
    Traceback (most recent call last):
    TypeError: <lambda> must take (before, event, after); it takes (before, event)
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions of C have no signature
        return
    try:
        signature.bind(*names)
    except TypeError:
        raise TypeError(
            f"{name_of(function)} must take ({', '.join(names)}); it takes "
            f"({', '.join(signature.parameters)})"
        ) from None


def name_of(function: Any) -> str:
    """The name of a function, for messages."""
    return getattr(function, "__qualname__", repr(function))


WIN = ArrayReward(won)
POINTS = ArrayReward(points_made)
ROADS = ArrayReward(roads_built)
PRODUCTION = ArrayReward(production_gained)
PARTS = {"win": WIN, "points": POINTS, "roads": ROADS, "production": PRODUCTION}
"""The parts by name."""
