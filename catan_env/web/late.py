"""Policies and advisers that are loaded, and compiled, while the page is already open."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from catan_env.game.view import SeatView
from catan_env.policy import Judge, Policy, decide, load_judge, load_policy

Loaded = TypeVar("Loaded")


class Late(Generic[Loaded]):
    """A value that is made by the first caller; other threads wait for it."""

    def __init__(self, make: Callable[[], Loaded]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: list[Loaded] = []
        self._has_failed = False

    @property
    def is_made(self) -> bool:
        """True if no caller has to wait, or the value could not be made: a caller hears why."""
        return bool(self._made) or self._has_failed

    def __call__(self) -> Loaded:
        """The value."""
        with self._lock:
            if not self._made:
                try:
                    self._made.append(self._make())
                except BaseException:
                    self._has_failed = True
                    raise
            return self._made[0]


class LatePolicy:
    """A policy by name, loaded at its first decision.

    >>> LatePolicy("random", 1).name
    'random'
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self.loaded: Late[Policy] = Late(lambda: load_policy(name, seed))

    def act(self, view: SeatView) -> int:
        """The policy's action."""
        return decide(self.loaded(), view)


def late_judge(name: str) -> Late[Judge]:
    """The judge of that policy, loaded when it is first asked."""
    return Late(lambda: load_judge(name))
