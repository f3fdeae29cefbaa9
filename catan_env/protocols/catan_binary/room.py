"""The server's side of PROTO.md as a state machine, in the terms of its Server Flow.

It decides which seat is awaited, which is out of time and which is kicked; the `Dealer` applies
messages to the game. Points that the text leaves open follow docs/protocol.md; the numbers of its
rules are given at the methods that implement them.
"""

from collections import deque
from collections.abc import Collection

from catan_env.core.constants import Phase
from catan_env.game.game import Game
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.room import Close, Effect, Removal
from catan_env.protocols.catan_binary.clock import Clock
from catan_env.protocols.catan_binary.dealer import Dealer
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    End,
    Kick,
    Message,
    Pass,
    TradeAccept,
    TradeReject,
    Turn,
    name_of,
)
from catan_env.protocols.catan_binary.offers import in_our_order
from catan_env.protocols.catan_binary.opening import Settings, begin_message, setup_message
from catan_env.protocols.catan_binary.seats import Seats
from catan_env.protocols.catan_binary.states import TRANSITIONS, State

MOST_UNANSWERED = 2
"""Offers that may time out before a seat counts as mute and gets no more offers (14)."""

MOST_HELD = 64
"""Messages that a seat may send ahead while its own offer waits for an answer."""

MOST_DROPPED = 1000
"""Messages of one seat that may be dropped between two of its turns."""


