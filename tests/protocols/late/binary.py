"""The binary protocol over slow connections, in both dialects."""

from collections import Counter
from random import Random
from typing import Any

from catan_env import SeatView
from catan_env.net import Connection
from catan_env.protocols.catan_binary.agent import Agent, client_end
from catan_env.protocols.catan_binary.messages import BinaryCodec
from tests.protocols.in_memory import builder_policy, random_policy, tournament
from tests.protocols.late.table import LateTable


class Compared:
    """Compares the policy's view with the game, once all delayed messages have arrived."""

    def __init__(self, policy: Any, seat: int) -> None:
        self.compared = 0
        self.table: LateTable
        self._policy, self._seat = policy, seat

    def __call__(self, view: SeatView) -> int:
        """Compare, then decide."""
        room: Any = self.table.room
        follower = self.table.agents[self._seat].follower
        is_sure = self.table.is_quiet(self._seat) and len(follower._alternatives) == 1
        if is_sure and room.awaited == self._seat and not room.is_over:
            truth = self.table.agents[self._seat].shown(room.game.view(self._seat))
            assert view.observation.tobytes() == truth.observation.tobytes()
            assert view.action_mask.tobytes() == truth.action_mask.tobytes()
            self.compared += 1
        return int(self._policy(view))


def play(number: int) -> Counter[str]:
    """Play game `number`; return its statistics."""
    chance = Random(number)
    seats, announced = 2 + number % 3, number // 3 % 3 != 0
    room = tournament(seats, number, announced=announced, max_turns=200, timeout_secs=0)
    policies: list[Any] = [
        (builder_policy if k % 2 else random_policy)(number + k) for k in range(seats)
    ]
    if announced:
        policies = [Compared(policy, seat) for seat, policy in enumerate(policies)]
    knows = chance.choice((announced, None, None))
    agents = [Agent(policy, knows) for policy in policies]
    table = LateTable(room, agents, lambda: Connection(BinaryCodec("big")), client_end, chance)
    for policy in policies if announced else ():
        policy.table = table
    table.play()
    assert not room.removals, room.removals
    assert {agent.winner for agent in agents} == {room.winner}
    found = Counter({"announced" if announced else "literal": 1, "ended early": table.early})
    found["compared"] = sum(policy.compared for policy in policies) if announced else 0
    return found
