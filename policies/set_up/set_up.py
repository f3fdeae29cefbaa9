"""The policy of the first settlements, for those that play on by other means."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_env import SeatView
from catan_env.adapters.policies import Policy
from catan_env.core.constants import Phase
from catan_env.core.state import doorway, new_states
from catan_env.kernel.compiled import ensure_compiled
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.kernel.lockstep import STAY
from catan_env.kernel.numbers import whole
from catan_env.policies.set_up import doors
from catan_env.policies.set_up.network import SetUpNetwork
from catan_env.policies.value.compiled import ensure_value, sample_game
from catan_env.policies.value.doors import rank_actions
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork

Array = np.ndarray[Any, Any]
CANDIDATES = 16
"""The most valuable places that are rated."""
WAYS, SPREAD = 8, 4
"""The ways in which the other seats settle, at three and four seats, and how much places vary."""


class SetUp:
    """Places settlements in the set-up where the network expects to win most often.

    It lets `greedy` complete the set-up after each of the CANDIDATES most valuable settlements, and
    has the network rate the position in which it ends. In all `ways` but the first, the other seats
    settle by tastes of their own, and the ratings are the means; by default there are WAYS. In
    duels, where others gained nothing, and with an interpreted engine, where each way takes half a
    second, there is only the first. ValueError if `ways` is less than one.
    """

    def __init__(self, network: SetUpNetwork, ways: int | None = None) -> None:
        ensure_set_up()
        usual = ways_for(network.seats) if MACHINE_CODE else 1
        self._ways = usual if ways is None else whole("ways", ways, 1)
        self._network, self._memory = network.memory(), Scratch()
        self._weights, self._ends = row(weights_for(network.seats)), doorway(new_states(1))

    def act(self, view: SeatView) -> int:
        """The flat index of the best-rated settlement; the view waits for one of the set-up."""
        moves, wins = self.rated(view)
        return int(moves[wins.argmax()])

    def rated(self, view: SeatView) -> tuple[Array, Array]:
        """The most valuable settlements, and the win probability after each: (k,) each."""
        memory = self._memory.memory
        moves, values = np.zeros((1, CANDIDATES), np.int64), np.zeros((1, CANDIDATES))
        rank_actions(view._states, self._weights, *memory, moves, values, 0, 1)
        moves = moves[moves != STAY]
        wins = np.zeros(len(moves))
        rated = self._ends, row(moves), row(wins), self._ways, SPREAD, *self._network
        doors.rate_placements(view._states, 0, *rated, self._weights, *memory)
        return moves, wins


def ways_for(seats: int) -> int:
    """The number of ways in which the other seats settle, if the engine has machine code."""
    return 1 if seats == 2 else WAYS


class WithSetUp:
    """Places its first settlements by a `SetUp`, and plays on by another policy."""

    def __init__(self, set_up: SetUp, policy: Policy) -> None:
        self.set_up, self.policy = set_up, policy

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        places = view.phase is Phase.PLACE_SETTLEMENT
        return self.set_up.act(view) if places else self.policy.act(view)


def open_set_up() -> None:
    """Compile the door, called once on its own game."""
    places = row(np.full(1, 52, np.int64)), row(np.zeros(1))
    memory = *WinNetwork(2).memory, row(weights_for(2)), *Scratch().memory
    doors.rate_placements(sample_game(), 0, doorway(new_states(1)), *places, 2, 0, *memory)


@cache
def ensure_set_up() -> None:
    """Compile the set-up's network unless this machine has done so."""
    ensure_value()
    ensure_compiled("set-up", open_set_up, Path(__file__).parent)
