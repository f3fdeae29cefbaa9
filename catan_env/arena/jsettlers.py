"""A policy's process at a JSettlers server: one socket, many games, patience when it breaks."""

import argparse
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import chain, repeat
from pathlib import Path
from typing import Any, TextIO

from catan_env.arena.careful import SHARE, Careful
from catan_env.arena.seat import Logged, load, rehearse
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.visit import READ_SIZE
from catan_env.protocols.jsettlers.agent import (
    FAULTS,
    OVER,
    RESET,
    Agent,
    Ended,
    RefusedError,
    check_words,
)
from catan_env.protocols.jsettlers.record import write_record

WAITS = (1, 2, 4, 8, 15, 30)
"""Seconds before the server is looked for again; the last one from then on."""
CONNECTING = 10.0
MEMORY = 0.97
"""What a decision's time counts for at the next."""

Report = Callable[[Ended], None]


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
        self._decide = decide
        self._log = log
        self._left = 1 if chosen.cookie is None else chosen.games
        self._failed = 0

    def play(self) -> int:
        """Play as many games as were asked for, and finish those in progress; return the status."""
        waits = self._waits()
        while not self._is_enough:
            try:
                wire = connect(self._chosen.host, self._chosen.port)
            except OSError as error:
                self._be_patient(waits, str(error.strerror or error))
                continue
            with wire:
                agent = self._agent()
                try:
                    talk(wire, agent, self._report, lambda: self._is_enough)
                except RefusedError as error:
                    raise ValueError(str(error)) from None
                except RemoteProtocolError as error:
                    print(f"the connection is given up: {error}", file=sys.stderr, flush=True)
            if agent.is_in:
                waits = self._waits()
            for game, reason in agent.declined.items():
                print(f"{game}: declined, {reason}", file=sys.stderr, flush=True)
            if not self._is_enough:
                self._be_patient(waits, "the connection was closed")
        return 1 if self._failed else 0

    @property
    def _is_enough(self) -> bool:
        return self._left is not None and self._left <= 0

    def _waits(self) -> Iterator[int]:
        """Robots wait as long as need be; who plays one game gives up, as does `--wait`."""
        if self._chosen.wait is not None:
            return pauses_within(self._chosen.wait)
        forever = repeat(WAITS[-1]) if self._chosen.cookie is not None else iter(())
        return chain(WAITS, forever)

    def _be_patient(self, waits: Iterator[int], reason: str) -> None:
        wait = next(waits, None)
        where = f"{self._chosen.host} {self._chosen.port}"
        if wait is None:
            raise ValueError(f"cannot play at {where}: {reason}; is a server running there?")
        print(f"{where}: {reason}; again in {wait} s", file=sys.stderr, flush=True)
        time.sleep(wait)

    def _agent(self) -> Agent:
        chosen = self._chosen
        return Agent(
            self._decide,
            chosen.name,
            chosen.cookie,
            chosen.table,
            chosen.open,
            options_of(chosen),
            chosen.seat,
            self._log,
            chosen.patience,
        )

    def _report(self, ended: Ended) -> None:
        """A robot counts games that were played to their end; a client has only one table."""
        is_done = ended.how == OVER if self._chosen.cookie is not None else ended.how != RESET
        if self._left is not None:
            self._left -= is_done
        self._failed += ended.how in FAULTS
        print(described(ended), file=sys.stderr, flush=True)
        if self._chosen.records is not None:
            write_record(Path(self._chosen.records), ended)


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


def connect(host: str, port: int) -> socket.socket:
    """A connection; OSError."""
    wire = socket.create_connection((host, port), timeout=CONNECTING)
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return wire


def talk(wire: socket.socket, agent: Agent, report: Report, is_enough: Callable[[], bool]) -> None:
    """Hear and answer until the connection ends, or until no game is left once that is enough."""
    reported, said = 0, agent.begin()
    is_open = True
    while is_open:
        try:
            wire.settimeout(None)
            wire.sendall(said)
            data = listen(wire, agent)
        except ConnectionError:
            data = b""
        is_open = data != b""
        if data is None:
            said = agent.time(time.monotonic())
        elif data:
            said = agent.receive(data, time.monotonic())
        else:
            agent.hear_end()
        for ended in agent.ended[reported:]:
            reported += 1
            report(ended)
        if is_enough():
            agent.finish()
        if agent.should_hang_up:
            with suppress(ConnectionError):
                wire.sendall(said)
            return


def listen(wire: socket.socket, agent: Agent) -> bytes | None:
    """What comes next; None when the agent has something to do before."""
    deadline = agent.deadline
    wire.settimeout(None if deadline is None else max(0.001, deadline - time.monotonic()))
    try:
        return wire.recv(READ_SIZE)
    except TimeoutError:
        return None
