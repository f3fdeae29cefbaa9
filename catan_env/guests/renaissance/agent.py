"""A policy on a server of the AM49 protocol: messages in, messages out, time as an argument."""

from typing import Any

import numpy as np

from catan_env.adapters.policies import Policy, result_of
from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.announcements import ACTIONS, action_of
from catan_env.guests.renaissance.command import Command, command_of
from catan_env.guests.renaissance.follow import Follower
from catan_env.guests.renaissance.market_line import drawn_by
from catan_env.guests.renaissance.messages.network import SILENCE
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.actions import (
    ACTIVATE_AT,
    END_ACTION,
    GAIN_AT,
    LINE_AT,
    PRODUCE_AT,
)
from catan_env.guests.renaissance.native.state import NONE
from catan_env.guests.renaissance.speech import to_message
from catan_env.guests.renaissance.spelling import Spelling
from catan_env.guests.renaissance.view import SeatView
from catan_env.kernel.memory import doorway
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.present import Present
from catan_env.net.room import Garbled
from catan_env.net.watchdog import PATIENCE, Watchdog

JOIN_AGAIN = 1.0
"""Seconds between two attempts to rejoin under a name that is still taken."""
INVALID_NAME = ("NOT_SET", "TOO_LONG")
ABOUT_NAME = (*INVALID_NAME, "TAKEN", "ALREADY_SET")
"""Reasons of an ErrNickname that answers ReqJoin."""
NEWS = ("LATE_MANDATORY_ACTION", "LATE_SETUP_ACTION")
"""Reasons of an ErrAction after which the next command is due: the refused one is done."""
LINGER = 1.0
"""Seconds to wait for the last UpdateAction after the end of a game."""
GRACE = 0.25
"""Seconds without an event after which Lorenzo's token and its effects are no longer expected."""
LINGERING: tuple[m.Message, ...] = (m.ReqQuit(),)
PARTING = 3.0
"""Seconds without an answer after which the next step of leaving is taken."""


