"""What a seat makes of a game: its view, what happened in it, and where the server knew better."""

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
"""The code of a card that is not shown."""
REFUSED = "refused:"
MOST_CARDS = 100
"""Cards of a seat, of one sort, that a server may tell of."""


class Account:
    """`view` as events move it, and as the server corrects it: every correction is counted.

    `state` and `turn_seat` are what the server told last. Seats that do not exist, and numbers of
    cards that cannot be, raise RemoteProtocolError.
    """

    def __init__(self, view: SeatView, state: int) -> None:
        self.view = view
        self.state = state
        self.turn_seat = view.turn_seat
        self.happened: list[Event] = []
        self.exact_until: int | None = None
        """The turn in which the view ceased to be byte for byte what the environment would show."""
        self.differences: Counter[str] = Counter()
        """What was told otherwise than computed, by what it is about."""
        self._told_until: int | None = None

    @property
    def seat(self) -> int:
        """This seat's number."""
        return self.view.viewer

    @property
    def is_exact(self) -> bool:
        """Whether the view is byte for byte what the environment would show."""
        return self.exact_until is None

    @property
    def told(self) -> list[Event]:
        """What happened, as far as events say everything that moved the view."""
        return self.happened[: self._told_until]

    def apply(self, seat: int, action: Action, outcome: Any = None) -> None:
        """Follow what a seat did; what our rules refuse is followed as far as it can be.

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
        """Return to `view`, as it was when `count` events had happened."""
        self.view = view
        del self.happened[count:]
        if self._told_until is not None:
            self._told_until = min(self._told_until, count)

    def differ(self, about: str) -> None:
        """Something was otherwise than computed, and the view has been brought in line."""
        self.differences[about] += 1
        self.be_in_doubt()
        if self._told_until is None:
            self._told_until = len(self.happened) - about.startswith(REFUSED)

    def be_in_doubt(self) -> None:
        """From here on the view is not byte for byte what the environment would show."""
        if self.exact_until is None:
            self.exact_until = self.view.turn

    def checked(self, seat: int) -> int:
        """The seat, if there is one of that number."""
        if not 0 <= seat < self.view.seats:
            raise RemoteProtocolError(f"seat {seat} among {self.view.seats}")
        return seat

    def counted(self, number: int) -> int:
        """The number of cards, if there can be so many."""
        if not 0 <= number <= MOST_CARDS:
            raise RemoteProtocolError(f"{number} cards; allowed are 0..{MOST_CARDS}")
        return number

    # What the server says of hands, cards and awards is so.

    def believe_own_hand(self, said: dict[int, int]) -> None:
        """The number of each kind, by its code, in this seat's hand."""
        hand = list(self.view.hand(self.seat))
        for what, n in said.items():
            if what != UNKNOWN:
                hand[Resource(to_resource(what))] = self.counted(n)
        if tuple(hand) != self.view.hand(self.seat):
            self.differ("own hand")
            correction.believe_hand(self.view, self.seat, self.counted(sum(hand)), hand)

    def believe_size(self, seat: int, size: int) -> None:
        """How many cards another seat holds."""
        if self.counted(size) != self.view.hand_size(seat) and seat != self.seat:
            self.differ("hand size")
            correction.believe_hand(self.view, seat, size, None)

    def believe_knights(self, seat: int, knights: int) -> None:
        """How many knights a seat has played."""
        if self.view.knights(seat) != self.counted(knights):
            self.differ("knights")
            correction.believe_knights(self.view, seat, knights)

    def believe_award(self, name: str, seat: int | None) -> None:
        """Whose `longest_road` or `largest_army` is."""
        awards = {
            "largest_army": self.view.largest_army_seat,
            "longest_road": self.view.longest_road_seat,
        }
        if seat != awards[name] and not self.view.is_over:
            self.differ(name)
            correction.award(self.view, name, seat)
