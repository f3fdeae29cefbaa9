"""The server's side of PROTO.md as a state machine, in the words of its Server Flow.

It decides nothing about Catan: `game` does. What the text leaves open follows docs/protocol.md;
the numbers of its rules stand at the methods that keep them.
"""

from collections import deque
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from catan_env.core.constants import DevelopmentCard, Phase, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.room import Close, Effect
from catan_env.protocols.catan_binary import announcements
from catan_env.protocols.catan_binary.choices import (
    Cards,
    as_pair,
    cards_owed,
    is_choice,
    monopolised,
    most_held,
    scarcest,
    taken_with,
)
from catan_env.protocols.catan_binary.clock import Clock
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    Build,
    BuildResult,
    Card,
    End,
    Kick,
    Message,
    Pass,
    Play,
    Rob,
    RobResult,
    Roll,
    RollResult,
    Trade,
    TradeAccept,
    TradeReject,
    Turn,
    name_of,
)
from catan_env.protocols.catan_binary.opening import Settings, begin_message, setup_message
from catan_env.protocols.catan_binary.pending import Choice
from catan_env.protocols.catan_binary.places import (
    to_card,
    to_dev_card,
    to_development_card,
    to_resource,
)
from catan_env.protocols.catan_binary.seats import Seats
from catan_env.protocols.catan_binary.speech import is_with_bank, to_actions
from catan_env.protocols.catan_binary.states import EXPECTED, TRANSITIONS, State


class Kicked(NamedTuple):
    """A seat that was removed: in which turn, and why."""

    seat: int
    turn: int
    reason: str


LEAVES_CHOICE = (DevelopmentCard.YEAR_OF_PLENTY, DevelopmentCard.MONOPOLY)

MOST_UNANSWERED = 2
"""Offers that may run out before a seat counts as mute and is asked no more (14)."""

MOST_HELD = 64
"""Messages that a seat may send ahead while its own offer waits for an answer."""

MOST_DROPPED = 1000
"""Messages of one seat that are dropped between two of its turns."""

NOT_PLAYABLE = "it may not be played now: one a turn, not on the turn it was bought"


