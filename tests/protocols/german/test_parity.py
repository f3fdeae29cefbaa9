"""An agent's view agrees with what the environment shows its seat."""

import pytest

from catan_env.kernel.jit import MACHINE_CODE
from tests.protocols.german.games import play
from tests.protocols.german.in_memory import Joined, policy_of, room_of

TABLES = 12
"""Four versions with 2, 3 and 4 seats."""


@pytest.mark.parametrize("table", range(TABLES))
def test_each_decision_sees_what_the_environment_shows(table: int, games: int) -> None:
    """A thousandth of `--games`, spread over the tables; at least one game each."""
    for number in range(table, max(TABLES, games // 1000) if MACHINE_CODE else TABLES, TABLES):
        play(number)


@pytest.mark.parametrize("version", ["0.2", "0.3", "1.0"])
def test_the_winner_is_announced_to_all(version: str) -> None:
    room = room_of(version, 3, 7, max_turns=0)
    joined = Joined(room, [policy_of("builder", seed) for seed in range(3)]).play()
    assert room.game.winner is not None
    assert [agent.winner for agent in joined.agents] == [room.game.winner] * 3
