"""Actions: a hint, a discard or a play (H004), and their numbers."""

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from catan_env.guests.hanabi.cards import LETTERS
from catan_env.guests.hanabi.rules import Rules


class ActionKind(IntEnum):
    """The kinds of action, in the order of the action numbers."""

    DISCARD = 0
    PLAY = 1
    HINT_COLOUR = 2
    HINT_NUMBER = 3


class Action(NamedTuple):
    """One action. Places in a hand count from the oldest card, 0; players to the left from 1.

    >>> print(Action.play(4), Action.hint_number(1, 3), Action.hint_colour(2, 0), sep=", ")
    play card 4, hint 3 to the player 1 to the left, hint R to the player 2 to the left
    """

    kind: ActionKind
    value: int
    """The card's place, the colour or the number."""
    target: int = 0
    """The receiver of a hint, in places to the left."""

    @classmethod
    def discard(cls, place: int) -> "Action":
        """Discard the card at this place of the player's hand."""
        return cls(ActionKind.DISCARD, place)

    @classmethod
    def play(cls, place: int) -> "Action":
        """Play the card at this place of the player's hand."""
        return cls(ActionKind.PLAY, place)

    @classmethod
    def hint_colour(cls, target: int, colour: int) -> "Action":
        """Hint all cards of a colour in the hand `target` places to the left."""
        return cls(ActionKind.HINT_COLOUR, int(colour), target)

    @classmethod
    def hint_number(cls, target: int, number: int) -> "Action":
        """Hint all cards of a number in the hand `target` places to the left."""
        return cls(ActionKind.HINT_NUMBER, number, target)

    @property
    def is_hint(self) -> bool:
        """True for a hint, which costs a token."""
        return self.kind >= ActionKind.HINT_COLOUR

    def __str__(self) -> str:
        if self.kind == ActionKind.DISCARD:
            return f"discard card {self.value}"
        if self.kind == ActionKind.PLAY:
            return f"play card {self.value}"
        if self.kind == ActionKind.HINT_COLOUR:
            what = LETTERS[self.value]
        else:
            what = str(self.value)
        return f"hint {what} to the player {self.target} to the left"


@cache
def all_actions(rules: Rules, players: int) -> tuple[Action, ...]:
    """All actions, indexed by number: 20, 30, 38 and 48 of them for 2-5 players.

    >>> print(len(all_actions(Rules(), 2)), all_actions(Rules(), 2)[5])
    20 play card 0
    """
    hand, others = range(rules.cards_in_hand(players)), range(1, players)
    return (
        *(Action.discard(place) for place in hand),
        *(Action.play(place) for place in hand),
        *(Action.hint_colour(t, colour) for t in others for colour in range(rules.named_colours)),
        *(Action.hint_number(t, n) for t in others for n in range(1, rules.ranks + 1)),
    )


@cache
def numbers_of_actions(rules: Rules, players: int) -> dict[Action, int]:
    """The number of each action."""
    return {action: number for number, action in enumerate(all_actions(rules, players))}
