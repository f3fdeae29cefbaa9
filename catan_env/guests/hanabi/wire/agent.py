"""An agent that plays a policy on a Hanabi server: responses in, requests out."""

from collections.abc import Callable
from typing import Any

from catan_env.guests.hanabi.action import all_actions
from catan_env.guests.hanabi.view import SeatView
from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire.follow import Follower
from catan_env.guests.hanabi.wire.room import (
    ALREADY_JOINED,
    NAME_TAKEN,
    NOT_JOINED,
    NOT_YOUR_TURN,
    STARTED_ALREADY,
    TOO_LATE,
)
from catan_env.guests.hanabi.wire.speech import to_request
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.present import Present
from catan_env.net.room import Garbled
from catan_env.net.watchdog import PATIENCE, Watchdog

Decide = Callable[[SeatView], int]
"""A policy's `act`: the number of a legal action."""
GRACE = 0.5
"""Seconds during which the response to an action may still follow an error; if it does, the error
was another player's: some servers send errors to every client."""
QUICK_TRIES = 3
"""Other actions tried after `GRACE`; further tries wait for the agent's patience."""
MOST_NAMES = 3
"""Names with which the agent asks to join a server whose refusals have unknown words."""
NOT_OF_ACTIONS = (STARTED_ALREADY, NOT_JOINED, TOO_LATE, NAME_TAKEN)
"""Explanations that refuse a start or a joining, never an action."""


