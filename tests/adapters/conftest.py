"""Runs every test of this folder that takes a `game` for each game."""

import pytest

from tests.adapters.games import GAMES, GameUnderTest


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> GameUnderTest:
    return request.param
