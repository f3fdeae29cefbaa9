"""The interface of policies, and the policies that need no training."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from catan_env.adapters.policies import Policy, Random, is_weights_file, maker_of, policy_of
from catan_env.guests.renaissance.greedy import Greedy


def network(seed: int = 0) -> Policy:
    """The networks shipped with this game; see weights/."""
    shipped: Policy = import_module("catan_env.guests.renaissance.network").Shipped(seed)
    return shipped


def search(seed: int = 0) -> Policy:
    """The searching player; see search.py."""
    player: Policy = import_module("catan_env.guests.renaissance.search").Search(seed)
    return player


NAMES: dict[str, Callable[..., Policy]] = {
    "random": Random,
    "greedy": Greedy,
    "network": network,
    "search": search,
}


def find_policy(name: str) -> Callable[[int], Policy]:
    """A function that makes the named policy from a seed; ValueError for an unknown name.

    Compiles nothing, so that a wrong name fails before any slow work.
    """
    if is_weights_file(name):
        loaded: Policy = import_module("catan_env.guests.renaissance.network").Network(name)
        return lambda seed: loaded
    if name in NAMES:
        return lambda seed: NAMES[name](seed=seed)
    module, _, attribute = name.partition(":")
    if not attribute:
        raise ValueError(f"policy {name!r}; allowed are {', '.join(NAMES)}, module:Class, .npz")
    maker = maker_of(name, module, attribute)
    return lambda seed: _made(name, maker, seed)


def _made(name: str, maker: Any, seed: int) -> Policy:
    try:
        return as_policy(maker, seed)
    except TypeError as error:
        raise ValueError(f"policy {name!r}: {error}") from None


def load_policy(name: str, seed: int = 0) -> Policy:
    """A new policy by its name, as "module:Class", or a network's weights file (.npz)."""
    return find_policy(name)(seed)


def as_policy(policy: Any, seed: int = 0) -> Policy:
    """A policy from its name, its class, itself, or a function of a view."""
    return policy_of(policy, seed, load_policy)
