"""Connections that delay, merge and split data, on a simulated clock."""

from collections import deque
from random import Random

Way = tuple[int, bool]
"""A line, and True for the direction to the server."""


class Lines:
    """Data in transit; each direction of a line keeps its order, and pieces can be cut anywhere.

    >>> lines = Lines(Random(1))
    >>> lines.send((0, True), b"roll")
    >>> data = b""
    >>> while (due := lines.next_arrival()) is not None:
    ...     lines.now = due
    ...     data += lines.take((0, True))
    >>> data
    b'roll'
    """

    def __init__(self, chance: Random, longest: float = 6.0) -> None:
        self.now = 0.0
        self._chance = chance
        self._longest = longest
        self._under_way: dict[Way, deque[tuple[float, bytes]]] = {}

    def send(self, way: Way, data: bytes) -> None:
        """Send bytes, in one or in several pieces."""
        queue = self._under_way.setdefault(way, deque())
        while data:
            size = len(data) if self._chance.random() < 0.7 else self._chance.randint(1, len(data))
            arrives = max(self.now + self._delay(), queue[-1][0] if queue else 0.0)
            queue.append((arrives, data[:size]))
            data = data[size:]

    def next_arrival(self) -> float | None:
        """The arrival of the next piece; None if nothing is in transit."""
        return min((queue[0][0] for queue in self._under_way.values() if queue), default=None)

    def arrived(self) -> list[Way]:
        """The directions in which data has arrived."""
        return [way for way, queue in self._under_way.items() if queue and queue[0][0] <= self.now]

    def take(self, way: Way) -> bytes:
        """The arrived data, with pieces merged at random."""
        queue, data = self._under_way.get(way, deque()), b""
        while queue and queue[0][0] <= self.now and (not data or self._chance.random() < 0.7):
            data += queue.popleft()[1]
        return data

    def drop(self, line: int) -> None:
        """Drop data in transit to the server on a closed line."""
        self._under_way.pop((line, True), None)

    def is_quiet(self, line: int) -> bool:
        """True if nothing is in transit on a line."""
        return not self._under_way.get((line, True)) and not self._under_way.get((line, False))

    def _delay(self) -> float:
        """A random delay: usually short; sometimes longer than an agent waits for an answer."""
        draw = self._chance.random()
        if draw < 0.8:
            return self._chance.random() * 0.05
        return self._chance.random() * (1.0 if draw < 0.96 else self._longest)
