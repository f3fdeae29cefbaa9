"""Moves as dictionaries, and hands as lists of them: numbers of cards start at 0 there."""

from typing import Any

from catan_env.guests.hanabi.action import Action, ActionKind
from catan_env.guests.hanabi.cards import LETTERS, Card
from catan_env.guests.hanabi.knowledge import Knowledge

KINDS = {
    ActionKind.PLAY: "PLAY",
    ActionKind.DISCARD: "DISCARD",
    ActionKind.HINT_COLOUR: "REVEAL_COLOR",
    ActionKind.HINT_NUMBER: "REVEAL_RANK",
}
MOVE_TYPES = ["INVALID", "PLAY", "DISCARD", "REVEAL_COLOR", "REVEAL_RANK", "DEAL"]
Move = dict[str, Any]


def to_move(action: Action) -> Move:
    """An action as a move.

    >>> to_move(Action.hint_number(1, 3))
    {'action_type': 'REVEAL_RANK', 'target_offset': 1, 'rank': 2}
    """
    move: Move = {"action_type": KINDS[action.kind]}
    if not action.is_hint:
        return {**move, "card_index": action.value}
    move["target_offset"] = action.target
    if action.kind == ActionKind.HINT_COLOUR:
        return {**move, "color": LETTERS[action.value]}
    return {**move, "rank": action.value - 1}


def from_move(move: Move) -> Action:
    """The action of a move; AssertionError if it is not a move of a player.

    >>> str(from_move({"action_type": "REVEAL_COLOR", "color": "G", "target_offset": 2}))
    'hint G to the player 2 to the left'
    """
    kind = move.get("action_type")
    if kind == "PLAY":
        return Action.play(int(move["card_index"]))
    if kind == "DISCARD":
        return Action.discard(int(move["card_index"]))
    if kind == "REVEAL_COLOR" and str(move["color"]) in LETTERS:
        return Action.hint_colour(int(move["target_offset"]), LETTERS.index(str(move["color"])))
    if kind == "REVEAL_RANK":
        return Action.hint_number(int(move["target_offset"]), int(move["rank"]) + 1)
    raise AssertionError(f"{move} is not a move; types are {', '.join(KINDS.values())}")


def to_card(card: Card | None) -> Move:
    """A card, or a card that the player does not see."""
    if card is None:
        return {"color": None, "rank": -1}
    return {"color": LETTERS[card.colour], "rank": card.number - 1}


def to_hint(known: Knowledge) -> Move:
    """The colour and the number that hints have named of a card."""
    colours, number = known.named_colours, known.named_number
    return {
        "color": LETTERS[colours.bit_length() - 1] if colours else None,
        "rank": number.bit_length() - 1 if number else None,
    }
