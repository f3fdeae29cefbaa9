"""One agent's process: a socket, the bridge and a policy."""

import argparse
import os
import socket
import sys
import time
from contextlib import ExitStack
from typing import Any, TextIO

from catan_env.arena.careful import Careful
from catan_env.game.action import Action
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.net.connect import WAIT, connect
from catan_env.net.errors import RemoteProtocolError
from catan_env.policy import Policy, load_policy
from catan_env.protocols.catan_binary.agent import DIALECT, Agent
from catan_env.protocols.catan_german.agent import Agent as GermanAgent

READ_SIZE = 65536
DIALECTS = {"auto": None, "announced": True, "literal": False}


def play(chosen: argparse.Namespace) -> int:
    """Play one game as the command line says; ValueError where that cannot be."""
    careful = Careful(load(chosen.policy, chosen.seed))
    if chosen.compiled:
        rehearse(load(chosen.policy, chosen.seed))
    with ExitStack() as stack:
        log = stack.enter_context(open(chosen.log, "w")) if chosen.log else None
        decide = Logged(careful, log)
        agent: Agent | GermanAgent
        if chosen.protocol == "german":
            agent = GermanAgent(decide, chosen.name, chosen.colour, log, chosen.patience)
        else:
            agent = Agent(decide, announces(chosen.dialect), log, chosen.patience)
        wait = WAIT if chosen.wait is None else chosen.wait
        wire = stack.enter_context(connect(chosen.host, chosen.port, wait))
        try:
            if isinstance(agent, GermanAgent):
                talk_german(wire, agent)
            else:
                talk(wire, agent, careful)
        except RemoteProtocolError as error:
            raise ValueError(f"the server at {chosen.host} {chosen.port}: {error}") from None
    if not agent.is_over:
        print("the server closed the connection before the game was over", file=sys.stderr)
        return 1
    return 0


def announces(dialect: str | None) -> bool | None:
    """Whether the server announces: by the option, else by what the server said that started us."""
    return DIALECTS.get(dialect or os.environ.get(DIALECT, "auto"))


def talk(wire: socket.socket, agent: Agent, careful: Careful) -> None:
    """Hear and answer until the game or the connection ends."""
    while not agent.is_over:
        try:
            wire.settimeout(agent.silence)
            data = wire.recv(READ_SIZE)
            if not data:
                return
            if agent.follower.begin is not None:
                careful.timeout_secs = agent.follower.begin.timeout_secs
            replies = agent.receive(data)
        except TimeoutError:
            replies = agent.hear_nothing()
        except ConnectionError:
            return
        wire.settimeout(None)
        try:
            for reply in replies:
                wire.sendall(reply)
        except ConnectionError:
            continue  # there may be something left to hear, why it is closed


def talk_german(wire: socket.socket, agent: GermanAgent) -> None:
    """As `talk`; here the agent knows itself how long it waits."""
    agent.clock = time.monotonic
    while not agent.is_over:
        wait = None if agent.deadline is None else max(0.001, agent.deadline - time.monotonic())
        try:
            wire.settimeout(wait)
            data = wire.recv(READ_SIZE)
            if not data:
                agent.hear_end()
                return
            reply = agent.receive(data, time.monotonic())
        except TimeoutError:
            reply = agent.time(time.monotonic())
        except ConnectionError:
            return
        wire.settimeout(None)
        try:
            wire.sendall(reply)
        except ConnectionError:
            continue  # there may be something left to hear, why it is closed


def load(name: str, seed: int) -> Policy:
    """A policy by its name, or from a weights file; ValueError where there is none."""
    try:
        return load_policy(name, seed)
    except (ImportError, TypeError) as error:
        raise ValueError(f"cannot load the policy {name!r}: {error}") from None


def rehearse(policy: Policy) -> None:
    """Let it decide in a game of its own: machine code is loaded before a clock runs."""
    Careful(policy).act(Game(seats=2, seed=1).view(0))


class Logged:
    """A policy whose decisions are written to a log, when there is one."""

    def __init__(self, policy: Any, log: TextIO | None) -> None:
        self._policy = policy
        self._log = log

    def __call__(self, view: SeatView, *within: float) -> int:
        """Decide, in so many seconds where that is said, and write it down."""
        index: int = self._policy.act(view, *within)
        if self._log is not None:
            print(f"turn {view.turn}: {Action.from_index(index)}", file=self._log, flush=True)
        return index
