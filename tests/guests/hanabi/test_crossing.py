"""Messages of both sides may cross: every line delivers at its own pace."""

import random
from collections import deque
from functools import partial
from typing import Any

import pytest

from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire.agent import Agent
from catan_env.guests.hanabi.wire.dialect import DIALECTS, Dialect
from catan_env.guests.hanabi.wire.messages import client_spelling
from catan_env.guests.hanabi.wire.room import (
    NAME_TAKEN,
    NOT_JOINED,
    NOT_YOUR_TURN,
    STARTED_ALREADY,
    TOO_LATE,
    HanabiRoom,
)
from catan_env.net.room import Close, Send
from tests.guests.hanabi.conversation import spelling_of

ALL = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS.keys())


class SlowLines:
    """A room and agents; messages arrive at random times, in order on each line."""

    def __init__(self, room: HanabiRoom, agents: list[Agent], chance: random.Random) -> None:
        self.room, self.agents, self._chance = room, agents, chance
        self.errors: list[tuple[int, str]] = []
        """By line, the requests that were refused."""
        self.eager_at = 0
        """Every agent requests the start when a list has this many names."""
        self._server, self._client = spelling_of(room.dialect), client_spelling()
        self.up: list[deque[bytes]] = [deque() for _ in agents]
        self.down: list[deque[bytes]] = [deque() for _ in agents]
        for line, agent in enumerate(agents):
            room.opened(line, 0.0)
            self.ask(line, agent.opened(0.0))

    def ask(self, line: int, requests: list[Any]) -> None:
        self.up[line].extend(self._client.encode(request) for request in requests)

    def arrive(self) -> bool:
        """Deliver one message; False if there is none."""
        under_way = [way for way in (*self.up, *self.down) if way]
        if not under_way:
            return False
        way = self._chance.choice(under_way)
        for line in range(len(self.agents)):
            if way is self.up[line]:
                self._reach_room(line, way.popleft())
            elif way is self.down[line]:
                self._reach_agent(line, way.popleft())
        return True

    def _reach_room(self, line: int, data: bytes) -> None:
        for effect in self.room.received(line, self._server.decode(data), 0.0):
            if isinstance(effect, Send):
                self.down[effect.line].append(self._server.encode(effect.message))
            else:
                assert isinstance(effect, Close)

    def _reach_agent(self, line: int, data: bytes) -> None:
        response = self._client.decode(data)
        if isinstance(response, m.ErrorResponse):
            self.errors.append((line, response.explanation))
        self.ask(line, self.agents[line].received(response, 0.0))
        if isinstance(response, m.ConnectionResponse) and len(response.names) == self.eager_at:
            self.ask(line, [m.GameStartRequest()])


def a_table(dialect: Dialect, names: list[str], seed: int, seats: int = 0) -> SlowLines:
    """Agents of those names that join a game of `seats` (by default, all of them)."""
    seats = seats or len(names)
    policies = [load_policy("random", seed=seed + line) for line in range(len(names))]
    agents = [
        Agent(partial(decide, policy), name, seats)
        for policy, name in zip(policies, names, strict=True)
    ]
    room = HanabiRoom(dialect, games=1, seed=seed)
    return SlowLines(room, agents, random.Random(seed))


def play_out(lines: SlowLines) -> None:
    """Deliver all messages: every player must receive the same end."""
    while lines.arrive():
        pass
    assert lines.room.is_over
    assert len({agent.score for agent in lines.agents if agent.refusal is None}) == 1


@ALL
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_slow_lines_change_no_game(dialect: Dialect, players: int, games: int) -> None:
    for seed in range(max(1, games // 2500)):
        lines = a_table(dialect, [f"player{line}" for line in range(players)], seed)
        play_out(lines)
        assert lines.errors == []


@ALL
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_agents_of_one_name_choose_others(dialect: Dialect, players: int, games: int) -> None:
    for seed in range(max(1, games // 2500)):
        lines = a_table(dialect, ["catan"] * players, seed)
        play_out(lines)
        assert {explanation for _, explanation in lines.errors} <= {NAME_TAKEN, NOT_JOINED}


@ALL
def test_a_start_refused_after_an_action_request_does_no_harm(dialect: Dialect) -> None:
    """Every agent requests the start; the late ones are refused after it has happened."""
    late = 0
    for seed in range(12):
        lines = a_table(dialect, ["ann", "ben", "cyd"], seed)
        lines.eager_at = 3
        play_out(lines)
        explanations = [explanation for _, explanation in lines.errors]
        late += explanations.count(STARTED_ALREADY)
        assert set(explanations) <= {STARTED_ALREADY, NOT_YOUR_TURN}
        assert len(explanations) <= 3  # of starts, none of actions
    assert late > 0


@ALL
def test_a_late_client_receives_the_start_and_leaves(dialect: Dialect) -> None:
    late = 0
    for seed in range(12):
        lines = a_table(dialect, ["catan", "catan", "cyd"], seed, seats=2)
        while lines.arrive():
            pass
        refused = [agent for agent in lines.agents if agent.refusal == TOO_LATE]
        late += len(refused)
        assert all(agent.score is None for agent in refused)
    assert late > 0
