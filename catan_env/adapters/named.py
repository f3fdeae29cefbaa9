"""A game's policies by name, as its environments, training and evaluation take them."""

from collections.abc import Callable, Mapping

from catan_env.adapters.policies import Policy, is_weights_file, maker_of, policy_of


def named_policy(
    name: str,
    seed: int,
    names: Mapping[str, Callable[..., Policy]],
    network: Callable[[str], Policy],
) -> Policy:
    """A policy by its name in `names`, as "module:Class", or the `network` of an .npz file.

    >>> from catan_env.adapters.policies import Random
    >>> type(named_policy("random", 7, {"random": Random}, Random)).__name__
    'Random'
    """
    if is_weights_file(name):
        return network(name)
    maker = names[name] if name in names else _imported(name, names)
    try:
        return policy_of(maker, seed, _no_further_name)
    except TypeError as error:
        raise ValueError(f"policy {name!r}: {error}") from None


def _imported(name: str, names: Mapping[str, Callable[..., Policy]]) -> Callable[..., Policy]:
    allowed = f"; allowed are {', '.join(names)}, module:Class and a weights file (.npz)"
    module, _, attribute = name.partition(":")
    if not (module and attribute):
        raise ValueError(f"unknown policy {name!r}{allowed}")
    maker: Callable[..., Policy] = maker_of(name, module, attribute, allowed)
    return maker


def _no_further_name(name: str, seed: int) -> Policy:
    raise TypeError(f"{name!r} is not a policy; allowed are a class, an object and a function")
