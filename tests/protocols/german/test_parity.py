"""What an agent makes of what it hears is what the environment would have shown its seat."""

import pytest

from catan_env.core.jit import COMPILED
from tests.protocols.german.in_memory import Joined, policy_of, room_of

NAMES = ("random", "builder", "greedy", "best")
TABLES = [(version, seats) for version in ("0.1", "0.2", "0.3", "1.0") for seats in (2, 3, 4)]


@pytest.mark.parametrize(("version", "seats"), TABLES)
def test_each_decision_is_shown_what_the_environment_shows(
    version: str, seats: int, games: int
) -> None:
    """A thousandth of `--games`, spread over the tables; at least one game each."""
    most = max(1, games // 1000 // len(TABLES)) if COMPILED else 1
    for seed in range(most):
        limit = 30 if version == "0.1" else 150
        room = room_of(version, seats, seed, max_turns=limit)
        policies = [policy_of(NAMES[(k + seed) % 4], 4 * seed + k) for k in range(seats)]
        joined = Joined(room, policies).play()
        assert room.is_over, f"{version}, {seats} seats, seed {seed}"
        assert all(table.decisions > 10 for table in joined.tables)
        assert not any(agent.follower.is_in_doubt for agent in joined.agents)
        assert {agent.winner for agent in joined.agents} <= {room.game.winner, None}


@pytest.mark.parametrize("version", ["0.2", "0.3", "1.0"])
def test_who_won_is_what_everybody_hears(version: str) -> None:
    room = room_of(version, 3, 7, max_turns=0)
    joined = Joined(room, [policy_of("builder", seed) for seed in range(3)]).play()
    assert room.game.winner is not None
    assert [agent.winner for agent in joined.agents] == [room.game.winner] * 3
