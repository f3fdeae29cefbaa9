"""A policy that explains itself, with win probabilities of moves and positions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from catan_env import Game, SeatView
from catan_env.core.state import doorway, new_states
from catan_env.game.position import Position
from catan_env.kernel.compiled import ensure_compiled
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.policies.judge.futures import play_futures
from catan_env.policies.search import playouts
from catan_env.policies.search.search import Search, ensure_search
from catan_env.policies.value.compiled import sample_game
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork

CANDIDATES = 5
"""Moves weighed in addition to the policy's own."""
WORLDS, FUTURES = (64, 32) if MACHINE_CODE else (2, 1)
"""Playouts per move, and per position."""


class Judge:
    """Weighs moves and positions by playouts; `choose` is a policy's move, `name` its label.

    The value of a move is the mean win probability, by the network of the value function, after
    every seat has continued with the value function for two rounds, in worlds consistent with the
    seat's view. The same seed gives the same numbers.

    >>> from catan_env import Game
    >>> from catan_env.policy import load_judge
    >>> judge = load_judge("greedy")
    >>> game = Game(seats=3, seed=7)
    >>> view = game.view(0)
    >>> weighed = judge.weigh(view, judge.likely(view))
    >>> len(weighed) > 2 and weighed[0][1] >= weighed[-1][1]
    True
    >>> round(sum(judge.win_probabilities(game)), 6)
    1.0
    """

    def __init__(self, name: str, choose: Callable[[SeatView], int], seed: int = 0) -> None:
        ensure_judge()
        self.name = name
        self.choose = choose
        self._seed = seed & 0xFFFF_FFFF_FFFF
        self._search = Search(seed, playouts=1)
        self._worlds = doorway(new_states(playouts.WORLDS))
        self._scratch = Scratch()

    def likely(self, view: SeatView) -> list[int]:
        """The policy's move, followed by other promising moves."""
        others = self._search.valued(view)[0][:CANDIDATES].tolist()
        return list(dict.fromkeys([self.choose(view), *others]))

    def weigh(
        self, view: SeatView, moves: Sequence[int], worlds: int = WORLDS
    ) -> list[tuple[int, float]]:
        """The given moves with their win probabilities, the best first."""
        sums = np.zeros(len(moves))
        playouts.try_candidates(
            view._states,
            self._worlds,
            row(np.array(moves, np.int64)),
            len(moves),
            row(sums),
            self._seed_for(view),
            0,
            worlds,
            playouts.SHORT * view.seats,
            *WinNetwork(view.seats).memory,
            row(weights_for(view.seats)),
            *self._scratch.memory,
        )
        weighed = zip(moves, (sums / worlds).tolist(), strict=True)
        return sorted(weighed, key=lambda move: -move[1])

    def win_probabilities(
        self, position: Game | SeatView, futures: int = FUTURES
    ) -> tuple[float, ...]:
        """The seats' win probabilities, from worlds of a view or futures of a full game."""
        if position.is_over:
            return tuple(float(seat == position.winner) for seat in range(position.seats))
        sums = np.zeros(position.seats)
        play_futures(
            position._states,
            self._worlds,
            row(sums),
            self._seed_for(position),
            futures,
            playouts.SHORT * position.seats,
            *WinNetwork(position.seats).memory,
            row(weights_for(position.seats)),
            *self._scratch.memory,
        )
        return tuple((sums / sums.sum()).tolist())

    def outlook(self, position: Game | SeatView, futures: int = FUTURES) -> tuple[float, ...]:
        """The old name of `win_probabilities`, with a warning."""
        warnings.warn("outlook is now win_probabilities", DeprecationWarning, stacklevel=2)
        return self.win_probabilities(position, futures)

    def _seed_for(self, position: Position) -> int:
        return crc32(position.state_bytes()) << 16 ^ self._seed


def open_judge() -> None:
    """Compile the door of the futures, called once on its own game."""
    weights: Any = row(weights_for(2))
    memory = WinNetwork(2).memory, Scratch().memory
    worlds, sums = doorway(new_states(playouts.WORLDS)), row(np.zeros(2))
    play_futures(sample_game(), worlds, sums, 0, 1, 1, *memory[0], weights, *memory[1])


@cache
def ensure_judge() -> None:
    """Compile the futures unless this machine has done so."""
    ensure_search()
    if MACHINE_CODE:
        ensure_compiled("judge", open_judge, Path(__file__).parent)


__all__ = ["Judge", "ensure_judge", "open_judge"]
