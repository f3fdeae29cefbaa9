"""Errors name the message, and the place in it, that cannot be."""

from typing import Any

import pytest

from catan_env.notation import NotationError, loads
from tests.notation.random_games import random_game
from tests.notation.test_statements import assert_refused_at, first, say, written


@pytest.mark.parametrize(
    ("viewer", "robbed", "path"),
    [(None, 5, ".x-robbed"), (0, "\ud800", ".x-robbed"), (0, "Zed", ".x-robbed")],
)
def test_a_robbery_of_no_player_is_blamed_itself(
    viewer: int | None, robbed: Any, path: str
) -> None:
    messages = random_game(8, 4).to_sgn(viewer=viewer)
    at = first(messages, "RM")
    robbery = {**say(messages[at]["player"], "RR", resources=[]), "x-robbed": robbed}
    with pytest.raises(NotationError) as caught:
        loads([*messages[: at + 1], robbery])
    assert caught.value.index == at + 1
    assert caught.value.path == f"$[{at + 1}]{path}"


@pytest.mark.parametrize("event", ["PE", "PS", "RS"])
def test_a_message_of_an_empty_name_is_refused_before_the_first_turn(event: str) -> None:
    messages = written()
    at = first(messages, event, 1)
    assert at < first(messages, "TS")
    messages[at]["player"] = ""
    assert_refused_at(messages, at, event)
