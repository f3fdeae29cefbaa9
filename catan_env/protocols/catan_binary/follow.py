"""A seat's view of the game, followed from the messages that its agent hears and says."""

from collections.abc import Callable
from typing import Any

from catan_env.core.constants import DevelopmentCard, Phase, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import HIDDEN, Event
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.choices import (
    Cards,
    as_pair,
    cards_owed,
    most_held,
    scarcest,
    taken_with,
)
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    NOTHING,
    Begin,
    Build,
    Buildable,
    BuildResult,
    Card,
    End,
    Kick,
    Message,
    Play,
    Rob,
    RobResult,
    RollResult,
    Setup,
    Trade,
    TradeAccept,
    TradeReject,
    Turn,
    name_of,
)
from catan_env.protocols.catan_binary.opening import check_begin, view_at_start
from catan_env.protocols.catan_binary.places import (
    edge_at,
    tile_at,
    to_development_card,
    to_resource,
    vertex_at,
)
from catan_env.protocols.doubt import (
    Doubt,
    hands_of_others,
    likely_hand,
    most_numerous,
)

CARDS_OF_A_KIND = 19
SEVEN = 7


class Follower:
    """Keeps `view` as the server keeps its game.

    `hear` takes what the server sent, `say` what this seat sends. Raises RemoteProtocolError for
    a message that cannot follow.
    """

    def __init__(self, announced: bool | None = None) -> None:
        self._announced = announced
        self._doubt: Doubt | None = None
        self.begin: Begin | None = None
        self.is_over = False
        self.winner: int | None = None
        self._view: SeatView | None = None
        self._turn_is_open = False
        self._said: Action | None = None
        self._answer: Action | None = None
        self._trades: list[Trade] = []
        self._card: DevelopmentCard | None = None
        self._taken: Cards = ()
        self._monopoly: Resource | None = None
        self._lost: list[int] = []
        self._robbing: Event | None = None
        self._before_knight: SeatView | None = None

    @property
    def view(self) -> SeatView:
        """What the seat knows; there is none before MSG_SETUP."""
        if self._view is None:
            raise RemoteProtocolError("the game went on before MSG_BEGIN and MSG_SETUP")
        return self._view

    @property
    def seat(self) -> int:
        """The seat's own number."""
        return self.view.viewer

    @property
    def is_asked(self) -> bool:
        """Whether this seat has to decide now, and knows all that it can before it does."""
        if self._view is None or self.is_over or self.view.seat != self.seat:
            return False
        waits = self._said or self._answer or self._trades or self._card is not None
        return self._turn_is_open and not waits and not self.awaits_announcement

    @property
    def awaits_announcement(self) -> bool:
        """Whether card movements that the seat cannot compute are still to be announced."""
        return self._view is not None and (
            self.view.phase == Phase.DISCARD or self._monopoly is not None
        )

    def hear(self, message: Message) -> None:
        """Follow a message of the server."""
        if self.is_over:
            return
        try:
            self._settle(message)
            _HEARD.get(type(message), Follower._refuse)(self, message)
            if self._announced is False:
                self._assume_what_is_due()
        except ValueError as error:
            raise RemoteProtocolError(f"{name_of(message)} cannot follow: {error}") from None

    def hear_nothing(self) -> None:
        """An announcement that is due does not come: this server makes none."""
        if self._announced is None:
            self._announced = False
            self._assume_what_is_due()

    def say(self, action: Action, messages: list[Message]) -> None:
        """This seat says `messages`, which are its `action`."""
        trades = [message for message in messages if isinstance(message, Trade)]
        if action in (Action.accept(), Action.reject()):
            self._answer = action
        elif action == Action.play_knight():
            self._before_knight = self.view.copy()
            self._apply(self.seat, action)
        elif action == Action.play_road_building() or action.kind == ActionKind.OFFER:
            self._apply(self.seat, action)
        elif isinstance(messages[0], Play):
            self._card, self._taken = to_development_card(messages[0].card), ()
            self._trades += trades
        elif trades:
            self._trades += trades
        else:
            self._said = action

    def _settle(self, message: Message) -> None:
        """What has to be concluded before `message` means something."""
        if self._answer is not None:
            answer, self._answer = self._answer, None
            overruled = isinstance(message, TradeReject) and message.player_id == self.seat
            if not overruled:
                self._apply(self.seat, answer)
        if self._monopoly is not None and not self._is_about_losses(message):
            self._finish_monopoly()
        if self._view is None or not self._turn_is_open or is_announcement(message):
            return
        if self._card is not None and self.view.turn_seat != self.seat:
            self._assume_choice()
        if self.view.phase == Phase.DISCARD:
            self._assume_discards()

    def _is_about_losses(self, message: Message) -> bool:
        """Whether a message announces what a monopoly takes."""
        monopolist = self.view.turn_seat
        if isinstance(message, Trade):
            return message.ask == NOTHING and message.target_id == monopolist
        return (
            isinstance(message, TradeAccept)
            and message.player_id == monopolist
            and self._trade_of(message) is not None
        )

    def _begin(self, message: Begin) -> None:
        check_begin(message)
        self.begin = message

    def _setup(self, message: Setup) -> None:
        assert self.begin is not None, "the codec lets no MSG_SETUP through before MSG_BEGIN"
        if self._view is not None:
            raise RemoteProtocolError("MSG_SETUP came twice")
        self._view = view_at_start(self.begin, message)

    def _turn(self, message: Turn) -> None:
        if self._turn_is_open:
            self._end_turn()
        if self.view.turn_seat != message.player_id:
            raise RemoteProtocolError(
                f"MSG_TURN of seat {message.player_id}; it is the turn of seat "
                f"{self.view.turn_seat}"
            )
        self._turn_is_open = True

    def _end_turn(self) -> None:
        """The seat on turn passed, or its time was up: the same to everybody."""
        self._close_turn()
        self._apply(self.view.turn_seat, Action.time_out())

    def _close_turn(self) -> None:
        """Forget what this seat said too late."""
        if self._before_knight is not None:  # a knight heard and no MSG_ROB would be a kick
            self._view = self._before_knight
        self._before_knight = self._said = self._card = self._robbing = None
        self._trades.clear()
        self._turn_is_open = False

    def _kick(self, message: Kick) -> None:
        """A seat that the turn did not wait for is kicked when that has ended."""
        kicked, offer = message.kick_id, self.view.offer
        waited_for = (self.view.turn_seat, None if offer is None else offer.to)
        if self._turn_is_open:
            if kicked in waited_for:
                self._close_turn()
            else:
                self._end_turn()
        self._apply(kicked, Action.leave())

    def _end(self, message: End) -> None:
        self.is_over = True
        self.winner = None if message.winner_id == NO_SEAT else message.winner_id

    def _roll(self, message: RollResult) -> None:
        if not 2 <= message.roll <= 12:
            raise RemoteProtocolError(f"a roll of {message.roll}; allowed are 2..12")
        self._said = None
        first = max(1, message.roll - 6)
        self._apply(self.view.turn_seat, Action.roll(), (first, message.roll - first))

    def _play(self, message: Play) -> None:
        card = to_development_card(message.card)
        if card == DevelopmentCard.KNIGHT:
            self._apply(message.player_id, Action.play_knight())
        elif card == DevelopmentCard.ROAD_BUILDING:
            self._apply(message.player_id, Action.play_road_building())
        elif card == DevelopmentCard.VICTORY_POINT:
            raise RemoteProtocolError("a victory point card is never played")
        else:
            self._card, self._taken = card, ()

    def _build(self, message: Build) -> None:
        self._apply(message.player_id, to_action(message))

    def _built(self, message: BuildResult) -> None:
        action, self._said = self._said, None
        if action is None:
            raise RemoteProtocolError("this seat has built nothing")
        card = None if message.card is None else to_development_card(message.card)
        self._apply(self.seat, action, card)

    def _trade(self, message: Trade) -> None:
        if message.target_id == NO_SEAT:
            message = Trade(message.player_id, message.player_id, message.offer, message.ask)
        if message.player_id == message.target_id or message.ask == NOTHING:
            if message.player_id == self.seat:  # the server has decided: what we said came late
                self._trades.clear()
            self._trades.append(message)
            return
        give = {to_resource(message.offer.resource): message.offer.count}
        get = {to_resource(message.ask.resource): message.ask.count}
        step = (message.target_id - message.player_id) % self.view.seats
        self._apply(message.player_id, Action.offer(step, give, get))

    def _accept(self, message: TradeAccept) -> None:
        trade = self._trade_of(message)
        if trade is not None:
            self._trades.remove(trade)
            self._move_cards(trade)
        elif self._is_answer(message):
            self._apply(message.player_id, Action.accept())

    def _reject(self, message: TradeReject) -> None:
        if self._is_answer(message):
            self._apply(message.player_id, Action.reject())

    def _is_answer(self, message: TradeAccept | TradeReject) -> bool:
        offer = self.view.offer
        ids = (message.player_id, message.target_id)
        return offer is not None and ids == (offer.to, offer.seat)

    def _trade_of(self, message: TradeAccept) -> Trade | None:
        """The first of the trades that wait for this answer."""
        ids = (message.target_id, message.player_id)
        waiting = (trade for trade in self._trades if (trade.player_id, trade.target_id) == ids)
        return next(waiting, None)

    def _move_cards(self, trade: Trade) -> None:
        """What an accepted trade that is not between seats stands for."""
        seat = trade.player_id
        if trade.offer == NOTHING:
            self._choose(seat, trade)
        elif trade.ask != NOTHING:
            self._trade_with_bank(trade)
        elif seat == trade.target_id:
            for _ in range(trade.offer.count):
                self._apply(seat, Action.discard(to_resource(trade.offer.resource)))
        else:
            self._lose(trade)

    def _trade_with_bank(self, trade: Trade) -> None:
        give, get = to_resource(trade.offer.resource), to_resource(trade.ask.resource)
        paid, times = trade.offer.count, trade.ask.count
        if not times or paid % times:
            raise RemoteProtocolError(f"{paid} for {times} cards is no trade with the bank")
        for _ in range(times):
            self._apply(trade.player_id, Action.bank_trade(give, get, paid // times))

    def _choose(self, seat: int, trade: Trade) -> None:
        if self._card == DevelopmentCard.MONOPOLY:
            self._card, self._monopoly = None, to_resource(trade.ask.resource)
            self._lost = [0] * self.view.seats
            self._monopolise_when_all_is_told()
        elif self._card == DevelopmentCard.YEAR_OF_PLENTY:
            self._taken = taken_with(self.view, self._taken, trade.ask)
            if len(self._taken) == cards_owed(self.view):
                self._card = None
                self._apply(seat, Action.play_year_of_plenty(*as_pair(self._taken)))
        else:
            raise RemoteProtocolError(f"seat {seat} has played no card that leaves a choice")

    def _lose(self, trade: Trade) -> None:
        """A victim's loss to a monopoly."""
        if self._monopoly is None or trade.target_id != self.view.turn_seat:
            raise RemoteProtocolError(f"no monopoly takes cards from seat {trade.player_id}")
        self._lost[trade.player_id] += trade.offer.count
        self._monopolise_when_all_is_told()

    def _monopolise_when_all_is_told(self) -> None:
        """The monopolist can count what the others hold: 19 less the bank's and its own."""
        if self._monopoly is not None and self.view.turn_seat == self.seat:
            kind = self._monopoly
            held = self.view.bank[kind] + self.view.hand(self.seat)[kind]
            if sum(self._lost) >= CARDS_OF_A_KIND - held:
                self._monopolise()

    def _finish_monopoly(self) -> None:
        """Losses are told no more: zeros are left out, or nothing is announced at all."""
        mine = self.view.turn_seat == self.seat
        if mine and not any(self._lost):
            self._assume_losses()
        else:
            self._monopolise()

    def _assume_what_is_due(self) -> None:
        """Where nothing is announced, nothing is waited for."""
        if self._view is None or self.is_over:
            return
        if self.view.phase == Phase.DISCARD:
            self._assume_discards()
        if self._monopoly is not None:
            self._finish_monopoly()

    def _be_in_doubt(self) -> None:
        """From now on only the least of what may be is sure."""
        if self._doubt is None:
            view = self.view
            self._doubt = Doubt(self.seat, view.hand(self.seat), view.bank)

    def _assume_discards(self) -> None:
        """By the rule, where hands are known; else by a guess."""
        view = self.view
        in_order = [(view.turn_seat + step) % view.seats for step in range(view.seats)]
        owing = [seat for seat in in_order if view.owes(seat)]
        hands: list[Any] = hands_of_others(view, self.seat)
        if any(hands[seat] is None for seat in owing):
            self._be_in_doubt()
        for seat in owing:
            hand = list(hands[seat] or likely_hand(view, seat))
            for _ in range(view.owes(seat)):
                resource = most_numerous(hand)
                hand[resource] -= 1
                view.apply(Event(seat, Action.discard(resource)))
        self._discard_in_doubt()

    def _discard_in_doubt(self) -> None:
        """The possible hands lose what a seven takes of them."""
        if self._doubt is not None:
            self._doubt.discard_at_seven()
            self.view.recount(self._doubt.hand, self._doubt.bank)

    def _assume_choice(self) -> None:
        """What another seat chose is not told."""
        view, seat, card = self.view, self.view.turn_seat, self._card
        self._card = None
        self._be_in_doubt()
        if card == DevelopmentCard.YEAR_OF_PLENTY:
            taken = scarcest(view, likely_hand(view, seat), self._taken)
            if taken:
                self._apply(seat, Action.play_year_of_plenty(*as_pair(taken)))
        else:
            hands = [likely_hand(view, other) for other in range(view.seats)]
            named = most_held(hands, seat)
            lost = [0 if other == seat else hand[named] for other, hand in enumerate(hands)]
            self._apply(seat, Action.play_monopoly(named), tuple(lost))

    def _assume_losses(self) -> None:
        """What this seat's monopoly took is not told."""
        view, kind = self.view, self._monopoly
        assert kind is not None
        hands = hands_of_others(view, self.seat)
        if None in hands:
            self._be_in_doubt()
        others: list[Any] = [hand or likely_hand(view, other) for other, hand in enumerate(hands)]
        self._lost = [0 if o == self.seat else hand[kind] for o, hand in enumerate(others)]
        self._monopolise()

    def _monopolise(self) -> None:
        kind, self._monopoly = self._monopoly, None
        assert kind is not None
        self._apply(self.view.turn_seat, Action.play_monopoly(kind), tuple(self._lost))

    def _rob(self, message: Rob) -> None:
        robber, target = self.view.turn_seat, message.target_id
        if target in (robber, NO_SEAT):
            victim = None
        elif target < self.view.seats:
            victim = (target - robber) % self.view.seats
        else:
            raise RemoteProtocolError(f"target_id is {target} among {self.view.seats} players")
        action = Action.move_robber(tile_at(message.tilepos), victim)
        if target == self.seat:
            self._robbing = Event(robber, action)
        else:
            holds_cards = victim is not None and self.view.hand_size(target)
            self._apply(robber, action, HIDDEN if holds_cards else None)

    def _robbed(self, message: RobResult) -> None:
        card = None if message.card == Card.ANY else to_resource(message.card)
        if message.player_id == self.seat and self._said is not None:
            robbing, self._said = Event(self.seat, self._said), None
            self._before_knight = None
        elif self._robbing is not None:
            robbing, self._robbing = self._robbing, None
        else:
            raise RemoteProtocolError("no robber has moved")
        self._apply(robbing.seat, robbing.action, card)

    def _refuse(self, message: Message) -> None:
        raise RemoteProtocolError("only agents send it")

    def _apply(self, seat: int, action: Action, outcome: Any = None) -> None:
        if seat >= self.view.seats:
            raise RemoteProtocolError(f"seat {seat} among {self.view.seats} players")
        event = Event(seat, action, outcome)
        if self._doubt is None:
            self.view.apply(event)
        else:
            self._doubt.follow(self.view, event)
            self.view.apply(event)
            if self.view.phase == Phase.DISCARD:
                return
            self.view.recount(self._doubt.hand, self._doubt.bank)
            if action.kind == ActionKind.ROLL and sum(outcome) == SEVEN:
                self._discard_in_doubt()


def is_announcement(message: Message) -> bool:
    """Whether a message tells of cards that moved, or may belong to one that does."""
    if isinstance(message, Trade):
        return NOTHING in (message.offer, message.ask)
    return isinstance(message, TradeAccept)


def to_action(message: Build) -> Action:
    """What a MSG_BUILD builds."""
    if message.edgepos is not None:
        return Action.road(edge_at(message.edgepos))
    if message.vertpos is None:
        return Action.buy_development_card()
    vertex = vertex_at(message.vertpos)
    if message.type == Buildable.SETTLEMENT:
        return Action.settlement(vertex)
    return Action.city(vertex)


_HEARD: dict[type, Callable[[Follower, Any], None]] = {
    Begin: Follower._begin,
    Setup: Follower._setup,
    Turn: Follower._turn,
    Kick: Follower._kick,
    End: Follower._end,
    RollResult: Follower._roll,
    Play: Follower._play,
    Build: Follower._build,
    BuildResult: Follower._built,
    Trade: Follower._trade,
    TradeAccept: Follower._accept,
    TradeReject: Follower._reject,
    Rob: Follower._rob,
    RobResult: Follower._robbed,
}
