"""Masters of Renaissance over slow connections."""

from collections import Counter
from random import Random
from typing import Any

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import Random as RandomPolicy
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import RenaissanceRoom
from catan_env.guests.renaissance.server import client_end, server_end
from tests.protocols.late.table import LateTable


def waits_for_an_answer(agent: Any) -> bool:
    """True if the agent waits for nothing else; a line that is silent for longer is dead."""
    return bool(agent._watchdog.deadline == agent.deadline)


def play(number: int) -> Counter[str]:
    """Play game `number`; return its statistics."""
    seats = 1 + number % 4
    room = RenaissanceRoom(Records(), "printed", number)
    agents = [Agent(f"p{k}", RandomPolicy(seed=9 * number + k), seats) for k in range(seats)]
    table = LateTable(
        room,
        agents,
        server_end,
        client_end,
        Random(number),
        is_served=lambda: not room.tables,
        may_end_early=waits_for_an_answer,
    )
    table.play()
    assert all(agent.is_done for agent in agents)
    return Counter({f"{seats} seats": 1, "ended early": table.early, "again": table.reconnected})
