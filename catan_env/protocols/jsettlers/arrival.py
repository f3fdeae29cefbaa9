"""The earliest arrival time of a message, for an agent that does not read while it thinks."""

from math import inf

IDLE = 0.02
"""Seconds without work after which messages are read as they arrive."""


class Arrival:
    """The earliest time at which the message being read can have arrived.

    A message read right after a decision may have arrived any time since the last read, and the
    server's clock runs from when it was sent.

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
        """Note that a message was read; messages that were read together arrived together."""
        if now == self._looked:
            return
        was_busy = now - self._busy_until < IDLE
        self.came = min(now, self._looked) if was_busy else now
        self._looked = now

    def was_busy(self, until: float) -> None:
        """Note that the agent was thinking until then."""
        self._busy_until = until
