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
