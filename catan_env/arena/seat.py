"""One agent's process: a connection, the bridge and a policy."""

import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from catan_env.arena.time_limited import TimeLimitedPolicy
from catan_env.game.action import Action
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.net.connect import WAIT, connect
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.framing import End
from catan_env.net.visit import visit
from catan_env.net.visitor import Visitor
from catan_env.net.watchdog import PATIENCE
from catan_env.policy import Policy, load_policy
from catan_env.protocols.catan_binary import agent as catan_binary

DIALECTS = {"auto": None, "announced": True, "literal": False}


@dataclass(frozen=True)
class SeatSettings:
    """The server, and the policy that plays one game there."""

    host: str
    port: int
    policy: str
    seed: int = 0
    protocol: str = "binary"
    name: str = "catan_env"
    """German protocol: the name shown to others."""
    colour: str | None = None
    """German protocol: the colour to request first."""
    dialect: str | None = None
    """Binary protocol: one of `DIALECTS`; None: what the server's variable says."""
    is_compiled: bool = False
    """True if the engine is loaded before the clock runs."""
    patience: float = PATIENCE
    """Seconds without an answer after which a message counts as refused; 0: never."""
    wait: float = WAIT
    """Seconds to keep trying a server that is not up yet."""
    log: Path | None = None


def play(settings: SeatSettings) -> int:
    """Play one game and return the exit status; ValueError if that is impossible."""
    limited = TimeLimitedPolicy(load(settings.policy, settings.seed))
    if settings.is_compiled:
        rehearse(load(settings.policy, settings.seed))
    seat = german_seat if settings.protocol == "german" else binary_seat
    host, port = settings.host, settings.port
    with ExitStack() as stack:
        log = stack.enter_context(open(settings.log, "w")) if settings.log else None
        agent, end = seat(settings, limited, log)
        try:
            visit(partial(connect, host, port, settings.wait), end, agent)
        except RemoteProtocolError as error:
            raise ValueError(f"the server at {host} {port}: {error}") from None
    if not agent.is_over:
        print("the server closed the connection before the game was over", file=sys.stderr)
        return 1
    return 0


def binary_seat(
    settings: SeatSettings, limited: TimeLimitedPolicy, log: TextIO | None
) -> tuple[Visitor, End[Any]]:
    """An agent that decides within the turn's seconds, and its end of the connection."""
    logged = Logged(limited, log)

    def decide(view: SeatView) -> int:
        assert agent.follower.begin is not None
        limited.timeout_secs = agent.follower.begin.timeout_secs
        return logged(view)

    agent = catan_binary.Agent(
        decide,
        announces(settings.dialect),
        log,
        settings.patience,
        is_ours=catan_binary.DIALECT in os.environ,
    )
    return agent, catan_binary.client_end()


def german_seat(
    settings: SeatSettings, limited: TimeLimitedPolicy, log: TextIO | None
) -> tuple[Visitor, End[Any]]:
    """An agent whose turns have no known clock, and its end of the connection."""
    from catan_env.protocols.catan_german import agent as catan_german  # a tenth of the memory

    decide = Logged(limited, log)
    agent = catan_german.Agent(decide, settings.name, settings.colour, log, settings.patience)
    return agent, catan_german.client_end()


def announces(dialect: str | None) -> bool | None:
    """True if the server announces: by the given dialect, or by the variable set by the server."""
    return DIALECTS.get(dialect or os.environ.get(catan_binary.DIALECT, "auto"))


def load(name: str, seed: int) -> Policy:
    """A policy by its name, or from a weights file; ValueError if there is none."""
    try:
        return load_policy(name, seed)
    except (ImportError, TypeError) as error:
        raise ValueError(f"cannot load the policy {name!r}: {error}") from None


def rehearse(policy: Policy) -> None:
    """Let it decide in a separate game, so that machine code is loaded before a clock runs."""
    TimeLimitedPolicy(policy).act(Game(seats=2, seed=1).view(0))


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
