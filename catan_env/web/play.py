"""The games at a room's tables: choices, policies' turns, advice, and what follows the end.

Rule 1. A policy acts when `pace` seconds have passed since the last step. A person has unlimited
        time, even without a connected line, unless the table has a clock: when the time of a turn
        is over, the table makes the smallest choice for the seat.
Rule 2. An impossible request is refused and changes nothing.
Rule 3. An answer of a job about a position that has changed is dropped.
Rule 4. What a full disk prevents is tried again: a decision, the storing of a game.
"""

import sys
from functools import partial
from typing import Any, NamedTuple

import msgspec

from catan_env.extras import reason
from catan_env.game.action import Action
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.net.room import Effect, Send
from catan_env.web import broadcasts
from catan_env.web.advisers import Advised
from catan_env.web.broadcasts import to_all
from catan_env.web.calls import Calls
from catan_env.web.choices import choice_of
from catan_env.web.jobs import Jobs
from catan_env.web.journal import for_pages
from catan_env.web.messages import (
    Act,
    Advice,
    Answer,
    Ask,
    Offer,
    Propose,
    Refused,
    Rewind,
    Undo,
    Weighed,
)
from catan_env.web.seating import Seating
from catan_env.web.shown_table import ShownTable
from catan_env.web.table import LiveTable
from catan_env.web.watch import LOOK_EVERY, WatchedTable

AGAIN = 5.0
"""Seconds until a decision that failed, or could not be stored, is made again."""


class Asked(NamedTuple):
    """A seat's request for advice."""

    seating: Seating
    table: LiveTable
    seat: int
    line: int
    game: Game
    step: int


