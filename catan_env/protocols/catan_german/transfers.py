"""Cards changing hands: the theft, card, discard or trade that a Kosten or an Ertrag belongs to.

Most servers send the action first and the moved cards afterwards; some in the opposite order.
"""

from collections.abc import Sequence
from typing import Any

from catan_env.core.constants import CARDS_PER_RESOURCE, Phase, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import HIDDEN, Event
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german.corrected_view import CorrectedView
from catan_env.protocols.catan_german.discards import Discards
from catan_env.protocols.catan_german.ledger import Ledger, Move
from catan_env.protocols.catan_german.messages import Player
from catan_env.protocols.catan_german.pending import (
    NOTHING_PENDING,
    Invention,
    Monopoly,
    Pending,
    Requested,
    Theft,
    Unnamed,
)
from catan_env.protocols.catan_german.sea_trade import sea_trade
from catan_env.protocols.catan_german.speech import richest
from catan_env.protocols.catan_german.trade import HeardOffer, HeardOffers

AWAITING = (Theft, Monopoly, Invention)


class Transfers:
    """Applies events to the `tracked` view, and waits for the cards that they move."""

    def __init__(self, tracked: CorrectedView) -> None:
        self.tracked = tracked
        self.pending: Pending = NOTHING_PENDING
        self.offers = HeardOffers()
        self.discards = Discards(tracked)
        self._ledger = Ledger()
        self._taken: Monopoly | None = None
        """The last monopoly, until the next action of the game."""
        self._hand: Sequence[int] = ()
        """This seat's hand before the last event."""

    @property
    def view(self) -> SeatView:
        """The seat's view; before its first settlement there is none."""
        assert self.tracked.view is not None
        return self.tracked.view

    @property
    def requested(self) -> tuple[Action, ...]:
        """This seat's request that the server has neither executed nor refused."""
        return self.pending.actions if isinstance(self.pending, Requested) else ()

    @property
    def are_awaited(self) -> bool:
        """True if moved cards have yet to be named."""
        return isinstance(self.pending, AWAITING)

    def request(self, actions: Sequence[Action]) -> None:
        """Wait for the server to execute or refuse this seat's request."""
        self.pending = Requested(tuple(actions))
        is_discard = actions[0].kind == ActionKind.DISCARD
        self.discards.requested = tuple(actions) if is_discard else ()

    def refuse(self) -> None:
        """Forget this seat's request."""
        if self.requested:
            self.pending = NOTHING_PENDING
            self.discards.requested = ()

    def hold(self, unnamed: Unnamed) -> None:
        """Hold a robber's move until the knight that moved it is named."""
        self.settle()
        self.pending = unnamed

    def name_knight(self, tile: int) -> None:
        """Move the robber to `tile` by a knight, unless the move was already seen."""
        if isinstance(self.pending, Unnamed) and self.pending.tile == tile:
            self.pending = NOTHING_PENDING

    def apply(self, seat: int, action: Action, outcome: Any = None) -> None:
        """Follow an event, and expect the Kosten and Erträge that it causes."""
        if self.tracked.view is not None:
            self._hand = self.view.hand(self.view.viewer)
        more = self.tracked.apply(Event(seat, action, outcome))
        said, is_own = self.pending, more and seat == self.view.viewer
        if is_own and isinstance(said, Requested) and said.asks_for(action):
            self.pending = NOTHING_PENDING
        if action.kind not in WITHOUT_DUES:
            self._ledger.expect((s, 1 if n > 0 else -1, abs(n)) for s, n in enumerate(more) if n)

    def settle(self) -> None:
        """Give up on announcements that are overdue."""
        if isinstance(self.pending, Unnamed):
            unnamed, self.pending = self.pending, NOTHING_PENDING
            self.rob(unnamed.seat, unnamed.tile, unnamed.victim)
        if isinstance(self.pending, Theft):
            self._finish_unheard(self.pending)
        elif isinstance(self.pending, Monopoly):
            self._finish_monopoly(self.pending)
        elif isinstance(self.pending, Invention):
            self._finish_invention(self.pending)

    def close(self) -> None:
        """Before something new, apply unexplained movements of cards."""
        self.settle()
        self._taken = None
        unexplained = self._ledger.close()
        if self.tracked.view is not None:
            for move in unexplained:
                self.tracked.move(move)

    def hear(self, move: Move) -> None:
        """Handle a Kosten or an Ertrag."""
        pending = self.pending
        if isinstance(pending, Theft) and move.total == 1:
            self._hear_of_theft(pending, move)
        elif isinstance(pending, Monopoly) and (move.seat == pending.seat) == (move.sign > 0):
            self._hear_of_monopoly(pending, move)
        elif isinstance(pending, Invention) and (move.seat, move.sign) == (pending.seat, 1):
            self._finish_invention(pending, move)
        elif move.total and self.discards.is_requested(move):
            self._discard(move)
        elif move.total and self._ledger.explains(move):
            self._name_own(move)
        elif self._is_of_last_monopoly(move):
            self.tracked.move(move)
        elif move.total and self.discards.is_owed(move):
            self._discard(move)
        elif move.total:
            self._leave_open(move)

    def _leave_open(self, move: Move) -> None:
        """Wait for an event that explains the cards; if one moves fewer, the announcement wins."""
        explained = self._ledger.falls_short(move)
        if explained:
            self.tracked.move(self._rest_of(move, explained))
        else:
            self._ledger.open.append(move)
            self._look_for_sea_trade(move.seat)

    def _rest_of(self, move: Move, explained: int) -> Move:
        """The cards that the event did not move; of others' only the number is known."""
        rest = move.total - explained
        if move.seat != self.view.viewer:
            return Move(move.seat, move.sign, (0, 0, 0, 0, 0), rest)
        hands = zip(self.view.hand(move.seat), self._hand, move.counts, strict=True)
        a, b, c, d, e = (max(0, n - abs(now - before)) for now, before, n in hands)
        return Move(move.seat, move.sign, (a, b, c, d, e), rest)

    def compare(self, seat: int, said: Player) -> None:
        """Compare a seat with its Statusupdate, which includes open movements."""
        if not self.are_awaited:
            for move in self._ledger.close_of(seat):
                self.tracked.move(move)
            self.tracked.compare(seat, said)

    def _take_open(self, total: int | None = None) -> None:
        """Use cards announced before their cause, as long as it waits for any."""
        for move in [move for move in self._ledger.open if total in (None, move.total)]:
            if self.are_awaited:
                self._ledger.open.remove(move)
                self.hear(move)

    def rob(self, seat: int, tile: int, victim: int | None) -> None:
        """Follow a robber's move (2); `victim` is None if none was named."""
        view = self.view
        if victim is None and view.seat == seat and richest(view, tile) is None:
            self.apply(seat, Action.move_robber(tile))
            return
        theft = self.pending = Theft(seat, tile, victim)
        if victim is not None and self._is_plain(seat, victim):
            self._finish_theft(theft, None)
        else:
            self._take_open(total=1)

    def is_of_theft_at(self, tile: int) -> bool:
        """True if the robber has just moved there, and its card is awaited."""
        return isinstance(self.pending, Theft) and self.pending.tile == tile

    def _is_plain(self, thief: int, victim: int) -> bool:
        """True if there is no card, or none that concerns this seat."""
        view = self.view
        return not view.hand_size(victim) or view.viewer not in (thief, victim)

    def _hear_of_theft(self, theft: Theft, move: Move) -> None:
        theft = self.pending = theft.with_move(move)
        if theft.victim is None:
            return
        known = move.only_kind
        if known is not None or len(theft.heard) == 2 or self._is_plain(theft.seat, theft.victim):
            self._finish_theft(theft, known)

    def _finish_unheard(self, theft: Theft) -> None:
        """Finish a theft without a named card: there was none, or its kind is hidden."""
        view, victim = self.view, theft.victim
        if victim is None and view.seat == theft.seat:
            step = richest(view, theft.tile)
            near = None if step is None else (theft.seat + step) % view.seats
            victim = near if near is not None and not view.hand_size(near) else None
        if victim is None or view.hand_size(victim) > 0:
            self.tracked.be_in_doubt()
        self._finish_theft(Theft(theft.seat, theft.tile, victim, theft.heard), None)

    def _finish_theft(self, theft: Theft, card: Resource | None) -> None:
        view, victim = self.view, theft.victim
        self.pending = NOTHING_PENDING
        step = None if victim is None else (victim - theft.seat) % view.seats
        outcome: Any = None
        if victim is not None and view.hand_size(victim):
            concerned = view.viewer in (theft.seat, victim)
            outcome = card if concerned and card is not None else HIDDEN
            if concerned and card is None:
                self.tracked.be_in_doubt()
        self.apply(theft.seat, Action.move_robber(theft.tile, step), outcome)
        for move in theft.heard:
            self._ledger.explains(move)

    def monopolise(self, seat: int, resource: Resource) -> None:
        """Follow the naming of a monopoly."""
        self.pending = Monopoly(seat, resource, (0,) * self.view.seats)
        self._take_open()

    def _hear_of_monopoly(self, monopoly: Monopoly, move: Move) -> None:
        monopoly = self.pending = monopoly.with_move(move)
        if monopoly.is_complete:
            self._finish_monopoly(monopoly)
            self._taken = monopoly

    def _is_of_last_monopoly(self, move: Move) -> bool:
        """True for further cards of a monopoly that a server announces player by player."""
        taken = self._taken
        if taken is None or move.only_kind != taken.resource:
            return False
        return (move.seat == taken.seat) == (move.sign > 0)

    def _finish_monopoly(self, monopoly: Monopoly) -> None:
        self.pending = NOTHING_PENDING
        seat, losses = monopoly.seat, monopoly.losses
        self.apply(seat, Action.play_monopoly(monopoly.resource), losses)
        unsaid = (monopoly.gain or 0) - sum(losses)
        if unsaid > 0:
            kinds = [unsaid * (kind == monopoly.resource) for kind in Resource]
            a, b, c, d, e = kinds
            self.tracked.move(Move(seat, 1, (a, b, c, d, e), unsaid))

    def invent(self, seat: int, cards: tuple[Resource, Resource]) -> None:
        """Follow the naming of two cards from the bank."""
        self.pending = Invention(seat, cards)
        self._take_open()

    def _finish_invention(self, invention: Invention, move: Move | None = None) -> None:
        """Accept the Ertrag: some servers give one of two equal cards."""
        self.pending = NOTHING_PENDING
        seat, cards = invention.seat, invention.cards
        self.apply(seat, Action.play_year_of_plenty(*cards))
        if move is not None and not self._ledger.explains(move):
            self._leave_open(move)
        unpaid = self._ledger.unpaid(seat) if move is not None else 0
        if unpaid:
            a, b, c, d, e = (unpaid * (kind == cards[0]) for kind in Resource)
            self.tracked.move(Move(seat, -1, (a, b, c, d, e), unpaid))

    def _discard(self, move: Move) -> None:
        counts = self.discards.kinds_of(move)
        if self.view.phase == Phase.DISCARD:
            for resource in Resource:
                for _ in range(counts[resource]):
                    self.apply(move.seat, Action.discard(resource))
        else:  # the server already asks for the robber
            if self.requested:
                self.pending = NOTHING_PENDING
            self.tracked.move(Move(move.seat, -1, counts, move.total))

    def _name_own(self, move: Move) -> None:
        """Name this seat's cards that an earlier event has moved without their kinds."""
        view = self.view
        if move.seat != view.viewer or sum(move.counts) != move.total:
            return
        hand, size = view.hand(move.seat), view.hand_size(move.seat)
        if sum(hand) + move.sign * move.total == size != sum(hand):
            a, b, c, d, e = (n + move.sign * m for n, m in zip(hand, move.counts, strict=True))
            self.tracked.name_hand((a, b, c, d, e))

    def _look_for_sea_trade(self, seat: int) -> None:
        view = self.view
        if view.phase != Phase.MAIN or view.turn_seat != seat or self.offers.open is not None:
            return
        moves = [move for move in self._ledger.open if move.seat == seat]
        paid = next((move for move in moves if move.sign < 0), None)
        got = next((move for move in moves if move.sign > 0), None)
        if paid is None or got is None or not got.total:
            return
        trade = sea_trade(view, paid, got, self.requested)
        if trade:
            self._ledger.open = [m for m in self._ledger.open if m is not paid and m is not got]
        for action in trade:
            self.apply(seat, action)

    def trade(self, offer: HeardOffer, partner: int, answer: Action) -> None:
        """The game's form of an offer to all: one to a single seat, and its answer."""
        given, got = sum(offer.give), sum(offer.get)
        if max(*offer.give, *offer.get) <= CARDS_PER_RESOURCE:
            step = (partner - offer.seat) % self.view.seats
            self.apply(offer.seat, Action.offer(step, offer.give, offer.get))
            self.apply(partner, answer)
        elif answer.kind == ActionKind.ACCEPT:
            for seat, lost, gained in ((offer.seat, offer.give, offer.get),
                                       (partner, offer.get, offer.give)):  # fmt: skip
                self.tracked.move(Move(seat, -1, lost, sum(lost)))
                self.tracked.move(Move(seat, 1, gained, sum(gained)))
        if answer.kind == ActionKind.ACCEPT:
            both = [(offer.seat, -1, given), (partner, -1, got)]
            self._ledger.expect([*both, (offer.seat, 1, got), (partner, 1, given)])


WITHOUT_DUES = frozenset({ActionKind.DISCARD, ActionKind.BANK_TRADE, ActionKind.PLAY_MONOPOLY,
                          ActionKind.OFFER, ActionKind.ACCEPT, ActionKind.REJECT,
                          ActionKind.END_TURN, ActionKind.PLAY_KNIGHT,
                          ActionKind.PLAY_ROAD_BUILDING})  # fmt: skip
"""Messages without a later Kosten or Ertrag: it came before, or no cards move."""
