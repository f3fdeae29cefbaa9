"""The interface of policies, and the policies that need no training."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from catan_env.adapters.policies import Policy, Random, policy_of
from catan_env.guests.renaissance.native import lookahead
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.native.state import new_states
from catan_env.guests.renaissance.view import SeatView
from catan_env.kernel.memory import doorway


class Greedy:
    """The action with the best value of the seat's next turn; see native/lookahead.py."""

    def __init__(self, seed: int = 0) -> None:
        ensure_ready()
        self._scratch = doorway(new_states(lookahead.SCRATCH))
        self._tried = np.zeros(lookahead.SCRATCH, np.int64)
        self._values = np.zeros((1, NUM_ACTIONS))

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`, which may lack refused actions."""
        lookahead.action_values(doorway(view._array), self._scratch, self._tried, self._values)
        return int(self._values[0].argmax())


def learnt(seed: int = 0) -> Policy:
    """The network shipped with this game; see weights/."""
    network: Policy = import_module("catan_env.guests.renaissance.network").learnt(seed)
    return network


NAMES: dict[str, Callable[..., Policy]] = {"random": Random, "greedy": Greedy, "network": learnt}


def find_policy(name: str) -> Callable[[int], Policy]:
    """A function that makes the named policy from a seed; ValueError for an unknown name.

    Compiles nothing, so that a wrong name fails before any slow work.
    """
    if name in NAMES:
        return lambda seed: NAMES[name](seed=seed)
    if name.endswith(".npz"):
        network: Policy = import_module("catan_env.guests.renaissance.network").Network(name)
        return lambda seed: network
    module, _, attribute = name.partition(":")
    if not attribute:
        raise ValueError(f"policy {name!r}; allowed are {', '.join(NAMES)}, module:Class, .npz")
    try:
        maker = getattr(import_module(module), attribute)
    except (ModuleNotFoundError, AttributeError) as error:
        raise ValueError(f"policy {name!r}: {error}") from None
    return lambda seed: as_policy(maker, seed)


def load_policy(name: str, seed: int = 0) -> Policy:
    """A new policy by its name, as "module:Class", or a network's weights file (.npz)."""
    return find_policy(name)(seed)


def as_policy(policy: Any, seed: int = 0) -> Policy:
    """A policy from its name, its class, itself, or a function of a view."""
    return policy_of(policy, seed, load_policy)
