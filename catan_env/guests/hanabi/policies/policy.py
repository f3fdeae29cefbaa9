"""The interface of policies, and policies by name."""

from importlib import import_module
from typing import Any

from catan_env.adapters.named import imported_later, named_policy
from catan_env.adapters.policies import Policy, policy_of
from catan_env.adapters.policies import decide as checked_answer
from catan_env.guests.hanabi.errors import IllegalActionError
from catan_env.guests.hanabi.view import SeatView

_HERE = "catan_env.guests.hanabi.policies"
NAMES = {
    "random": imported_later(f"{_HERE}.by_rules:Random"),
    "iggi": imported_later(f"{_HERE}.by_rules:Iggi"),
    "piers": imported_later(f"{_HERE}.by_rules:Piers"),
    "best": imported_later(f"{_HERE}.best:Best"),
    "hat": imported_later(f"{_HERE}.hat:Hat"),
    "search": imported_later(f"{_HERE}.search:Search"),
    "network": imported_later(f"{_HERE}.network:Shipped"),
    "learnt": imported_later(f"{_HERE}.network:learnt"),
}


def load_policy(name: str, seed: int = 0) -> Policy:
    """A new policy by its name, as "module:Class", or a network from its weights file, `.npz`."""
    return named_policy(name, seed, NAMES, _network)


def _network(path: str) -> Policy:
    network: Policy = import_module(f"{_HERE}.network").Network(path)
    return network


def as_policy(policy: Any, seed: int = 0) -> Policy:
    """A policy from its name, its class, itself, or a function of a view."""
    return policy_of(policy, seed, load_policy)


def decide(policy: Policy, view: SeatView) -> int:
    """The policy's action; IllegalActionError if it is illegal."""
    return checked_answer(policy, view, IllegalActionError)
