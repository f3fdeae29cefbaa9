"""No agent leaves, hangs or is removed when a correct server's messages are delayed.

`python -m tests.protocols.late PROTOCOL 1000` plays many more games.
"""

import pytest

from tests.protocols.late.games import play

GAMES = {"binary": 9, "german": 10, "hanabi": 24, "jsettlers": 12, "renaissance": 8}
"""Enough games to find the known faults."""


@pytest.mark.parametrize("protocol", GAMES)
def test_games_over_late_lines_are_played_to_their_end(protocol: str) -> None:
    early = 0
    for number in range(GAMES[protocol]):
        try:
            early += play(protocol, number)["ended early"]
        except Exception as error:
            pytest.fail(f"{protocol} game {number}: {type(error).__name__}: {error}")
    assert early > 0
