"""Events: a seat's action and its outcome."""

from typing import NamedTuple

from catan_env.guests.hanabi.action import Action, ActionKind
from catan_env.guests.hanabi.cards import Card


class Event(NamedTuple):
    """An action with its seat and what it revealed.

    Places are those of the hand before the action.
    """

    seat: int
    action: Action
    card: Card | None = None
    """The card played or discarded."""
    is_placed: bool = False
    """True if a play succeeded (H030)."""
    gained_token: bool = False
    """True if a placed 5 gave a token (H032)."""
    touched: tuple[int, ...] = ()
    """Places of the cards that the hint touches."""
    has_drawn: bool = False
    """True if another card was drawn."""
    drawn: Card | None = None
    """The card drawn; None if there is none, and for the seat that drew it."""

    def redacted(self, viewer: int) -> "Event":
        """The event as seen by the seat `viewer`, without the card it drew (H005)."""
        return self._replace(drawn=None) if viewer == self.seat else self

    def __str__(self) -> str:
        said = f"seat {self.seat}: {self.action}"
        if self.action.is_hint:
            return f"{said}, touching {', '.join(map(str, self.touched)) or 'nothing'}"
        if self.action.kind == ActionKind.PLAY:
            said += ", placed" if self.is_placed else ", failed"
        return f"{said}: {self.card}"
