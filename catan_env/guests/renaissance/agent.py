"""A policy at a server of the AM49 protocol: messages in, messages out, time as an argument."""

from typing import Any

import numpy as np

from catan_env.core.memory import doorway
from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import Command, command_of
from catan_env.guests.renaissance.follow import Follower
from catan_env.guests.renaissance.market_line import drawn_by
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.actions import (
    ACTIVATE_AT,
    END_ACTION,
    GAIN_AT,
    LINE_AT,
    PRODUCE_AT,
)
from catan_env.guests.renaissance.native.state import NONE
from catan_env.guests.renaissance.policies import Policy
from catan_env.guests.renaissance.speech import to_message
from catan_env.guests.renaissance.view import SeatView

SILENCE = 12.5
JOIN_AGAIN = 1.0
"""Seconds between two attempts to come back under a name that is still taken."""
REFUSED_AFTER = 5.0
"""Seconds without an answer after which the real server has refused a command."""


class Agent:
    """One player: joins, prepares a game of `seats` if it is the first, and plays it to its end.

    `seats` 0 leaves that to others. What the server refuses is not tried again in the same turn.
    """

    def __init__(self, nickname: str, policy: Policy, seats: int = 0) -> None:
        self.follower = Follower(nickname)
        self.is_done = False
        """Whether the server has taken leave."""
        self.refusals: list[Any] = []
        """Errors that the server has answered."""
        self._policy, self._seats = policy, seats
        self._awaited: list[int] | None = None
        """The small decisions of the command that is not answered yet."""
        self._sent: m.Command | None = None
        self._has_repeated = self._has_joined = False
        self._refused: set[int] = set()
        self._heard = self._asked = 0.0
        self._has_asked_at: float | None = None
        """When the server was asked for a sign, if it has given none since."""
        self._joins_at: float | None = None
        self.deadline: float | None = None

    def opened(self, now: float) -> list[m.Message | m.Command]:
        """The connection is open."""
        self._hear_at(now)
        self._awaited, self._sent, self._joins_at = None, None, None
        self.follower.is_in_game = False
        return [m.ReqWelcome(), m.ReqJoin(self.follower.nickname)]

    def received(self, message: Any, now: float) -> list[m.Message | m.Command]:
        """The server has said something."""
        self._hear_at(now)
        answer = _ANSWERS.get(type(message))
        if answer is not None:
            return [answer()]
        if isinstance(message, m.ResGoodbye):
            self.is_done = True
            return []
        if isinstance(message, m.ResQuit):
            return [m.ReqGoodbye()]
        if isinstance(message, (m.UpdateBookedSeats, m.UpdateGame)):
            self._has_joined = True
        if isinstance(message, m.UpdateBookedSeats):
            return self._prepare(message)
        if isinstance(message, m.ErrNickname):
            return self._try_again(message, now)
        self.follower.hear(message)
        return self._go_on(message, now)

    def time(self, now: float) -> list[m.Message | m.Command]:
        """Time has passed: a heartbeat, or a command that was passed over in silence."""
        said: list[m.Message | m.Command] = []
        if self._joins_at is not None and now >= self._joins_at:
            self._joins_at = None
            said.append(m.ReqJoin(self.follower.nickname))
        if self._awaited is not None and now >= self._asked + REFUSED_AFTER:
            said += self._give_up(now)
        if now >= self._due:
            if self._has_asked_at is not None:
                self.is_done = True
                return said
            self._has_asked_at = now
            said.append(m.ReqHeartbeat())
        self._set_deadline()
        return said

    def decide(self) -> tuple[list[int], Command, m.Command]:
        """The next command: its small decisions, itself, and its message."""
        view = self.follower.view()
        start = view.copy()
        steps = self._think(view)
        drawn = drawn_by(start.state, view.viewer, steps)
        command = command_of(steps, drawn)
        message = to_message(command, start.state, view.viewer, self.follower.ids)
        return steps, command, message

    def _think(self, view: SeatView) -> list[int]:
        """Ask the policy until a sequence is complete; steps that leave no choice are taken."""
        steps: list[int] = []
        games = doorway(view._array)
        while True:
            if not steps:
                self._take_refused_out(view)
            step = self._choose(view)
            steps.append(step)
            if is_single(step):
                return steps
            only = int(doors.change(games, 0, doors.STEP, step, 0))
            while only >= 0:
                steps.append(only)
                only = int(doors.change(games, 0, doors.STEP, only, 0))
            if is_complete(view, steps):
                return steps

    def _choose(self, view: SeatView) -> int:
        return int(self._policy.act(view))

    def _take_refused_out(self, view: SeatView) -> None:
        mask = view.state["mask"]
        allowed = [k for k in np.flatnonzero(mask) if k not in self._refused]
        if allowed:
            mask[list(self._refused)] = 0

    def _go_on(self, message: Any, now: float) -> list[m.Message | m.Command]:
        follower = self.follower
        if isinstance(message, m.UpdateGameEnd):
            self._awaited = None
            return [m.ReqQuit()]
        if not follower.is_in_game:
            return []
        if isinstance(message, _ERRORS):
            return self._note_refusal(message, now)
        if isinstance(message, m.UpdateAction) and message.player == follower.nickname:
            self._awaited = None
            if message.action == "END_TURN":
                self._refused.clear()
        elif not isinstance(message, _MOMENTS):
            return []
        return self._play(now)

    def _play(self, now: float) -> list[m.Message | m.Command]:
        if self._awaited is not None or not self.follower.decides:
            self._set_deadline()
            return []
        steps, _, message = self.decide()
        self._awaited, self._sent, self._asked = steps, message, now
        self._has_repeated = False
        self._set_deadline()
        return [message]

    def _note_refusal(self, error: Any, now: float) -> list[m.Message | m.Command]:
        self.refusals.append(error)
        if self._awaited is None:
            return []
        self._refused.add(self._awaited[0])
        self._awaited = None
        if isinstance(error, m.ErrAction) and error.reason != "LATE_MANDATORY_ACTION":
            return []
        return self._play(now)

    def _give_up(self, now: float) -> list[m.Message | m.Command]:
        """Silence is a refusal; the end of a turn is asked for once more."""
        assert self._awaited is not None and self._sent is not None
        if self._awaited[0] == END_ACTION and not self._has_repeated:
            self._has_repeated, self._asked = True, now
            return [self._sent]
        self._refused.add(self._awaited[0])
        self._awaited = None
        return self._play(now)

    def _try_again(self, error: m.ErrNickname, now: float) -> list[m.Message | m.Command]:
        """The own name is taken while the server still holds the connection that broke.

        ValueError where the name is another's, or none.
        """
        if self.follower.is_in_game or error.reason not in ("TAKEN", "NOT_SET"):
            return []
        if error.reason == "NOT_SET" or not self._has_joined:
            raise ValueError(f"the server answers {error} to {self.follower.nickname!r}")
        self._joins_at = now + JOIN_AGAIN
        self._set_deadline()
        return []

    def _prepare(self, message: m.UpdateBookedSeats) -> list[m.Message | m.Command]:
        """The first who waits prepares a game; one whose game has ended without it leaves."""
        if self.follower.is_in_game:
            return []
        if self.follower.names:
            return [m.ReqQuit()]
        is_first = message.canPrepareNewGame == self.follower.nickname
        if not self._seats or not is_first or self._sent is not None:
            return []
        self._sent = m.ReqNewGame(self._seats)
        return [self._sent]

    def _hear_at(self, now: float) -> None:
        self._heard, self._has_asked_at = now, None
        self._set_deadline()

    @property
    def _due(self) -> float:
        """When the server's silence is too long."""
        return (self._heard if self._has_asked_at is None else self._has_asked_at) + SILENCE

    def _set_deadline(self) -> None:
        due = self._due
        if self._awaited is not None:
            due = min(due, self._asked + REFUSED_AFTER)
        self.deadline = due if self._joins_at is None else min(due, self._joins_at)


def is_single(step: int) -> bool:
    """Whether a decision is a command by itself, whatever follows."""
    return step < LINE_AT or step >= ACTIVATE_AT


def is_complete(view: SeatView, steps: list[int]) -> bool:
    """Whether a sequence that began with `steps` is a whole command."""
    state = view.state
    if GAIN_AT <= steps[0] < PRODUCE_AT:
        return bool(state["has_goods"][view.viewer])
    return bool(state["transaction"] == NONE)


_ANSWERS: dict[type[Any], type[m.Message]] = {
    m.ReqWelcome: m.ResWelcome,
    m.ReqHeartbeat: m.ResHeartbeat,
    m.ReqGoodbye: m.ResGoodbye,
}
_MOMENTS = (m.UpdateGame, m.UpdateAction, m.UpdateCurrentPlayer, m.ResHeartbeat)
"""When there may be something to decide; after a silence, too, that follows a refusal."""
_ERRORS = (*m.ERRORS, m.ErrProtocol)
