"""The interface of policies, and the policies that need no training."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from catan_env.adapters.named import imported_later, named_maker
from catan_env.adapters.policies import Policy, Random, policy_of
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.kernel.numbers import whole_seed

_HERE = "catan_env.guests.renaissance"
NAMES: dict[str, Callable[..., Policy]] = {
    "random": Random,
    "greedy": Greedy,
    "network": imported_later(f"{_HERE}.network:Shipped"),
    "search": imported_later(f"{_HERE}.search:Search"),
}


def find_policy(name: str) -> Callable[[int], Policy]:
    """A function that makes the named policy from a seed; ValueError for an unknown name.

    Compiles nothing, so that a wrong name fails before any slow work.
    """
    return named_maker(name, NAMES, _network)


def _network(path: str) -> Policy:
    network: Policy = import_module(f"{_HERE}.network").Network(path)
    return network


def load_policy(name: str, seed: int = 0) -> Policy:
    """A new policy by its name, as "module:Class", or a network's weights file (.npz)."""
    return find_policy(name)(whole_seed(seed))


def as_policy(policy: Any, seed: int = 0) -> Policy:
    """A policy from its name, its class, itself, or a function of a view."""
    return policy_of(policy, seed, load_policy)
