"""Client-side state of one seat's game: its view, its events, and the server's corrections."""

from typing import Any

from catan_env.core.constants import Resource
from catan_env.game.action import Action
from catan_env.game.event import Event
from catan_env.game.tracked import REFUSED, TrackedView
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers.places import UNKNOWN, to_resource

MOST_OF_A_KIND = 100
"""Upper limit on the cards of one kind in a seat's hand, as sent by a server."""


class CorrectedView(TrackedView):
    """`view` as events move it, and as the server corrects it: every correction is counted.

    `state` and `turn_seat` are the last ones announced. Seats that do not exist, and impossible
    numbers of cards, raise RemoteProtocolError.
    """

    def __init__(self, view: SeatView, state: int) -> None:
        super().__init__(view)
        self.state = state
        self.turn_seat = view.turn_seat
        self.happened: list[Event] = []
        self._explained_until: int | None = None

    @property
    def explained(self) -> list[Event]:
        """The events of the game so far, as long as they account for every change of the view."""
        return self.happened[: self._explained_until]

    def act(self, seat: int, action: Action, outcome: Any = None) -> None:
        """Follow a seat's action.

        A seat may act while its offer is open: in the view the offer is refused first.
        """
        if self.view.is_over:
            return
        offer = self.view.offer
        if offer is not None and offer.seat == seat:
            self.act(offer.to, Action.reject())
        self.happened.append(Event(seat, action, outcome))
        self.follow(self.happened[-1])

    def undo(self, view: SeatView, count: int) -> None:
        """Return to `view`, its state after the first `count` events."""
        self.view = view
        del self.happened[count:]
        if self._explained_until is not None:
            self._explained_until = min(self._explained_until, count)

    def differ(self, about: str) -> None:
        """Count a difference from the computed view, which is to be corrected."""
        super().differ(about)
        if self._explained_until is None:
            self._explained_until = len(self.happened) - about.startswith(REFUSED)

    def checked(self, seat: int) -> int:
        """Return the seat if it exists."""
        if not 0 <= seat < self.view.seats:
            raise RemoteProtocolError(f"seat {seat} among {self.view.seats}")
        return seat

    def counted(self, number: int) -> int:
        """Return the number of cards if it is possible."""
        if not 0 <= number <= MOST_OF_A_KIND:
            raise RemoteProtocolError(f"{number} cards; allowed are 0..{MOST_OF_A_KIND}")
        return number

    def believe_own_hand(self, said: dict[int, int]) -> None:
        """Set the number of each kind, by its code, in this seat's hand."""
        hand = list(self.view.hand(self.seat))
        for what, n in said.items():
            if what != UNKNOWN:
                hand[Resource(to_resource(what))] = self.counted(n)
        self.believe_hand(self.seat, self.counted(sum(hand)), hand)

    def believe_size(self, seat: int, size: int) -> None:
        """Set the number of cards in another seat's hand."""
        if seat != self.seat:
            self.believe_hand(seat, self.counted(size))
