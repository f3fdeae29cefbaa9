"""Client-side state of one seat's game: its changes by messages received and sent."""

from collections.abc import Callable
from typing import Any

from catan_env.core.constants import CARDS_PER_RESOURCE, DevelopmentCard, Phase
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import HIDDEN, Event, dice_of
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.choices import (
    LEAVES_CHOICE,
    as_pair,
    cards_owed,
    taken_with,
)
from catan_env.protocols.catan_binary.expectations import BUILDS, Expectations
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    NOTHING,
    Build,
    BuildResult,
    Card,
    Kick,
    Message,
    Play,
    Rob,
    RobResult,
    RollResult,
    Trade,
    TradeAccept,
    TradeReject,
    Turn,
)
from catan_env.protocols.catan_binary.offers import ids_of, is_movement, is_offer, is_unlawful
from catan_env.protocols.catan_binary.pending import (
    NOTHING_PENDING,
    Answered,
    Awaited,
    Choice,
    Knight,
    Losses,
    Requested,
    Theft,
)
from catan_env.protocols.catan_binary.places import to_development_card, to_resource
from catan_env.protocols.catan_binary.speech import check_seat, is_with_bank, step_to, to_actions

SILENT = (ActionKind.PLAY_ROAD_BUILDING, ActionKind.OFFER)
"""Actions of this seat that the server does not acknowledge: they count when they are sent."""
CHOOSING = (ActionKind.PLAY_YEAR_OF_PLENTY, ActionKind.PLAY_MONOPOLY)


