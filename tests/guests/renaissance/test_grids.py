"""The agent reads the top cards in every form that the protocol's text allows."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from catan_env.guests.renaissance.native.cards import COLOURS
from catan_env.guests.renaissance.native.state import EMPTY
from tests.guests.renaissance.altered import in_a_game, play_compared
from tests.guests.renaissance.habits import line_of
from tests.guests.renaissance.in_memory import TO_CLIENT, House

Row = list[int | None]
FORMS: dict[str, tuple[str, str, Callable[[Row], Any]]] = {
    "as at the real server": ("devCardGrid", "topCards", lambda row: [None, *row]),
    "nested": ("topCards", "grid", lambda row: [[None, *row]]),
    "nested without level 0": ("topCards", "grid", lambda row: [row]),
    "flat": ("topCards", "grid", lambda row: [None, *row]),
    "flat without level 0": ("topCards", "grid", lambda row: row),
    "one list per level": (
        "topCards",
        "grid",
        lambda row: [[] if card is None else [card] for card in row],
    ),
    "one list per level with level 0": (
        "topCards",
        "grid",
        lambda row: [[]] + [[] if card is None else [card] for card in row],
    ),
    "as in the whole game": ("topCards", "topCards", lambda row: [None, *row]),
    "with the text's inner name": ("devCardGrid", "grid", lambda row: [None, *row]),
    "null for a colour without cards": (
        "topCards",
        "grid",
        lambda row: row if any(card is not None for card in row) else None,
    ),
}
"""The names of the grid, and the form of a colour's three cards."""


def spelled(form: str, top_cards: dict[str, list[int | None]]) -> dict[str, Any]:
    """The event of the top cards in that form; ours have level 0 in front."""
    outer, inner, write = FORMS[form]
    cards = {name: write(row[1:]) for name, row in top_cards.items()}
    return {
        "type": "UpdateDevCardGrid",
        outer: {"levelsCount": 3, "colorsCount": 4, inner: cards},
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seats", [1, 3])
def test_the_top_cards_may_be_sent_in_any_form(form: str, seats: int) -> None:
    """The text: the level "is the card's position in the list"; its example has four positions."""

    class Writing(House):
        def spelled(self, message: Any) -> list[bytes]:
            said = json.loads(TO_CLIENT.encode(message))
            is_grid = said["type"] == "UpdateDevCardGrid"
            return [line_of(spelled(form, said["devCardGrid"]["topCards"]) if is_grid else said)]

    play_compared(Writing(seats), seats, seats)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("row", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
def test_empty_stacks_keep_their_levels(form: str, row: tuple[int, ...]) -> None:
    house, (agent, _) = in_a_game()
    top = agent.follower.state["top"]
    before = top.tolist()
    cards = [
        [int(card) if there else None for card, there in zip(colour, row, strict=True)]
        for colour in before
    ]
    said = {
        name: [None, *kept] for name, kept in zip(COLOURS, cards, strict=True) if name != "Green"
    }
    decoded = TO_CLIENT.decode(bytearray(line_of(spelled(form, said))))
    assert decoded is not None
    agent.received(decoded[0], house.now)
    expected = [[EMPTY if card is None else card for card in colour] for colour in cards]
    expected[COLOURS.index("Green")] = before[COLOURS.index("Green")]
    assert not agent.is_lost and top.tolist() == expected
