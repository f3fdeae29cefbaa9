"""No agent leaves, hangs or is removed when a correct server's messages are delayed.

`python -m tests.protocols.late PROTOCOL 1000` plays many more games.
"""

import pytest

from tests.protocols.late.games import play

GAMES = {"binary": 9, "german": 10, "hanabi": 24, "jsettlers": 12, "renaissance": 8}
"""Enough games to find the known faults, of which the first half finds most."""


@pytest.mark.parametrize("protocol", GAMES)
@pytest.mark.parametrize("part", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_games_over_late_lines_are_played_to_their_end(protocol: str, part: int) -> None:
    early, half = 0, GAMES[protocol] // 2
    for number in range(half) if part == 1 else range(half, GAMES[protocol]):
        try:
            early += play(protocol, number)["ended early"]
        except Exception as error:
            pytest.fail(f"{protocol} game {number}: {type(error).__name__}: {error}")
    assert early > 0
