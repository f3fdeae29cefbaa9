"""No agent leaves, hangs or is removed by a correct server whose messages are late.

`python -m tests.protocols.late PROTOCOL 1000` plays many more games.
"""

from importlib import import_module

import pytest

GAMES = {"binary": 9, "german": 10, "hanabi": 24, "renaissance": 8}
"""How many games find the faults that there were."""


NOT_COMPARED = ("renaissance",)
"""Protocols whose observations are compared elsewhere, at lines that lose nothing."""


@pytest.mark.parametrize("protocol", GAMES)
def test_games_over_late_lines_are_played_to_their_end(protocol: str) -> None:
    play = import_module(f"tests.protocols.late.{protocol}").play
    early = 0
    for number in range(GAMES[protocol]):
        try:
            found = play(number)
        except Exception as error:
            pytest.fail(f"{protocol} game {number}: {type(error).__name__}: {error}")
        early += found["ended early"]
        assert found["compared"] or protocol in NOT_COMPARED or found["literal"]
    assert early > 0
