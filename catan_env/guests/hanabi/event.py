"""Events: a seat's action and what came of it."""

from typing import NamedTuple

from catan_env.guests.hanabi.action import Action, ActionKind
from catan_env.guests.hanabi.cards import Card


class Event(NamedTuple):
    """What happened: who, what, and what became known.

    Places are those of the hand before the action.
    """

    seat: int
    action: Action
    card: Card | None = None
    """The card played or discarded."""
    is_placed: bool = False
    """Whether a play succeeded (H030)."""
    gained_token: bool = False
    """Whether a placed 5 gave a token (H032)."""
    touched: tuple[int, ...] = ()
    """Places of the cards that a hint pointed out."""
    has_drawn: bool = False
    """Whether the card was replaced: the deck held another."""
    drawn: Card | None = None
    """The card drawn; None where there is none, or for the seat that drew it."""

    def redacted(self, viewer: int) -> "Event":
        """The event as the seat `viewer` sees it: not the card that it drew (H005)."""
        return self._replace(drawn=None) if viewer == self.seat else self

    def __str__(self) -> str:
        said = f"seat {self.seat}: {self.action}"
        if self.action.is_hint:
            return f"{said}, touching {', '.join(map(str, self.touched)) or 'nothing'}"
        if self.action.kind == ActionKind.PLAY:
            said += ", placed" if self.is_placed else ", failed"
        return f"{said}: {self.card}"
