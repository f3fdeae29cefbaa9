"""A policy's process at a JSettlers server: one socket, many games, reconnections."""

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Any, TextIO

from catan_env.arena.seat import Logged, load, rehearse
from catan_env.arena.time_limited import SHARE, TimeLimitedPolicy
from catan_env.game.view import SeatView
from catan_env.net.connect import attempt
from catan_env.net.visit import reconnect
from catan_env.net.watchdog import PATIENCE
from catan_env.protocols.jsettlers.agent import (
    FAULTS,
    OVER,
    RESET,
    Agent,
    Ended,
    RefusedError,
)
from catan_env.protocols.jsettlers.end import client_end
from catan_env.protocols.jsettlers.record import write_record
from catan_env.terminal import printable

WAITS = (1, 2, 4, 8, 15, 30)
"""Seconds before each new attempt to connect; the last one repeats."""
MEMORY = 0.97
"""The weight of a decision's time in the estimate for the next."""


@dataclass(frozen=True)
class RobotSettings:
    """The server, and the policy that plays there: a robot with `cookie`, else a client."""

    host: str
    port: int
    policy: str
    seed: int = 0
    name: str = "catan_env"
    cookie: str | None = None
    games: int | None = None
    """Robot: the games to play; None: no limit."""
    table: str | None = None
    """Client: the game to sit down at."""
    opens: bool = False
    """Client: True to create that game, with these `options`, instead of joining it."""
    options: tuple[str, ...] = ()
    seat: int | None = None
    """Client: the seat to take, if it is free."""
    patience: float = PATIENCE
    """Seconds without an answer after which a message counts as refused; 0: never."""
    wait: float | None = None
    """Seconds to keep trying a server that is not up; None: a robot never gives up."""
    log: Path | None = None
    record: Path | None = None
    """The folder for the games' records: none by default."""


def play(settings: RobotSettings) -> int:
    """Play and return the exit status; ValueError if that is impossible."""
    budget = TimeBudget(load(settings.policy, settings.seed))
    rehearse(load(settings.policy, settings.seed))
    with ExitStack() as stack:
        log = stack.enter_context(open(settings.log, "w")) if settings.log else None
        seat = ReconnectingClient(settings, Logged(budget, log), log)
        return seat.play()


class TimeBudget:
    """Limits a policy's time: a search is given less, any other policy is cut off.

    A search keeps its number of `playouts` while recent ones fitted into the limit;
    otherwise it searches for as long as the limit allows.
    """

    def __init__(self, policy: Any) -> None:
        self.decisions = self.shortened = 0
        """Decisions that were requested, and those that had less time than configured."""
        self._policy = policy
        self._limited = TimeLimitedPolicy(policy)
        self._seconds: float | None = getattr(policy, "seconds", None)
        self._playouts: int | None = getattr(policy, "playouts", None)
        self._took = 0.0
        """The estimated seconds for that number of playouts; older decisions weigh less."""

    def act(self, view: SeatView, within: float) -> int:
        """The policy's action, or a safe one."""
        self._limited.each = within
        self._limit(SHARE * within)
        begun = time.monotonic()
        action = self._limited.act(view)
        took = time.monotonic() - begun
        is_whole = self._playouts is None or self._policy.playouts is not None
        self._took = max(MEMORY * self._took, took * is_whole)
        return action

    def _limit(self, seconds: float) -> None:
        self.decisions += 1
        if self._playouts is not None:
            self._policy.playouts = self._playouts if self._took <= seconds else None
            self._policy.seconds = seconds
            self.shortened += self._policy.playouts is None
        elif self._seconds is not None:
            self._policy.seconds = min(self._seconds, seconds)
            self.shortened += seconds < self._seconds


class ReconnectingClient:
    """Connects, plays, and reconnects when the connection breaks."""

    def __init__(self, settings: RobotSettings, decide: Logged, log: TextIO | None = None) -> None:
        self._settings = settings
        self._left = 1 if settings.cookie is None else settings.games
        self._failed = 0
        self._pauses = self._waits()
        self._agent = Agent(
            decide,
            settings.name,
            settings.cookie,
            settings.table,
            settings.opens,
            settings.options,
            settings.seat,
            log,
            settings.patience,
            self._report,
        )

    def play(self) -> int:
        """Play the requested number of games and finish those in progress; returns the status."""
        try:
            reconnect(self._connect, client_end, self._agent, self._pause)
        except RefusedError as error:
            raise ValueError(str(error)) from None
        self._print_declined()
        return 1 if self._failed else 0

    def _connect(self) -> socket.socket:
        while True:
            try:
                return attempt(self._settings.host, self._settings.port)
            except OSError as error:
                self._be_patient(str(error.strerror or error))

    def _pause(self) -> None:
        """Wait before the next connection; the pauses restart if the server had admitted us."""
        self._print_declined()
        refusal = self._agent.refusal
        if self._agent.is_in and refusal is None:
            self._pauses = self._waits()
        self._be_patient(refusal or "the connection was closed")

    def _print_declined(self) -> None:
        for game, reason in self._agent.declined.items():
            _say(f"{game}: declined, {reason}")

    def _waits(self) -> Iterator[int]:
        """A robot waits indefinitely; a client of one game gives up, as does one with a limit."""
        if self._settings.wait is not None:
            return pauses_within(self._settings.wait)
        forever = repeat(WAITS[-1]) if self._settings.cookie is not None else iter(())
        return chain(WAITS, forever)

    def _be_patient(self, reason: str) -> None:
        wait = next(self._pauses, None)
        where = f"{self._settings.host} {self._settings.port}"
        if wait is None:
            raise ValueError(f"cannot play at {where}: {reason}; is a server running there?")
        _say(f"{where}: {reason}; again in {wait} s")
        time.sleep(wait)

    def _report(self, ended: Ended) -> None:
        """A robot counts completed games; a client has only one table."""
        is_done = ended.how == OVER if self._settings.cookie is not None else ended.how != RESET
        if self._left is not None:
            self._left -= is_done
            if self._left <= 0:
                self._agent.finish()
        self._failed += ended.how in FAULTS
        _say(described(ended))
        if self._settings.record is not None:
            write_record(self._settings.record, ended)


def _say(line: str) -> None:
    """Print a line that may contain text of the server."""
    print(printable(line), file=sys.stderr, flush=True)


def pauses_within(wait: float) -> Iterator[int]:
    """The seconds before each new attempt, at most `wait` in total.

    >>> list(pauses_within(10.0)), sum(pauses_within(3600.0)) <= 3600
    ([1, 2, 4], True)
    """
    left = wait
    for pause in chain(WAITS, repeat(WAITS[-1])):
        left -= pause
        if left < 0:
            return
        yield pause


def described(ended: Ended) -> str:
    """One line about a game."""
    player, follower = ended.player, ended.player.follower
    if ended.how != OVER or follower is None:
        return f"{player.game}: {ended.how}, {ended.reason}"
    won = "won" if follower.winner == player.seat else f"seat {follower.winner} won"
    return f"{player.game}: seat {player.seat}, {follower.view.turn} turns, {won}"
