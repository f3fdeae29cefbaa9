"""A table for watching a game that is played elsewhere in this process, event by event."""

from collections import deque
from collections.abc import Callable, Sequence

from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.notation.follow import follow
from catan_env.web.shown_table import ShownTable

LOOK_EVERY = 0.1
"""Seconds between two checks for new events."""


class WatchedTable(ShownTable):
    """Follows a game whose events come from `source`, `delay` seconds behind it.

    With `is_full` spectators see every card.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        source: Callable[[], Sequence[Event]],
        is_full: bool = False,
        delay: float = 0.0,
    ) -> None:
        self.is_full = is_full
        self.delay = delay
        self.is_ended = False
        """True if no event will follow, although the game may not have been won."""
        self._source = source
        self._waiting: deque[tuple[float, Event]] = deque()
        self._ahead = 0
        super().__init__(game.copy(), names, ())
        self._heard = len(game.events)

    @property
    def is_settled(self) -> bool:
        """True if every event has been shown and none will follow."""
        return self.is_ended and not self._waiting

    def look(self, now: float) -> None:
        """Note new events, and show those that are old enough."""
        new = self._source()[self._heard :]
        self._heard += len(new)
        self._waiting.extend((now + self.delay, event) for event in new)
        while self._waiting and self._waiting[0][0] <= now:
            self._show(self._waiting.popleft()[1])

    def _show(self, event: Event) -> None:
        if self._ahead:  # the table's own decisions came with the roll
            self._ahead -= 1
            return
        done = follow(self.game, event)
        self._ahead = len(done) - 1
        self._write(done)
