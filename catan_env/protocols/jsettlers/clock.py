"""The server's patience with a robot, and the robot's own waits."""

from collections.abc import Sequence
from math import inf

CLOCK = 8.0
"""Seconds without progress after which the server ends a robot's turn."""
SHORT_CLOCK = 4.0
"""The same for a robot whose turn has been ended twice."""
DECISION = 2.0
"""Longest decision in seconds, when there is time."""
LEAST_DECISION = 0.05
"""Shortest time for a decision in seconds, when there is none."""
MARGIN = 2.0
"""Seconds for a decision that must remain after an offer and its withdrawal."""
ON_THE_WAY = 0.4
"""Seconds for a message to reach the server."""
LEAST_LEFT = 3.0
"""Seconds that must remain for an offer."""
CLIENT_OFFER = 15.0
"""Seconds for an answer to an offer when the server has no clock running for us."""


class Clock:
    """The last progress in a turn, the awaited message, and its `deadline`.

    `now` is in seconds of any steady clock.
    """

    def __init__(self, is_robot: bool) -> None:
        self.deadline: float | None = None
        """The end of the wait, or None if no message is awaited."""
        self.forced = 0
        """Turns and discards of ours that the server ended."""
        self._waits_for = ""
        self._is_robot = is_robot
        self._progress = 0.0

    @property
    def patience(self) -> float:
        """The server's patience in seconds."""
        return CLOCK if self.forced < 2 else SHORT_CLOCK

    def left(self, now: float) -> float:
        """Seconds until the server ends the turn if there is no progress."""
        return self._progress + self.patience - now if self._is_robot else inf

    def progress(self, now: float) -> None:
        """Note progress in the turn."""
        self._progress = now

    def wait(self, what: str, until: float) -> None:
        """Wait for the given reason, and no other."""
        self._waits_for, self.deadline = what, until

    def stop(self, *what: str) -> None:
        """Stop waiting, or stop waiting for the given reason."""
        if not what or self._waits_for in what:
            self._waits_for, self.deadline = "", None

    def due(self, now: float) -> str:
        """End a wait whose deadline has passed and return its reason; empty before the deadline."""
        if self.deadline is None or now < self.deadline:
            return ""
        waited_for = self._waits_for
        self.stop()
        return waited_for

    def leaves_time_to_offer(self, now: float) -> bool:
        """True if there is time to make an offer and have it answered."""
        return not self._is_robot or now <= self._progress + self.patience - LEAST_LEFT

    def offer_until(self, now: float) -> float:
        """The time at which an unanswered offer is withdrawn."""
        return self._progress + self.patience - MARGIN if self._is_robot else now + CLIENT_OFFER

    def discard_until(self, now: float) -> float:
        """Return the time until which to wait for other discards: at most half of the patience."""
        half = now + (self.patience - MARGIN) / 2
        return min(half, self._progress + self.patience - MARGIN) if self._is_robot else half


def time_to_think(left: Sequence[float], games: int) -> float:
    """Seconds for a decision, given the time `left` in each game in which it is our turn.

    While one game is decided, each of the others may become due and wait in turn.
    """
    share = (min(left, default=CLOCK) - ON_THE_WAY) / max(games, 1)
    return max(LEAST_DECISION, min(DECISION, share))
