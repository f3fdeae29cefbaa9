"""A policy that is never illegal and never late, whichever policy it wraps."""

import signal
import sys
import time
from collections.abc import Callable
from functools import partial

from catan_env.core.constants import Phase
from catan_env.failure import PolicyError
from catan_env.game.action import Action
from catan_env.game.geometry import VERTEX_TILES
from catan_env.game.view import SeatView
from catan_env.policy import Policy, decide

SHARE = 0.7
"""The part of a turn's seconds that a policy may use; the rest is for the network."""
RING_EVERY = 0.1
"""Seconds between two time-outs of one decision."""

SAFE: dict[Phase, Action] = {
    Phase.ROLL: Action.roll(),
    Phase.MAIN: Action.end_turn(),
    Phase.ANSWER: Action.reject(),
}


class TooSlowError(BaseException):
    """The policy's time has run out; no Exception, which the policy's own code may catch."""


class TimeLimitedPolicy:
    """Asks `policy`; if that fails, makes a safe legal move and reports it on standard error."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.each: float | None = None
        """Seconds per decision, if each has a clock instead of the turn."""
        self._spent = 0.0
        self._turn = -1
        self._shown = ""
        self.timeout_secs = 0
        """Seconds per turn; 0 for no limit."""

    def act(self, view: SeatView) -> int:
        """The policy's action, or a safe one."""
        self._wind(view)
        left = SHARE * self.timeout_secs - self._spent if self.each is None else self.each
        begun = time.monotonic()
        try:
            if not self.timeout_secs and self.each is None:
                return decide(self._policy, view)
            if left <= 0:
                raise TooSlowError
            return within(left, partial(decide, self._policy, view))
        except TooSlowError:
            return self._safe(view, f"{self._spent + max(left, 0):.2f} s of thinking are used up")
        except PolicyError as error:
            self._show(error.trace)
            return self._safe(view, error.reason)
        except Exception as error:  # whatever the cause, fall back to a safe move
            return self._safe(view, f"{type(error).__name__}: {error}")
        finally:
            self._spent += time.monotonic() - begun

    def _wind(self, view: SeatView) -> None:
        """A turn has one clock; every answer restarts it."""
        if view.phase == Phase.ANSWER or self._turn != view.turn:
            self._spent = 0.0
        self._turn = -1 if view.phase == Phase.ANSWER else view.turn

    def _show(self, trace: str) -> None:
        """Print a traceback that differs from the last one."""
        if trace != self._shown:
            print(trace, end="", file=sys.stderr)
        self._shown = trace

    def _safe(self, view: SeatView, reason: str) -> int:
        index = safe_index(view)
        print(
            f"turn {view.turn}: the policy failed ({reason}); played: {Action.from_index(index)}",
            file=sys.stderr,
            flush=True,
        )
        return index


def safe_index(view: SeatView) -> int:
    """The flat index of a legal move that costs little.

    Of settlements it is the one with most pips, of discards a card of which the seat has most.
    """
    action, legal = SAFE.get(view.phase), view.legal_actions.indices.tolist()
    if action is not None and action.index is not None:
        return action.index
    if view.phase == Phase.PLACE_SETTLEMENT:
        return max(legal, key=lambda index: _pips(view, index))
    if view.phase == Phase.DISCARD:
        return max(legal, key=lambda index: view.hand(view.seat)[Action.from_index(index).args[0]])
    return int(legal[0])


def _pips(view: SeatView, index: int) -> int:
    """The pips of a settlement's vertex."""
    (vertex,) = Action.from_index(index).args
    return sum(view.board.tiles[tile].pips for tile in VERTEX_TILES[vertex])


def within(seconds: float, call: Callable[[], int]) -> int:
    """The result of `call`; TooSlowError if it takes longer.

    It has that limit in the main thread, and not on Windows. The time-out is repeated until the
    call ends: Python loses one that is raised in a finalizer, and so does a bare `except`.
    """
    if not hasattr(signal, "SIGALRM"):
        return call()
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, RING_EVERY)
        return call()
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # the last time-out may have been raised just before that
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _ring(*_: object) -> None:
    raise TooSlowError
