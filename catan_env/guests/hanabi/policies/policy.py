"""The interface of policies, and policies by name."""

from importlib import import_module
from typing import Any

from catan_env.adapters.policies import Policy, is_weights_file, made, maker_of, policy_of
from catan_env.adapters.policies import decide as checked_answer
from catan_env.guests.hanabi.errors import IllegalActionError
from catan_env.guests.hanabi.view import SeatView

_HERE = "catan_env.guests.hanabi.policies"
NAMES = {
    "random": f"{_HERE}.by_rules:Random",
    "iggi": f"{_HERE}.by_rules:Iggi",
    "piers": f"{_HERE}.by_rules:Piers",
    "best": f"{_HERE}.best:Best",
    "hat": f"{_HERE}.hat:Hat",
    "search": f"{_HERE}.search:Search",
    "network": f"{_HERE}.network:Shipped",
    "learnt": f"{_HERE}.network:learnt",
}


def load_policy(name: str, seed: int = 0) -> Policy:
    """A new policy by its name, as "module:Class", or a network from its weights file, `.npz`."""
    if is_weights_file(name):
        network: Policy = import_module(f"{_HERE}.network").Network(name)
        return network
    module, _, attribute = NAMES.get(name, name).partition(":")
    if not attribute:
        allowed = f"{', '.join(NAMES)}, module:Class and a weights file (.npz)"
        raise ValueError(f"unknown policy {name!r}; allowed are {allowed}")
    maker = maker_of(name, module, attribute)
    if name in NAMES:
        return made(maker, seed)
    try:
        return as_policy(maker, seed)
    except TypeError as error:
        raise ValueError(f"policy {name!r}: {error}") from None


def as_policy(policy: Any, seed: int = 0) -> Policy:
    """A policy from its name, its class, itself, or a function of a view."""
    return policy_of(policy, seed, load_policy)


def decide(policy: Policy, view: SeatView) -> int:
    """The policy's action; IllegalActionError if it is illegal."""
    return checked_answer(policy, view, IllegalActionError)
