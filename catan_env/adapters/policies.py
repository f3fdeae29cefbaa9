"""Policies from what a user names them by, and the check that what they answer can be played."""

from collections.abc import Callable
from operator import index as index_of
from typing import Any

import numpy as np

from catan_env.adapters.games import Policy

SHOWN = 8  # legal actions that a message names


class Random:
    """A uniformly drawn legal action."""

    def __init__(self, seed: int = 0) -> None:
        self._chance = np.random.default_rng(seed)

    def act(self, view: Any) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        return int(self._chance.choice(np.flatnonzero(view.action_mask)))


class FunctionPolicy:
    """A plain function of a view, as a policy."""

    def __init__(self, function: Callable[[Any], int]) -> None:
        self.act = function


def policy_of(choice: Any, seed: int, load: Callable[[str, int], Policy]) -> Policy:
    """A policy from its name (`load`), its class, itself, or a function of a view."""
    if isinstance(choice, str):
        return load(choice, seed)
    policy: Any = choice(seed=seed) if isinstance(choice, type) else choice
    if hasattr(policy, "act"):
        made: Policy = policy
        return made
    if callable(policy):
        return FunctionPolicy(policy)
    raise TypeError(
        f"{policy!r} is not a policy; allowed are a name, a class, an object with act(view), "
        "and a function of a view"
    )


def decide(policy: Policy, view: Any, error: type[Exception] = ValueError) -> int:
    """The policy's action as a plain int; `error` if it is not legal."""
    answer, mask = policy.act(view), view.action_mask
    name = getattr(policy.act, "__qualname__", type(policy).__name__)
    try:
        index = index_of(answer)
    except TypeError:
        raise error(f"{name} answered {answer!r}; allowed is one integer") from None
    if not 0 <= index < len(mask) or not mask[index]:
        legal = np.flatnonzero(mask).tolist()
        more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
        raise error(
            f"{name} answered {index}; "
            f"the action mask allows {', '.join(map(str, legal[:SHOWN]))}{more}"
        )
    return index
