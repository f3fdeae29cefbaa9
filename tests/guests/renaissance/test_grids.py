"""The agent reads the top cards in every form that the protocol's text allows."""

import json
from typing import Any

import pytest

from catan_env.guests.renaissance.native.cards import COLOURS
from catan_env.guests.renaissance.native.state import EMPTY
from tests.guests.renaissance.altered import in_a_game, play_compared
from tests.guests.renaissance.habits import FORMS, grid_in, line_of
from tests.guests.renaissance.in_memory import TO_CLIENT, House


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seats", [1, 3])
def test_the_top_cards_may_be_sent_in_any_form(form: str, seats: int) -> None:
    """The text: the level "is the card's position in the list"; its example has four positions."""

    class Writing(House):
        def spelled(self, message: Any) -> list[bytes]:
            said = json.loads(TO_CLIENT.encode(message))
            is_grid = said["type"] == "UpdateDevCardGrid"
            return [line_of(grid_in(form, said["devCardGrid"]["topCards"]) if is_grid else said)]

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
    decoded = TO_CLIENT.decode(bytearray(line_of(grid_in(form, said))))
    assert decoded is not None
    agent.received(decoded[0], house.now)
    expected = [[EMPTY if card is None else card for card in colour] for colour in cards]
    expected[COLOURS.index("Green")] = before[COLOURS.index("Green")]
    assert not agent.is_lost and top.tolist() == expected
