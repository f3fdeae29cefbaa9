"""Games compared decision by decision: `python -m tests.protocols.german.games 10000`.

All four versions, 2 to 4 seats, and the policies random, builder, greedy and best in all mixtures.
At each decision an agent's observation, mask and memory are those of the game, byte for byte.
"""

from collections import Counter
from random import Random

from tests.protocols.german.in_memory import Joined, policy_of, room_of
from tests.protocols.numbered import play_numbered

KINDS = ("random", "builder", "greedy", "best")
VERSIONS = ("0.1", "0.2", "0.3", "1.0")


def play(number: int) -> Counter[str]:
    """Play game `number`; return its statistics."""
    chance = Random(number)
    version, seats = VERSIONS[number % 4], 2 + number // 4 % 3
    kinds = [chance.choice(KINDS) for _ in range(seats)]
    limit = 30 if version == "0.1" else 150
    room = room_of(version, seats, number, max_turns=limit)
    policies = [policy_of(kind, 4 * number + k) for k, kind in enumerate(kinds)]
    joined = Joined(room, policies).play()
    assert room.is_over, f"game {number} has not ended"
    assert all(table.decisions > 10 for table in joined.tables)
    assert not any(agent.follower.is_in_doubt for agent in joined.agents)
    assert {agent.winner for agent in joined.agents} <= {room.game.winner, None}
    decisions = sum(table.decisions for table in joined.tables)
    return Counter({version: 1, f"{seats} seats": 1, "decisions": decisions, **Counter(kinds)})


if __name__ == "__main__":
    play_numbered(play)
