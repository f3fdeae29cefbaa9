"""The server's patience with a robot, and what the robot itself waits for."""

from collections.abc import Sequence
from math import inf

CLOCK = 8.0
"""Seconds without progress after which the server ends a robot's turn."""
SHORT_CLOCK = 4.0
"""The same for a robot whose turn it has ended twice."""
DECISION = 2.0
"""Seconds that a decision may take where there is time."""
LEAST_DECISION = 0.05
"""Seconds that a decision may take where there is none."""
MARGIN = 2.0
"""Seconds for a decision, which an offer and its withdrawal have to leave."""
ON_THE_WAY = 0.4
"""Seconds for what is said to come to the server."""
LEAST_LEFT = 3.0
"""Seconds that have to be left for an offer."""
CLIENT_OFFER = 15.0
"""Seconds for an answer to an offer where the server has no clock for us."""


class Clock:
    """When something last moved in a turn, what is waited for, and till when (`deadline`).

    `now` is in seconds of any steady clock.
    """

    def __init__(self, is_robot: bool) -> None:
        self.deadline: float | None = None
        """When the waiting is over; None while nothing is waited for."""
        self.forced = 0
        """Turns and discards of ours that the server ended for us."""
        self._waits_for = ""
        self._is_robot = is_robot
        self._progress = 0.0

    @property
    def patience(self) -> float:
        """The server's, in seconds."""
        return CLOCK if self.forced < 2 else SHORT_CLOCK

    def left(self, now: float) -> float:
        """Seconds till the server ends the turn, if nothing moves."""
        return self._progress + self.patience - now if self._is_robot else inf

    def progress(self, now: float) -> None:
        """Something has moved in the turn."""
        self._progress = now

    def wait(self, what: str, until: float) -> None:
        """Wait for that, and for nothing else."""
        self._waits_for, self.deadline = what, until

    def stop(self, *what: str) -> None:
        """Wait no more, or no more for that."""
        if not what or self._waits_for in what:
            self._waits_for, self.deadline = "", None

    def due(self, now: float) -> str:
        """What was waited for till now, and is so no more; nothing before the deadline."""
        if self.deadline is None or now < self.deadline:
            return ""
        waited_for = self._waits_for
        self.stop()
        return waited_for

    def leaves_time_to_offer(self, now: float) -> bool:
        """Whether an offer can be made and answered."""
        return not self._is_robot or now <= self._progress + self.patience - LEAST_LEFT

    def offer_until(self, now: float) -> float:
        """When an offer that nobody answers is withdrawn."""
        return self._progress + self.patience - MARGIN if self._is_robot else now + CLIENT_OFFER

    def discard_until(self, now: float) -> float:
        """How long to wait for the discards of others: half of what may be spent, or is left."""
        half = now + (self.patience - MARGIN) / 2
        return min(half, self._progress + self.patience - MARGIN) if self._is_robot else half


def time_to_think(left: Sequence[float], games: int) -> float:
    """Seconds for a decision, where so much is `left` in the games in which it is our turn.

    While one game is thought about, each of the others may come to wait, and wait its turn.
    """
    share = (min(left, default=CLOCK) - ON_THE_WAY) / max(games, 1)
    return max(LEAST_DECISION, min(DECISION, share))
