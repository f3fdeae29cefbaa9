"""A limit on the time of each person's turn."""

SHORTEST, LONGEST = 5.0, 3600.0
"""Limits of the time for a turn, in seconds."""


def check_timeout(seconds: float | None) -> None:
    """Raise ValueError if a turn cannot have that time; None is unlimited."""
    if seconds is not None and not SHORTEST <= seconds <= LONGEST:
        raise ValueError(f"a turn takes {SHORTEST:.0f} to {LONGEST:.0f} seconds, not {seconds:g}")


class TurnClock:
    """The time that people have left: `seconds` for each seat in each turn.

    A seat's time runs only while it decides. In the set-up every visit of a seat counts as a turn,
    of a negative number. A turn to which an undo returns has no more time than before.

    >>> clock = TurnClock(60.0)
    >>> clock.follow(1, 0, now=100.0)
    >>> clock.follow(1, 2, now=110.0)  # seat 2 answers an offer
    >>> clock.follow(1, 0, now=115.0)
    >>> clock.left(120.0), clock.due
    (45.0, 165.0)
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.seat: int | None = None
        """The seat whose time runs."""
        self._turn = 0
        self._since = 0.0
        self._used: dict[tuple[int, int], float] = {}
        """Seconds that each seat has used, by turn and seat."""

    @property
    def due(self) -> float | None:
        """When the running seat's time is over; None if no time runs."""
        if self.seat is None:
            return None
        used = self._used.get((self._turn, self.seat), 0.0)
        return self._since + max(0.0, self.seconds - used)

    def left(self, now: float) -> float:
        """Seconds that the running seat has left."""
        return max(0.0, (self.due or now) - now)

    def follow(self, turn: int, seat: int | None, now: float) -> None:
        """Note the turn and the seat of the person who decides; None if no person does."""
        if turn == self._turn and seat == self.seat:
            return
        if self.seat is not None:
            place = self._turn, self.seat
            self._used[place] = self._used.get(place, 0.0) + now - self._since
        self._turn, self.seat, self._since = turn, seat, now