class Agent:
    """One player: joins, prepares a game of `seats` if it is the first, and plays it to its end.

    With `seats` 0 it prepares no game. A refused action is not tried again in the same turn; one
    refused by ErrProtocol is first written in the other ways that the text allows. A message
    without an answer for `patience` seconds (0: no limit) counts as refused. Times are in seconds
    of any steady clock.
    """

    def __init__(
        self, nickname: str, policy: Policy, seats: int = 0, patience: float = PATIENCE
    ) -> None:
        self.follower = Follower(nickname)
        self.is_done = False
        """True if the server said goodbye, or the connection ended after the game."""
        self.is_lost = False
        """True if the connection must be reopened to receive the whole game: a message from the
        server is missing, or the server refuses everything that seems legal."""
        self.has_missed_end = False
        """True if the game ended without an announcement to this player."""
        self.refusals: list[Any] = []
        """The server's error messages."""
        self.present = Present()
        self._policy, self._seats = policy, seats
        self._watchdog = Watchdog(patience)
        self._awaited: list[int] | None = None
        """The small decisions of the unanswered command; none for the choice of no goods."""
        self._sent: m.Command | None = None
        self._command: Command | None = None
        """The unanswered command, and the block of the state in which it was sent."""
        self._before: Any = None
        self._spelling = Spelling()
        self._has_repeated = self._has_joined = self._is_joining = self._has_reread = False
        self._booked = self._game_of = 0
        """The number of waiting clients, and of the seats of the game that begins with us."""
        self._refused: set[int] = set()
        self._turn = 0
        """The turn in which they were refused."""
        self._heard = 0.0
        """The time of the last message from the server."""
        self._has_heard = False
        """True once the server has sent a message on this connection."""
        self._has_asked_at: float | None = None
        """The time of the heartbeat request that is still unanswered, if any."""
        self._joins_at: float | None = None
        self._settles_at: float | None = None
        """The time from which no effect of the last turn is expected."""
        self._parting: tuple[m.Message, ...] | None = None
        """The messages still to send before leaving; None while playing."""
        self._parts_at: float | None = None

    @property
    def has_ended(self) -> bool:
        """True if the game has ended."""
        return self.follower.is_over or self.has_missed_end

    @property
    def is_over(self) -> bool:
        """True if this connection is to be closed, finally or to open another."""
        return self.is_done or self.is_lost

    @property
    def deadline(self) -> float | None:
        """The time at which to call `time`."""
        own = self._joins_at, self._parts_at, self._settles_at
        dues = (self._due, self._watchdog.deadline, *own)
        return min(due for due in dues if due is not None)

    def opened(self, now: float) -> list[m.Message | m.Command]:
        """Begin on an open connection."""
        self.present.begin(now)
        self._hear_at(now)
        self._has_heard = False
        self._awaited = self._sent = self._joins_at = self._parts_at = self._settles_at = None
        self.follower.is_in_game = self.is_lost = False
        self._parting = None
        self._booked = self._game_of = 0
        self._watchdog.answered()
        return [m.ReqWelcome(), *self._join()]

    def received(self, message: Any, now: float) -> list[m.Message | m.Command]:
        """Handle a message; return those to send."""
        self.present.begin(now)
        self._hear_at(now)
        self._has_heard = True
        if isinstance(message, Garbled):
            return self._note_unreadable(message)
        answer = _ANSWERS.get(type(message))
        if answer is not None:
            return [answer()]
        if isinstance(message, m.ResGoodbye):
            self.is_done = True
            return []
        if isinstance(message, m.ResQuit):
            return self._part(m.ReqGoodbye())
        if not isinstance(message, m.NETWORK):
            self._watchdog.received(now)
        said = self._answer(message)
        self._settles_at = now + GRACE if self.follower.lacks_token else None
        self._watch()
        return said

    def time(self, now: float) -> list[m.Message | m.Command]:
        """Handle a timeout: a heartbeat, or a message without an answer."""
        self.present.begin(now)
        said: list[m.Message | m.Command] = []
        if self._joins_at is not None and now >= self._joins_at:
            self._joins_at = None
            said += self._join()
        if self._parts_at is not None and now >= self._parts_at:
            said += self._part(*self._parting or ())
        if self._settles_at is not None and now >= self._settles_at:
            self._settles_at = None
            self.follower.note_no_token()
            said += self._play()
        if self._watchdog.is_overdue(now):
            said += self._give_up()
        if now >= self._due:
            if self._has_asked_at is not None:
                self._hang_up()
                return said
            self._has_asked_at = now
            said.append(m.ReqHeartbeat())
        self._watch()
        return said

    def _hang_up(self) -> None:
        """Return on another connection, as this one may be half open; not after the game."""
        if not self._has_heard:
            raise RemoteProtocolError(f"not one message in {2 * SILENCE:g} seconds")
        self.is_done = self.has_ended
        self.is_lost = not self.is_done

    def closed(self, now: float) -> None:
        """Be done if the game has ended; otherwise a new connection receives the whole game."""
        self.is_done = self.is_done or self.has_ended

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
        """Ask the policy until a sequence is complete; forced steps are taken automatically."""
        steps: list[int] = []
        games = doorway(view._array)
        view.state["mask"][list(self._refused)] = 0
        while True:
            step = self._choose(view)
            if not steps and step in self._refused:  # the policy considers the rules, not the mask
                step = int(np.flatnonzero(view.state["mask"])[0])
            steps.append(step)
            if is_single(step):
                return steps
            only = int(doors.step(games, 0, step))
            while only >= 0:
                steps.append(only)
                only = int(doors.step(games, 0, only))
            if is_complete(view, steps):
                return steps

    def _choose(self, view: SeatView) -> int:
        return int(result_of(self._policy, self._policy.act, view))

    def _note_unreadable(self, message: Garbled) -> list[m.Message | m.Command]:
        """Ignore a line; the whole game would be as unreadable after a return."""
        if message.name == m.UpdateGame.__name__:
            raise RemoteProtocolError(f"UpdateGame cannot be read: {message.reason}")
        return []

    def _answer(self, message: Any) -> list[m.Message | m.Command]:
        """The answers to a message of the lobby or of the game."""
        if isinstance(message, (m.UpdateBookedSeats, m.UpdateGame)):
            self._has_joined, self._is_joining = True, False
        if isinstance(message, m.UpdateJoinGame):
            self._game_of = message.playersCount
        if isinstance(message, m.UpdateBookedSeats):
            self._booked = message.bookedSeats
            return self._prepare(message)
        if isinstance(message, m.ErrNewGame):
            if not self.follower.is_in_game:
                self._sent, self.is_lost = None, not self._booked
            return []
        if isinstance(message, m.ErrNickname):
            return self._try_again(message)
        try:
            self.follower.hear(message)
        except _CANNOT_FOLLOW as error:
            return self._lose(message, error)
        return self._go_on(message)

    def _lose(self, message: Any, error: Exception) -> list[m.Message | m.Command]:
        """Return to the game to receive all of it, as an event contradicts what is known."""
        if isinstance(message, m.UpdateGame):
            raise RemoteProtocolError(f"UpdateGame cannot be read: {error}") from error
        self.is_lost = True
        return []

    def _go_on(self, message: Any) -> list[m.Message | m.Command]:
        follower = self.follower
        if not follower.is_in_game:
            return []
        if isinstance(message, _ERRORS):
            return self._note_refusal(message)
        if follower.is_over:
            return self._end(message)
        self._note_turn()
        if isinstance(message, m.UpdateAction):
            self._note_done(message)
        elif not isinstance(message, _MOMENTS):
            return []
        return self._play()

    def _end(self, message: Any) -> list[m.Message | m.Command]:
        """Leave after the last action: before it, the AM49 server may drop messages to others."""
        self._awaited = None
        if isinstance(message, m.UpdateGameEnd) and self._parting is None:
            self._parting, self._parts_at = LINGERING, self.present.now + LINGER
            return []
        is_late = self._parting is None or self._parting is LINGERING
        return self._part(m.ReqQuit()) if is_late else []

    def _note_done(self, message: m.UpdateAction) -> None:
        """Note a completed command: the awaited one, or another player's."""
        if message.player == self.follower.nickname:
            if self._awaited and self._command is not None:
                self._complete(self._command, message.action)
            self._awaited = None
            self._has_reread = False
        if message.action == "END_TURN":
            self._refused.clear()

    def _note_turn(self) -> None:
        """Try again in a new turn what was refused in another."""
        if self._turn != self.follower.turns:
            self._turn = self.follower.turns
            self._refused.clear()

    def _complete(self, command: Command, action: str) -> None:
        """Carry out a confirmed command; one that changes nothing is not repeated in this turn.

        The name of another command is a repeated confirmation; an unknown one is any command's.
        """
        is_its_name = action == action_of(command)
        if is_its_name:
            self.follower.complete(command, self._before[0])
        elif action in ACTIONS:
            return
        if self.follower.known.array.tobytes() == self._before.tobytes():
            self._refused.update((self._awaited or [])[:1])

    def _play(self) -> list[m.Message | m.Command]:
        if self._awaited is not None or self._parting is not None or not self.follower.decides:
            return []
        if not self._has_choice():
            self._refused.clear()
            self.is_lost, self._has_reread = not self._has_reread, True
            return []
        steps, self._command, message = self.decide()
        self._before = self.follower.known.array.copy()
        self._awaited, self._sent, self._has_repeated = steps, message, False
        self._watchdog.sent(self.present.now)
        return [self._spelling.first(message)]

    def _has_choice(self) -> bool:
        """True if a legal action has not been refused yet."""
        mask = self.follower.view().state["mask"]
        return any(int(k) not in self._refused for k in np.flatnonzero(mask))

    def _note_refusal(self, error: Any) -> list[m.Message | m.Command]:
        self.refusals.append(error)
        if isinstance(error, m.ErrAction) and error.reason == "GAME_ENDED":
            return self._miss_end()
        if self._awaited is None:
            return []
        if isinstance(error, m.ErrProtocol) and self._sent is not None:
            other = self._spelling.next(self._sent)
            if other is not None:
                self._watchdog.sent(self.present.now)
                return [other]
        self._refused.update(self._awaited[:1])
        self._awaited = None
        self.follower.hear(error)
        if isinstance(error, m.ErrAction) and error.reason not in NEWS:
            return []
        return self._play()

    def _give_up(self) -> list[m.Message | m.Command]:
        """Count silence as a refusal; request the end of a turn once more."""
        self._watchdog.answered()
        if self._is_joining:
            return self._join()
        if self._awaited is None:
            if self.follower.may_owe_no_goods:
                return self._choose_no_goods()
            self.is_lost = self.follower.is_owed or self._is_owed_game
            return [] if self.is_lost else self._play()
        assert self._sent is not None
        if self._awaited[:1] == [END_ACTION] and not self._has_repeated:
            self._has_repeated = True
            self._watchdog.sent(self.present.now)
            return [self._sent]
        self._refused.update(self._awaited[:1])
        self._awaited = None
        return self._play()

    def _choose_no_goods(self) -> list[m.Message | m.Command]:
        """Choose no goods, once: some servers wait for that choice as for any other."""
        self.follower.note_no_goods()
        self._awaited, self._command, self._sent = [], None, m.ReqChooseResources()
        self._watchdog.sent(self.present.now)
        return [self._spelling.first(self._sent)]

    def _join(self) -> list[m.Message | m.Command]:
        self._is_joining = True
        self._watchdog.sent(self.present.now)
        return [m.ReqJoin(self.follower.nickname)]

    def _try_again(self, error: m.ErrNickname) -> list[m.Message | m.Command]:
        """Handle our name being taken while the server still holds the broken connection.

        ValueError if the name is another client's, or invalid.
        """
        if self.follower.is_in_game or error.reason not in ABOUT_NAME:
            return []
        if error.reason == "ALREADY_SET":  # we joined, and the answer was lost
            return self._be_joined()
        if error.reason in INVALID_NAME or not self._has_joined:
            raise ValueError(f"the server answers {error} to {self.follower.nickname!r}")
        self._is_joining = False
        self._joins_at = self.present.now + JOIN_AGAIN
        return []

    def _be_joined(self) -> list[m.Message | m.Command]:
        """Prepare a game, as the first client may; otherwise return to receive what was lost.

        If the server refuses, another client is first or we are in a game: then return, too.
        """
        is_first_visit, has_waited = not self._has_joined, self._is_joining
        self._is_joining, self._has_joined = False, True
        if not has_waited:
            return []
        if self._seats and is_first_visit:
            return self._new_game()
        self.is_lost = True
        return []

    def _prepare(self, message: m.UpdateBookedSeats) -> list[m.Message | m.Command]:
        """Prepare a game if first in the waiting list; leave if our game ended meanwhile."""
        if self.follower.is_in_game:
            return []
        if self.follower.names:
            return self._miss_end()
        is_first = message.canPrepareNewGame == self.follower.nickname
        return self._new_game() if is_first else []

    def _new_game(self) -> list[m.Message | m.Command]:
        if not self._seats or self._sent is not None:
            return []
        self._sent = m.ReqNewGame(self._seats)
        return [self._sent]

    def _miss_end(self) -> list[m.Message | m.Command]:
        """Note that the game ended without an announcement to this player."""
        if self._parting is not None:
            return []
        self.has_missed_end, self._awaited = not self.follower.is_over, None
        return self._part(m.ReqQuit())

    def _part(self, *messages: m.Message) -> list[m.Message | m.Command]:
        """Take the next step of leaving: quit, say goodbye, close."""
        if not messages:
            self.is_done = True
            return []
        self._parting = (m.ReqGoodbye(),) if isinstance(messages[0], m.ReqQuit) else ()
        self._parts_at = self.present.now + PARTING
        return [messages[0]]

    def _watch(self) -> None:
        """Run the watchdog if and only if a message is expected from the server."""
        follower = self.follower
        is_stalled = follower.is_owed or (follower.decides and self._parting is None)
        is_asked = self._awaited is not None or self._is_joining or self._is_owed_game
        if not (is_asked or follower.may_owe_no_goods or (follower.is_in_game and is_stalled)):
            self._watchdog.answered()
        elif not self._watchdog.is_waiting:
            self._watchdog.sent(self.present.now)

    @property
    def _is_owed_game(self) -> bool:
        """True if the server owes the whole game: all of its seats are taken."""
        return not self.follower.is_in_game and 0 < self._game_of <= self._booked

    def _hear_at(self, now: float) -> None:
        self._heard, self._has_asked_at = now, None

    @property
    def _due(self) -> float:
        """The time at which the server has been silent for too long."""
        return (self._heard if self._has_asked_at is None else self._has_asked_at) + SILENCE


def is_single(step: int) -> bool:
    """True if a decision is a command by itself, whatever follows."""
    return step < LINE_AT or step >= ACTIVATE_AT


def is_complete(view: SeatView, steps: list[int]) -> bool:
    """True if a sequence that began with `steps` is a whole command."""
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
"""Messages after which a decision may be due; the last one after a refusal by silence."""
_ERRORS = (*m.ERRORS, m.ErrProtocol)
_CANNOT_FOLLOW = (ValueError, IndexError, KeyError, OverflowError)
