"""One agent's process: a connection, the bridge and a policy."""

import argparse
import os
import sys
from contextlib import ExitStack
from functools import partial
from typing import Any, TextIO

from catan_env.arena.careful import Careful
from catan_env.game.action import Action
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.net.connect import WAIT, connect
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.framing import End
from catan_env.net.visit import visit
from catan_env.net.visitor import Visitor
from catan_env.policy import Policy, load_policy
from catan_env.protocols.catan_binary import agent as catan_binary

DIALECTS = {"auto": None, "announced": True, "literal": False}


def play(chosen: argparse.Namespace) -> int:
    """Play one game with the options of the command line; ValueError if that is impossible."""
    careful = Careful(load(chosen.policy, chosen.seed))
    if chosen.compiled:
        rehearse(load(chosen.policy, chosen.seed))
    seat = german_seat if chosen.protocol == "german" else binary_seat
    with ExitStack() as stack:
        log = stack.enter_context(open(chosen.log, "w")) if chosen.log else None
        agent, end = seat(chosen, careful, log)
        wait = WAIT if chosen.wait is None else chosen.wait
        try:
            visit(partial(connect, chosen.host, chosen.port, wait), end, agent)
        except RemoteProtocolError as error:
            raise ValueError(f"the server at {chosen.host} {chosen.port}: {error}") from None
    if not agent.is_over:
        print("the server closed the connection before the game was over", file=sys.stderr)
        return 1
    return 0


def binary_seat(
    chosen: argparse.Namespace, careful: Careful, log: TextIO | None
) -> tuple[Visitor, End[Any]]:
    """An agent that decides within the turn's seconds, and its end of the connection."""
    logged = Logged(careful, log)

    def decide(view: SeatView) -> int:
        assert agent.follower.begin is not None
        careful.timeout_secs = agent.follower.begin.timeout_secs
        return logged(view)

    agent = catan_binary.Agent(decide, announces(chosen.dialect), log, chosen.patience)
    return agent, catan_binary.client_end()


def german_seat(
    chosen: argparse.Namespace, careful: Careful, log: TextIO | None
) -> tuple[Visitor, End[Any]]:
    """An agent whose turns have no known clock, and its end of the connection."""
    from catan_env.protocols.catan_german import agent as catan_german  # a tenth of the memory

    decide = Logged(careful, log)
    agent = catan_german.Agent(decide, chosen.name, chosen.colour, log, chosen.patience)
    return agent, catan_german.client_end()


def announces(dialect: str | None) -> bool | None:
    """True if the server announces: by the option, or by the variable set by the server."""
    return DIALECTS.get(dialect or os.environ.get(catan_binary.DIALECT, "auto"))


def load(name: str, seed: int) -> Policy:
    """A policy by its name, or from a weights file; ValueError if there is none."""
    try:
        return load_policy(name, seed)
    except (ImportError, TypeError) as error:
        raise ValueError(f"cannot load the policy {name!r}: {error}") from None


def rehearse(policy: Policy) -> None:
    """Let it decide in a separate game, so that machine code is loaded before a clock runs."""
    Careful(policy).act(Game(seats=2, seed=1).view(0))


class Logged:
    """A policy whose decisions are written to a log, if there is one."""

    def __init__(self, policy: Any, log: TextIO | None) -> None:
        self._policy = policy
        self._log = log

    def __call__(self, view: SeatView, *within: float) -> int:
        """Decide, within that many seconds if a limit is given, and log the action."""
        index: int = self._policy.act(view, *within)
        if self._log is not None:
            print(f"turn {view.turn}: {Action.from_index(index)}", file=self._log, flush=True)
        return index
