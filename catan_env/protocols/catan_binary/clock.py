"""A turn's clock, which stands still while somebody else answers an offer (14, 17)."""

MOST_WAITING = 10
"""Limits that the offers of one turn may wait for answers together."""


class Clock:
    """`limit` seconds a turn and an answer, 0 for no limit; times are of any steady clock.

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
        """When whoever is awaited is out of time; None without a limit."""

    @property
    def has_waited_enough(self) -> bool:
        """Whether the offers of this turn have waited as long as they may together."""
        return 0 < MOST_WAITING * self._limit <= self._waited

    def start(self, now: float) -> None:
        """A turn begins."""
        self._asked_at, self._left, self._waited = now, None, 0.0
        self.deadline = now + self._limit if self._limit else None

    def stop(self) -> None:
        """Nobody is awaited any more."""
        self.deadline = None

    def lap(self, now: float) -> float:
        """Seconds since something was last asked; from now on the next is."""
        took, self._asked_at = now - self._asked_at, now
        return took

    def wait_for_answer(self, now: float) -> None:
        """A fresh limit for the target of an offer."""
        if self.deadline is not None:
            self._left = self.deadline - now
            self.deadline = now + self._limit

    def go_on(self, now: float) -> None:
        """The turn's own clock runs again."""
        self._asked_at = now
        if self._left is not None and self.deadline is not None:
            self._waited += now + self._limit - self.deadline
            self.deadline, self._left = now + self._left, None
