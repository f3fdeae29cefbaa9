"""An agent finishes its game at servers that send what the text allows and ours never does."""

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec import structs

from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire.agent import Agent
from catan_env.guests.hanabi.wire.dialect import DIALECTS
from catan_env.guests.hanabi.wire.messages import ServerSpelling
from catan_env.guests.hanabi.wire.room import HanabiRoom
from catan_env.net.room import Effect, Send
from tests.covering import covering
from tests.guests.hanabi.conversation import Conversation, play
from tests.slow import Player, SlowWorld


def without_nulls(value: Any) -> Any:
    """The same JSON without the fields that are null."""
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


def with_nulls(said: Any) -> Any:
    """The same response, with null for untouched colours, empty sets and cards of the deck."""
    state = said.get("game_state")
    if state is not None:
        state["played_cards"] = {word: state["played_cards"].get(word) for word in m.COLOURS}
        state["deck"] = [None] * len(state["deck"])
        for held in (held for player in state["players"] for held in player["cards"]):
            for name in ("knows_color_not", "knows_number_not"):
                held["knowledge"][name] = held["knowledge"][name] or None
    return said


def score_in(name: str, players: int) -> int:
    """The score of a game between agents in memory."""
    room = HanabiRoom(DIALECTS[name], seed=players, games=1)
    policies = [load_policy("piers", seed=seat) for seat in range(players)]
    agents: list[Any] = []
    for agents in play(room, [partial(decide, policy) for policy in policies]):  # noqa: B007
        pass
    assert room.is_over
    (score,) = {agent.score for agent in agents}
    assert score is not None
    return int(score)


@pytest.mark.parametrize("changed", [without_nulls, with_nulls])
@pytest.mark.parametrize(("players", "name"), covering([2, 3, 4, 5], DIALECTS))
def test_a_field_without_a_value_may_be_absent_or_null(
    name: str, players: int, changed: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text includes turns_left "only when it is known", drawn_card "only if" one is drawn."""
    spell, score = ServerSpelling.encode, score_in(name, players)

    def spell_otherwise(self: ServerSpelling, message: Any) -> bytes:
        return json.dumps(changed(json.loads(spell(self, message)))).encode()

    monkeypatch.setattr(ServerSpelling, "encode", spell_otherwise)
    assert score_in(name, players) == score


class Twice(HanabiRoom):
    """A server whose responses arrive twice."""

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        effects = super().received(line, message, now)
        return [effect for effect in effects for _ in range(1 + isinstance(effect, Send))]


class Forgetful(HanabiRoom):
    """A server that leaves out some responses to players that do not move next."""

    chance = random.Random(1)

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        return [one for one in super().received(line, message, now) if not self._forgets(one)]

    def _forgets(self, effect: Effect) -> bool:
        if not isinstance(effect, Send) or not isinstance(effect.message, m.ActionResponse):
            return False
        is_next = self._names[effect.line] == effect.message.game_state.next_player
        return not is_next and self.chance.random() < 0.2


def played_in(room: HanabiRoom, policy: str, players: int) -> tuple[list[Any], list[Any]]:
    """The agents after a game, and the actions that they requested."""
    world = SlowWorld(room)
    for seat in range(players):
        agent = Agent(partial(decide, load_policy(policy, seed=seat)), f"p{seat}", players)
        world.seat(Player(agent))
        world.run(1.0)
    world.run(3000.0)
    said = [one for player in world.players for one in player.said]
    return [player.agent for player in world.players], said


@pytest.mark.parametrize(("policy", "name"), covering(["piers", "best", "hat"], DIALECTS))
def test_a_response_that_arrives_twice_changes_nothing(policy: str, name: str) -> None:
    once, said_once = played_in(HanabiRoom(DIALECTS[name], seed=4, games=1), policy, 3)
    twice, said_twice = played_in(Twice(DIALECTS[name], seed=4, games=1), policy, 3)
    assert said_twice == said_once
    assert once[0].score is not None
    assert [agent.score for agent in twice] == [agent.score for agent in once]


@pytest.mark.parametrize("policy", ["piers", "best", "hat", "network"])
@pytest.mark.parametrize("name", DIALECTS)
def test_after_a_response_was_lost_the_next_one_shows_the_table(policy: str, name: str) -> None:
    agents, _ = played_in(Forgetful(DIALECTS[name], seed=5, games=1), policy, 3)
    assert all(agent.is_over and agent.refusal is None for agent in agents)


@pytest.mark.parametrize(
    "changes",
    [
        {"next_player": "zoe"},
        {"players": []},
        {"played_cards": {"RED": "SIX"}},
        {"discarded_cards": [m.WireCard(1, "PINK", "ONE")]},
    ],
    ids=repr,
)
def test_a_table_that_cannot_be_read_is_ignored(changes: dict[str, Any]) -> None:
    room = HanabiRoom(DIALECTS["spec"], seed=6, games=1)
    conversation = Conversation(room, 2)
    agent = Agent(partial(decide, load_policy("piers")), "ann", 2)
    conversation.ask(1, m.ConnectionRequest("ben"))
    asked = agent.opened(0.0)
    while not isinstance(asked[0], m.ActionRequest):
        conversation.ask(0, asked[0])
        asked = [one for news in conversation.news(0) for one in agent.received(news, 0.0)]
    conversation.ask(0, asked[0])
    (response,) = conversation.news(0)
    view = agent.follower.view
    wrong = structs.replace(response, game_state=structs.replace(response.game_state, **changes))
    assert agent.received(wrong, 0.1) == [] and agent.follower.view is view
    assert agent.received(response, 0.2) == [] and agent.follower.view is not view
    assert agent.follower.view is not None and len(agent.follower.view.events) == 1


class StartsBeforeItLists(HanabiRoom):
    """Sends the last list of the lobby after the start, as one thread per client may."""

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        effects = super().received(line, message, now)
        if isinstance(message, m.ConnectionRequest) and len(self._names) == 2:
            started = super().received(line, m.GameStartRequest(), now)
            return [*started, *effects]
        return effects


class ListsOthers(HanabiRoom):
    """Lists one of its players alone, before each response to an action."""

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        effects = super().received(line, message, now)
        if not isinstance(message, m.ActionRequest):
            return effects
        return [*self._to_all(m.ConnectionResponse(["p0"])), *effects]


@pytest.mark.parametrize("kind", [StartsBeforeItLists, ListsOthers])
def test_lists_of_players_at_odd_moments_change_nothing(kind: type[HanabiRoom]) -> None:
    plain, said = played_in(HanabiRoom(seed=7, games=1), "piers", 2)
    agents, said_here = played_in(kind(seed=7, games=1), "piers", 2)
    moves = [
        [one for one in all_said if isinstance(one, m.ActionRequest)]
        for all_said in (said, said_here)
    ]
    assert moves[0] == moves[1] and plain[0].score is not None
    assert [agent.score for agent in agents] == [agent.score for agent in plain]


def test_an_agent_that_was_taken_off_the_list_joins_again() -> None:
    agent = Agent(partial(decide, load_policy("piers")), "ann", 3)
    joining = agent.opened(0.0)
    assert agent.received(m.ConnectionResponse(["ann"]), 0.1) == []
    assert agent.received(m.ConnectionResponse(["ben"]), 0.2) == joining
    assert agent.received(m.ConnectionResponse(["ben", "ann"]), 0.3) == []
    assert agent.deadline is None
