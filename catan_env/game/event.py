"""Events: a seat's choice and its random outcome. A game is a sequence of events."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from catan_env.core import constants as core
from catan_env.core.constants import DevelopmentCard, Resource
from catan_env.game.action import Action, ActionKind, say_cards


class Hidden(Enum):
    """The kind of a card that a seat has not seen."""

    HIDDEN = "hidden"

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN = Hidden.HIDDEN
MAY_BE_HIDDEN = (ActionKind.MOVE_ROBBER, ActionKind.BUY_DEVELOPMENT_CARD, ActionKind.DISCARD)
"""Verbs about a card that other seats may not see; discards only at tables that hide them."""


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a game: the seat, its action, and the random outcome.

    `outcome` is the pair of dice of a roll; the Resource stolen by a robber's move (None if
    there was nothing to steal); the DevelopmentCard bought; the cards that a monopoly took, by
    seat; None otherwise. HIDDEN replaces a card that a seat has not seen; the action of a hidden
    discard names the card that is likely gone. `winner` is the seat that won by this event.

    >>> event = Event(2, Action.buy_development_card(), DevelopmentCard.KNIGHT)
    >>> event.redacted(0, seats=4).outcome, event.redacted(2, seats=4).outcome.name
    (HIDDEN, 'KNIGHT')
    """

    seat: int
    action: Action
    outcome: Any = None
    winner: int | None = None

    def redacted(self, viewer: int | None, seats: int) -> "Event":
        """Return the event as the seat `viewer`, of `seats` seats, sees it; None: a spectator."""
        kind = self.action.kind
        if self.outcome is None or viewer == self.seat:
            return self
        if kind == ActionKind.BUY_DEVELOPMENT_CARD:
            return replace(self, outcome=HIDDEN)
        if kind == ActionKind.MOVE_ROBBER and viewer != self.victim(seats):
            return replace(self, outcome=HIDDEN)
        return self

    def victim(self, seats: int) -> int | None:
        """Return the seat that a robber's move or an offer names, of `seats` seats."""
        if self.action.kind == ActionKind.MOVE_ROBBER:
            step = self.action.args[1]
        elif self.action.kind == ActionKind.OFFER:
            step = self.action.args[0]
        else:
            step = None
        return None if step is None else (self.seat + step) % seats

    def __str__(self) -> str:
        action: Any = self.action
        if action.kind == ActionKind.DISCARD and self.outcome is HIDDEN:
            action = "discard"
        text = f"seat {self.seat}: {action}{_say_outcome(self)}"
        return text if self.winner is None else f"{text}; seat {self.winner} wins"


def _say_outcome(event: Event) -> str:
    outcome, kind = event.outcome, event.action.kind
    if outcome is None:
        return ""
    if kind == ActionKind.ROLL:
        return f": {outcome[0]} + {outcome[1]} = {sum(outcome)}"
    if kind == ActionKind.PLAY_MONOPOLY:
        return f": {sum(outcome)} cards"
    return ": a card" if outcome is HIDDEN else f": {outcome.name.lower().replace('_', ' ')}"


def to_code(action: Action, outcome: Any, seats: int) -> int:
    """Return the engine's code for `outcome`; ValueError unless it fits `action`."""
    kind = action.kind
    try:
        if kind == ActionKind.ROLL:
            first, second = outcome
            if first in _DIE and second in _DIE:
                return (int(first) - 1) * 6 + int(second) - 1
        elif outcome is HIDDEN:
            if kind in MAY_BE_HIDDEN:
                return core.HIDDEN
        elif kind == ActionKind.MOVE_ROBBER:
            return int(Resource(outcome))
        elif kind == ActionKind.BUY_DEVELOPMENT_CARD:
            return int(DevelopmentCard(outcome))
        elif kind == ActionKind.PLAY_MONOPOLY:
            counts = tuple(outcome)
            if len(counts) == seats and all(n in _HAUL for n in counts):
                return sum(int(n) << (8 * seat) for seat, n in enumerate(counts))
    except (TypeError, ValueError):
        pass
    raise ValueError(
        f"{outcome!r} is not a possible outcome of '{action}'; {_ALLOWED.get(kind, _NO_CHANCE)}"
    )


_DIE = range(1, 7)
_HAUL = range(core.MOST_CARDS + 1)
_NO_CHANCE = "it has no random outcome: leave the outcome out"
_ALLOWED = {
    ActionKind.ROLL: "expected a pair of dice, each 1..6",
    ActionKind.MOVE_ROBBER: "expected a Resource",
    ActionKind.BUY_DEVELOPMENT_CARD: "expected a DevelopmentCard",
    ActionKind.PLAY_MONOPOLY: "expected the cards taken from each seat",
}


def from_code(kind: ActionKind, code: int, seats: int) -> Any:
    """Return the outcome encoded by the engine's `code`; None for actions without chance."""
    if code == core.NOTHING:
        return None
    if kind == ActionKind.ROLL:
        return (code // 6 + 1, code % 6 + 1)
    if kind == ActionKind.PLAY_MONOPOLY:
        return tuple(code >> (8 * seat) & 255 for seat in range(seats))
    if code == core.HIDDEN:
        return HIDDEN
    return Resource(code) if kind == ActionKind.MOVE_ROBBER else DevelopmentCard(code)


def dice_of(total: int) -> tuple[int, int]:
    """Return two dice of that sum, where only the sum is known.

    >>> [dice_of(total) for total in (2, 7, 12)]
    [(1, 1), (1, 6), (6, 6)]
    """
    first = max(1, total - 6)
    return first, total - first


__all__ = ["HIDDEN", "Event", "Hidden", "dice_of", "from_code", "say_cards", "to_code"]
