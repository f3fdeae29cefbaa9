"""Hanabi over slow connections, in all dialects."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.agent import Agent
from catan_env.guests.hanabi.wire.dialect import DIALECTS, Dialect
from catan_env.guests.hanabi.wire.messages import client_spelling
from catan_env.guests.hanabi.wire.room import HanabiRoom
from catan_env.net import Connection
from catan_env.net.lines import LineCodec
from tests.guests.hanabi.conversation import spelling_of
from tests.guests.hanabi.dealt import dealt_deck
from tests.guests.hanabi.test_promise import rules_of
from tests.protocols.late.table import LateTable


def framed(spelling: Any) -> Connection[Any]:
    """Messages one per line, instead of WebSocket frames, which are tested elsewhere."""
    return Connection(LineCodec(spelling))


class Compared:
    """Compares the policy's view with the game of the same events, at every decision."""

    def __init__(self, policy: Any, game: Game) -> None:
        self.compared = 0
        self._policy, self._game = policy, game

    def __call__(self, view: Any) -> int:
        """Compare, then decide."""
        game = self._game.copy()
        for event in view.events:
            game.play(event.action)
        truth = game.view(view.viewer)
        assert view.observation.tobytes() == truth.observation.tobytes()
        assert view.action_mask.tobytes() == truth.action_mask.tobytes()
        self.compared += 1
        return decide(self._policy, view)


def correct(dialect: Dialect) -> Dialect:
    """The server without the one behaviour that hangs a game, whatever its players do."""
    return replace(dialect, refused_hints_cost=False)


def play(number: int) -> Counter[str]:
    """Play game `number`; return its statistics."""
    chance = Random(number)
    dialect = correct(list(DIALECTS.values())[number % len(DIALECTS)])
    count = 2 + number // len(DIALECTS) % 4
    order = chance.sample(places.IDS, 50)
    game = Game(count, rules=rules_of(dialect), deck=dealt_deck(order, count))
    policies = [Compared(load_policy("iggi", seed=number + k), game) for k in range(count)]
    agents = [Agent(policy, f"player{k}", start_when=count) for k, policy in enumerate(policies)]
    room = HanabiRoom(dialect, order=order, games=1, seed=number)
    table = LateTable(
        room,
        agents,
        lambda: framed(spelling_of(dialect)),
        lambda: framed(client_spelling()),
        chance,
    )
    table.play()
    assert len({agent.score for agent in agents}) == 1
    assert all(agent.refusal is None for agent in agents)
    compared = sum(policy.compared for policy in policies)
    return Counter({dialect.name: 1, "ended early": table.early, "compared": compared})
