"""The messages that one seat's account of the game waits for, and what they could still change."""

from copy import copy
from typing import Self

from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.view import SeatView
from catan_env.protocols.catan_binary.choices import LEAVES_CHOICE
from catan_env.protocols.catan_binary.idle_turns import IdleTurns
from catan_env.protocols.catan_binary.inferred_view import InferredView
from catan_env.protocols.catan_binary.messages import (
    NOTHING,
    Buildable,
    Kick,
    Message,
    RobResult,
    Trade,
    TradeAccept,
    TradeReject,
    Turn,
)
from catan_env.protocols.catan_binary.offers import (
    ids_of,
    is_between,
    is_movement,
    is_offer,
    is_unlawful,
)
from catan_env.protocols.catan_binary.pending import (
    NOTHING_PENDING,
    Awaited,
    Knight,
    Losses,
    Nothing,
    Pending,
    Requested,
)

BUILDS = {
    Buildable.ROAD: ActionKind.ROAD,
    Buildable.SETTLEMENT: ActionKind.SETTLEMENT,
    Buildable.CITY: ActionKind.CITY,
    Buildable.DEVELOPMENT_CARD: ActionKind.BUY_DEVELOPMENT_CARD,
}


class Expectations:
    """A seat's `view` of the game, and the messages that it waits for.

    These are `pending` (see there), and the answers to `trades`.
    """

    def __init__(
        self, view: SeatView, announced: bool | None = None, is_ours: bool = False
    ) -> None:
        self.announced = announced
        """True if the server announces what a seat cannot compute; None until that is known."""
        self.is_ours = is_ours
        """True if it is known to be the server of this package."""
        self.knows_choices = is_ours or announced is not None
        """True if something shows that the server takes the choice after MSG_PLAY."""
        self.pending: Pending = NOTHING_PENDING
        self.trades: list[Trade] = []
        """Trades, announcements and unlawful offers that wait for their MSG_TRADE_ACCEPT."""
        self.turn_is_open = False
        self.has_to_pass = False
        """True if no other action is sure to be legal in this turn."""
        self.unanswered = 0
        """Trades and choices of this turn that the bank may still answer, though not awaited."""
        self.has_open_offer = False
        """True if an offer of this turn may still be answered: answers do not name their offer."""
        self.is_refused_by_bank = False
        """True if the bank has rejected a trade of this seat in this turn."""
        self.concluded: Event | None = None
        """This seat's last move of the robber in this turn, if its result was known in advance."""
        self._idle_turns = IdleTurns()
        self._tracked = InferredView(view)
        self._tracked.discards_by_rule = is_ours or announced is not None

    @property
    def view(self) -> SeatView:
        """The seat's knowledge of the game."""
        return self._tracked.view

    @property
    def seat(self) -> int:
        """The number of this seat."""
        return self.view.viewer

    @property
    def held_back(self) -> tuple[DevelopmentCard, ...]:
        """The kinds of cards that this seat does not play now: the server may refuse the choice.

        The text has no message for the choice, and no server has to take it before the roll.
        """
        takes_choice = self.knows_choices and self.view.phase != Phase.ROLL
        return () if self.is_ours or takes_choice else LEAVES_CHOICE

    @property
    def is_asked(self) -> bool:
        """True if it is this seat's decision, and everything it can learn before it is known."""
        if self.view.seat != self.seat or not self.turn_is_open:
            return False
        is_free = isinstance(self.pending, Nothing | Knight) and not self.is_own_trade_open
        return is_free and not self.awaits_losses

    @property
    def awaited(self) -> Awaited | None:
        """The awaited message, possibly never sent, that holds up this seat's turn."""
        if not self.turn_is_open or self.view.turn_seat != self.seat:
            return None
        if self.awaits_losses:
            return Awaited.LOSSES
        if self.is_own_trade_open:
            return Awaited.BANK
        if self.view.phase == Phase.ANSWER:
            return Awaited.PARTNER
        pending = self.pending
        is_build = isinstance(pending, Requested) and pending.action.kind in BUILDS.values()
        return Awaited.BUILD if is_build and self.view.phase == Phase.MAIN else None

    @property
    def awaits_losses(self) -> bool:
        """True if seats lose cards to a seven, or to this seat's monopoly."""
        is_own_monopoly = isinstance(self.pending, Losses) and self.view.turn_seat == self.seat
        return self.view.phase == Phase.DISCARD or is_own_monopoly

    @property
    def is_own_trade_open(self) -> bool:
        """True if this seat waits for the bank to accept its message."""
        own = any(t.player_id == self.seat and t.ask != NOTHING for t in self.trades)
        return own and self.turn_is_open and self.view.turn_seat == self.seat

    def is_refuted_by(self, message: Message) -> bool:
        """True if the awaited message should have come before `message`."""
        if isinstance(message, Turn | Kick):
            return self.awaits_losses
        if isinstance(message, TradeAccept | TradeReject) and ids_of(message) == {self.seat}:
            return self.waiting_trade(message) is None and not self.unanswered
        if isinstance(message, RobResult) and self.concluded is not None:
            return False
        return not self.is_announcement(message) and (self.awaits_losses or self.is_own_trade_open)

    def copy(self) -> Self:
        """Return an independent copy of the account."""
        account = copy(self)
        account._tracked, account.trades = self._tracked.copy(), list(self.trades)
        account._idle_turns = IdleTurns(self._idle_turns.count)
        return account

    def takes_nothing(self, robbing: Event) -> bool:
        """True if a move of the robber is sure to take no card: other servers may not say so."""
        victim = robbing.victim(self.view.seats)
        is_known = victim is None or self._tracked.has_surely_no_cards(victim)
        return is_known and not self.is_ours

    def has_to_refuse(self, message: Message) -> bool:
        """True if a message offers this seat a trade that the rules exclude."""
        if not isinstance(message, Trade) or message.target_id != self.seat:
            return False
        return is_offer(self.view, message) and is_unlawful(message)

    def waiting_trade(self, message: TradeAccept | TradeReject) -> Trade | None:
        """Return the first of the trades that wait for this answer."""
        trades = sorted(self.trades, key=lambda trade: trade.target_id != message.player_id)
        return next((trade for trade in trades if is_between(trade, message)), None)

    def is_answer(self, message: TradeAccept | TradeReject) -> bool:
        """True if a message answers the open offer."""
        offer = self.view.offer
        return offer is not None and {offer.seat, offer.to} == ids_of(message)

    def is_announcement(self, message: Message) -> bool:
        """True if a message names the cards that moved, or may belong to one that does."""
        return isinstance(message, TradeAccept) or is_movement(self.view, message)
