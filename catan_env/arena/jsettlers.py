"""A policy's process at a JSettlers server: one socket, many games, patience when it breaks."""

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
    client_end,
)
from catan_env.protocols.jsettlers.record import write_record

WAITS = (1, 2, 4, 8, 15, 30)
"""Seconds before the server is looked for again; the last one from then on."""
MEMORY = 0.97
"""What a decision's time counts for at the next."""


def play(chosen: argparse.Namespace) -> int:
    """Play as the command line says; ValueError where that cannot be."""
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
    """The options of a game to open."""
    return tuple(chosen.options.split(",")) if chosen.options else ()


class Thinker:
    """Thinks no longer than it may: a policy that searches does so for less, or is cut off.

    A number of playouts (`nodes`) is kept to where what they took of late leaves time for it; else
    the policy searches for as long as it may.
    """

    def __init__(self, policy: Any) -> None:
        self.decisions = self.shortened = 0
        """Decisions that were asked for, and those that had less thought than they should."""
        self._policy = policy
        self._careful = Careful(policy)
        self._seconds: float | None = getattr(policy, "seconds", None)
        self._nodes: int | None = getattr(policy, "nodes", None)
        self._took = 0.0
        """Seconds for that number of playouts; what was long ago counts for less."""

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
    """Connects, plays, and comes back when the connection breaks."""

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
        """Play as many games as were asked for, and finish those in progress; return the status."""
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
        """Wait before the next connection; pauses begin again if the server had let us in."""
        self._print_declined()
        if self._agent.is_in:
            self._pauses = self._waits()
        self._be_patient("the connection was closed")

    def _print_declined(self) -> None:
        for game, reason in self._agent.declined.items():
            print(f"{game}: declined, {reason}", file=sys.stderr, flush=True)

    def _waits(self) -> Iterator[int]:
        """Robots wait as long as need be; who plays one game gives up, as does `--wait`."""
        if self._chosen.wait is not None:
            return pauses_within(self._chosen.wait)
        forever = repeat(WAITS[-1]) if self._chosen.cookie is not None else iter(())
        return chain(WAITS, forever)

    def _be_patient(self, reason: str) -> None:
        wait = next(self._pauses, None)
        where = f"{self._chosen.host} {self._chosen.port}"
        if wait is None:
            raise ValueError(f"cannot play at {where}: {reason}; is a server running there?")
        print(f"{where}: {reason}; again in {wait} s", file=sys.stderr, flush=True)
        time.sleep(wait)

    def _report(self, ended: Ended) -> None:
        """A robot counts games that were played to their end; a client has only one table."""
        is_done = ended.how == OVER if self._chosen.cookie is not None else ended.how != RESET
        if self._left is not None:
            self._left -= is_done
            if self._left <= 0:
                self._agent.finish()
        self._failed += ended.how in FAULTS
        print(described(ended), file=sys.stderr, flush=True)
        if self._chosen.record is not None:
            write_record(Path(self._chosen.record), ended)


def pauses_within(wait: float) -> Iterator[int]:
    """The seconds before each new attempt, at most `wait` of them in all.

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
    """One game in a line."""
    player, follower = ended.player, ended.player.follower
    if ended.how != OVER or follower is None:
        return f"{player.game}: {ended.how}, {ended.reason}"
    won = "won" if follower.winner == player.seat else f"seat {follower.winner} won"
    return f"{player.game}: seat {player.seat}, {follower.view.turn} turns, {won}"
