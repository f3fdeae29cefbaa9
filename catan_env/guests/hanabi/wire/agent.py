"""The bridge that seats a policy at a Hanabi server: responses in, requests out."""

from collections.abc import Callable
from typing import Any

from catan_env.guests.hanabi.action import all_actions
from catan_env.guests.hanabi.view import SeatView
from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire.follow import Follower
from catan_env.guests.hanabi.wire.room import NAME_TAKEN, NOT_JOINED, STARTED_ALREADY, TOO_LATE
from catan_env.guests.hanabi.wire.speech import to_request
from catan_env.net.room import Garbled

Decide = Callable[[SeatView], int]
"""A policy's `act`: the number of a legal action."""
MOST_TRIES = 3
"""Other actions tried after a refusal."""
NOT_OF_ACTIONS = (STARTED_ALREADY, NOT_JOINED, TOO_LATE)
"""Explanations that answer a start or a joining."""


class Agent:
    """One player; `decide` is asked whenever it is its turn. The same in every dialect.

    `hear` takes responses and gives requests. The start is asked for when the answer to the own
    joining lists `start_when` names, 0 for never. What crosses on the way is taken for what it is:
    a list with the own name may be about somebody else of that name, and the start may be refused
    after an action was asked for.
    """

    def __init__(self, decide: Decide, name: str = "catan", start_when: int = 0) -> None:
        self.follower = Follower(name)
        self.score: int | None = None
        self.refusal: str | None = None
        """Why the server did not let it join; nothing more is said then."""
        self._decide, self._start_when = decide, start_when
        self._first_name, self._names_tried = name, 1
        self._has_joined = False
        self._awaits = False
        self._tried: list[int] = []

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.score is not None

    def begin(self) -> list[Any]:
        """Ask to join."""
        return [m.ConnectionRequest(self.follower.name)]

    def hear(self, response: Any) -> list[Any]:
        """Hear a response; what to say to it."""
        if self.refusal is not None or isinstance(response, Garbled):
            return []
        if isinstance(response, m.ErrorResponse):
            return self._be_refused(response.explanation)
        if isinstance(response, m.ConnectionResponse):
            return self._be_listed(response.names)
        return self._follow(response) if self._has_joined else []

    def _be_listed(self, names: list[str]) -> list[Any]:
        had_joined, self._has_joined = self._has_joined, self.follower.name in names
        is_answer = self._has_joined and not had_joined
        return [m.GameStartRequest()] if is_answer and len(names) == self._start_when else []

    def _follow(self, response: Any) -> list[Any]:
        if isinstance(response, m.GameOverResponse):
            self.score = response.score
        self.follower.hear(response)
        return self._go_on()

    def _go_on(self) -> list[Any]:
        """Decide, if it is this player's turn."""
        self._awaits, self._tried = False, []
        if self.is_over or not self.follower.is_asked:
            return []
        view = self.follower.view
        assert view is not None
        return self._ask(self._decide(view))

    def _ask(self, number: int) -> list[Any]:
        view, follower = self.follower.view, self.follower
        assert view is not None
        self._tried.append(number)
        self._awaits = True
        action = all_actions(view.rules, view.players)[number]
        return [to_request(action, follower.seat, follower.names, follower.ages)]

    def _be_refused(self, explanation: str) -> list[Any]:
        """Join under another name, or try another legal action; else nothing was asked."""
        if explanation == NAME_TAKEN:
            return self._be_renamed()
        if explanation == TOO_LATE or not (self._has_joined or explanation == NOT_JOINED):
            self.refusal = explanation
        view = self.follower.view
        if not self._awaits or view is None or explanation in NOT_OF_ACTIONS:
            return []
        if len(self._tried) > MOST_TRIES:
            return []
        others = [n for n in view.legal_actions.indices.tolist() if n not in self._tried]
        return self._ask(others[0]) if others else []

    def _be_renamed(self) -> list[Any]:
        self._has_joined = False
        self._names_tried += 1
        self.follower.name = f"{self._first_name}{self._names_tried}"
        return self.begin()
