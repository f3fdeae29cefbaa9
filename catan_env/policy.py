"""Policies by name, and the check that their answers can be played."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from catan_env.adapters.policies import (
    BatchedPolicy,
    FunctionPolicy,
    Policy,
    batched,
    is_weights_file,
    maker_of,
    policy_of,
)
from catan_env.adapters.policies import decide as checked_answer
from catan_env.adapters.weights import read
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.kernel.numbers import whole_seed, wrapped_seed

__all__ = [
    "CATANATRON",
    "NAMES",
    "BatchedPolicy",
    "FunctionPolicy",
    "Judge",
    "Policy",
    "as_policy",
    "check_policy",
    "decide",
    "load_batched",
    "load_judge",
    "load_luck",
    "load_policy",
]
NAMES = {
    "random": "catan_env.policies.random:Random",
    "builder": "catan_env.policies.builder:Builder",
    "greedy": "catan_env.policies.greedy:Greedy",
    "network": "catan_env.policies.network.shipped:Shipped",
    "best": "catan_env.policies.best:Best",
    "search": "catan_env.policies.search:Search",
    "network+search": "catan_env.policies.search.guided:Guided",
}
CATANATRON = {
    "catanatron:random": "catan_env.catanatron.bots:Uniform",
    "catanatron:weighted": "catan_env.catanatron.bots:Weighted",
    "catanatron:points": "catan_env.catanatron.searching:Points",
    "catanatron:value": "catan_env.catanatron.searching:Value",
    "catanatron:alphabeta": "catan_env.catanatron.searching:AlphaBeta",
}
"""The bots of catanatron, an engine that is installed separately."""


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

    def win_probabilities(self, position: Game | SeatView, futures: int = ...) -> tuple[float, ...]:
        """Return each seat's probability of winning; they sum to 1."""


def load_policy(name: str, seed: int = 0) -> Policy:
    """Return a new policy by name, "module:Class", or a network's weights file, `.npz`.

    ValueError, ImportError or OSError if there is none, PolicyError if the policy's own code fails;
    TypeError or ValueError unless `seed` is a number of 64 bits.

    >>> type(load_policy("random", seed=3)).__name__
    'Random'
    """
    seed = whole_seed(seed)
    if is_weights_file(name):
        return _network(name)
    maker = _maker(name)
    try:
        return as_policy(maker, seed)
    except TypeError as error:
        raise ValueError(f"policy {name!r}: {error}") from None


def load_batched(name: str, seed: int = 0) -> BatchedPolicy:
    """The policy of that name in its batched form; one that sees views is made for each game."""
    seed = whole_seed(seed)
    return batched(load_policy(name, seed), partial(_for_game, name, seed), decide)


def _for_game(name: str, seed: int, games: Any, i: int) -> Policy:
    """A fresh policy for game i, whose seed follows from the game's."""
    return load_policy(name, wrapped_seed(int(games.seeds[i] >> np.uint64(2)) + seed))


def check_policy(name: str) -> None:
    """Raise ValueError, ImportError or OSError if no policy has this name; compile nothing.

    PolicyError if the code of its module fails.
    """
    if is_weights_file(name):
        _network_module(name).check(name)
    else:
        _maker(name)


def _maker(name: str) -> Any:
    """Return the class, function or object of a policy name."""
    module, _, attribute = (NAMES | CATANATRON).get(name, name).partition(":")
    if not (module and attribute):
        raise ValueError(f"unknown policy {name!r}; {_ALLOWED}")
    allowed = _ALLOWED if module != "catanatron" else _OF_CATANATRON
    maker = maker_of(name, module, attribute, f"; {allowed}")
    if not (callable(maker) or isinstance(maker, Policy)):
        raise ValueError(f"policy {name!r}: {maker!r} is not a policy; {_ALLOWED}")
    return maker


_NAMES = f"{', '.join(NAMES)}, module:Class"
_OF_CATANATRON = f"its bots are {', '.join(CATANATRON)}"
_ALLOWED = f"allowed are {_NAMES} and a weights file (.npz)"


def _network(path: str) -> Policy:
    """The policy in a weights file."""
    network: Policy = _network_module(path).load(path)
    return network


def _network_module(path: str) -> Any:
    """The module that reads a weights file, by its kind."""
    reorders = str(read(path).get("kind")) == "rerank"
    return import_module(f"catan_env.policies.{'rerank' if reorders else 'network'}")


def load_judge(name: str, seed: int = 0) -> Judge:
    """Return a judge that plays like the policy of that name."""
    choose = partial(decide, load_policy(name, seed))
    judge: Judge = import_module("catan_env.policies.judge").Judge(name, choose, seed)
    return judge


def load_luck() -> Callable[[Game, Sequence[Event]], Any]:
    """Return the function that measures each seat's luck in a game, given its start and events.

    >>> game = Game(seats=2, seed=7)
    >>> load_luck()(game, game.events).tolist()
    [0.0, 0.0]
    """
    measure: Callable[..., Any] = import_module("catan_env.policies.luck").luck_of_game
    return measure


def as_policy(policy: Any, seed: int = 0) -> Policy:
    """A policy from its name, its class, itself, or a function of a view."""
    return policy_of(policy, seed, load_policy, f"{_NAMES}, a weights file (.npz)")


def decide(policy: Policy, view: SeatView) -> int:
    """Return the policy's answer as a plain int.

    Raises IllegalActionError, which names the policy and its answer, if it cannot be played, and
    PolicyError if the policy's own code fails.
    """
    return checked_answer(policy, view, IllegalActionError, _place)


def _place(view: SeatView) -> str:
    return f" for seat {view.viewer} in phase {view.phase.name} of turn {view.turn}"
