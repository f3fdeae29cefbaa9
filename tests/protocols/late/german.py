"""The German protocol over late lines, in all its versions."""

from collections import Counter
from random import Random
from typing import Any

from catan_env import SeatView
from catan_env.net import Connection
from catan_env.protocols.catan_german.agent import Agent
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_clients, said_by_server
from tests.protocols.german.in_memory import AtTheTable, policy_of, room_of
from tests.protocols.late.table import LateTable

VERSIONS = ("0.1", "0.2", "0.3", "1.0")


class GermanPlayer:
    """An agent, which has a clock of its own."""

    may_end_early = True

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    @property
    def deadline(self) -> float | None:
        return self.agent.deadline

    @property
    def is_over(self) -> bool:
        return self.agent.is_over

    def opened(self, now: float) -> bytes:
        return b""

    def receive(self, data: bytes, now: float) -> bytes:
        return self.agent.receive(data, now)

    def time(self, now: float) -> bytes:
        return self.agent.time(now)

    def closed(self) -> None:
        self.agent.hear_end()

    @property
    def has_heard_all(self) -> bool:
        """Whether no complete message has arrived behind the one that it follows."""
        rest = bytes(self.agent._connection._received)
        return not any(Connection(GermanCodec(said_by_server())).receive(rest))


class Compared(AtTheTable):
    """Compares what a policy is shown with the game, while nothing is under way."""

    def __init__(self, policy: Any) -> None:
        super().__init__(None, policy)  # type: ignore[arg-type]

    def join(self, table: LateTable, line: int) -> None:
        """Take a place at a table."""
        self._joined, self._line = table, line  # type: ignore[assignment]

    def __call__(self, view: SeatView) -> int:
        """Decide, after the comparison."""
        table: Any = self._joined
        player = table.players[self._line]
        agent = player.agent
        if view is agent.follower.view:  # the message that went before may be another one
            self._trial = None
        is_quiet = table.is_quiet(self._line) and player.has_heard_all and not agent._out
        is_sure = is_quiet and not agent.follower.is_in_doubt
        if self._trial is not None or is_sure:
            return super().__call__(view)
        return int(self._policy(view))


def play(number: int) -> Counter[str]:
    """Game `number`; what happened in it."""
    chance = Random(number)
    version, seats = VERSIONS[number % 4], 2 + number // 4 % 3
    room = room_of(version, seats, number, max_turns=30 if version == "0.1" else 150)
    kinds = [chance.choice(("random", "builder")) for _ in range(seats)]
    policies = [Compared(policy_of(kind, 4 * number + k)) for k, kind in enumerate(kinds)]
    players = [GermanPlayer(Agent(policy, f"Spieler {k}")) for k, policy in enumerate(policies)]
    table = LateTable(
        room, players, lambda: Connection(GermanCodec(said_by_clients(version))), chance
    )
    for line, policy in enumerate(policies):
        policy.join(table, line)
    table.play()
    assert not room.kicks, room.kicks
    assert {player.agent.winner for player in players} <= {room.game.winner, None}
    compared = sum(policy.decisions for policy in policies)
    return Counter({version: 1, "ended early": table.early, "compared": compared})
