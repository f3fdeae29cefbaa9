"""Masters of Renaissance over late lines."""

from collections import Counter
from random import Random
from typing import Any

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import Random as RandomPolicy
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import RenaissanceRoom
from catan_env.net import Connection
from tests.guests.renaissance.in_memory import TO_CLIENT, TO_SERVER
from tests.protocols.late.table import LateTable


class RenaissancePlayer:
    """An agent at its end of a line of JSON."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._end: Connection[Any] = Connection(TO_CLIENT)

    @property
    def deadline(self) -> float | None:
        return self.agent.deadline

    @property
    def is_over(self) -> bool:
        return self.agent.is_done

    @property
    def may_end_early(self) -> bool:
        """Whether it waits for an answer; a line that is silent for longer is dead."""
        return self.agent._watchdog.deadline == self.agent.deadline

    @property
    def is_lost(self) -> bool:
        return self.agent.is_lost

    def opened(self, now: float) -> bytes:
        self._end = Connection(TO_CLIENT)
        return self._encoded(self.agent.opened(now))

    def receive(self, data: bytes, now: float) -> bytes:
        said: list[Any] = []
        for message in self._end.receive(data):
            said += self.agent.received(message, now)
        return self._encoded(said)

    def time(self, now: float) -> bytes:
        return self._encoded(self.agent.time(now))

    def closed(self) -> None:
        """The server closes the line after its goodbye."""

    def _encoded(self, messages: list[Any]) -> bytes:
        return b"".join(map(TO_SERVER.encode, messages))


def play(number: int) -> Counter[str]:
    """Game `number`; what happened in it."""
    seats = 1 + number % 4
    room = RenaissanceRoom(Records(), "printed", number)
    players = [
        RenaissancePlayer(Agent(f"p{k}", RandomPolicy(seed=9 * number + k), seats))
        for k in range(seats)
    ]
    for player in players:
        player.agent.clock = lambda: 0.0
    table = LateTable(
        room,
        players,
        lambda: Connection(TO_SERVER),
        Random(number),
        is_served=lambda: not room.tables,
    )
    table.play()
    assert all(player.agent.is_over for player in players)
    return Counter({f"{seats} seats": 1, "ended early": table.early, "again": table.reconnected})
