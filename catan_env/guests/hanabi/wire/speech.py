"""Requests from actions, and cards from the wire's words."""

from collections.abc import Sequence

from catan_env.guests.hanabi.action import Action, ActionKind
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.wire import messages as m


def card_of(card: m.WireCard) -> Card:
    """The card that a server shows; ValueError if it is hidden."""
    if card.color is None or card.number is None:
        raise ValueError(f"the card {card.id} is hidden")
    return Card(m.colour_of(card.color), m.number_of(card.number))


def to_request(
    action: Action, seat: int, names: Sequence[str], ages: Sequence[Sequence[int]]
) -> m.ActionRequest:
    """The request of the player at `seat`; `names` and `ages` (ids, oldest first) are by seat.

    >>> to_request(Action.play(1), 0, ["ann", "ben"], [[7, 9], [1, 2]])
    PlayCardRequest(played_card_id=9)
    """
    target = names[(seat + action.target) % len(names)]
    if action.kind == ActionKind.HINT_COLOUR:
        return m.HintColorRequest(target, m.COLOURS[action.value])
    if action.kind == ActionKind.HINT_NUMBER:
        return m.HintNumberRequest(target, m.NUMBERS[action.value - 1])
    number = ages[seat][action.value]
    if action.kind == ActionKind.PLAY:
        return m.PlayCardRequest(number)
    return m.DiscardCardRequest(number)
