"""When a message can have come, for an agent that does not read while it thinks."""

from math import inf

IDLE = 0.02
"""Seconds without work after which a message is read as it comes."""


class Arrival:
    """The earliest time at which what is heard now can have come.

    What is read right after a decision may have come any time since the last look, and the server's
    clock runs from when it was sent.

    >>> arrival = Arrival()
    >>> arrival.read(now=1.0)
    >>> arrival.was_busy(until=3.0)
    >>> arrival.read(now=3.0)
    >>> arrival.came
    1.0
    """

    def __init__(self) -> None:
        self.came = 0.0
        self._looked = self._busy_until = -inf

    def read(self, now: float) -> None:
        """Take note that a message was read; those that were read at once came together."""
        if now == self._looked:
            return
        was_busy = now - self._busy_until < IDLE
        self.came = min(now, self._looked) if was_busy else now
        self._looked = now

    def was_busy(self, until: float) -> None:
        """Take note that the agent thought till then."""
        self._busy_until = until