class CatanRoom:
    """One game's conversation; a `net.room.Room`.

    `game` stands at its first turn, under `Rules.tournament()`. Messages of seats that have been
    kicked are dropped.
    """

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game = game
        self.settings = settings
        self.state = State.INIT
        self.kicks: list[Kicked] = []
        self.decision_times: list[list[float]] = [[] for _ in range(game.seats)]
        """By seat: how many seconds each awaited message took."""
        self.timeouts = [0] * game.seats
        """By seat: how often its time ran out."""
        self.winner: int | None = None
        self._seats = Seats(game.seats)
        self._clock = Clock(settings.timeout_secs)
        self._choice: Choice | None = None
        self._late: set[int] = set()
        self._unanswered = [0] * game.seats
        self._dropped = [0] * game.seats
        self._held: deque[Message] = deque()
        self._go(State.ACCEPT)

    @property
    def is_over(self) -> bool:
        """Whether MSG_END has been sent."""
        return self.state is State.DEINIT

    @property
    def deadline(self) -> float | None:
        """When `time` is due."""
        return self._clock.deadline

    @property
    def awaited(self) -> int:
        """The seat whose message the server receives next."""
        return self.game.seat

    @property
    def expected(self) -> tuple[type, ...]:
        """What it may send."""
        expected = EXPECTED[self.game.phase]
        if self._choice is not None and Trade not in expected:
            expected += (Trade,)
        if self.game.phase == Phase.ROLL and self.game.free_roads:
            expected += (Build,)
        return expected

    def hears(self, line: int) -> bool:
        """Whether what `line` sends can matter now."""
        seat = self._seats.of(line)
        return seat is not None and self.state is not State.ACCEPT and self._seats.plays(seat)

    def reserve(self, line: int, seat: int) -> None:
        """`line` is the agent of `seat`; others get the lowest seat that is free when they open."""
        self._seats.reserve(line, seat)

    def opened(self, line: int, now: float) -> list[Effect]:
        """An agent has connected: it has a seat, or is turned away."""
        if self.state is not State.ACCEPT or not self._seats.take(line):
            return [Close(line)]
        self._begin_when_all_are_there(now)
        return self._seats.flush()

    def received(self, line: int, message: Message, now: float) -> list[Effect]:
        """`line` has sent a message."""
        seat = self._seats.of(line)
        if seat is not None and self.hears(line):
            self._receive(seat, message, now)
        return self._seats.flush()

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """An agent's connection is gone."""
        seat = self._seats.of(line)
        return [] if seat is None else self.leave(seat, reason, now)

    def leave(self, seat: int, reason: str, now: float) -> list[Effect]:
        """The agent of `seat` will not play, or not play on (21)."""
        if self.state is State.ACCEPT:
            self._seats.present.discard(seat)
            self._seats.doomed[seat] = reason
            self._begin_when_all_are_there(now)
        elif self.state is State.TURN and self._seats.plays(seat):
            self._remove(seat, reason, now)
        return self._seats.flush()

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Time has passed; `amid_message` are lines that have sent half a message (14, 17)."""
        if self.state is not State.TURN or self.deadline is None or now < self.deadline:
            return []
        seat = self.game.turn_seat
        self.timeouts[seat] += self.game.phase != Phase.ANSWER
        if self.game.phase == Phase.ANSWER:
            self._let_offer_run_out(now)
        elif self.game.phase == Phase.ROBBER:
            self._kick(seat, f"timed out after {self.settings.timeout_secs} s owing MSG_ROB", now)
        elif self._seats.line_of(seat) in amid_message:
            self._kick(seat, f"timed out after {self.settings.timeout_secs} s amid a message", now)
        else:
            self._late.add(seat)
            self._settle_choice()
            self.game.time_out()
            self._pass(now)
        return self._seats.flush()

    def _let_offer_run_out(self, now: float) -> None:
        """The target has rejected; one that never answers is mute (14)."""
        target = self.awaited
        self.timeouts[target] += 1
        self._unanswered[target] += 1
        self._answer(TradeReject(target, self.game.turn_seat))
        self._run_on(now)

    def _begin_when_all_are_there(self, now: float) -> None:
        """Once every agent has connected or will not come."""
        if self._seats.are_all_settled:
            self._begin(now)

    def _begin(self, now: float) -> None:
        """MSG_BEGIN and MSG_SETUP to everyone, kicks of the absent, the first MSG_TURN (1, 21)."""
        self._go(State.BEGIN)
        setup = setup_message(self.game)
        for seat in sorted(self._seats.present):
            self._seats.send(seat, begin_message(self.game, seat, self.settings))
            self._seats.send(seat, setup)
        if self._seats.present:
            self._begin_turn(now)
        else:
            absent = sorted(self._seats.doomed.items())
            self.kicks += [Kicked(seat, self.game.turn, reason) for seat, reason in absent]
            self._end(None)

    def _receive(self, seat: int, message: Message, now: float) -> None:
        if self.state is not State.TURN:
            return
        self._unanswered[seat] = 0
        if seat in self._late and not self._is_answer(seat, message):  # 17
            self._drop(seat, now)
            return
        said_by = getattr(message, "player_id", seat)
        if said_by != seat:  # 15
            self._remove(seat, f"{name_of(message)} says it is from seat {said_by}", now)
        elif _answers(message) and not self._is_answer(seat, message):  # 6
            self._drop(seat, now)
        elif seat == self.awaited:
            self._hear(message, now)
        elif seat == self.game.turn_seat:
            self._hold(message, now)
        else:  # 17
            awaited = f"seat {self.awaited} is awaited"
            self._remove(seat, f"{name_of(message)} out of turn: {awaited}", now)

    def _hear(self, message: Message, now: float) -> None:
        """One message of the awaited seat."""
        seat = self.awaited
        self.decision_times[seat].append(self._clock.lap(now))
        try:
            if not is_choice(message):
                self._settle_choice()
            if type(message) not in self.expected:
                names = ", ".join(map(name_of, self.expected))
                raise RemoteProtocolError(f"{name_of(message)}; expected are {names}")
            _HEARD[type(message)](self, message, now)
        except (RemoteProtocolError, ValueError) as error:
            self._kick(seat, str(error), now)

    def _hold(self, message: Message, now: float) -> None:
        """The seat on turn sends ahead while the target of its offer thinks."""
        self._held.append(message)
        if len(self._held) > MOST_HELD:
            self._kick(self.game.turn_seat, f"sent {MOST_HELD} messages ahead", now)

    def _drop(self, seat: int, now: float) -> None:
        """A message that nobody awaits, one of not too many."""
        self._dropped[seat] += 1
        if self._dropped[seat] > MOST_DROPPED:
            self._remove(seat, f"sent {MOST_DROPPED} messages that nobody awaited", now)

    def _roll(self, message: Roll, now: float) -> None:
        before = len(self.game.events)
        event = self._act(message)
        self._tell(RollResult(sum(event.outcome)))
        self._announce(announcements.of_discards(self.game.events[before + 1 :]))  # 7

    def _play(self, message: Play, now: float) -> None:
        card = to_development_card(message.card)
        if card in LEAVES_CHOICE:
            self._owe_choice(card)
        else:
            self._act(message)
        self._relay(message)

    def _act(self, message: Message) -> Event:
        """Do what a message says that is one action."""
        (action,) = to_actions(self.game, message)
        return self.game.play(action)

    def _owe_choice(self, card: DevelopmentCard) -> None:
        """The card is on the table; what it takes comes next (11)."""
        kind = ActionKind[f"PLAY_{card.name}"]
        if all(action.kind != kind for action in self.game.legal_actions):
            raise RemoteProtocolError(f"MSG_PLAY of {card.name}: {NOT_PLAYABLE}")
        self._choice = Choice(card)

    def _build(self, message: Build, now: float) -> None:
        event = self._act(message)
        self._relay(message)
        card = None if event.outcome is None else to_dev_card(event.outcome)
        self._seats.send(event.seat, BuildResult(message.type, card))  # 16

    def _trade(self, message: Trade, now: float) -> None:
        if not is_with_bank(message):
            self._offer(message, now)
        elif is_choice(message):
            self._choose(message)
        else:
            self._trade_with_bank(message)

    def _offer(self, message: Trade, now: float) -> None:
        """A trade between seats (14)."""
        seat, target = message.player_id, message.target_id
        self._act(message)
        self._relay(message)
        if self._waits_no_more_for(target) or not self._seats.plays(target):  # 19
            self._answer(TradeReject(target, seat))
        else:
            self._clock.wait_for_answer(now)

    def _waits_no_more_for(self, target: int) -> bool:
        """Whether an offer is rejected at once, so that offers cannot hold up a table (14)."""
        return self._unanswered[target] >= MOST_UNANSWERED or self._clock.has_waited_enough

    def _answered(self, message: TradeAccept | TradeReject, now: float) -> None:
        self._answer(message, but=(message.player_id,))
        self._run_on(now)

    def _answer(self, message: TradeAccept | TradeReject, but: Collection[int] = ()) -> None:
        accepts = isinstance(message, TradeAccept)
        self.game.play(Action.accept() if accepts else Action.reject())
        self._seats.send_all(message, but)

    def _run_on(self, now: float) -> None:
        """The proposer's clock goes on, and what it sent ahead is heard."""
        self._clock.go_on(now)
        seat, turn = self.game.turn_seat, self.game.turn
        while self._held and (self.awaited, self.game.turn) == (seat, turn) and not self.is_over:
            self._hear(self._held.popleft(), now)

    def _trade_with_bank(self, message: Trade) -> None:
        """At a ratio owned, once or several times (13)."""
        seat, game = message.player_id, self.game
        actions = to_actions(game, message)
        give, get = to_resource(message.offer.resource), to_resource(message.ask.resource)
        if game.hand(seat)[give] < message.offer.count or game.bank[get] < message.ask.count:
            raise RemoteProtocolError(
                f"MSG_TRADE of {message.offer.count} {give.name} for {message.ask.count} "
                f"{get.name} with the bank: the seat has {game.hand(seat)[give]}, "
                f"the bank {game.bank[get]}"
            )
        for action in actions:
            game.play(action)
        self._relay(message)
        self._tell(TradeAccept(seat, seat))

    def _choose(self, message: Trade) -> None:
        """The cards of a year of plenty, or the resource of a monopoly (11)."""
        choice = self._choice
        if choice is None:
            raise RemoteProtocolError("MSG_TRADE that offers nothing: no choice is owed")
        if choice.card == DevelopmentCard.MONOPOLY:
            resource = monopolised(message)
            self._confirm(message)
            self._monopolise(resource)
        else:
            taken = taken_with(self.game, choice.taken, message.ask)
            self._confirm(message)
            self._choice = Choice(choice.card, taken)
            if len(taken) == cards_owed(self.game):
                self._take_plenty(taken)

    def _confirm(self, message: Trade) -> None:
        """The bank accepts a choice; in the literal dialect only the chooser hears so."""
        seat = message.player_id
        if self.settings.announced:
            self._relay(message)
            self._tell(TradeAccept(seat, seat))
        else:
            self._seats.send(seat, TradeAccept(seat, seat))

    def _settle_choice(self) -> None:
        """Decide by rule what the seat on turn owes and did not choose (11)."""
        seat, game, choice = self.game.turn_seat, self.game, self._choice
        if choice is None:
            return
        if choice.card == DevelopmentCard.MONOPOLY:
            resource = most_held([game.hand(other) for other in range(game.seats)], seat)
            self._announce(announcements.of_monopoly(seat, resource))
            self._monopolise(resource)
        else:
            taken = scarcest(game, game.hand(seat), choice.taken)
            self._announce(announcements.of_plenty(seat, taken[len(choice.taken) :]))
            self._take_plenty(taken)

    def _monopolise(self, resource: Resource) -> None:
        self._choice = None
        event = self.game.play(Action.play_monopoly(resource))
        self._announce(announcements.of_losses(event.seat, resource, event.outcome))

    def _take_plenty(self, taken: Cards) -> None:
        self._choice = None
        self.game.play(Action.play_year_of_plenty(*as_pair(taken)))

    def _rob(self, message: Rob, now: float) -> None:
        """The robber moves (8)."""
        seat, target = self.awaited, message.target_id
        event = self._act(message)
        self._relay(message)
        if target in (seat, NO_SEAT):
            self._seats.send(seat, RobResult(seat, seat, Card.ANY))
        else:
            for concerned in (seat, target):
                self._seats.send(concerned, RobResult(seat, target, to_card(event.outcome)))

    def _passed(self, message: Pass, now: float) -> None:
        self.game.play(Action.end_turn())
        self._pass(now)

    def _pass(self, now: float) -> None:
        """PASS: victory is looked at only here (20)."""
        self._go(State.PASS)
        self._begin_turn(now)

    def _remove(self, seat: int, reason: str, now: float) -> None:
        """Kick `seat` now if the game waits for it, else when the turn has ended (19)."""
        if seat in (self.game.turn_seat, self.awaited):
            self._kick(seat, reason, now)
        else:
            self._seats.doomed[seat] = reason

    def _kick(self, seat: int, reason: str, now: float) -> None:
        """KICK, then, literally, TURN: even the turn of another seat ends."""
        proposer = self.game.turn_seat
        if seat != proposer:
            self._late.add(proposer)
        elif self.game.phase == Phase.ANSWER:
            self._answer(TradeReject(self.awaited, seat))
        else:
            self._settle_choice()
        self._expel(seat, reason)
        self._begin_turn(now)

    def _expel(self, seat: int, reason: str) -> None:
        self._go(State.KICK)
        self.kicks.append(Kicked(seat, self.game.turn, reason))
        self._seats.remove(seat)
        self._tell(Kick(seat))
        self.game.leave(seat)

    def _begin_turn(self, now: float) -> None:
        """TURN of the next seat, after the kicks that waited for it; or the END."""
        for seat in sorted(self._seats.doomed):
            if not self.game.is_over:
                self._expel(seat, self._seats.doomed[seat])
        if self.game.is_over:
            self._end(self.game.winner)
        elif 0 < self.settings.max_turns < self.game.turn:
            self._end(None)
        else:
            self._go(State.TURN)
            self._late.discard(self.game.turn_seat)
            self._held.clear()
            self._dropped[self.game.turn_seat] = 0
            self._clock.start(now)
            self._tell(Turn(self.game.turn_seat))

    def _end(self, winner: int | None) -> None:
        """MSG_END to all agents; then DEINIT closes their connections."""
        self._go(State.END)
        self.winner = winner
        self._clock.stop()
        self._tell(End(NO_SEAT if winner is None else winner))
        self._go(State.DEINIT)
        self._seats.close_all()

    def _go(self, state: State) -> None:
        assert state in TRANSITIONS[self.state], f"{self.state} does not lead to {state}"
        self.state = state

    def _is_answer(self, seat: int, message: Message) -> bool:
        """Whether this is the answer that is awaited."""
        if self.game.phase != Phase.ANSWER or seat != self.awaited:
            return False
        return (
            isinstance(message, TradeAccept | TradeReject)
            and message.target_id == self.game.turn_seat
        )

    def _announce(self, messages: list[Message]) -> None:
        """Tell everybody what a seat could not compute, in the announced dialect (6)."""
        if self.settings.announced:
            for message in messages:
                self._tell(message)

    def _relay(self, message: Message) -> None:
        """Send a message of the awaited seat's turn to all other agents."""
        self._seats.send_all(message, but=(self.game.turn_seat,))

    def _tell(self, message: Message) -> None:
        self._seats.send_all(message)


def _answers(message: Message) -> bool:
    return isinstance(message, TradeAccept | TradeReject)


_HEARD: dict[type, Callable[[CatanRoom, Any, float], None]] = {
    Roll: CatanRoom._roll,
    Play: CatanRoom._play,
    Build: CatanRoom._build,
    Trade: CatanRoom._trade,
    TradeAccept: CatanRoom._answered,
    TradeReject: CatanRoom._answered,
    Pass: CatanRoom._passed,
    Rob: CatanRoom._rob,
}
