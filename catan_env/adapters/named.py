"""A game's policies by name, as its environments, training and evaluation take them."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from catan_env.adapters.policies import Policy, is_weights_file, made, maker_of, policy_of
from catan_env.kernel.numbers import whole_seed


def named_policy(
    name: str,
    seed: int,
    names: Mapping[str, Callable[..., Policy]],
    network: Callable[[str], Policy],
) -> Policy:
    """A policy by its name in `names`, as "module:Class", or the `network` of an .npz file.

    The values of `names` make a policy of a `seed`: classes, partials and functions.

    >>> from catan_env.adapters.policies import Random
    >>> type(named_policy("random", 7, {"random": Random}, Random)).__name__
    'Random'
    """
    return named_maker(name, names, network)(whole_seed(seed))


def named_maker(
    name: str, names: Mapping[str, Callable[..., Policy]], network: Callable[[str], Policy]
) -> Callable[[int], Policy]:
    """The function that makes the policy of that name from a seed; ValueError if there is none.

    A network is loaded once, for all seeds.
    """
    if is_weights_file(name):
        loaded = network(name)
        return lambda seed: loaded
    if name in names:
        return partial(made, names[name])
    return partial(_made, name, _imported(name, names))


def imported_later(place: str) -> Callable[..., Policy]:
    """The maker at "module:name", which is imported when it first makes a policy."""
    module, _, attribute = place.partition(":")

    def make(seed: int = 0) -> Policy:
        policy: Policy = getattr(import_module(module), attribute)(seed=seed)
        return policy

    return make


def _imported(name: str, names: Mapping[str, Callable[..., Policy]]) -> Any:
    allowed = f"; allowed are {', '.join(names)}, module:Class and a weights file (.npz)"
    module, _, attribute = name.partition(":")
    if not (module and attribute):
        raise ValueError(f"unknown policy {name!r}{allowed}")
    return maker_of(name, module, attribute, allowed)


def _made(name: str, maker: Any, seed: int) -> Policy:
    try:
        return policy_of(maker, seed, _no_further_name)
    except TypeError as error:
        raise ValueError(f"policy {name!r}: {error}") from None


def _no_further_name(name: str, seed: int) -> Policy:
    raise TypeError(f"{name!r} is not a policy; allowed are a class, an object and a function")
