"""The single open offer, as the server stores it and as a seat learns of it."""

from dataclasses import dataclass, field

from catan_env.game.action import Counts


@dataclass
class OpenOffer:
    """An offer to all; `answers` by seat, None for missing ones."""

    number: int
    seat: int
    give: Counts
    get: Counts
    answers: dict[int, bool | None] = field(default_factory=dict)

    time_left: float = 0.0
    """The proposer's remaining seconds once all have answered."""

    @property
    def awaited(self) -> list[int]:
        """The seats that have not answered."""
        return [seat for seat, answer in self.answers.items() if answer is None]


@dataclass
class HeardOffer:
    """An offer that the server announced; `answers` by seat, of those that have answered."""

    number: int
    seat: int
    give: Counts
    get: Counts
    answers: dict[int, bool] = field(default_factory=dict)
    replies: int = 0
    """The number of announced answers, for any seats: some servers name wrong ones."""

    def note(self, seat: int | None, accepts: bool) -> None:
        """Store an answer; None if it is of no seat that could give one."""
        self.replies += 1
        if seat is not None and seat != self.seat:
            self.answers[seat] = self.answers.get(seat, False) or accepts


class HeardOffers:
    """The offers between seats, one open at a time, as one seat hears of them."""

    def __init__(self) -> None:
        self.open: HeardOffer | None = None
        self.has_answered = False
        """True if this seat has answered the open offer."""
        self._latest = 0

    def begin(self, number: int, seat: int, give: Counts, get: Counts) -> None:
        """Open a seat's offer; it replaces an open one."""
        self.open = HeardOffer(number, seat, give, get)
        self._latest = max(number, self._latest)
        self.has_answered = False

    def is_new(self, number: int) -> bool:
        """True for a number above all others, while no offer is open."""
        return self.open is None and number > self._latest

    def end(self) -> HeardOffer | None:
        """Close the open offer and return it."""
        ended, self.open = self.open, None
        return ended
