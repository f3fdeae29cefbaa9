"""Whole games over the wire in memory, every policy, dialect and kind of board."""

import pytest

from tests.protocols.games import play


@pytest.mark.parametrize("part", range(6))
def test_games_over_the_wire_are_the_games_that_agents_know(part, games):
    """Numbers select seats, dialects and boards in turn; `games.py` plays thousands."""
    for number in range(part, max(6, games // 1000), 6):
        play(number)
