"""The room behind the page: lines that take a seat by a secret, and their tables.

Rule 1. A line has no seat until it has sent the secret of a seat, or of watching (`waiting`). One
        seat may have several lines: a second tab, or a page that was reloaded.
Rule 2. Every line receives the steps as its seat sees them. The legal choices are sent to the
        acting seat alone.
Rule 3. Unreadable input closes the line; an impossible request is refused and changes nothing.
Rule 4. A policy acts when `pace` seconds have passed since the last step. A person has unlimited
        time, even without a connected line, unless the table has a clock: when the time of a turn
        is over, the table makes the smallest choice for the seat.
Rule 5. Slow work (a policy's decision, advice, a stored game's page) is a job; other messages are
        handled meanwhile. An answer about a position that has changed is dropped.
Rule 6. A line may sit at a table that is still being prepared: it receives the parts that are
        missing, and the table as soon as there is one. A policy that is not loaded yet holds up
        its own turns only.
Rule 7. A script's line makes one call, with the secret of a seat, and is answered once (`calls`).
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple, Protocol

import msgspec

from catan_env.game.action import Action
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.net.room import Close, Effect, Garbled, Send
from catan_env.web import broadcasts
from catan_env.web.broadcasts import to_all
from catan_env.web.calls import NOT_READY, Call, Calls, answer
from catan_env.web.choices import choice_of
from catan_env.web.messages import (
    Act,
    Advice,
    Answer,
    Ask,
    AtStart,
    Message,
    Offer,
    Preparing,
    Propose,
    Refused,
    Rematch,
    Resume,
    Rewind,
    Seated,
    Sit,
    Undo,
    Weighed,
)
from catan_env.web.seating import Expected, Job, Seating, Start, Then
from catan_env.web.table import Advised, LiveTable, ShownTable, Sight
from catan_env.web.waiting import WaitingLines
from catan_env.web.watch import LOOK_EVERY, WatchedTable

MOST_TABLES = 64
"""The maximum number of tables, with those that wait for people and those that are being laid."""
AGAIN = 5.0
"""Seconds until a decision that failed, or could not be stored, is made again."""


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
    """A `net.room.Room` of up to `most` tables; policies take `pace` seconds for a step.

    `start` begins a job and makes sure that its `Then` is called; by default immediately.
    """

    def __init__(
        self,
        seatings: Collection[Seating] = (),
        pace: float = 0.0,
        reopen: Callable[[str, int, int], tuple[str, Seating]] | None = None,
        most: int = MOST_TABLES,
    ) -> None:
        self.is_over = False
        self.start: Start = self._at_once
        self.start_study: Start = self._at_once
        """Starts a job that nothing waits for."""
        self.start_advice: Start = self._at_once
        """Starts a job that only the person who asks waits for."""
        self.carry_out: Callable[[list[Effect]], object] = lambda effects: None
        """Carries out effects that do not come from a line or the clock."""
        self.hall: Hall | None = None
        """Opens tables for people; None if no table can be opened here."""
        self.waiting = WaitingLines()
        self._pace = pace
        self._reopen = reopen
        self._most = most
        self._seatings: list[Seating] = []
        self._by_secret: dict[str, Seating] = {}
        self._soon: list[Callable[[], list[Effect]]] = []
        """Jobs to begin as soon as the clock runs."""
        self._reopening = 0
        """The number of tables that are being laid from replays."""
        self._at: dict[int, Seating] = {}
        self._asked: set[int] = set()
        """Lines without a seat that wait for their only answer."""
        self._calls = Calls(self._moved_on)
        self._now = 0.0
        for seating in seatings:
            self.add(seating)

    @property
    def deadline(self) -> float | None:
        """When a policy acts, or a line without a seat is closed."""
        if self._soon:
            return self._now
        due = [
            time
            for seating in self._seatings
            for time in (seating.due, _time_out(seating), seating.store_at)
        ]
        due += [self._calls.deadline, self.waiting.deadline]
        return min((time for time in due if time is not None), default=None)

    @property
    def lines(self) -> int:
        """The number of lines."""
        return len(self._at) + len(self.waiting)

    def make_place(self) -> bool:
        """True if another table fits; tables that have ended and are empty make room for it.

        Tables that will be there soon have their place already.
        """
        others = self.waiting.tables + self._reopening
        for seating in list(self._seatings):
            if len(self._seatings) + others < self._most:
                break
            if seating.over is not None and not seating.lines:
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
            seating.due = self._now
        elif seating.table.game.is_over:
            self._soon.append(partial(self._end, seating))
        if seating.to_load:
            self._soon.append(partial(self._load, seating))
        self.carry_out([])  # there may be a new deadline

    def prepare(self, expected: Expected, prepare: Job) -> None:
        """Begin the job that returns an expected table as a `Seating`."""
        self.waiting.expect(expected)
        self._soon.append(lambda: self.start(prepare, partial(self._prepared, expected)))
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
        return [*(Close(line) for line in gone), *self._calls.drop(seating)]

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
        self._now = now
        effects: list[Effect] = []
        soon, self._soon = self._soon, []
        for begin in soon:
            effects += begin()
        for seating in list(self._seatings):
            if seating.due is not None and seating.due <= now:
                effects += self._advance(seating, now)
            elif (over := _time_out(seating)) is not None and over <= now:
                effects += self._decide_for(seating)
            elif seating.store_at is not None and seating.store_at <= now:
                effects += self._end(seating)
        return effects + self._calls.expire(now) + self.waiting.expire(now)

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """A page has sent a message."""
        self._now = now
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
            return self._turn_away(line, "the first message says a secret")
        seat = seating.lines[line]
        if isinstance(message, Rematch):
            return self._rematch(seating, line)
        try:
            if seat is None:
                raise IllegalActionError("spectators do not play")
            return self._play(seating, seat, line, message, now)
        except (IllegalActionError, ValueError) as refusal:
            return [Send(line, Refused(str(refusal)))]

    # Lines

    def _call(self, line: int, call: Call, now: float) -> list[Effect]:
        self._forget(line)
        seating = self._by_secret.get(call.secret)
        if seating is not None:
            effects = self._calls.received(line, call, seating, seating.secrets[call.secret], now)
            self._set_due(seating, now)
            return effects
        if self.waiting.expects(call.secret):
            return self._calls.came_early(line, call, now)
        return answer(line, 401, {"error": self.waiting.reason(call.secret)})

    def _sit(self, line: int, secret: str, now: float) -> list[Effect]:
        seating = self._by_secret.get(secret)
        if seating is None:
            return self._wait(line, secret)
        self._forget(line)
        self._at[line] = seating
        sight = seating.lines[line] = seating.secrets[secret]
        seating.seen.add(sight)
        self._set_due(seating, now)
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
            return self.give_up(expected, str(seating))
        self.waiting.found(expected)
        self.add(seating)
        effects = [effect for line, secret in expected.lines.items()
                   for effect in self._sit(line, secret, now)]  # fmt: skip
        for line, call in self._calls.ready(expected.secrets, now):
            effects += self._call(line, call, now)
        self._set_due(seating, now)
        return effects

    def give_up(self, expected: Expected, reason: str) -> list[Effect]:
        """Turn away the lines and calls of a table that will not be made, now and later."""
        effects = self.waiting.give_up(expected, reason)
        for line, call in self._calls.ready(expected.secrets, self._now):
            effects += self._call(line, call, self._now)
        return effects

    def _load(self, seating: Seating) -> list[Effect]:
        """Load the next part of a table."""
        _, job = seating.to_load[0]
        return self.start(job, partial(self._loaded, seating))

    def _loaded(self, seating: Seating, done: Any, now: float) -> list[Effect]:
        name, _ = seating.to_load.pop(0)
        message: Message = Preparing(seating.missing)
        if isinstance(done, Exception):
            message = Refused(f"{name} cannot be loaded: {type(done).__name__}: {done}")
        effects = to_all(seating, message)
        self._set_due(seating, now)
        return effects + (self._load(seating) if seating.to_load else [])

    def _resume(self, line: int, message: Resume) -> list[Effect]:
        """A table at a stored game's step, and the link to it."""
        if self._reopen is None or not self.make_place():
            return self._turn_away(line, "no further table is laid here")
        self._reopening += 1
        job = partial(self._reopen, message.path, message.step, message.seat)
        return self._answer_once(line, job, self._reopened)

    def _reopened(self, line: int, laid: Any, now: float) -> list[Effect]:
        self._reopening -= 1
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
        return self.start(job, partial(then, line))

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
        self._calls.forget(line)
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
                return [Send(line, Refused("no further table is laid here"))]
            seating.next_secrets = self.hall.rematch(seating)
        secrets = seating.next_secrets
        return [Send(one, Seated(secrets[sight])) for one, sight in seating.lines.items()]

    def _has_rematch(self, seating: Seating) -> bool:
        """True if the rematch is there, or will be; it may have failed, or be over and removed."""
        secrets = seating.next_secrets.values()
        return any(one in self._by_secret or self.waiting.expects(one) for one in secrets)

    # Choices

    def _play(
        self, seating: Seating, seat: int, line: int, message: Any, now: float
    ) -> list[Effect]:
        table = seating.table
        if not isinstance(table, LiveTable):
            raise IllegalActionError("this table is for spectators")
        if message.step != table.step:
            raise IllegalActionError("the table has moved on")
        if isinstance(message, Ask):
            return self._ask(seating, table, seat, line)
        if isinstance(message, Undo):
            table.undo(seat)
            return self._rewound(seating, now)
        if isinstance(message, Propose):
            table.propose(seat, message.give, message.get)
            return broadcasts.new_proposals(seating)
        count = table.step
        if isinstance(message, Answer):
            table.answer(seat, message.number)
        elif isinstance(message, Offer) and message.to == 0:
            table.offer_to_all(seat, message.give, message.get)
        else:
            table.act(seat, _action_of(message))
        return self._moved_on(seating, count, now)

    def _ask(self, seating: Seating, table: LiveTable, seat: int, line: int) -> list[Effect]:
        """Ask the adviser for a seat, which has one open request at a time."""
        request = table.request(seat)
        if seat in seating.asking:
            raise IllegalActionError("the last request for advice is not answered yet")
        seating.asking.add(seat)
        then = partial(self._advised, seating, table, seat, line, table.step)
        return self.start_advice(request, then)

    def _advised(
        self,
        seating: Seating,
        table: LiveTable,
        seat: int,
        line: int,
        step: int,
        advised: Advised | Exception,
        now: float,
    ) -> list[Effect]:
        seating.asking.discard(seat)
        if isinstance(advised, Exception):
            return [Send(line, Refused(f"no advice: {advised}"))]
        assert table.adviser is not None
        if table.step != step:
            return []
        action = choice_of(Action.from_index(advised.choice), table)
        moves = [Weighed(choice_of(Action.from_index(k), table), odds) for k, odds in advised.moves]
        outlook = list(advised.outlook)
        return [Send(line, Advice(step, table.adviser.name, action, moves, outlook))]

    # Time

    def _advance(self, seating: Seating, now: float) -> list[Effect]:
        table = seating.table
        if isinstance(table, WatchedTable):
            return self._look(seating, table, now)
        assert isinstance(table, LiveTable)
        seating.due, seating.is_busy = None, True
        then = partial(self._answered, seating, table, table.game, table.step)
        return self.start(table.question(), then)

    def _decide_for(self, seating: Seating) -> list[Effect]:
        """Make the choice of a person whose time is over."""
        table = seating.table
        assert isinstance(table, LiveTable)
        seating.is_busy = True
        then = partial(self._answered, seating, table, table.game, table.step)
        return self.start(table.substitute(), then)

    def _look(self, seating: Seating, table: WatchedTable, now: float) -> list[Effect]:
        count = table.step
        table.look(now)
        seating.due = None if table.is_settled else now + LOOK_EVERY
        if table.step > count or table.is_settled:
            return self._moved_on(seating, count, now)
        return []

    def _answered(
        self, seating: Seating, table: LiveTable, game: Any, step: int, answer: Any, now: float
    ) -> list[Effect]:
        """A policy has decided; ignored if the position has changed meanwhile."""
        seating.is_busy = False
        if table.game is not game or table.step != step:
            self._set_due(seating, now)
            return []
        try:
            if isinstance(answer, Exception):
                raise IllegalActionError(f"{type(answer).__name__}: {answer}")
            table.decided(answer)
        except IllegalActionError as refusal:
            return self._stop(seating, refusal, now)
        seating.stopped = ""
        return self._moved_on(seating, step, now) + broadcasts.failure(seating, answer.failure)

    def _stop(self, seating: Seating, refusal: IllegalActionError, now: float) -> list[Effect]:
        """Let the table decide again later if its disk is full; the lines hear each reason once."""
        seating.again = now + AGAIN
        if isinstance(refusal.__cause__, OSError):
            self._set_due(seating, now)
        return broadcasts.stop(seating, f"the game stops: {refusal}")

    def _moved_on(self, seating: Seating, count: int, now: float) -> list[Effect]:
        """The messages about the steps after the first `count` to everybody at the table."""
        effects = broadcasts.new_steps(seating, count)
        self._set_due(seating, now)
        effects += broadcasts.new_proposals(seating) + broadcasts.invitations(seating, now)
        return effects + self._end(seating) + self._calls.wake(seating)

    def _rewound(self, seating: Seating, now: float) -> list[Effect]:
        effects = to_all(seating, Rewind(seating.table.step))
        self._set_due(seating, now)
        effects += broadcasts.new_proposals(seating) + broadcasts.invitations(seating, now)
        return effects + self._calls.wake(seating)

    def _end(self, seating: Seating) -> list[Effect]:
        """Store a game that has ended; again later if its disk is full."""
        table = seating.table
        ended = table.game.is_over or (isinstance(table, WatchedTable) and table.is_settled)
        if not ended or seating.keep is None or seating.over is not None or seating.is_busy:
            return []
        seating.is_busy, seating.store_at = True, None
        return self.start(partial(seating.keep, table), partial(self._kept, seating))

    def _kept(self, seating: Seating, over: Any, now: float) -> list[Effect]:
        seating.is_busy = False
        if isinstance(over, Exception):
            seating.store_at = now + AGAIN if isinstance(over, OSError) else None
            return broadcasts.stop(seating, f"the game is not stored: {over}")
        over = seating.over = msgspec.structs.replace(over, again=self.hall is not None)
        effects = to_all(seating, over)
        if seating.study is not None:
            job = partial(seating.study, table := seating.table)
            effects += self.start_study(job, partial(self._studied, seating, table))
        return effects

    def _studied(self, seating: Seating, table: ShownTable, found: Any, now: float) -> list[Effect]:
        """The judge's opinion to every line that saw each step of it."""
        if isinstance(found, Exception) or len(found.data["odds"]) != table.step:
            return []
        seating.judged = found
        return to_all(seating, found)

    def _set_due(self, seating: Seating, now: float) -> None:
        table = seating.table
        if not isinstance(table, LiveTable):
            return
        if seating.clock is not None:
            game = table.game
            is_running = game.seat in seating.seen and not game.is_over
            seating.clock.follow(_turn_of(game), game.seat if is_running else None, now)
        if not table.waits_for_policy or seating.is_busy or not table.is_policy_ready:
            seating.due = None
        elif seating.due is None or seating.due <= now:
            pace = self._pace if seating.pace is None else seating.pace
            seating.due = max(now + pace, seating.again)

    def _at_once(self, job: Job, then: Then) -> list[Effect]:
        """Do a job while everything else waits."""
        try:
            result = job()
        except (IllegalActionError, ValueError, OSError) as error:
            return then(error, self._now)
        return then(result, self._now)


def _time_out(seating: Seating) -> float | None:
    """When the table chooses for the acting person; None if it does not."""
    if seating.clock is None or seating.is_busy or seating.clock.due is None:
        return None
    return max(seating.clock.due, seating.again)


def _turn_of(game: Game) -> int:
    """The number of the turn; in the set-up a negative one for each visit of a seat."""
    return game.turn or sum(len(game.roads(seat)) for seat in range(game.seats)) - 2 * game.seats


def _action_of(message: Act | Offer) -> Action | int:
    if isinstance(message, Act):
        return message.index
    return Action.offer(message.to, message.give, message.get)
