"""The binary protocol over late lines, in both dialects."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

from catan_env import SeatView
from catan_env.net import Connection
from catan_env.protocols.catan_binary.agent import Agent
from catan_env.protocols.catan_binary.messages import BinaryCodec
from tests.protocols.in_memory import builder_policy, random_policy, tournament
from tests.protocols.late.table import LateTable


class BinaryPlayer:
    """An agent that waits as `catan-env agent` does."""

    may_end_early = True

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.deadline: float | None = None
        self.has_spoken = False
        """Whether it has decided something that is not on its way yet."""

    @property
    def is_over(self) -> bool:
        return self.agent.is_over

    def opened(self, now: float) -> bytes:
        return b""

    def receive(self, data: bytes, now: float) -> bytes:
        return self._wait(self.agent.receive(data), now)

    def time(self, now: float) -> bytes:
        return self._wait(self.agent.hear_nothing(), now)

    def closed(self) -> None:
        """The server closes the line after MSG_END."""

    def _wait(self, replies: Iterable[bytes], now: float) -> bytes:
        said = b""
        for reply in replies:
            said, self.has_spoken = said + reply, True
        silence, self.has_spoken = self.agent.silence, False
        self.deadline = None if silence is None else now + silence
        return said


class Compared:
    """Compares what a policy is shown with the game, once everything late has come."""

    def __init__(self, policy: Any, seat: int) -> None:
        self.compared = 0
        self.table: LateTable
        self._policy, self._seat = policy, seat

    def __call__(self, view: SeatView) -> int:
        """Decide, after the comparison."""
        room: Any = self.table.room
        player = self.table.players[self._seat]
        is_quiet = self.table.is_quiet(self._seat) and not player.has_spoken
        is_sure = is_quiet and len(player.agent.follower._alternatives) == 1
        if is_sure and room.awaited == self._seat and not room.is_over:
            truth = room.game.view(self._seat)
            assert view.observation.tobytes() == truth.observation.tobytes()
            assert view.action_mask.tobytes() == truth.action_mask.tobytes()
            self.compared += 1
        return int(self._policy(view))


def play(number: int) -> Counter[str]:
    """Game `number`; what happened in it."""
    chance = Random(number)
    seats, announced = 2 + number % 3, number // 3 % 3 != 0
    room = tournament(seats, number, announced=announced, max_turns=200, timeout_secs=0)
    policies: list[Any] = [
        (builder_policy if k % 2 else random_policy)(number + k) for k in range(seats)
    ]
    if announced:
        policies = [Compared(policy, seat) for seat, policy in enumerate(policies)]
    knows = chance.choice((announced, None, None))
    players = [BinaryPlayer(Agent(policy, knows)) for policy in policies]
    table = LateTable(room, players, lambda: Connection(BinaryCodec("big")), chance)
    for policy in policies if announced else ():
        policy.table = table
    table.play()
    assert not room.kicks, room.kicks
    assert {player.agent.winner for player in players} == {room.winner}
    found = Counter({"announced" if announced else "literal": 1, "ended early": table.early})
    found["compared"] = sum(policy.compared for policy in policies) if announced else 0
    return found
