"""Policies by name, and checks of their answers."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from operator import index as index_of
from typing import Any, Protocol

import numpy as np

from catan_env.core.actions import NUM_ACTIONS
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.game.view import SeatView

NAMES = {
    "random": "catan_env.policies.random:Random",
    "builder": "catan_env.policies.builder:Builder",
    "greedy": "catan_env.policies.greedy:Greedy",
    "best": "catan_env.policies.best:Best",
    "search": "catan_env.policies.search:Search",
    "network+search": "catan_env.policies.search.guided:Guided",
}


class Policy(Protocol):
    """Anything that decides for a seat.

    A class used by `load_policy` takes `seed` as its argument.
    """

    def act(self, view: SeatView) -> int:
        """Return a flat index that is 1 in `view.action_mask`."""


class Judge(Protocol):
    """A policy that also evaluates moves and positions."""

    name: str
    choose: Callable[[SeatView], int]
    """Return the policy's action."""

    def likely(self, view: SeatView) -> list[int]:
        """Return the policy's action, followed by other moves worth considering."""

    def weigh(
        self, view: SeatView, moves: Sequence[int], worlds: int = ...
    ) -> list[tuple[int, float]]:
        """Return those moves and their values, best first."""

    def outlook(self, table: Game | SeatView, futures: int = ...) -> tuple[float, ...]:
        """Return each seat's probability of winning; they sum to 1."""


class FunctionPolicy:
    """A plain function of a view, used as a policy."""

    def __init__(self, function: Callable[[SeatView], int]) -> None:
        self.act = function


def load_policy(name: str, seed: int = 0) -> Policy:
    """Return a new policy by name, "module:Class", or a network's weights file, `.npz`.

    >>> type(load_policy("random", seed=3)).__name__
    'Random'
    """
    return _network(name) if name.endswith(".npz") else as_policy(_maker(name), seed)


def check_policy(name: str) -> None:
    """Raise ValueError, ImportError or OSError if no policy has this name; compile nothing."""
    if name.endswith(".npz"):
        _network(name)
    else:
        _maker(name)


def _maker(name: str) -> Any:
    """Return the class, function or object of a policy name."""
    module, _, attribute = NAMES.get(name, name).partition(":")
    if not attribute:
        raise ValueError(f"unknown policy {name!r}; {_ALLOWED}")
    try:
        maker = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        if not f"{module}.".startswith(f"{error.name}."):
            raise
        raise ValueError(f"policy {name!r}: no module {error.name!r}; {_ALLOWED}") from None
    except AttributeError:
        raise ValueError(f"policy {name!r}: no {attribute!r} in {module}; {_ALLOWED}") from None
    if not (callable(maker) or hasattr(maker, "act")):
        raise ValueError(f"policy {name!r}: {maker!r} is not a policy; {_ALLOWED}")
    return maker


_ALLOWED = f"allowed are {', '.join(NAMES)}, module:Class and a weights file (.npz)"


def _network(path: str) -> Policy:
    network: Policy = import_module("catan_env.policies.network").Network(path)
    return network


def load_judge(name: str, seed: int = 0) -> Judge:
    """Return a judge that plays like the policy of that name."""
    choose = partial(decide, load_policy(name, seed))
    judge: Judge = import_module("catan_env.policies.judge").Judge(name, choose, seed)
    return judge


def as_policy(policy: Any, seed: int = 0) -> Policy:
    """Return a policy from its name, its class, itself, or a function of a view."""
    if isinstance(policy, str):
        return load_policy(policy, seed)
    if isinstance(policy, type):
        policy = policy(seed=seed)
    if hasattr(policy, "act"):
        return policy
    if callable(policy):
        return FunctionPolicy(policy)
    raise TypeError(
        f"{policy!r} is not a policy; {_ALLOWED}, an object with act(view), or a function of a view"
    )


def decide(policy: Policy, view: SeatView) -> int:
    """Return the policy's answer as a plain int.

    Raises IllegalActionError, which names the policy and its answer, if it cannot be played.
    """
    answer = policy.act(view)
    try:
        index = index_of(answer)
    except TypeError:
        raise IllegalActionError(
            f"{_name(policy)} answered {_describe(answer)}; "
            f"allowed is one integer in 0..{NUM_ACTIONS - 1}"
        ) from None
    if not 0 <= index < NUM_ACTIONS or not view.action_mask[index]:
        legal = view.legal_actions.indices.tolist()
        raise IllegalActionError(
            f"{_name(policy)} answered {index} for seat {view.viewer} in phase {view.phase.name} "
            f"of turn {view.turn}; the action mask allows {', '.join(map(str, legal[:8]))}"
            f"{f' and {len(legal) - 8} more' if len(legal) > 8 else ''}"
        )
    return index


def _name(policy: Policy) -> str:
    return getattr(policy.act, "__qualname__", type(policy).__name__)


def _describe(answer: Any) -> str:
    if isinstance(answer, np.ndarray):
        return f"an array of shape {answer.shape} and dtype {answer.dtype}"
    return f"{answer!r} ({type(answer).__name__})"