class Play:
    """Plays the games at the tables of a room; policies take `pace` seconds for a step."""

    def __init__(self, jobs: Jobs, pace: float) -> None:
        self.calls = Calls(self.moved_on)
        """The calls of scripts, which may wait for a step."""
        self.has_rematches = False
        """True if the players of a table that has ended may open another one."""
        self._jobs = jobs
        self._pace = pace

    def deadline(self, seating: Seating) -> float | None:
        """When the table needs `time`; None while only its people can continue."""
        due = (seating.due, _time_out(seating), seating.store_at)
        return min((time for time in due if time is not None), default=None)

    def time(self, seating: Seating, now: float) -> list[Effect]:
        """Do what is due at a table."""
        if seating.due is not None and seating.due <= now:
            return self._advance(seating, now)
        if (over := _time_out(seating)) is not None and over <= now:
            return self._decide_for(seating)
        if seating.store_at is not None and seating.store_at <= now:
            return self.end(seating)
        return []

    def received(self, seating: Seating, line: int, message: Any, now: float) -> list[Effect]:
        """A page has sent a message about the game."""
        try:
            return self._choose(seating, line, message, now)
        except (IllegalActionError, ValueError) as refusal:
            return [Send(line, Refused(str(refusal)))]

    def moved_on(self, seating: Seating, count: int, now: float) -> list[Effect]:
        """The messages about the steps after the first `count` to everybody at the table."""
        effects = broadcasts.new_steps(seating, count)
        self.set_due(seating, now)
        effects += broadcasts.new_proposals(seating) + broadcasts.invitations(seating, now)
        return effects + self.end(seating) + self.calls.wake(seating)

    def set_due(self, seating: Seating, now: float) -> None:
        """Determine when the table continues by itself."""
        table = seating.table
        if not isinstance(table, LiveTable):
            return
        if seating.clock is not None:
            game = table.game
            is_running = game.seat in seating.seen and not game.is_over
            seating.clock.follow(_turn_of(game), game.seat if is_running else None, now)
        if not table.waits_for_policy or seating.is_busy or not table.is_policy_ready:
            seating.due = None
        elif seating.due is None:  # others that come meanwhile do not delay it
            pace = self._pace if seating.pace is None else seating.pace
            seating.due = max(now + pace, seating.again)

    def end(self, seating: Seating) -> list[Effect]:
        """Store a game that has ended; again later if its disk is full."""
        table = seating.table
        ended = table.game.is_over or (isinstance(table, WatchedTable) and table.is_settled)
        if not ended or seating.keep is None or seating.over is not None or seating.is_busy:
            return []
        seating.is_busy, seating.store_at = True, None
        return self._jobs.start(partial(seating.keep, table), partial(self._kept, seating))

    def _choose(self, seating: Seating, line: int, message: Any, now: float) -> list[Effect]:
        table, seat = seating.table, seating.lines[line]
        if seat is None:
            raise IllegalActionError("spectators do not play")
        if not isinstance(table, LiveTable):
            raise IllegalActionError("this table is for spectators")
        if message.step != table.step:
            if isinstance(message, Answer) and message.number < 0:
                return []  # what it declines is no longer offered
            raise IllegalActionError("the table has moved on")
        if isinstance(message, Ask):
            return self._ask(seating, table, seat, line)
        if isinstance(message, Undo):
            table.undo(seat)
            return self._rewound(seating, now)
        if isinstance(message, Propose):
            table.propose(seat, message.give, message.get)
            return broadcasts.new_proposals(seating)
        try:
            _play(table, seat, message)
        except IllegalActionError as refusal:
            if table.step == message.step:
                raise
            moved = self.moved_on(seating, message.step, now)  # the steps before it were played
            return [*moved, Send(line, Refused(str(refusal)))]
        return self.moved_on(seating, message.step, now)

    def _ask(self, seating: Seating, table: LiveTable, seat: int, line: int) -> list[Effect]:
        """Ask the adviser for a seat, which has one open request at a time."""
        request = table.request(seat)
        if seat in seating.asking:
            raise IllegalActionError("the last request for advice is not answered yet")
        seating.asking.add(seat)
        then = partial(self._advised, Asked(seating, table, seat, line, table.game, table.step))
        return self._jobs.start_advice(request, then)

    def _advised(self, asked: Asked, advised: Advised | Exception, now: float) -> list[Effect]:
        seating, table, seat, line, game, step = asked
        seating.asking.discard(seat)
        if isinstance(advised, Exception):
            return [Send(line, Refused(f"no advice: {advised}"))]
        assert table.adviser is not None
        if table.game is not game or table.step != step:
            return []
        action = choice_of(Action.from_index(advised.choice), table)
        moves = [Weighed(choice_of(Action.from_index(k), table), odds) for k, odds in advised.moves]
        outlook = list(advised.outlook)
        return [Send(line, Advice(step, table.adviser.name, action, moves, outlook))]

    def _rewound(self, seating: Seating, now: float) -> list[Effect]:
        effects = to_all(seating, Rewind(seating.table.step))
        self.set_due(seating, now)
        effects += broadcasts.new_proposals(seating) + broadcasts.invitations(seating, now)
        return effects + self.calls.wake(seating)

    def _advance(self, seating: Seating, now: float) -> list[Effect]:
        table = seating.table
        if isinstance(table, WatchedTable):
            return self._look(seating, table, now)
        assert isinstance(table, LiveTable)
        seating.due, seating.is_busy = None, True
        then = partial(self._answered, seating, table, table.game, table.step)
        return self._jobs.start(table.question(), then)

    def _decide_for(self, seating: Seating) -> list[Effect]:
        """Make the choice of a person whose time is over."""
        table = seating.table
        assert isinstance(table, LiveTable)
        seating.is_busy = True
        then = partial(self._answered, seating, table, table.game, table.step)
        return self._jobs.start(table.substitute(), then)

    def _look(self, seating: Seating, table: WatchedTable, now: float) -> list[Effect]:
        count = table.step
        table.look(now)
        seating.due = None if table.is_settled else now + LOOK_EVERY
        if table.step > count or table.is_settled:
            return self.moved_on(seating, count, now)
        return []

    def _answered(
        self, seating: Seating, table: LiveTable, game: Any, step: int, answer: Any, now: float
    ) -> list[Effect]:
        """A policy has decided; ignored if the position has changed meanwhile."""
        seating.is_busy = False
        if table.game is not game or table.step != step:
            self.set_due(seating, now)
            return self.end(seating)
        try:
            if isinstance(answer, Exception):
                raise IllegalActionError(f"{type(answer).__name__}: {answer}")
            table.decided(answer)
        except IllegalActionError as refusal:
            return self._stop(seating, refusal, now)
        seating.stopped = ""
        return self.moved_on(seating, step, now) + broadcasts.failure(seating, answer.failure)

    def _stop(self, seating: Seating, refusal: IllegalActionError, now: float) -> list[Effect]:
        """Let the table decide again later if its disk is full; the lines hear each reason once."""
        seating.again = now + AGAIN
        if isinstance(refusal.__cause__, OSError):
            self.set_due(seating, now)
        return broadcasts.stop(seating, f"the game stops: {refusal}")

    def _kept(self, seating: Seating, over: Any, now: float) -> list[Effect]:
        seating.is_busy = False
        if isinstance(over, Exception):
            return self._unstored(seating, over, now)
        over = seating.over = msgspec.structs.replace(over, again=self.has_rematches)
        effects = to_all(seating, over)
        if seating.study is not None:
            job = partial(seating.study, table := seating.table)
            effects += self._jobs.start_study(job, partial(self._studied, seating, table))
        return effects

    def _unstored(self, seating: Seating, error: Exception, now: float) -> list[Effect]:
        """Store the game later if its disk is full; lines, and the host, read each reason once."""
        seating.store_at = now + AGAIN if isinstance(error, OSError) else None
        refusal = f"the game is not stored: {for_pages(error)}"
        if seating.stopped != refusal:
            print(f"the game is not stored: {reason(error)}", file=sys.stderr, flush=True)
        return broadcasts.stop(seating, refusal)

    def _studied(self, seating: Seating, table: ShownTable, found: Any, now: float) -> list[Effect]:
        """The judge's opinion to every line that saw each step of it."""
        if isinstance(found, Exception) or len(found.data["odds"]) != table.step:
            return []
        seating.judged = found
        return to_all(seating, found)


def _time_out(seating: Seating) -> float | None:
    """When the table chooses for the acting person; None if it does not."""
    if seating.clock is None or seating.is_busy or seating.clock.due is None:
        return None
    return max(seating.clock.due, seating.again)


def _turn_of(game: Game) -> int:
    """The number of the turn; in the set-up a negative one for each visit of a seat."""
    return game.turn or sum(len(game.roads(seat)) for seat in range(game.seats)) - 2 * game.seats


def _play(table: LiveTable, seat: int, message: Act | Answer | Offer) -> None:
    """Play a page's choice; an IllegalActionError may come after a part of an answer."""
    if isinstance(message, Answer):
        table.answer(seat, message.number)
    elif isinstance(message, Offer) and message.to == 0:
        table.offer_to_all(seat, message.give, message.get)
    else:
        table.act(seat, _action_of(message))


def _action_of(message: Act | Offer) -> Action | int:
    if isinstance(message, Act):
        return message.index
    return Action.offer(message.to, message.give, message.get)
