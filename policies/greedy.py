"""One-ply search on a value function: plays the best of the actions worth trying, compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import local
from typing import Any

import numpy as np

from catan_env import SeatView
from catan_env.batch import Batch
from catan_env.policies.players import Native
from catan_env.policies.value import doors
from catan_env.policies.value.compiled import ensure_play_out, ensure_runs, ensure_value
from catan_env.policies.value.scratch import Scratch, row, rows
from catan_env.policies.value.weights import weights_for

Array = np.ndarray[Any, Any]
_thread = local()


class Greedy:
    """Plays the action with the most valuable result; it makes no random choices.

    >>> from catan_env import Game
    >>> Greedy().act(Game(seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        ensure_value()
        self._scratch = Scratch()
        self._action, self._value = np.zeros((1, 1), np.int64), np.zeros((1, 1))

    def batched(self) -> Native:
        """The same policy for many games in one call."""
        return Native(choose, play_runs)

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        weights = row(weights_for(view.seats))
        doors.rank_actions(
            view._states, weights, *self._scratch.memory, self._action, self._value, 0, 1
        )
        return int(self._action[0, 0])


def choose(batch: Batch) -> Array:
    """The best action in each game for the acting seat: (n,) int64, STAY if no seat acts.

    It reads only what that seat may know: no other hand and no deck.
    """
    return rank(batch, 1)[0][:, 0]


def rank(batch: Batch, k: int = 8, weights: Array | None = None) -> tuple[Array, Array]:
    """The best `k` actions of each game and their values, the best first.

    (n, k) int64 and float64, STAY if there are fewer. Of all offers, only the best is included.
    `weights`, (n,) float64 in the order of their names, are by default those for the seats.
    """
    ensure_value()
    weights = weights_for(batch.seats) if weights is None else weights
    moves, values = np.zeros((batch.num_games, k), np.int64), np.zeros((batch.num_games, k))
    batch.run(_rank_some, row(weights), moves, values)
    return moves, values


def _rank_some(
    games: Any, weights: Any, moves: Array, values: Array, start: int, stop: int
) -> None:
    doors.rank_actions(games, weights, *_scratch().memory, moves, values, start, stop)


def _scratch() -> Scratch:
    """The scratch memory of this thread."""
    if not hasattr(_thread, "scratch"):
        _thread.scratch = Scratch()
    scratch: Scratch = _thread.scratch
    return scratch


def play_runs(batch: Batch, mine: Array, actions: Array, lengths: Array, decisions: Array) -> None:
    """Play in each game of a batch while an acting seat is in `mine`, (n, seats) bool.

    As in `RunPolicy.play_runs`: `actions` (n, m) uint16, `lengths` (n,) and `decisions` (n, seats),
    both int64, are continued.
    """
    ensure_runs()
    weights = row(weights_for(batch.seats))
    batch.run(_play_some, mine, batch.max_turns, actions, lengths, decisions, weights)


def _play_some(games: Any, *arguments: Any) -> None:
    *places, start, stop = arguments
    doors.play_runs(games, *places, *_scratch().memory, start, stop)


def whole_games(seats: int) -> Callable[..., None]:
    """A function that plays whole games of `seats` seats, called like `core.batch.play_out`."""
    return whole_games_by([weights_for(seats)] * seats)


def whole_games_by(weights: Sequence[Array]) -> Callable[..., None]:
    """Like `whole_games`, with separate weights for each seat."""
    ensure_play_out()
    by_seat = rows(weights)

    def play_some(*of_games: Any) -> None:
        *places, start, stop = of_games
        doors.play_out(*places, by_seat, *Scratch().memory, start, stop)

    return play_some
