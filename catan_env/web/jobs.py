"""The slow work of a room: each job's result comes back to the room when it is there."""

from collections.abc import Callable
from typing import Any

from catan_env.game.errors import IllegalActionError
from catan_env.net.room import Effect

Job = Callable[[], Any]
Then = Callable[[Any, float], list[Effect]]
"""A job's continuation: called with its result or its exception, and the time."""
Start = Callable[[Job, Then], list[Effect]]
"""Begins a job, and makes sure that its `Then` is called."""


class Jobs:
    """Begins the jobs of a room: immediately, unless a server puts threads in their place.

    >>> Jobs().start(lambda: "done", lambda result, now: [result])
    ['done']
    """

    def __init__(self) -> None:
        self.start: Start = self._at_once
        self.start_study: Start = self._at_once
        """Starts a job that nothing waits for."""
        self.start_advice: Start = self._at_once
        """Starts a job that only the person who asks waits for."""
        self.now = 0.0
        """The time of the room's last event."""
        self.soon: list[Callable[[], list[Effect]]] = []
        """The work that begins as soon as the clock runs."""

    def time(self, now: float) -> list[Effect]:
        """Begin what waited for the clock."""
        self.now = now
        soon, self.soon = self.soon, []
        return [effect for begin in soon for effect in begin()]

    def _at_once(self, job: Job, then: Then) -> list[Effect]:
        """Do a job while everything else waits."""
        try:
            result = job()
        except (IllegalActionError, ValueError, OSError) as error:
            return then(error, self.now)
        return then(result, self.now)