class CatanRoom:
    """One game's conversation; a `net.room.Room`.

    `game` is at its first turn, under `Rules.tournament()`. Messages of kicked seats are dropped.
    """

    def __init__(self, game: Game, settings: Settings) -> None:
        game.rules.check_wire("the binary protocol")
        self.settings = settings
        self.state = State.INIT
        self.removals: list[Removal] = []
        self.decision_times: list[list[float]] = [[] for _ in range(game.seats)]
        """By seat: the seconds that each awaited message took."""
        self.timeouts = [0] * game.seats
        """By seat: the number of time-outs."""
        self.winner: int | None = None
        self._seats = Seats(game.seats)
        self._dealer = Dealer(game, self._seats, settings.announced)
        self._clock = Clock(settings.timeout_secs)
        self._late: set[int] = set()
        """Seats whose turn was ended for them, until their next turn."""
        self._may_lag: int | None = None
        """The seat on turn, if its last turn was ended for it: it may not know that yet."""
        self._unanswered = [0] * game.seats
        self._dropped = [0] * game.seats
        self._held: deque[Message] = deque()
        self._go(State.ACCEPT)

    @property
    def game(self) -> Game:
        """The game being played."""
        return self._dealer.game

    @property
    def is_over(self) -> bool:
        """True if MSG_END has been sent."""
        return self.state is State.DEINIT

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due."""
        return self._clock.deadline

    @property
    def awaited(self) -> int:
        """The seat whose message the server receives next."""
        return self.game.seat

    def hears(self, line: int) -> bool:
        """True if messages of `line` can matter now."""
        seat = self._seats.of(line)
        return seat is not None and self.state is not State.ACCEPT and self._seats.plays(seat)

    def reserve(self, line: int, seat: int) -> None:
        """Make `line` the agent of `seat`; other lines get the lowest free seat when they open."""
        self._seats.reserve(line, seat)

    def opened(self, line: int, now: float) -> list[Effect]:
        """Give a new agent its seat, or turn it away."""
        if self.state is not State.ACCEPT or not self._seats.take(line):
            return [Close(line)]
        self._begin_when_all_are_there(now)
        return self._seats.flush()

    def received(self, line: int, message: Message, now: float) -> list[Effect]:
        """Handle a message of `line`."""
        seat = self._seats.of(line)
        if seat is not None and self.hears(line):
            self._receive(seat, message, now)
        return self._seats.flush()

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """Handle the end of an agent's connection."""
        seat = self._seats.of(line)
        return [] if seat is None else self.leave(seat, reason, now)

    def leave(self, seat: int, reason: str, now: float) -> list[Effect]:
        """Give up on the agent of `seat`, which will not play, or not continue (21)."""
        if self.state is State.ACCEPT:
            self._seats.present.discard(seat)
            self._seats.doomed.setdefault(seat, reason)
            self._begin_when_all_are_there(now)
        elif self.state is State.TURN and self._seats.plays(seat):
            self._remove(seat, reason, now)
        return self._seats.flush()

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Handle the passing of time; `amid_message`: lines with an incomplete message (14, 17)."""
        if self.deadline is None or now < self.deadline:
            return []
        seat = self.game.turn_seat
        self.timeouts[seat] += self.game.phase != Phase.ANSWER
        if self.game.phase == Phase.ANSWER:
            self._let_offer_run_out(now)
        elif self.game.phase == Phase.ROBBER:
            self._kick(seat, f"timed out after {self.settings.timeout_secs} s owing MSG_ROB", now)
        elif self._seats.line_of(seat) in amid_message:
            self._kick(
                seat,
                f"timed out after {self.settings.timeout_secs} s in the middle of a message",
                now,
            )
        else:
            self._late.add(seat)
            self._dealer.settle_choice()
            self.game.time_out()
            self._pass(now)
        return self._seats.flush()

    def _let_offer_run_out(self, now: float) -> None:
        """Reject for the target; one that never answers is mute (14)."""
        target = self.awaited
        self.timeouts[target] += 1
        self._unanswered[target] += 1
        self._dealer.answer(TradeReject(target, self.game.turn_seat))
        self._run_on(now)

    def _begin_when_all_are_there(self, now: float) -> None:
        """Begin once every agent has connected or will not come."""
        if self._seats.are_all_settled:
            self._begin(now)

    def _begin(self, now: float) -> None:
        """Send MSG_BEGIN and MSG_SETUP to all, kicks of the absent, the first MSG_TURN (1, 21)."""
        self._go(State.BEGIN)
        setup = setup_message(self.game)
        for seat in sorted(self._seats.present):
            self._seats.send(seat, begin_message(self.game, seat, self.settings))
            self._seats.send(seat, setup)
        if self._seats.present:
            self._begin_turn(now)
        else:
            absent = sorted(self._seats.doomed.items())
            self.removals += [Removal(seat, self.game.turn, reason) for seat, reason in absent]
            self._end(None)

    def _receive(self, seat: int, message: Message, now: float) -> None:
        if self.state is not State.TURN:
            return
        message = in_our_order(message, seat)  # 14
        self._unanswered[seat] = 0
        if seat in self._late and not self._is_answer(seat, message):  # 17
            self._drop(seat, now)
            return
        said_by = getattr(message, "player_id", seat)
        if said_by != seat:  # 15
            self._remove(seat, f"{name_of(message)} says it is from seat {said_by}", now)
        elif _answers(message) and not self._is_answer(seat, message):  # 6
            self._drop(seat, now)
        elif seat == self.awaited == self._may_lag and type(message) not in self._dealer.expected:
            self._drop(seat, now)  # 17
        elif seat == self.awaited:
            self._hear(message, now)
        elif seat == self.game.turn_seat:
            self._hold(message, now)
        else:  # 17
            awaited = f"seat {self.awaited} is awaited"
            self._remove(seat, f"{name_of(message)} out of turn: {awaited}", now)

    def _hear(self, message: Message, now: float) -> None:
        """Handle one message of the awaited seat."""
        seat = self.awaited
        self.decision_times[seat].append(self._clock.lap(now))
        try:
            self._dealer.hear(message)
        except (RemoteProtocolError, ValueError) as error:
            self._kick(seat, str(error), now)
        else:
            self._go_on(message, now)

    def _go_on(self, message: Message, now: float) -> None:
        """Await the next seat after the message."""
        if isinstance(message, Pass):
            self._pass(now)
        elif _answers(message):
            self._run_on(now)
        elif self.game.phase == Phase.ANSWER:
            self._await_answer(now)

    def _await_answer(self, now: float) -> None:
        """Give an offer's target its own clock, if the server waits for it (14, 19)."""
        target = self.awaited
        if self._waits_no_more_for(target) or not self._seats.plays(target):
            self._dealer.answer(TradeReject(target, self.game.turn_seat))
        else:
            self._clock.wait_for_answer(now)

    def _hold(self, message: Message, now: float) -> None:
        """Hold a message that the seat on turn sends ahead while its offer's target thinks."""
        self._held.append(message)
        if len(self._held) > MOST_HELD:
            self._kick(self.game.turn_seat, f"sent {MOST_HELD} messages ahead", now)

    def _drop(self, seat: int, now: float) -> None:
        """Drop a message that is not awaited, up to a limit."""
        self._dropped[seat] += 1
        if self._dropped[seat] > MOST_DROPPED:
            self._remove(seat, f"sent {MOST_DROPPED} unexpected messages", now)

    def _waits_no_more_for(self, target: int) -> bool:
        """True if an offer is rejected immediately, so that offers cannot hold up a table (14)."""
        return self._unanswered[target] >= MOST_UNANSWERED or self._clock.has_waited_enough

    def _run_on(self, now: float) -> None:
        """Resume the proposer's clock, and handle the messages it sent ahead."""
        self._clock.go_on(now)
        seat, turn = self.game.turn_seat, self.game.turn
        while self._held and (self.awaited, self.game.turn) == (seat, turn) and not self.is_over:
            self._hear(self._held.popleft(), now)

    def _pass(self, now: float) -> None:
        """Handle PASS: victory is checked only here (20)."""
        self._go(State.PASS)
        self._begin_turn(now)

    def _remove(self, seat: int, reason: str, now: float) -> None:
        """Kick `seat` now if the game waits for it, otherwise at the end of the turn (19)."""
        if seat in (self.game.turn_seat, self.awaited):
            self._kick(seat, reason, now)
        else:
            self._seats.doomed[seat] = reason

    def _kick(self, seat: int, reason: str, now: float) -> None:
        """Send KICK, then, literally, TURN: even the turn of another seat ends."""
        proposer = self.game.turn_seat
        if seat != proposer:
            self._late.add(proposer)
        elif self.game.phase == Phase.ANSWER:
            self._dealer.answer(TradeReject(self.awaited, seat))
        else:
            self._dealer.settle_choice()
        self._expel(seat, reason)
        self._begin_turn(now)

    def _expel(self, seat: int, reason: str) -> None:
        self._go(State.KICK)
        self.removals.append(Removal(seat, self.game.turn, reason))
        self._seats.remove(seat)
        self._seats.send_all(Kick(seat))
        self.game.leave(seat)

    def _begin_turn(self, now: float) -> None:
        """Send TURN of the next seat, after the kicks that waited for it; or END."""
        for seat in sorted(self._seats.doomed):
            if not self.game.is_over:
                self._expel(seat, self._seats.doomed[seat])
        if self.game.is_over:
            self._end(self.game.winner)
        elif 0 < self.settings.max_turns < self.game.turn:
            self._end(None)
        else:
            self._go(State.TURN)
            self._may_lag = self.game.turn_seat if self.game.turn_seat in self._late else None
            self._late.discard(self.game.turn_seat)
            self._held.clear()
            self._dropped[self.game.turn_seat] = 0
            self._clock.start(now)
            self._seats.send_all(Turn(self.game.turn_seat))

    def _end(self, winner: int | None) -> None:
        """Send MSG_END to all agents; then DEINIT closes their connections."""
        self._go(State.END)
        self.winner = winner
        self._clock.stop()
        self._seats.send_all(End(NO_SEAT if winner is None else winner))
        self._go(State.DEINIT)
        self._seats.close_all()

    def _go(self, state: State) -> None:
        assert state in TRANSITIONS[self.state], f"{self.state} does not lead to {state}"
        self.state = state

    def _is_answer(self, seat: int, message: Message) -> bool:
        """True if this is the awaited answer."""
        if self.game.phase != Phase.ANSWER or seat != self.awaited:
            return False
        return (
            isinstance(message, TradeAccept | TradeReject)
            and message.target_id == self.game.turn_seat
        )


def _answers(message: Message) -> bool:
    return isinstance(message, TradeAccept | TradeReject)