class Agent:
    """One player, for every dialect; `decide` is called on each of its turns.

    A `net.visitor.Visitor` for one game. The start is requested if the response to its joining
    lists `start_when` names; 0 for never. Crossing messages are expected: a list with the agent's
    name may be for another client of that name, and the start may be refused after an action was
    requested. A request without an answer for `patience` seconds (0: no limit) counts as refused.
    `report` is called once, with the reason why a response cannot be read; RemoteProtocolError if
    it is the start of the game.
    """

    def __init__(
        self,
        decide: Decide,
        name: str = "catan",
        start_when: int = 0,
        patience: float = PATIENCE,
        report: Callable[[str], None] = lambda reason: None,
    ) -> None:
        self.follower = Follower(name)
        self.score: int | None = None
        self.refusal: str | None = None
        """The reason why the server refused the joining; nothing is sent after that."""
        self.present = Present()
        self._decide, self._start_when = decide, start_when
        self._report: Callable[[str], None] | None = report
        self._asked_names, self._taken = [name], set[str]()
        self._refused_with: str | None = None
        """The reason of the latest refusal of its joining, which its name may have caused."""
        self._has_joined = False
        self._watchdog = Watchdog(patience)
        self._awaited: Any = None
        """The request that is not answered yet."""
        self._tried: list[int] = []
        self._retries_at: float | None = None
        """The time from which an error counts as the action's answer, if no response arrives."""

    @property
    def is_over(self) -> bool:
        """True once the game has ended, or the server did not let it join."""
        return self.score is not None or self.refusal is not None

    @property
    def deadline(self) -> float | None:
        """The time at which to call `time`; None while no timeout is pending."""
        dues = (self._retries_at, self._watchdog.deadline)
        return min((due for due in dues if due is not None), default=None)

    def opened(self, now: float) -> list[Any]:
        """Ask to join."""
        self.present.begin(now)
        return self._ask(m.ConnectionRequest(self.follower.name))

    def received(self, response: Any, now: float) -> list[Any]:
        """Handle a response; return the messages to send."""
        self.present.begin(now)
        if self.refusal is not None:
            return []
        if isinstance(response, Garbled):
            self._note_unreadable(response.name, response.reason)
            return []
        if isinstance(response, m.ErrorResponse):
            return self._be_refused(response.explanation)
        if isinstance(response, m.ConnectionResponse):
            return self._be_listed(response.names)
        if isinstance(response, m.GameStartResponse):
            self._has_joined |= self._is_among([p.name for p in response.game_state.players])
        return self._follow(response) if self._has_joined else []

    def time(self, now: float) -> list[Any]:
        """Handle an overdue answer."""
        self.present.begin(now)
        is_refused = self._retries_at is not None and now >= self._retries_at
        if not (is_refused or self._watchdog.is_overdue(now)):
            return []
        if isinstance(self._awaited, m.ActionRequest):
            return self._choose_again()
        if isinstance(self._awaited, m.ConnectionRequest) and self._refused_with is not None:
            return self._end_refused(self._refused_with)
        return self._ask(self._awaited)

    def closed(self, now: float) -> None:
        """Note that the server refused to let it join; a game whose connection closes is lost."""
        if not self._has_joined:
            self.refusal = self._refused_with

    def _be_listed(self, names: list[str]) -> list[Any]:
        """Follow the lobby's list: start the game if it is full, join again if taken off it."""
        if self.follower.view is not None:
            return []  # a list of others, or a late one
        had_joined, self._has_joined = self._has_joined, self._is_among(names)
        if had_joined and not self._has_joined:
            return self._ask(m.ConnectionRequest(self.follower.name))
        if not self._has_joined or had_joined:
            return []
        self._answered()
        return self._ask(m.GameStartRequest()) if len(names) == self._start_when else []

    def _is_among(self, names: list[str]) -> bool:
        """True if a name that this player asked for is listed; it is the player's from then on."""
        own = (name for name in reversed(self._asked_names) if name not in self._taken)
        listed = [name for name in own if name in names]
        if listed and self.follower.view is None:
            self.follower.name, self._refused_with = listed[0], None
        return self.follower.name in names

    def _follow(self, response: Any) -> list[Any]:
        if isinstance(response, m.GameOverResponse):
            self.score = response.score
        if self.follower.hear(response):
            return self._go_on()
        if self.follower.fault:
            self._note_unreadable(response.__struct_config__.tag, self.follower.fault)
        return []

    def _note_unreadable(self, name: str | None, reason: str) -> None:
        """Report the first unreadable response; without the start of its game there is none."""
        is_start = name == m.GameStartResponse.__struct_config__.tag
        if is_start and self._has_joined and self.follower.view is None:
            raise RemoteProtocolError(f"{name} cannot be read: {reason}")
        self._report_once(reason)

    def _report_once(self, reason: str) -> None:
        if self._report is not None:
            self._report(reason)
        self._report = None

    def _go_on(self) -> list[Any]:
        """Decide, if it is this player's turn."""
        self._answered()
        self._tried = []
        if self.is_over or not self.follower.is_asked:
            return []
        view = self.follower.view
        assert view is not None
        return self._act(self._decide(view))

    def _act(self, number: int) -> list[Any]:
        view, follower = self.follower.view, self.follower
        assert view is not None
        self._tried.append(number)
        action = all_actions(view.rules, view.players)[number]
        return self._ask(to_request(action, follower.seat, follower.names, follower.ages))

    def _ask(self, request: Any) -> list[Any]:
        self._awaited, self._retries_at = request, None
        self._watchdog.sent(self.present.now)
        return [request]

    def _answered(self) -> None:
        self._awaited, self._retries_at = None, None
        self._watchdog.answered()

    @property
    def _is_playing(self) -> bool:
        """True if a game with this player has begun: errors about joining are others'."""
        return self.follower.view is not None and not isinstance(self._awaited, m.ConnectionRequest)

    def _be_refused(self, explanation: str) -> list[Any]:
        """Join under another name, or wait to see if the error answers an action."""
        if self._is_playing and explanation in NOT_OF_ACTIONS:
            return []
        if explanation == NAME_TAKEN:
            self._taken.add(self.follower.name)
            return self._be_renamed()
        if explanation == ALREADY_JOINED and not self._has_joined:
            self._has_joined = True  # the answer to the first request was lost
            self._answered()
        if explanation == TOO_LATE or not (self._has_joined or explanation == NOT_JOINED):
            self._refused_with = explanation or "without a reason"
            if explanation != TOO_LATE and len(self._asked_names) < MOST_NAMES:
                return self._be_renamed()  # perhaps the name was refused, under another text
            return self._end_refused(self._refused_with)
        if isinstance(self._awaited, m.GameStartRequest):
            self._answered()
        if explanation not in NOT_OF_ACTIONS and isinstance(self._awaited, m.ActionRequest):
            self._wait_for_response(explanation)
        return []

    def _end_refused(self, explanation: str) -> list[Any]:
        self.refusal = explanation
        self._answered()
        return []

    def _wait_for_response(self, explanation: str) -> None:
        is_quick = explanation != NOT_YOUR_TURN and len(self._tried) <= QUICK_TRIES
        if is_quick and self._retries_at is None:
            self._retries_at = self.present.now + GRACE

    def _choose_again(self) -> list[Any]:
        """Another legal action; the first one again once all were refused."""
        view = self.follower.view
        assert view is not None
        legal = view.legal_actions.indices.tolist()
        others = [number for number in legal if number not in self._tried]
        return self._act((others or legal)[0])

    def _be_renamed(self) -> list[Any]:
        self._has_joined = False
        self.follower.name = f"{self._asked_names[0]}{len(self._asked_names) + 1}"
        self._asked_names.append(self.follower.name)
        return self._ask(m.ConnectionRequest(self.follower.name))
