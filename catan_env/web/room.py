"""The room behind the page: lines that take a seat by a secret, and the tables that they sit at.

Rule 1. A line has no seat until it has sent the secret of a seat, or of watching (`waiting`). One
        seat may have several lines: a second tab, or a page that was reloaded.
Rule 2. Every line receives the steps as its seat sees them. The legal choices are sent to the
        acting seat alone (`broadcasts`).
Rule 3. Unreadable input closes the line. What a page sends about the game is for `play`.
Rule 4. Slow work (a policy's decision, advice, a stored game's page) is a job (`jobs`); other
        messages are handled meanwhile.
Rule 5. A line may sit at a table that is still being prepared: it receives the parts that are
        missing, and the table as soon as there is one. A policy that is not loaded yet holds up
        its own turns only.
Rule 6. A script's line makes one call, with the secret of a seat, and is answered once (`calls`).
"""

import sys
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple, Protocol

from catan_env.extras import reason
from catan_env.net.room import Close, Effect, Garbled, Send
from catan_env.web import broadcasts
from catan_env.web.broadcasts import to_all
from catan_env.web.calls import NOT_READY, Call, answer
from catan_env.web.jobs import Job, Jobs
from catan_env.web.journal import for_pages
from catan_env.web.messages import (
    AtStart,
    Message,
    Preparing,
    Refused,
    Rematch,
    Resume,
    Seated,
    Sit,
)
from catan_env.web.play import Play
from catan_env.web.seating import Expected, Seating
from catan_env.web.shown_table import Sight
from catan_env.web.waiting import WaitingLines
from catan_env.web.watch import WatchedTable

MOST_TABLES = 64
"""The maximum number of tables, with those that wait for people and those that are being laid."""


class StartAnswer(NamedTuple):
    """The reply to a start page, and the change of the room that it needs first.

    The change is made in the server's thread; ValueError with the reason if it is impossible.
    """

    message: Message
    change: Callable[[], list[Effect]] | None = None


class Hall(Protocol):
    """Opens tables for people who ask on a start page."""

    def answer(self, message: AtStart) -> StartAnswer:
        """Answer a start page, in any thread; ValueError with the reason if it is refused."""

    def rematch(self, seating: Seating) -> dict[Sight, str]:
        """Open a table with the players of one that has ended; the secret by previous sight."""


