"""What a seat computes from the wire is what the environment gives it, byte for byte."""

import random
from dataclasses import replace
from typing import Any

import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.rules import OFFICIAL, SERVER
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.dialect import DIALECTS, Dialect
from catan_env.guests.hanabi.wire.room import HanabiRoom
from tests.guests.hanabi.conversation import play
from tests.guests.hanabi.random_games import careful_action


def rules_of(dialect: Dialect) -> Any:
    if dialect.name == "strict":
        return OFFICIAL
    return replace(SERVER, errors=dialect.errors)


def compare(game: Game, agents: list[Any]) -> None:
    """Line i is seat i + 1: the last to join moves first."""
    for line, agent in enumerate(agents):
        seat = (line + 1) % len(agents)
        view, truth = agent.follower.view, game.view(seat)
        assert agent.follower.seat == seat == view.viewer
        assert view.observation.tobytes() == truth.observation.tobytes()
        assert view.action_mask.tobytes() == truth.action_mask.tobytes()
        assert view.events == truth.events and view.dealt == truth.dealt
        assert view.hands == truth.hands and view.knowledge == truth.knowledge
        assert (view.turns_left, view.deck_size) == (truth.turns_left, truth.deck_size)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", DIALECTS)
def test_the_wire_gives_what_the_environment_gives(name: str, players: int, games: int) -> None:
    dialect = DIALECTS[name]
    for seed in range(games // 500):
        chance = random.Random(seed)
        order = chance.sample(places.IDS, 50)
        deck = [places.card_of(number) for number in places.dealt_order(order, players)]
        game = Game(players, rules=rules_of(dialect), deck=deck)
        truth = game.copy()

        def decide(view: Any, truth: Game = truth, chance: random.Random = chance) -> int:
            action = careful_action(truth, chance)
            number = truth.number_of(action)
            assert number is not None and view.action_mask[number]
            truth.play(action)
            return number

        room = HanabiRoom(dialect, order=order, games=1, seed=seed)
        agents: list[Any] = []
        for agents in play(room, [decide] * players):
            if agents[0].follower.view is None or agents[0].is_over:
                continue
            while len(game.events) < len(agents[0].follower.view.events):
                game.play(truth.events[len(game.events)].action)
            compare(game, agents)
        assert truth.is_over
        assert [agent.score for agent in agents] == [truth.score] * players
