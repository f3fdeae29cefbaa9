"""A policy's process at a JSettlers server: one socket, many games, reconnections."""

import argparse
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain, repeat
from pathlib import Path
from typing import Any, TextIO

from catan_env.arena.careful import SHARE, Careful
from catan_env.arena.seat import Logged, load, rehearse
from catan_env.game.view import SeatView
from catan_env.net.connect import attempt
from catan_env.net.visit import reconnect
from catan_env.protocols.jsettlers.agent import (
    FAULTS,
    OVER,
    RESET,
    Agent,
    Ended,
    RefusedError,
    check_words,
)
from catan_env.protocols.jsettlers.end import client_end
from catan_env.protocols.jsettlers.record import write_record
from catan_env.terminal import printable

WAITS = (1, 2, 4, 8, 15, 30)
"""Seconds before each new attempt to connect; the last one repeats."""
MEMORY = 0.97
"""The weight of a decision's time in the estimate for the next."""


def play(chosen: argparse.Namespace) -> int:
    """Play with the options of the command line; ValueError if they do not fit together."""
    if chosen.cookie is None and chosen.table is None:
        raise ValueError("--protocol jsettlers needs --cookie, or --table to play as a client")
    check_words(
        **{"--name": chosen.name, "--cookie": chosen.cookie, "--table": chosen.table},
        **{"--options": options_of(chosen)},
    )
    thinker = Thinker(load(chosen.policy, chosen.seed))
    rehearse(load(chosen.policy, chosen.seed))
    with ExitStack() as stack:
        log = stack.enter_context(open(chosen.log, "w")) if chosen.log else None
        seat = Deployment(chosen, Logged(thinker, log), log)
        return seat.play()


def options_of(chosen: argparse.Namespace) -> tuple[str, ...]:
    """The options of a game to create."""
    return tuple(chosen.options.split(",")) if chosen.options else ()


class Thinker:
    """Limits a policy's time: a search is given less, any other policy is cut off.

    A search keeps its number of playouts (`nodes`) while recent ones fitted into the limit;
    otherwise it searches for as long as the limit allows.
    """

    def __init__(self, policy: Any) -> None:
        self.decisions = self.shortened = 0
        """Decisions that were requested, and those that had less time than configured."""
        self._policy = policy
        self._careful = Careful(policy)
        self._seconds: float | None = getattr(policy, "seconds", None)
        self._nodes: int | None = getattr(policy, "nodes", None)
        self._took = 0.0
        """The estimated seconds for that number of playouts; older decisions weigh less."""

    def act(self, view: SeatView, within: float) -> int:
        """The policy's action, or a safe one."""
        self._careful.each = within
        self._limit(SHARE * within)
        begun = time.monotonic()
        action = self._careful.act(view)
        took = time.monotonic() - begun
        is_whole = self._nodes is None or self._policy.nodes is not None
        self._took = max(MEMORY * self._took, took * is_whole)
        return action

    def _limit(self, seconds: float) -> None:
        self.decisions += 1
        if self._nodes is not None:
            self._policy.nodes = self._nodes if self._took <= seconds else None
            self._policy.seconds = seconds
            self.shortened += self._policy.nodes is None
        elif self._seconds is not None:
            self._policy.seconds = min(self._seconds, seconds)
            self.shortened += seconds < self._seconds


class Deployment:
    """Connects, plays, and reconnects when the connection breaks."""

    def __init__(
        self, chosen: argparse.Namespace, decide: Logged, log: TextIO | None = None
    ) -> None:
        self._chosen = chosen
        self._left = 1 if chosen.cookie is None else chosen.games
        self._failed = 0
        self._pauses = self._waits()
        self._agent = Agent(
            decide,
            chosen.name,
            chosen.cookie,
            chosen.table,
            chosen.open,
            options_of(chosen),
            chosen.seat,
            log,
            chosen.patience,
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
                return attempt(self._chosen.host, self._chosen.port)
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
        """A robot waits indefinitely; a client of one game gives up, as does one with `--wait`."""
        if self._chosen.wait is not None:
            return pauses_within(self._chosen.wait)
        forever = repeat(WAITS[-1]) if self._chosen.cookie is not None else iter(())
        return chain(WAITS, forever)

    def _be_patient(self, reason: str) -> None:
        wait = next(self._pauses, None)
        where = f"{self._chosen.host} {self._chosen.port}"
        if wait is None:
            raise ValueError(f"cannot play at {where}: {reason}; is a server running there?")
        _say(f"{where}: {reason}; again in {wait} s")
        time.sleep(wait)

    def _report(self, ended: Ended) -> None:
        """A robot counts completed games; a client has only one table."""
        is_done = ended.how == OVER if self._chosen.cookie is not None else ended.how != RESET
        if self._left is not None:
            self._left -= is_done
            if self._left <= 0:
                self._agent.finish()
        self._failed += ended.how in FAULTS
        _say(described(ended))
        if self._chosen.record is not None:
            write_record(Path(self._chosen.record), ended)


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
