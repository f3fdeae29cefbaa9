"""Runs every test of this folder that takes a `game` for each game, or also for more seats."""

import pytest

from tests.adapters.games import GAMES, OTHER_SEATS, GameUnderTest


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> GameUnderTest:
    return request.param


@pytest.fixture(params=[*GAMES, *OTHER_SEATS], ids=lambda game: game.name)
def game_of_any_size(request: pytest.FixtureRequest) -> GameUnderTest:
    return request.param