class Account(Expectations):
    """One seat's account of the game from MSG_SETUP on: `hear` others, `say` its own actions.

    Raises RemoteProtocolError or ValueError for a message that cannot follow.
    """

    def hear(self, message: Message) -> None:
        """Follow a message of the server."""
        self._settle(message)
        _HEARD.get(type(message), Account._refuse)(self, message)
        if is_movement(self.view, message):
            self.announced = self._tracked.discards_by_rule = self.knows_choices = True

    def go_without(self) -> None:
        """Conclude that the `awaited` message does not come."""
        awaited = self.awaited
        if awaited is Awaited.PARTNER:
            self._tracked.may_have_been_accepted()
            self.has_open_offer = True
        elif awaited is Awaited.BUILD:
            self.pending, self.has_to_pass = NOTHING_PENDING, True
        else:
            self.announced = bool(self.announced)
            self._take_as_done()
            self._assume_what_is_due()

    def say(self, action: Action, messages: list[Message]) -> None:
        """Follow this seat's `messages`, which are its `action`."""
        self._count_idle_turns(action)
        self.trades += [message for message in messages if isinstance(message, Trade)]
        if action.kind in SILENT:
            self.trades.clear()
            self._apply(self.seat, action)
        elif action.kind in (ActionKind.ACCEPT, ActionKind.REJECT):
            self.pending = Answered(action)
        elif action.kind == ActionKind.PLAY_KNIGHT:
            self.pending = Knight(self.view.copy())
            self._apply(self.seat, action)
        elif action.kind in CHOOSING:
            card = DevelopmentCard[action.kind.name.removeprefix("PLAY_")]
            self.pending = Choice(card, said=action)
        elif action.kind == ActionKind.END_TURN:
            self.pending = Requested(action)
        elif action.kind == ActionKind.MOVE_ROBBER and self.takes_nothing(Event(self.seat, action)):
            self._apply(self.seat, action)
            self.concluded = Event(self.seat, action)
        elif action.kind != ActionKind.BANK_TRADE:
            before = self.pending.before if isinstance(self.pending, Knight) else None
            self.pending = Requested(action, before)

    def _count_idle_turns(self, action: Action) -> None:
        """Rely on the likely hand if for too long the seat was sure of too little to spend.

        At a server that discards by the rule, the seat is patient.
        """
        is_counted = action.kind == ActionKind.END_TURN and not self._tracked.discards_by_rule
        if is_counted and self._idle_turns.are_too_many(self.view):
            self._tracked.rely_on_likely_hand()

    def _settle(self, message: Message) -> None:
        """Conclude what `message` presupposes."""
        if isinstance(self.pending, Answered):
            answer, self.pending = self.pending.action, NOTHING_PENDING
            if not (isinstance(message, TradeReject) and self.is_answer(message)):
                self._apply(self.seat, answer)
        if isinstance(self.pending, Losses) and not self._is_about_losses(message):
            self._finish_monopoly(self.pending)
        self._settle_robber(message)
        if not self.turn_is_open or self.is_announcement(message):
            return
        if isinstance(self.pending, Choice) and self.view.turn_seat != self.seat:
            choice, self.pending = self.pending, NOTHING_PENDING
            self._tracked.assume_choice(choice)
        if self.view.phase == Phase.DISCARD:
            self._tracked.assume_discards()

    def _settle_robber(self, message: Message) -> None:
        """Conclude that the robber has moved, if its result may not be sent."""
        pending = self.pending
        if isinstance(pending, Knight) and self.concluded and not isinstance(message, Turn | Kick):
            self.pending = NOTHING_PENDING
        elif isinstance(pending, Theft) and not isinstance(message, RobResult):
            if self.takes_nothing(pending.robbing):
                self.pending = NOTHING_PENDING
                self._tracked.apply(pending.robbing)

    def _is_about_losses(self, message: Message) -> bool:
        """True if a message announces a monopoly's takings."""
        monopolist = self.view.turn_seat
        if isinstance(message, Trade):
            return message.ask == NOTHING and message.target_id == monopolist
        return (
            isinstance(message, TradeAccept)
            and monopolist in ids_of(message)
            and self.waiting_trade(message) is not None
        )

    def _assume_what_is_due(self) -> None:
        """Stop waiting for announcements if the server makes none."""
        if self.view.phase == Phase.DISCARD:
            self._tracked.assume_discards()
        if isinstance(self.pending, Losses):
            self._finish_monopoly(self.pending)

    def _take_as_done(self) -> None:
        """Stop waiting for the bank: this seat's action was carried out, or was not."""
        if not self.is_own_trade_open:
            return
        trades, self.trades = self.trades, []
        self.unanswered += 1
        pending, self.pending = self.pending, NOTHING_PENDING
        if isinstance(pending, Choice) and pending.said is not None:
            self._tracked.may_have_chosen(pending.said)
        else:
            for trade in (t for t in trades if t.ask != NOTHING):  # otherwise losses to a seven
                for action in to_actions(self.view, trade):
                    self._tracked.may_have_traded(action)

    def _turn(self, message: Turn) -> None:
        """Follow the beginning of a turn: the server alone knows their order, and the last one."""
        seat = message.player_id
        self._check_turn(seat)
        if self.turn_is_open:
            self._end_turn()
        if self.view.turn_seat != seat or self.view.is_over:
            self._tracked.begin_turn(seat)
        if self._is_alone(seat):
            correction.offer_no_more(self.view)
        self.turn_is_open = True

    def _check_turn(self, seat: int) -> None:
        """Refuse a turn of no seat, and a second one in a row while others play."""
        if seat >= self.view.seats:
            raise RemoteProtocolError(f"MSG_TURN of seat {seat} among {self.view.seats} players")
        if self.turn_is_open and seat == self.view.turn_seat and not self._is_alone(seat):
            raise RemoteProtocolError(f"MSG_TURN of seat {seat}; its turn has not ended")

    def _is_alone(self, seat: int) -> bool:
        """True if all other seats have been kicked."""
        return not any(self.view.is_playing(s) for s in range(self.view.seats) if s != seat)

    def _end_turn(self) -> None:
        """Follow a pass or a time-out of the seat on turn: both look the same to all seats."""
        self._close_turn()
        self._apply(self.view.turn_seat, Action.time_out())

    def _close_turn(self) -> None:
        """Forget this seat's late messages."""
        if self.announced is False:
            self._take_as_done()
        if isinstance(self.pending, Knight | Requested) and self.pending.before is not None:
            self._tracked.view = self.pending.before.copy()  # no MSG_ROB came: a kick
        self.pending = NOTHING_PENDING
        self.trades.clear()
        self.turn_is_open = self.has_to_pass = self.has_open_offer = False
        self.is_refused_by_bank, self.concluded = False, None
        self.unanswered = 0

    def _kick(self, message: Kick) -> None:
        """Follow a kick: a seat that the turn did not wait for is kicked at the end of the turn.

        Other servers may kick a seat again, as the target of an offer, or in a turn of its own.
        """
        kicked, offer = message.kick_id, self.view.offer
        has_left = kicked < self.view.seats and not self.view.is_playing(kicked)
        waited_for = (self.view.turn_seat, None if offer is None else offer.to)
        if self.turn_is_open:
            if kicked in waited_for and not has_left:
                self._close_turn()
            else:
                self._end_turn()
        if has_left:
            return
        if self.view.is_over:  # the kick, not a pass with ten points, ended the turn
            self._tracked.begin_turn(self.view.turn_seat)
        self._apply(kicked, Action.leave())

    def _roll(self, message: RollResult) -> None:
        if not 2 <= message.roll <= 12:
            raise RemoteProtocolError(f"a roll of {message.roll}; allowed are 2..12")
        self.pending = NOTHING_PENDING
        self._apply(self.view.turn_seat, Action.roll(), dice_of(message.roll))

    def _play(self, message: Play) -> None:
        card = to_development_card(message.card)
        if card in LEAVES_CHOICE:
            self.pending = Choice(card)
        elif card != DevelopmentCard.VICTORY_POINT:  # shown, it counts as it did
            self._act(message)

    def _act(self, message: Play | Build | Trade) -> None:
        """Follow another seat's action."""
        for action in to_actions(self.view, message):
            self._apply(message.player_id, action)

    def _built(self, message: BuildResult) -> None:
        built = self._said(BUILDS.get(message.type))
        if built is None:
            raise RemoteProtocolError(f"this seat has built no {message.type.name}")
        action, self.pending = built, NOTHING_PENDING
        card = None if message.card is None else to_development_card(message.card)
        self._apply(self.seat, action, card)

    def _said(self, kind: ActionKind | None) -> Action | None:
        """Return the action of a kind whose result is awaited."""
        pending = self.pending
        if isinstance(pending, Requested) and pending.action.kind == kind:
            return pending.action
        return None

    def _trade(self, message: Trade) -> None:
        if message.target_id == NO_SEAT:
            message = Trade(message.player_id, message.player_id, message.offer, message.ask)
        if is_offer(self.view, message):
            self._offer(message)
        elif not is_with_bank(message) and message.ask != NOTHING:
            raise RemoteProtocolError(
                f"MSG_TRADE of seat {message.player_id}; it is the turn of seat "
                f"{self.view.turn_seat}"
            )
        else:
            check_seat(self.view, "player_id", message.player_id)
            if message.player_id == self.seat:  # the server has decided: our message was late
                self.trades.clear()
            self.trades.append(message)

    def _offer(self, offer: Trade) -> None:
        """Follow another seat's offer; one that no action can express is set aside."""
        self.trades = [trade for trade in self.trades if not is_offer(self.view, trade)]
        if not is_unlawful(offer):
            self._act(offer)
        elif offer.target_id != self.seat:
            step_to(self.view, offer.target_id)  # raises if there is no such seat
            self.trades.append(offer)

    def _accept(self, message: TradeAccept) -> None:
        trade, offer = self.waiting_trade(message), self.view.offer
        if trade is not None:
            self.trades.remove(trade)
            self._move_cards(trade)
        elif offer is not None and self.is_answer(message):
            self._apply(offer.to, Action.accept())
        elif message.player_id == self.seat:
            self.unanswered = max(0, self.unanswered - 1)

    def _reject(self, message: TradeReject) -> None:
        """Follow a rejection, by a seat or by the bank."""
        trade, offer = self.waiting_trade(message), self.view.offer
        if trade is not None:
            self._drop(trade)
        elif offer is not None and self.is_answer(message):
            self._apply(offer.to, Action.reject())
        elif ids_of(message) == {self.seat}:
            self.unanswered = max(0, self.unanswered - 1)

    def _drop(self, trade: Trade) -> None:
        """Forget a rejected trade; what comes of a card whose choice is rejected is unknown."""
        if trade.player_id != self.seat:
            self.trades.remove(trade)
        elif isinstance(self.pending, Choice):
            self._take_as_done()
        else:
            self.trades.remove(trade)
            self.is_refused_by_bank |= is_with_bank(trade)

    def _move_cards(self, trade: Trade) -> None:
        """Follow an accepted trade that is not an action between seats."""
        seat = trade.player_id
        if is_offer(self.view, trade):
            self._tracked.hand_over(seat, trade.target_id, trade.offer)
            self._tracked.hand_over(trade.target_id, seat, trade.ask)
        elif trade.offer == NOTHING:
            self._choose(seat, trade)
        elif trade.ask != NOTHING:
            self._act(trade)
        elif seat == trade.target_id:
            for _ in range(trade.offer.count):
                self._apply(seat, Action.discard(to_resource(trade.offer.resource)))
        else:
            self._lose(trade)

    def _choose(self, seat: int, trade: Trade) -> None:
        if not isinstance(self.pending, Choice):
            raise RemoteProtocolError(f"seat {seat} has played no card that leaves a choice")
        if self.pending.card == DevelopmentCard.MONOPOLY:
            self._await_losses(Losses(to_resource(trade.ask.resource), (0,) * self.view.seats))
            return
        taken = taken_with(self.view, self.pending.taken, trade.ask)
        self.pending = Choice(self.pending.card, taken, self.pending.said)
        if len(taken) == cards_owed(self.view):
            self.pending = NOTHING_PENDING
            self._apply(seat, Action.play_year_of_plenty(*as_pair(taken)))

    def _lose(self, trade: Trade) -> None:
        """Follow a victim's loss to a monopoly."""
        if not isinstance(self.pending, Losses) or trade.target_id != self.view.turn_seat:
            raise RemoteProtocolError(f"no monopoly takes cards from seat {trade.player_id}")
        self._await_losses(self.pending.more(trade.player_id, trade.offer.count))

    def _await_losses(self, losses: Losses) -> None:
        """Count the cards of the others as the monopolist: 19 less the bank's and its own."""
        self.pending = losses
        if self.view.turn_seat == self.seat:
            kind = losses.resource
            held = self.view.bank[kind] + self.view.hand(self.seat)[kind]
            if sum(losses.lost) >= CARDS_PER_RESOURCE - held:
                self._monopolise(losses)

    def _finish_monopoly(self, losses: Losses) -> None:
        """Conclude that no more losses are announced: zeros, or all of them, are left out."""
        if self.view.turn_seat == self.seat and not any(losses.lost):
            losses = Losses(losses.resource, self._tracked.likely_losses(losses.resource))
        self._monopolise(losses)

    def _monopolise(self, losses: Losses) -> None:
        self.pending = NOTHING_PENDING
        self._apply(self.view.turn_seat, Action.play_monopoly(losses.resource), losses.lost)

    def _rob(self, message: Rob) -> None:
        robber, target = self.view.turn_seat, message.target_id
        (action,) = to_actions(self.view, message)
        if target == self.seat:
            self.pending = Theft(Event(robber, action))
        else:
            is_robbed = action.args[1] is not None and self.view.hand_size(target) > 0
            self._apply(robber, action, HIDDEN if is_robbed else None)

    def _robbed(self, message: RobResult) -> None:
        robs_no_other = message.player_id == message.target_id
        moved = self._said(ActionKind.MOVE_ROBBER)
        if message.player_id == self.seat and moved is not None:
            robbing = Event(self.seat, moved)
        elif isinstance(self.pending, Theft):
            robbing = self.pending.robbing
        elif robs_no_other or self.seat not in (message.player_id, message.target_id):
            return  # sent twice, as to the robber and to its target, or to all
        elif self.concluded and message.target_id == self.concluded.victim(self.view.seats):
            self._take_late(self.concluded, message.card)
            return
        else:
            raise RemoteProtocolError("no robber has moved")
        self.pending = NOTHING_PENDING
        is_nothing = robs_no_other or message.card == Card.ANY
        card = None if is_nothing else to_resource(message.card)
        self._tracked.apply_theft(Event(robbing.seat, robbing.action, card))

    def _take_late(self, robbing: Event, card: Card) -> None:
        """Follow a result that was concluded before it came; a second one adds nothing."""
        if card != Card.ANY and robbing.outcome is None:
            self.concluded = Event(self.seat, robbing.action, to_resource(card))
            self._tracked.take_late(self.concluded)

    def _refuse(self, message: Message) -> None:
        raise RemoteProtocolError("only agents send it")

    def _apply(self, seat: int, action: Action, outcome: Any = None) -> None:
        if seat >= self.view.seats:
            raise RemoteProtocolError(f"seat {seat} among {self.view.seats} players")
        self._tracked.apply(Event(seat, action, outcome))


_HEARD: dict[type, Callable[[Account, Any], None]] = {
    Turn: Account._turn,
    Kick: Account._kick,
    RollResult: Account._roll,
    Play: Account._play,
    Build: Account._act,
    BuildResult: Account._built,
    Trade: Account._trade,
    TradeAccept: Account._accept,
    TradeReject: Account._reject,
    Rob: Account._rob,
    RobResult: Account._robbed,
}
