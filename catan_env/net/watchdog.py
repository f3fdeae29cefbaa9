"""Noticing that a server has not answered, for agents that must never stall."""

PATIENCE = 3.0
"""Seconds of silence after which a message counts as refused; the agents' default."""


class Watchdog:
    """Reports a message as overdue after `patience` seconds of silence; 0 waits without a limit.

    `now` is in seconds of any steady clock. Silence is counted from the message, or from the last
    call of `received`: call it for messages that show that the server is at work (leave out
    keep-alives), and `answered` once the message has been done or refused.

    Overdue is a guess. The agent may ask again, and must accept the answer whenever it arrives.

    >>> watchdog = Watchdog(patience=3.0)
    >>> watchdog.sent(now=10.0)
    >>> watchdog.received(now=12.0)
    >>> watchdog.is_overdue(now=14.9), watchdog.deadline, watchdog.is_overdue(now=15.0)
    (False, 15.0, True)
    >>> watchdog.answered()
    >>> watchdog.deadline is None
    True
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._heard_at: float | None = None
        """The start of the silence, or None if no answer is awaited."""

    @property
    def is_waiting(self) -> bool:
        """True if a message awaits its answer."""
        return self._heard_at is not None

    @property
    def deadline(self) -> float | None:
        """The time at which the message becomes overdue, or None if it never does."""
        if self._heard_at is None or not self._patience:
            return None
        return self._heard_at + self._patience

    def sent(self, now: float) -> None:
        """Expect an answer to a message that was just sent."""
        self._heard_at = now

    def received(self, now: float) -> None:
        """Count the silence from `now`, if an answer is awaited and was not sent later.

        Messages that are read together have the same time, even if a decision follows the first.
        """
        if self._heard_at is not None:
            self._heard_at = max(self._heard_at, now)

    def answered(self) -> None:
        """Expect nothing: the message was carried out or refused, or counts as refused."""
        self._heard_at = None

    def is_overdue(self, now: float) -> bool:
        """True if an answer is awaited and nothing was received for `patience` seconds."""
        return self.deadline is not None and now >= self.deadline
