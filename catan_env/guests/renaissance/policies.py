"""Policies of this game: what they are, and those that need no training."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from catan_env.core.memory import doorway
from catan_env.guests.renaissance.native import lookahead
from catan_env.guests.renaissance.native.compiled import ensure_ready
from catan_env.guests.renaissance.native.state import new_states
from catan_env.guests.renaissance.view import SeatView


class Policy(Protocol):
    """Whatever decides for a seat; a class that a name stands for takes `seed`."""

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`."""


class Random:
    """A legal action, all alike."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        return int(self._rng.choice(np.flatnonzero(view.action_mask)))


class Greedy:
    """The action after which the seat's next turn can be worth most; see native/lookahead.py."""

    def __init__(self, seed: int = 0) -> None:
        ensure_ready()
        self._scratch = new_states(lookahead.SCRATCH)
        self._places, self._tried = doorway(self._scratch), np.zeros(lookahead.SCRATCH, np.int64)

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        self._scratch[0] = view.state
        return int(lookahead.best_action(self._places, self._tried))


class FunctionPolicy:
    """A plain function of a view, as a policy."""

    def __init__(self, function: Callable[[SeatView], int]) -> None:
        self.act = function


def learnt(seed: int = 0) -> Policy:
    """The network that comes with this game; see weights/."""
    network: Policy = import_module("catan_env.guests.renaissance.network").Learnt(seed)
    return network


NAMES: dict[str, Callable[..., Policy]] = {"random": Random, "greedy": Greedy, "network": learnt}


def load_policy(name: str, seed: int = 0) -> Policy:
    """A fresh policy by its name, as "module:Class", or a network's weights file (.npz)."""
    if name in NAMES:
        return NAMES[name](seed=seed)
    if name.endswith(".npz"):
        network: Policy = import_module("catan_env.guests.renaissance.network").Network(name)
        return network
    module, _, attribute = name.partition(":")
    if not attribute:
        raise ValueError(f"policy {name!r}; allowed are {', '.join(NAMES)}, module:Class, .npz")
    try:
        return as_policy(getattr(import_module(module), attribute), seed)
    except (ModuleNotFoundError, AttributeError) as error:
        raise ValueError(f"policy {name!r}: {error}") from None


def as_policy(policy: Any, seed: int = 0) -> Policy:
    """A policy from its name, its class, itself, or a function of a view."""
    if isinstance(policy, str):
        return load_policy(policy, seed)
    if isinstance(policy, type):
        policy = policy(seed=seed)
    if hasattr(policy, "act"):
        made: Policy = policy
        return made
    if callable(policy):
        return FunctionPolicy(policy)
    raise TypeError(f"{policy!r} is no policy: a name, a class, or an object with act(view)")
