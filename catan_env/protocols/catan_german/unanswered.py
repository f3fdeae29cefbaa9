"""Which message a Serverantwort is about: what was sent first is answered first (16)."""

from typing import NamedTuple

STALE = 4
"""Turns after which a message counts as one that the server answers in no way."""


class _Sent(NamedTuple):
    """A message, by the turn in which it was sent."""

    turn: int
    offer: int | None
    """The number of the offer that was answered; None for everything else."""


class Unanswered:
    """Messages without a Serverantwort, oldest first.

    Some servers confirm nothing, or not everything: there a message is also answered by what the
    server then does.

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
        """A message was sent: the answer to an offer, or anything else."""
        self._sent = [other for other in self._sent if other.turn > turn - STALE]
        self._sent.append(_Sent(turn, offer))

    def confirmed(self) -> None:
        """An OK came: for the oldest message."""
        if self._sent and self._sent.pop(0).offer is None:
            self._confirmed += 1

    def refused(self) -> bool:
        """A refusal came; True if it is of the latest message."""
        del self._sent[:1]
        return not self._sent

    def done(self) -> None:
        """What a message asked for was announced."""
        if self._confirmed:
            self._confirmed -= 1
        else:
            self._forget(next((sent for sent in self._sent if sent.offer is None), None))

    def announced(self, offer: int) -> None:
        """The answer to an offer was announced to all."""
        self._forget(next((sent for sent in self._sent if sent.offer == offer), None))

    def _forget(self, sent: _Sent | None) -> None:
        if sent is not None:
            self._sent.remove(sent)
