"""The German protocol over slow connections, in all its versions."""

from collections import Counter
from random import Random
from typing import Any

from catan_env import SeatView
from catan_env.net import Connection
from catan_env.net.visit import Visit
from catan_env.protocols.catan_german.agent import Agent, client_end
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_clients
from tests.protocols.german.in_memory import AtTheTable, policy_of, room_of
from tests.protocols.late.table import LateTable

VERSIONS = ("0.1", "0.2", "0.3", "1.0")


def has_heard_all(visit: Visit) -> bool:
    """True if no complete message has arrived after the one that the agent is following."""
    end: Any = visit.end
    return not any(client_end().receive(bytes(end._received)))


class Compared(AtTheTable):
    """Compares the policy's view with the game while no message is in transit."""

    def __init__(self, policy: Any) -> None:
        super().__init__(None, policy)  # type: ignore[arg-type]

    def join(self, table: LateTable, line: int) -> None:
        """Take a place at a table."""
        self._joined, self._line = table, line  # type: ignore[assignment]

    def __call__(self, view: SeatView) -> int:
        """Compare, then decide."""
        table: Any = self._joined
        agent = table.agents[self._line]
        if view is agent.follower.view:  # the previous message may be another one
            self._trial = None
        is_quiet = (
            table.is_quiet(self._line)
            and has_heard_all(table.visits[self._line])
            and not agent._out
        )
        is_sure = is_quiet and not agent.follower.is_in_doubt
        if self._trial is not None or is_sure:
            return super().__call__(view)
        return int(self._policy(view))


def play(number: int) -> Counter[str]:
    """Play game `number`; return its statistics."""
    chance = Random(number)
    version, seats = VERSIONS[number % 4], 2 + number // 4 % 3
    room = room_of(version, seats, number, max_turns=30 if version == "0.1" else 150)
    kinds = [chance.choice(("random", "builder")) for _ in range(seats)]
    policies = [Compared(policy_of(kind, 4 * number + k)) for k, kind in enumerate(kinds)]
    agents = [Agent(policy, f"Spieler {k}") for k, policy in enumerate(policies)]
    table = LateTable(
        room, agents, lambda: Connection(GermanCodec(said_by_clients(version))), client_end, chance
    )
    for line, policy in enumerate(policies):
        policy.join(table, line)
    table.play()
    assert not room.removals, room.removals
    assert {agent.winner for agent in agents} <= {room.game.winner, None}
    compared = sum(policy.decisions for policy in policies)
    return Counter({version: 1, "ended early": table.early, "compared": compared})
