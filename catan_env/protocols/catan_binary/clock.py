"""A turn's clock, which stops while another seat answers an offer (14, 17)."""

MOST_WAITING = 10
"""Time limits that the offers of one turn may wait for answers in total."""


class Clock:
    """`limit` seconds per turn and per answer, 0 for no limit; times are of any steady clock.

    >>> clock = Clock(5)
    >>> clock.start(now=100.0)
    >>> clock.wait_for_answer(now=103.0)
    >>> clock.deadline
    108.0
    >>> clock.go_on(now=104.0)
    >>> clock.deadline
    106.0
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._left: float | None = None
        self._waited = 0.0
        self._asked_at = 0.0
        self.deadline: float | None = None
        """The time at which the awaited seat is out of time, or None without a limit."""

    @property
    def has_waited_enough(self) -> bool:
        """True if the offers of this turn have used up their total waiting time."""
        return 0 < MOST_WAITING * self._limit <= self._waited

    def start(self, now: float) -> None:
        """Start a turn."""
        self._asked_at, self._left, self._waited = now, None, 0.0
        self.deadline = now + self._limit if self._limit else None

    def stop(self) -> None:
        """Stop: no seat is awaited any more."""
        self.deadline = None

    def lap(self, now: float) -> float:
        """Return the seconds since the last request, and start measuring the next one."""
        took, self._asked_at = now - self._asked_at, now
        return took

    def wait_for_answer(self, now: float) -> None:
        """Start a fresh limit for the target of an offer."""
        if self.deadline is not None:
            self._left = self.deadline - now
            self.deadline = now + self._limit

    def go_on(self, now: float) -> None:
        """Resume the turn's own clock."""
        self._asked_at = now
        if self._left is not None and self.deadline is not None:
            self._waited += now + self._limit - self.deadline
            self.deadline, self._left = now + self._left, None
