"""Server and agents connected in memory, every message encoded and decoded."""

import random
from collections import deque
from typing import Any

import numpy as np

from catan_env.guests.renaissance import Game, SeatView
from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import Policy, Random
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import RenaissanceRoom
from catan_env.net.lines import LineCodec
from catan_env.net.room import Close, Effect, Send
from catan_env.net.spelling import JsonSpelling

TO_SERVER = LineCodec(JsonSpelling(m.TO_SERVER, most_bytes=1 << 20))
TO_CLIENT = LineCodec(JsonSpelling(m.TO_CLIENT, most_bytes=1 << 20, tag="type"))


class Checked(Agent):
    """An agent that compares its knowledge with the environment's view of its seat."""

    def __init__(self, name: str, policy: Policy, seats: int, house: "House") -> None:
        super().__init__(name, policy, seats)
        self.house = house
        self.mirror: Game | None = None
        self.has_returned = False
        self.unheard: list[int] = []
        """Bytes on their way to this agent, which may hold news."""
        self.compared = 0

    def _think(self, view: SeatView) -> list[int]:
        self.mirror = self._mirror()
        return super()._think(view)

    def _mirror(self) -> Game:
        """The environment's game at this seat's decision.

        In the set-up it contains no choices but this seat's, and of those only what the server has
        received: a command lost with a broken connection was never made.
        """
        table, seat = self.house.room._seats_of[self.follower.nickname]
        if self.follower.state["is_playing"]:
            return table.game.copy()
        begun = Game(table.game.seats, table.game.seed, table.game.cards)
        for other in np.flatnonzero(table.game.state["away"]).tolist():
            begun.go_away(other)
        for event in table.game.events:
            if event.seat == seat:
                begun.ask(seat)
                begun.play_command(event.command)
        begun.ask(seat)
        return begun

    def _choose(self, view: SeatView) -> int:
        game = self.mirror
        assert game is not None
        self.check(game, view)
        step = super()._choose(view)
        game.play(step)
        return step

    def check(self, game: Game, view: SeatView) -> None:
        """The promise: the same bytes, except for the information lost on a return."""
        truth, known = game.observe(view.viewer), view.observation
        mask, own = game.action_mask, view.action_mask
        if self.has_returned:
            for block in unknown_after_return(game.seats):
                truth[block] = known[block] = 0
            mask, own = mask[:85], own[:85]
        for block in self.unheard:
            truth[block] = known[block] = 0
        assert np.array_equal(truth, known), np.flatnonzero(truth != known)
        assert np.array_equal(mask, own), (np.flatnonzero(mask), np.flatnonzero(own))
        hidden = game.view(view.viewer).state["stack"]
        assert np.array_equal(hidden, view.state["stack"]), "covered cards"
        self.compared += 1


def unknown_after_return(seats: int) -> list[Any]:
    """Exchanges left; in the solo game cards left, tokens out and the last token."""
    blocks: list[Any] = [25]
    if seats == 1:
        blocks += [slice(104 + 15 + 16 * k, 104 + 16 + 16 * k) for k in range(12)]
        blocks.append(slice(104 + 192 + 4 * 118 + 70 + 1, 104 + 192 + 4 * 118 + 70 + 15))
    return blocks


class House:
    """One room, agents on lines, and a clock that only moves forward."""

    def __init__(
        self, seed: int = 0, records: Records | None = None, cards: str = "printed"
    ) -> None:
        self.records = records or Records()
        self.room = RenaissanceRoom(self.records, cards, seed)
        self.agents: dict[int, Agent] = {}
        self.now, self.next_line = 0.0, 0
        self.queue: deque[tuple[int, bytes]] = deque()
        self.cut: list[int] = []
        self.random = random.Random(seed)

    def connect(self, agent: Agent) -> int:
        line, self.next_line = self.next_line, self.next_line + 1
        self.agents[line] = agent
        agent.present.clock = lambda: self.now
        self.do(self.room.opened(line, self.now))
        self.say(line, agent.opened(self.now))
        return line

    def say(self, line: int, messages: list[Any]) -> None:
        """An agent's message, as decoded by the server."""
        for message in messages:
            self.queue.append((line, TO_SERVER.encode(message)))

    def do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Close):
                self.cut.append(effect.line)
                self.agents.pop(effect.line, None)
            elif isinstance(effect, Send) and effect.line in self.agents:
                for data in self.spelled(effect.message):
                    self.deliver(effect.line, data)

    def spelled(self, message: Any) -> list[bytes]:
        """The lines that encode a message of the server."""
        return [TO_CLIENT.encode(message)]

    def deliver(self, line: int, data: bytes) -> None:
        """Deliver a line to an agent, which answers."""
        decoded = TO_CLIENT.decode(bytearray(data))
        assert decoded is not None
        if line in self.agents:
            self.say(line, self.agents[line].received(decoded[0], self.now))

    def receive(self, line: int, data: bytes) -> None:
        """Deliver a line to the server, which answers."""
        decoded = TO_SERVER.decode(bytearray(data))
        assert decoded is not None
        self.do(self.answer(line, decoded[0]))

    def answer(self, line: int, message: Any) -> list[Effect]:
        """Carry out the server's effects of a message."""
        return self.room.received(line, message, self.now)

    def wait(self, seconds: float) -> None:
        """Advance the time of agents and server."""
        self.now += seconds
        for line, agent in list(self.agents.items()):
            if agent.deadline is not None and agent.deadline <= self.now:
                self.say(line, agent.time(self.now))
        if self.room.deadline is not None and self.room.deadline <= self.now:
            self.do(self.room.time(self.now))

    def drop(self, line: int) -> Agent:
        """Break a connection."""
        agent = self.agents.pop(line)
        self.queue = deque(item for item in self.queue if item[0] != line)
        self.do(self.room.closed(line, "broken", self.now))
        return agent

    def reconnect_lost(self) -> None:
        """Let agents that lack news close their connection and open another."""
        for line in [line for line, agent in self.agents.items() if agent.is_lost]:
            self.connect(self.drop(line))

    def step(self) -> bool:
        """Let the server read one line; False if no line is waiting."""
        while self.queue:
            line, data = self.queue.popleft()
            if line in self.agents:
                self.receive(line, data)
                return True
        return False

    def run(self, at_most: int = 200_000) -> None:
        for _ in range(at_most):
            if not self.step():
                return
        raise AssertionError("the game does not end")


def seat_checked(house: House, seats: int, seed: int, policy: Any = Random) -> list[Checked]:
    """Agents in a new game, all connected."""
    agents = [Checked(f"p{k}", policy(seed=seed * 10 + k), seats, house) for k in range(seats)]
    for agent in agents:
        house.connect(agent)
    return agents
