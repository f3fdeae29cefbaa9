"""A table where others play, elsewhere in this process: its game is followed event by event."""

from collections import deque
from collections.abc import Callable, Sequence

from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.notation.follow import follow
from catan_env.web.table import ShownTable

LOOK_EVERY = 0.1
"""Seconds between two looks at what has happened."""


class WatchedTable(ShownTable):
    """Follows a game whose events so far `source` gives, `delay` seconds behind it.

    With `is_full` those who watch see every card.
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
        """Whether nothing more will happen, though the game may not have been won."""
        self._source = source
        self._waiting: deque[tuple[float, Event]] = deque()
        self._ahead = 0
        super().__init__(game.copy(), names, ())
        self._heard = len(game.events)

    @property
    def is_settled(self) -> bool:
        """Whether all that will ever happen has been shown."""
        return self.is_ended and not self._waiting

    def look(self, now: float) -> None:
        """Note what has happened, and show what is old enough."""
        new = self._source()[self._heard :]
        self._heard += len(new)
        self._waiting.extend((now + self.delay, event) for event in new)
        while self._waiting and self._waiting[0][0] <= now:
            self._show(self._waiting.popleft()[1])

    def _show(self, event: Event) -> None:
        if self._ahead:  # what the table decided came with the roll
            self._ahead -= 1
            return
        done = follow(self.game, event)
        self._ahead = len(done) - 1
        self._write(done)
