"""Client-side state of one seat's game: its view, its events, and the server's corrections."""

from collections import Counter
from typing import Any

from catan_env.core.constants import Resource
from catan_env.game import correction
from catan_env.game.action import Action
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers.places import to_resource

UNKNOWN = 6
"""The code of a hidden card."""
REFUSED = "refused:"
MOST_CARDS = 100
"""Upper limit on the cards of one kind in a seat's hand, as sent by a server."""


class Account:
    """`view` as events move it, and as the server corrects it: every correction is counted.

    `state` and `turn_seat` are the last ones announced. Seats that do not exist, and impossible
    numbers of cards, raise RemoteProtocolError.
    """

    def __init__(self, view: SeatView, state: int) -> None:
        self.view = view
        self.state = state
        self.turn_seat = view.turn_seat
        self.happened: list[Event] = []
        self.exact_until: int | None = None
        """The turn in which the view stopped being byte for byte the environment's."""
        self.differences: Counter[str] = Counter()
        """Counts of server corrections, by topic."""
        self._told_until: int | None = None

    @property
    def seat(self) -> int:
        """This seat's number."""
        return self.view.viewer

    @property
    def is_exact(self) -> bool:
        """True if the view is byte for byte the environment's."""
        return self.exact_until is None

    @property
    def told(self) -> list[Event]:
        """The events of the game so far, as long as they account for every change of the view."""
        return self.happened[: self._told_until]

    def apply(self, seat: int, action: Action, outcome: Any = None) -> None:
        """Follow a seat's action; one that our rules reject is followed as far as possible.

        A seat may act while its offer is open: in the view the offer is refused first.
        """
        if self.view.is_over:
            return
        offer = self.view.offer
        if offer is not None and offer.seat == seat:
            self.apply(offer.to, Action.reject())
        event = Event(seat, action, outcome)
        self.happened.append(event)
        try:
            self.view.apply(event)
        except IllegalActionError:
            self.differ(f"{REFUSED} {action.kind.name.lower()}")
            correction.force(self.view, event)

    def undo(self, view: SeatView, count: int) -> None:
        """Return to `view`, its state after the first `count` events."""
        self.view = view
        del self.happened[count:]
        if self._told_until is not None:
            self._told_until = min(self._told_until, count)

    def differ(self, about: str) -> None:
        """Count a difference from the computed view, which has been corrected."""
        self.differences[about] += 1
        self.be_in_doubt()
        if self._told_until is None:
            self._told_until = len(self.happened) - about.startswith(REFUSED)

    def be_in_doubt(self) -> None:
        """Note that from here on the view is not byte for byte the environment's."""
        if self.exact_until is None:
            self.exact_until = self.view.turn

    def checked(self, seat: int) -> int:
        """Return the seat if it exists."""
        if not 0 <= seat < self.view.seats:
            raise RemoteProtocolError(f"seat {seat} among {self.view.seats}")
        return seat

    def counted(self, number: int) -> int:
        """Return the number of cards if it is possible."""
        if not 0 <= number <= MOST_CARDS:
            raise RemoteProtocolError(f"{number} cards; allowed are 0..{MOST_CARDS}")
        return number

    # The server's hands, cards and awards are authoritative.

    def believe_own_hand(self, said: dict[int, int]) -> None:
        """Set the number of each kind, by its code, in this seat's hand."""
        hand = list(self.view.hand(self.seat))
        for what, n in said.items():
            if what != UNKNOWN:
                hand[Resource(to_resource(what))] = self.counted(n)
        if tuple(hand) != self.view.hand(self.seat):
            self.differ("own hand")
            correction.believe_hand(self.view, self.seat, self.counted(sum(hand)), hand)

    def believe_size(self, seat: int, size: int) -> None:
        """Set the number of cards in another seat's hand."""
        if self.counted(size) != self.view.hand_size(seat) and seat != self.seat:
            self.differ("hand size")
            correction.believe_hand(self.view, seat, size, None)

    def believe_knights(self, seat: int, knights: int) -> None:
        """Set the number of knights that a seat has played."""
        if self.view.knights(seat) != self.counted(knights):
            self.differ("knights")
            correction.believe_knights(self.view, seat, knights)

    def believe_award(self, name: str, seat: int | None) -> None:
        """Set the owner of `longest_road` or `largest_army`."""
        awards = {
            "largest_army": self.view.largest_army_seat,
            "longest_road": self.view.longest_road_seat,
        }
        if seat != awards[name] and not self.view.is_over:
            self.differ(name)
            correction.award(self.view, name, seat)
