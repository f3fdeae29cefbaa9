"""Policies of every game, for one view or many games at once, and from a user's name for them."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from catan_env.adapters.promises import check_any_legal
from catan_env.failure import ERRORS, blame
from catan_env.kernel.numbers import index_of, whole_seed, wrapped_seed
from catan_env.kernel.shown import shown

SHOWN = 8  # legal actions that a message names

Array = np.ndarray[Any, Any]
Result = TypeVar("Result")


@runtime_checkable
class Policy(Protocol):
    """Decides for a seat; a class given by name takes `seed` as its argument."""

    def act(self, view: Any) -> int:
        """A flat index that is 1 in `view.action_mask`."""


@runtime_checkable
class BatchedPolicy(Protocol):
    """Decides in many games at a time; a game's actions do not depend on the other games."""

    reads_arrays: bool
    """True if it reads the games' `observations` and `action_masks`."""

    def choose(self, games: Any, rows: Array, /) -> Array:
        """A legal action for the acting seat in each of the games `rows`, (k,): (k,) int64."""


@runtime_checkable
class RunPolicy(BatchedPolicy, Protocol):
    """A batched policy that is compiled together with the rules, and plays on by itself."""

    def play_runs(
        self, games: Any, mine: Array, actions: Array, lengths: Array, decisions: Array, /
    ) -> None:
        """Play in each game while the acting seat is in `mine`, (n, seats) bool.

        The arrays are those of a `History`: the chosen actions are added to each row of `actions`,
        (n, m) uint16, at its place in `lengths`, (n,), and counted by seat in `decisions`,
        (n, seats). A game also stops when its row is full.
        """


@runtime_checkable
class HasBatchedForm(Protocol):
    """A policy with its own batched form."""

    def batched(self) -> BatchedPolicy:
        """The policy in many games."""


@runtime_checkable
class ArrayPolicy(Protocol):
    """A policy that decides for many games by their arrays alone, as networks do."""

    def act_batch(self, observations: Array, action_masks: Array, /) -> Array:
        """Flat indices, (k,), for (k, size) observations and (k, actions) masks."""


def batched(
    policy: Policy, new_policy: Callable[[Any, int], Policy], decide: Callable[[Policy, Any], int]
) -> BatchedPolicy:
    """Any policy in its batched form; without one, `new_policy(games, i)` decides in game i."""
    if isinstance(policy, HasBatchedForm):
        return result_of(policy, policy.batched)
    return ByArrays(policy) if isinstance(policy, ArrayPolicy) else ByView(new_policy, decide)


def batched_choice(
    choice: Any,
    seed: int,
    as_policy: Callable[[Any, int], Policy],
    decide: Callable[[Policy, Any], int],
) -> BatchedPolicy:
    """A policy as `as_policy` finds it, in its batched form; its seed differs from game to game."""
    seed = whole_seed(seed)
    return batched(as_policy(choice, seed), partial(_of_game, as_policy, choice, seed), decide)


def _of_game(
    as_policy: Callable[[Any, int], Policy], choice: Any, seed: int, games: Any, i: int
) -> Policy:
    """A policy for game i, whose seed follows from the game's."""
    return as_policy(choice, wrapped_seed(int(games.seeds[i] >> np.uint64(2)) + seed))


class ByArrays:
    """The batched form of an `ArrayPolicy`: one call for all games.

    A policy whose `observation_version` is later than the games' gets what its views observe.
    """

    reads_arrays = True

    def __init__(self, policy: ArrayPolicy) -> None:
        self.policy = policy

    def choose(self, games: Any, rows: Array) -> Array:
        """The policy's answers."""
        seen, masks = self._seen(games, rows), games.action_masks[rows]
        try:
            return np.asarray(self.policy.act_batch(seen, masks))
        except ERRORS as error:
            blame(error, f"policy {_origin(self.policy)} failed")
            raise

    def _seen(self, games: Any, rows: Array) -> Array:
        """The observations of the acting seats in the policy's version, or a later one."""
        version = getattr(self.policy, "observation_version", 1)
        if version <= getattr(games, "observation_version", 1):
            seen: Array = games.observations[rows]
            return seen
        seats = games.seat[rows].tolist()
        views = (games.view(i, seat) for i, seat in zip(rows.tolist(), seats, strict=True))
        return np.stack([view.observe(view.viewer, version) for view in views])