class TableRoom:
    """A `net.room.Room` of up to `most` tables; policies take `pace` seconds for a step."""

    def __init__(
        self,
        seatings: Collection[Seating] = (),
        pace: float = 0.0,
        reopen: Callable[[str, int, int], tuple[str, Seating]] | None = None,
        most: int = MOST_TABLES,
    ) -> None:
        self.is_over = False
        self.jobs = Jobs()
        self.carry_out: Callable[[list[Effect]], object] = lambda effects: None
        """Carries out effects that do not come from a line or the clock."""
        self.waiting = WaitingLines()
        self._play = Play(self.jobs, pace)
        self._hall: Hall | None = None
        self._reopen = reopen
        self._most = most
        self._seatings: list[Seating] = []
        self._by_secret: dict[str, Seating] = {}
        self._reopening = 0
        """The number of tables that are being laid from replays."""
        self._at: dict[int, Seating] = {}
        self._asked: set[int] = set()
        """Lines without a seat that wait for their only answer."""
        for seating in seatings:
            self.add(seating)

    @property
    def hall(self) -> Hall | None:
        """Opens tables for people; None if no table can be opened here."""
        return self._hall

    @hall.setter
    def hall(self, hall: Hall) -> None:
        self._hall, self._play.has_rematches = hall, True

    @property
    def deadline(self) -> float | None:
        """When a policy acts, or a line without a seat is closed."""
        if self.jobs.soon:
            return self.jobs.now
        due = [self._play.deadline(seating) for seating in self._seatings]
        due += [self._play.calls.deadline, self.waiting.deadline]
        return min((time for time in due if time is not None), default=None)

    @property
    def lines(self) -> int:
        """The number of lines."""
        return len(self._at) + len(self.waiting)

    @property
    def has_place(self) -> bool:
        """True if another table fits, or one that has ended and is empty can make room for it.

        Tables that will be there soon have their place already. Any thread may ask.
        """
        in_use = sum(not seating.is_left for seating in self._seatings.copy())
        return in_use + self.waiting.tables + self._reopening < self._most

    def make_place(self) -> bool:
        """Like `has_place`, and removes the tables that make room."""
        others = self.waiting.tables + self._reopening
        for seating in list(self._seatings):
            if len(self._seatings) + others < self._most:
                break
            if seating.is_left:
                self.carry_out(self.remove(seating))
        return len(self._seatings) + others < self._most

    def secret_of(self, path: str, sight: Sight) -> str:
        """The secret of a perspective at the table with that path; empty if there is none."""
        secrets = [seating.secrets for seating in self._seatings.copy() if seating.path == path]
        return next((s for some in secrets for s, at in some.items() if at == sight), "")

    def add(self, seating: Seating) -> None:
        """Add another table."""
        self._seatings.append(seating)
        self._by_secret.update(dict.fromkeys(seating.secrets, seating))
        if isinstance(seating.table, WatchedTable):
            seating.due = self.jobs.now
        elif seating.table.game.is_over:
            self.jobs.soon.append(partial(self._play.end, seating))
        if seating.to_load:
            self.jobs.soon.append(partial(self._load, seating))
        self.carry_out([])  # there may be a new deadline

    def prepare(self, expected: Expected, prepare: Job) -> None:
        """Begin the job that returns an expected table as a `Seating`."""
        self.waiting.expect(expected)
        self.jobs.soon.append(lambda: self.jobs.start(prepare, partial(self._prepared, expected)))
        self.carry_out([])

    def remove(self, seating: Seating) -> list[Effect]:
        """Remove a table, unless it was removed before; its lines are closed."""
        if seating not in self._seatings:
            return []
        self._seatings.remove(seating)
        for secret in seating.secrets:
            del self._by_secret[secret]
        gone = list(seating.lines)
        for line in gone:
            self._forget(line)
        return [*(Close(line) for line in gone), *self._play.calls.drop(seating)]

    def hears(self, line: int) -> bool:
        """Accept input from all lines."""
        return True

    def opened(self, line: int, now: float) -> list[Effect]:
        """A line without a seat is opened."""
        self.waiting.open(line, now)
        return []

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """A line is closed; its seat stays, and waits."""
        self._forget(line)
        return []

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Policies act, and lines without a seat are closed."""
        effects = self.jobs.time(now)
        for seating in list(self._seatings):
            effects += self._play.time(seating, now)
        return effects + self._play.calls.expire(now) + self.waiting.expire(now)

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """A page has sent a message."""
        self.jobs.now = now
        if line in self._asked:
            return []
        if isinstance(message, Garbled):
            return self._turn_away(line, message.reason)
        if isinstance(message, Call):
            return self._call(line, message, now)
        if isinstance(message, Sit):
            return self._sit(line, message.secret, now)
        if isinstance(message, Resume):
            return self._resume(line, message)
        if isinstance(message, AtStart):
            return self._at_start(line, message)
        seating = self._at.get(line)
        if seating is None:
            if line in self.waiting:
                return [Send(line, Refused(NOT_READY))]
            return self._turn_away(line, "the first message must contain a secret")
        if isinstance(message, Rematch):
            return self._rematch(seating, line)
        return self._play.received(seating, line, message, now)

    def _call(self, line: int, call: Call, now: float) -> list[Effect]:
        self._forget(line)
        seating = self._by_secret.get(call.secret)
        if seating is not None:
            sight = seating.secrets[call.secret]
            effects = self._play.calls.received(line, call, seating, sight, now)
            self._play.set_due(seating, now)
            return effects
        if self.waiting.expects(call.secret):
            return self._play.calls.came_early(line, call, now)
        return answer(line, 401, {"error": self.waiting.reason(call.secret)})

    def _sit(self, line: int, secret: str, now: float) -> list[Effect]:
        seating = self._by_secret.get(secret)
        if seating is None:
            return self._wait(line, secret)
        self._forget(line)
        self._at[line] = seating
        sight = seating.lines[line] = seating.secrets[secret]
        seating.seen.add(sight)
        self._play.set_due(seating, now)
        return broadcasts.welcome(seating, line, now)

    def _wait(self, line: int, secret: str) -> list[Effect]:
        """Let a line wait for its table, if there will be one."""
        if not self.waiting.expects(secret):
            return self._turn_away(line, self.waiting.reason(secret))
        self._forget(line)
        return self.waiting.sit(line, secret)

    def _prepared(self, expected: Expected, seating: Any, now: float) -> list[Effect]:
        """A table is ready, or it cannot be made."""
        if isinstance(seating, Exception):
            return self.give_up(expected, _announced(seating))
        self.waiting.found(expected)
        self.add(seating)
        effects = [effect for line, secret in expected.lines.items()
                   for effect in self._sit(line, secret, now)]  # fmt: skip
        for line, call in self._play.calls.ready(expected.secrets, now):
            effects += self._call(line, call, now)
        self._play.set_due(seating, now)
        return effects

    def give_up(self, expected: Expected, reason: str) -> list[Effect]:
        """Turn away the lines and calls of a table that will not be made, now and later."""
        effects = self.waiting.give_up(expected, reason)
        for line, call in self._play.calls.ready(expected.secrets, self.jobs.now):
            effects += self._call(line, call, self.jobs.now)
        return effects

    def _load(self, seating: Seating) -> list[Effect]:
        """Load the next part of a table."""
        _, job = seating.to_load[0]
        return self.jobs.start(job, partial(self._loaded, seating))

    def _loaded(self, seating: Seating, done: Any, now: float) -> list[Effect]:
        name, _ = seating.to_load.pop(0)
        message: Message = Preparing(seating.missing)
        if isinstance(done, Exception):
            message = Refused(f"{name} cannot be loaded: {type(done).__name__}: {done}")
        effects = to_all(seating, message)
        self._play.set_due(seating, now)
        return effects + (self._load(seating) if seating.to_load else [])

    def _resume(self, line: int, message: Resume) -> list[Effect]:
        """A table at a stored game's step, and the link to it."""
        if self._reopen is None or not self.make_place():
            return self._turn_away(line, "no more tables can be opened here")
        self._reopening += 1
        job = partial(self._reopen, message.path, message.step, message.seat)
        return self._answer_once(line, job, self._reopened)

    def _reopened(self, line: int, laid: Any, now: float) -> list[Effect]:
        self._reopening -= 1
        if isinstance(laid, OSError):
            return self._turn_away(line, _announced(laid))
        if isinstance(laid, Exception):
            return self._turn_away(line, str(laid))
        secret, seating = laid
        self._forget(line)
        self.add(seating)
        return [Send(line, Seated(secret)), Close(line)]

    def _at_start(self, line: int, message: Any) -> list[Effect]:
        """A start page's request, answered once; then its line is closed."""
        if self.hall is None:
            return self._turn_away(line, "no table can be opened here")
        return self._answer_once(line, partial(self.hall.answer, message), self._answered_at_start)

    def _answer_once(
        self, line: int, job: Job, then: Callable[[int, Any, float], list[Effect]]
    ) -> list[Effect]:
        """Start the job for a line's only answer; nothing else that it sends is read."""
        self._forget(line)
        self._asked.add(line)
        return self.jobs.start(job, partial(then, line))

    def _answered_at_start(self, line: int, answer: Any, now: float) -> list[Effect]:
        if isinstance(answer, Exception):
            return self._turn_away(line, str(answer))
        self._forget(line)
        try:
            effects = [] if answer.change is None else answer.change()
        except ValueError as refusal:
            return self._turn_away(line, str(refusal))
        return [*effects, Send(line, answer.message), Close(line)]

    def _turn_away(self, line: int, reason: str) -> list[Effect]:
        self._forget(line)
        return [Send(line, Refused(reason)), Close(line)]

    def _forget(self, line: int) -> None:
        self.waiting.forget(line)
        self._play.calls.forget(line)
        self._asked.discard(line)
        seating = self._at.pop(line, None)
        if seating is not None:
            del seating.lines[line]

    def _rematch(self, seating: Seating, line: int) -> list[Effect]:
        """Lead every line of a table that has ended to the next table of its players."""
        if self.hall is None or seating.over is None or seating.lines[line] is None:
            return [Send(line, Refused("no rematch is possible here"))]
        if not self._has_rematch(seating):
            if not self.make_place():
                return [Send(line, Refused("no more tables can be opened here"))]
            seating.next_secrets = self.hall.rematch(seating)
        secrets = seating.next_secrets
        return [Send(one, Seated(secrets[sight])) for one, sight in seating.lines.items()]

    def _has_rematch(self, seating: Seating) -> bool:
        """True if the rematch is there, or will be; it may have failed, or be over and removed."""
        secrets = seating.next_secrets.values()
        return any(one in self._by_secret or self.waiting.expects(one) for one in secrets)


def _announced(error: Exception) -> str:
    """The reason for pages, without the host's paths; the host has a line with them."""
    print(f"a table cannot begin: {reason(error)}", file=sys.stderr, flush=True)
    return for_pages(error)
