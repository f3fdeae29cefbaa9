"""Hanabi over late lines, in all dialects."""

from collections import Counter
from random import Random
from typing import Any

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.agent import Agent
from catan_env.guests.hanabi.wire.dialect import DIALECTS, Dialect
from catan_env.guests.hanabi.wire.messages import client_spelling
from catan_env.guests.hanabi.wire.room import HanabiRoom
from tests.guests.hanabi.conversation import spelling_of
from tests.guests.hanabi.test_promise import rules_of
from tests.protocols.late.table import LateTable

NEWLINE = b"\n"
"""Stands for the frames of a WebSocket, which are tested elsewhere."""


class Frames:
    """Messages of a spelling, each in a frame."""

    def __init__(self, spelling: Any) -> None:
        self._spelling, self._data = spelling, b""

    def send(self, message: Any) -> bytes:
        return self._spelling.encode(message) + NEWLINE

    def receive(self, data: bytes) -> list[Any]:
        *frames, self._data = (self._data + data).split(NEWLINE)
        return [self._spelling.decode(frame) for frame in frames]


class HanabiPlayer:
    """An agent, whose requests are frames."""

    may_end_early = True

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._frames = Frames(client_spelling())

    @property
    def deadline(self) -> float | None:
        return self.agent.deadline

    @property
    def is_over(self) -> bool:
        return self.agent.is_over

    def opened(self, now: float) -> bytes:
        return self._framed(self.agent.begin(now))

    def receive(self, data: bytes, now: float) -> bytes:
        requests: list[Any] = []
        for response in self._frames.receive(data):
            requests += self.agent.hear(response, now)
        return self._framed(requests)

    def time(self, now: float) -> bytes:
        return self._framed(self.agent.time(now))

    def closed(self) -> None:
        """The server closes the line of a game that is over."""

    def _framed(self, requests: list[Any]) -> bytes:
        return b"".join(map(self._frames.send, requests))


class Compared:
    """Compares what a policy is shown with the game of the same events, at every decision."""

    def __init__(self, policy: Any, game: Game) -> None:
        self.compared = 0
        self._policy, self._game = policy, game

    def __call__(self, view: Any) -> int:
        """Decide, after the comparison."""
        game = self._game.copy()
        for event in view.events:
            game.play(event.action)
        truth = game.view(view.viewer)
        assert view.observation.tobytes() == truth.observation.tobytes()
        assert view.action_mask.tobytes() == truth.action_mask.tobytes()
        self.compared += 1
        return decide(self._policy, view)


def play(number: int) -> Counter[str]:
    """Game `number`; what happened in it."""
    chance = Random(number)
    dialect: Dialect = list(DIALECTS.values())[number % len(DIALECTS)]
    count = 2 + number // len(DIALECTS) % 4
    order = chance.sample(places.IDS, 50)
    deck = [places.card_of(card) for card in places.dealt_order(order, count)]
    game = Game(count, rules=rules_of(dialect), deck=deck)
    policies = [Compared(load_policy("iggi", seed=number + k), game) for k in range(count)]
    players = [
        HanabiPlayer(Agent(policy, f"player{k}", start_when=count))
        for k, policy in enumerate(policies)
    ]
    for player in players:
        player.agent.clock = lambda: 0.0
    room = HanabiRoom(dialect, order=order, games=1, seed=number)
    table = LateTable(room, players, lambda: Frames(spelling_of(dialect)), chance)
    table.play()
    assert len({player.agent.score for player in players}) == 1
    assert all(player.agent.refusal is None for player in players)
    compared = sum(policy.compared for policy in policies)
    return Counter({dialect.name: 1, "ended early": table.early, "compared": compared})
