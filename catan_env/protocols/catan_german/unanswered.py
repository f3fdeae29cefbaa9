"""The message that a Serverantwort refers to: the oldest is answered first (9)."""

from typing import NamedTuple

STALE = 4
"""Turns after which the server counts as not answering a message at all."""


class _Sent(NamedTuple):
    """A message, with the turn in which it was sent."""

    turn: int
    offer: int | None
    """The number of the answered offer; None for everything else."""


class Unanswered:
    """Messages without a Serverantwort, oldest first.

    Some servers confirm nothing, or not everything: there a message also counts as answered by the
    server's next action.

    >>> unanswered = Unanswered()
    >>> unanswered.sent(turn=3)
    >>> unanswered.sent(turn=3)
    >>> unanswered.refused(), unanswered.refused(), unanswered.refused()
    (False, True, True)
    """

    def __init__(self) -> None:
        self._sent: list[_Sent] = []
        self._confirmed = 0
        """Confirmed messages whose effect has not been announced."""

    def sent(self, turn: int, offer: int | None = None) -> None:
        """Record a message: the answer to an offer, or anything else."""
        self._sent = [other for other in self._sent if other.turn > turn - STALE]
        self._sent.append(_Sent(turn, offer))

    def confirmed(self) -> None:
        """Record an OK, which belongs to the oldest message."""
        if self._sent and self._sent.pop(0).offer is None:
            self._confirmed += 1

    def refused(self) -> bool:
        """Record a refusal; return True if it belongs to the latest message."""
        del self._sent[:1]
        return not self._sent

    def done(self) -> None:
        """Record that the effect of a request was announced."""
        if self._confirmed:
            self._confirmed -= 1
        else:
            self._forget(next((sent for sent in self._sent if sent.offer is None), None))

    def announced(self, offer: int) -> None:
        """Record that the answer to an offer was announced to all."""
        self._forget(next((sent for sent in self._sent if sent.offer == offer), None))

    def _forget(self, sent: _Sent | None) -> None:
        if sent is not None:
            self._sent.remove(sent)
