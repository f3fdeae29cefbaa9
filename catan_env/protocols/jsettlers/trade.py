"""Trades: with the bank, and offers from the first message to the last."""

from collections.abc import Sequence

from catan_env.core.constants import CARDS_PER_RESOURCE, Phase
from catan_env.game import correction
from catan_env.game.action import Action
from catan_env.game.event import Event
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import states
from catan_env.protocols.jsettlers.corrected_view import CorrectedView
from catan_env.protocols.jsettlers.speech import KINDS, bank_trades, cards_of, listed, offer_to

Counts = tuple[int, ...]


class Trades:
    """Trades of the seat on turn, in the `tracked` view."""

    def __init__(self, tracked: CorrectedView) -> None:
        self._tracked = tracked

    @property
    def is_ours_open(self) -> bool:
        """True if the server has announced our offer, and neither a trade nor its withdrawal."""
        return self._is_open(self._tracked.seat) and self._tracked.state == states.MAIN

    def without_ours(self) -> SeatView:
        """The view, or a copy in which our offer is refused: it may still be accepted."""
        view = self._tracked.view
        if self.is_ours_open and view.offer is not None:
            event = Event(view.offer.to, Action.reject())
            view = view.copy()
            view.apply(event)
        return view

    def trade_with_bank(self, message: m.BankTraded) -> None:
        """Follow a bank trade card by card; if no rate of ours fits, only the cards move."""
        tracked, view = self._tracked, self._tracked.view
        give, get = cards_of(message.counts)
        seat = tracked.checked(message.counts[2 * KINDS])
        actions = bank_trades(view, seat, give, get)
        rates = view.owned_rates(seat, listed(give)[0]) if actions else set()
        if actions and (actions[0].args[2] is None or actions[0].args[2] in rates):
            for action in actions:
                tracked.act(seat, action)
        else:
            tracked.differ("bank trade")
            correction.exchange(view, seat, give, get)

    def offer(self, message: m.MakeOffer) -> None:
        """Follow an offer of our own, unless it is late; those of others leave no trace.

        Another offer of ours replaces the one that is open.
        """
        tracked, view = self._tracked, self._tracked.view
        maker, to = tracked.checked(message.seat), offer_to(view, message)
        give, get = cards_of(message.counts)
        is_timely = view.phase == Phase.MAIN or self._is_open(maker)
        is_ours = maker == tracked.seat == tracked.turn_seat
        if is_ours and is_timely and len(to) == 1 and can_be_named(give, get):
            tracked.act(maker, Action.offer((to[0] - maker) % view.seats, give, get))

    def accept(self, message: m.AcceptOffer) -> None:
        """Follow a trade from the side of the seat on turn, whichever seat made the offer."""
        tracked, on_turn = self._tracked, self._tracked.turn_seat
        taker, maker = tracked.checked(message.taker), tracked.checked(message.maker)
        give, get = cards_of(message.counts)
        if on_turn not in (taker, maker) or taker == maker:
            raise RemoteProtocolError(f"seats {taker} and {maker} trade in another's turn")
        partner = taker
        if maker != on_turn:
            give, get, partner = get, give, maker
        if can_be_named(give, get):
            self._open(partner, give, get)
            tracked.act(partner, Action.accept())
        else:
            self._exchange(partner, give, get)

    def clear(self, message: m.ClearOffer) -> None:
        """Close the offer of the seat on turn, or every offer."""
        if message.seat < 0 or message.seat == self._tracked.turn_seat:
            self._withdraw()

    def _is_open(self, maker: int) -> bool:
        offer = self._tracked.view.offer
        return offer is not None and offer.seat == maker

    def _open(self, partner: int, give: Sequence[int], get: Sequence[int]) -> None:
        """Restore the accepted offer, unless it is open in the view already."""
        view, on_turn = self._tracked.view, self._tracked.turn_seat
        if view.offer is not None and (partner, give, get) != view.offer[1:]:
            self._withdraw()
        if view.offer is None:
            step = (partner - on_turn) % view.seats
            self._tracked.act(on_turn, Action.offer(step, give, get))

    def _exchange(self, partner: int, give: Counts, get: Counts) -> None:
        """Move the cards of a trade that no event of ours can express."""
        self._withdraw()
        tracked = self._tracked
        tracked.differ("trade")
        correction.exchange(tracked.view, tracked.turn_seat, give, get)
        correction.exchange(tracked.view, partner, get, give)

    def _withdraw(self) -> None:
        if self._tracked.view.offer is not None:
            self._tracked.act(self._tracked.view.offer.to, Action.reject())


def can_be_named(give: Counts, get: Counts) -> bool:
    """True if an Action can name these cards: at most as many of a kind as the booklet's bank has.

    >>> can_be_named((19, 0, 0, 0, 0), (0, 1, 0, 0, 0)), can_be_named((20, 0, 0, 0, 0), (0,) * 5)
    (True, False)
    """
    return max(*give, *get) <= CARDS_PER_RESOURCE
