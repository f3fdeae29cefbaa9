"""Messages of server and agents may cross: every line delivers at its own pace."""

from collections import deque
from typing import Any

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import Random
from catan_env.net.room import Close, Effect, Send
from tests.guests.renaissance.in_memory import TO_SERVER, House, seat_checked

LATE = 6.0
"""Seconds: longer than an agent waits for an answer, shorter than the silence of a dead line."""


class SlowLines(House):
    """A house with delayed messages, in order on each line but not between lines.

    `pauses` is the probability that time passes, in which agents and server find each other silent.
    """

    def __init__(self, seed: int, pauses: float = 0.0) -> None:
        super().__init__(seed)
        self.pauses = pauses
        self.on_the_way: dict[tuple[int, bool], deque[bytes]] = {}

    def say(self, line: int, messages: list[Any]) -> None:
        self._post(line, True, *(TO_SERVER.encode(message) for message in messages))

    def do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Close):
                self.cut.append(effect.line)
                self.on_the_way.pop((effect.line, True), None)
            elif isinstance(effect, Send):
                self._post(effect.line, False, *self.spelled(effect.message))

    def _post(self, line: int, to_server: bool, *lines: bytes) -> None:
        if lines and line in self.agents:
            self.on_the_way.setdefault((line, to_server), deque()).extend(lines)

    def drop(self, line: int) -> Agent:
        for to_server in (True, False):
            self.on_the_way.pop((line, to_server), None)
        return super().drop(line)

    def step(self) -> bool:
        """Deliver one message on one line, or let time pass."""
        if self.random.random() < self.pauses:
            self.wait(LATE)
        if not self.on_the_way:
            return False
        line, to_server = where = self.random.choice(list(self.on_the_way))
        data = self.on_the_way[where].popleft()
        if not self.on_the_way[where]:
            del self.on_the_way[where]
        if to_server:
            self.receive(line, data)
        else:
            self.deliver(line, data)
            if self.agents[line].is_done:
                del self.agents[line]
        return True


def test_crossing_messages_change_no_decision(games: int) -> None:
    for seed in range(max(games // 1000, 4)):
        house = SlowLines(seed)
        agents = seat_checked(house, 1 + seed % 4, seed)
        house.run()
        assert not house.room.tables and all(agent.is_done for agent in agents)
        assert not any(agent.refusals for agent in agents)
        assert all(agent.compared for agent in agents)


def test_answers_after_a_timeout_end_no_game(games: int) -> None:
    for seed in range(max(games // 1000, 4)):
        house, seats = SlowLines(seed, pauses=0.02), 1 + seed % 4
        agents = [Agent(f"p{k}", Random(seed=9 * seed + k), seats) for k in range(seats)]
        for agent in agents:
            house.connect(agent)
        for _ in range(200_000):
            if not house.agents:
                break
            if not house.step():
                house.wait(LATE)
            house.reconnect_lost()
        assert not house.room.tables and all(agent.is_done for agent in agents), seed