class ByView:
    """The batched form of a policy that looks at one view at a time: one policy for each game."""

    reads_arrays = False

    def __init__(
        self, new_policy: Callable[[Any, int], Policy], decide: Callable[[Policy, Any], int]
    ) -> None:
        self._new_policy, self._decide = new_policy, decide
        self._policies: dict[int, Policy] = {}

    def choose(self, games: Any, rows: Array) -> Array:
        """The answer of each game's policy to its view, as `decide` checks it."""
        return np.array([self._choose(games, int(i)) for i in rows], np.int64)

    def _choose(self, games: Any, i: int) -> int:
        if i not in self._policies:
            self._policies[i] = self._new_policy(games, i)
        return self._decide(self._policies[i], games.view(i, int(games.seat[i])))


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


def policy_of(
    choice: Any, seed: int, load: Callable[[str, int], Policy], names: str = "a name"
) -> Policy:
    """A policy from its name (`load`), its class or a partial of it, itself, or a function."""
    seed = whole_seed(seed)
    if isinstance(choice, str):
        return load(choice, seed)
    kind = choice.func if isinstance(choice, partial) else choice
    policy: Any = made(choice, seed) if isinstance(kind, type) else choice
    if isinstance(policy, Policy):
        return policy
    if callable(policy):
        return FunctionPolicy(policy)
    raise TypeError(
        f"{shown(policy)} is not a policy; allowed are {names}, a class, an object with act(view), "
        "and a function of a view"
    )


def is_weights_file(name: Any) -> bool:
    """True for the name of a network's weights file; TypeError for anything but a name."""
    if not isinstance(name, str):
        raise TypeError(f"policy {name!r}; expected its name")
    return name.endswith(".npz")


def made(policy: Callable[..., Any], seed: int) -> Any:
    """The policy that a class, or another maker, makes of a seed."""
    try:
        return policy(seed=seed)
    except ERRORS as error:
        name = getattr(policy, "__qualname__", None)  # a partial has none
        named = f"{policy.__module__}:{name}" if name else repr(policy)
        blame(error, f"policy {named} cannot be made with a seed")
        raise


def maker_of(name: str, module: str, attribute: str, allowed: str = "") -> Any:
    """An attribute of a module; ValueError if it is missing, PolicyError if its code fails.

    `name` is what the user calls it, and `allowed` ends the message of the ValueError.
    """
    try:
        home = import_module(module)
    except ModuleNotFoundError as error:
        if f"{module}.".startswith(f"{error.name}."):
            missing = f"policy {name!r}: no module {error.name!r}{allowed}"
            raise ValueError(missing) from None
        blame(error, f"policy {name} cannot be imported")
        raise
    except ERRORS as error:
        blame(error, f"policy {name} cannot be imported")
        raise
    if not hasattr(home, attribute):
        raise ValueError(f"policy {name!r}: no {attribute!r} in {module}{allowed}")
    return getattr(home, attribute)


def result_of(
    policy: Any, method: Callable[..., Result], *given: Any, place: Callable[[], str] = str
) -> Result:
    """The result of a policy's method; PolicyError, which names `place()`, if it fails."""
    try:
        return method(*given)
    except ERRORS as error:
        blame(error, f"policy {_origin(policy)} failed{place()}")
        raise


def decide(
    policy: Policy,
    view: Any,
    error: type[Exception] = ValueError,
    place: Callable[[Any], str] = lambda view: "",
) -> int:
    """The policy's answer as an int; `error`, which names `place(view)`, if it is not legal.

    PolicyError if the policy's own code fails.
    """
    try:
        answer = result_of(policy, policy.act, view, place=partial(place, view))
    except ERRORS:
        check_any_legal(view.action_mask, "of the view")
        raise
    mask = view.action_mask
    try:
        index = index_of(answer)
    except ERRORS:  # whatever its __index__ raises
        raise error(
            f"{_name(policy)} answered {_described(answer)}; "
            f"allowed is one integer in 0..{len(mask) - 1}"
        ) from None
    if not 0 <= index < len(mask) or not mask[index]:
        check_any_legal(mask, "of the view")
        legal = np.flatnonzero(mask).tolist()
        more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
        raise error(
            f"{_name(policy)} answered {shown(index)}{place(view)}; "
            f"the action mask allows {', '.join(map(str, legal[:SHOWN]))}{more}"
        )
    return index


def _name(policy: Policy) -> str:
    return getattr(policy.act, "__qualname__", type(policy).__name__)


def _origin(policy: Any) -> str:
    """The module and name of a policy's class, or of its function."""
    made = policy.act if isinstance(policy, FunctionPolicy) else type(policy)
    return f"{made.__module__}:{getattr(made, '__qualname__', made)}"


def _described(answer: Any) -> str:
    if isinstance(answer, np.ndarray):
        return f"an array of shape {answer.shape} and dtype {answer.dtype}"
    return f"{shown(answer)} ({type(answer).__name__})"
