"""Servers that are slow, silent, or send errors to the wrong player."""

import random
from typing import Any

import pytest
from msgspec import structs

from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.agent import GRACE, Agent
from catan_env.guests.hanabi.wire.dialect import DIALECTS, SPEC, Dialect
from catan_env.guests.hanabi.wire.room import (
    ALREADY_JOINED,
    NAME_TAKEN,
    NOT_JOINED,
    NOT_YOUR_TURN,
    STARTED_ALREADY,
    TOO_LATE,
    HanabiRoom,
)
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.room import Effect, Send
from catan_env.net.watchdog import PATIENCE
from tests.guests.hanabi.conversation import Conversation
from tests.slow import Player, SlowWorld

ALL = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS.keys())
ORDER = list(places.IDS)
NO = m.ErrorResponse("No.", None)


def on_turn(patience: float = PATIENCE) -> tuple[Agent, list[Any], Conversation]:
    """An agent that has requested its first action at time 0; its requests, and its room."""
    conversation = Conversation(HanabiRoom(SPEC, order=ORDER), 2)
    agent = Agent(lambda view: int(view.legal_actions.indices[0]), "ben", 2, patience)
    agent.present.clock = lambda: 0.0
    conversation.ask(0, m.ConnectionRequest("ann"))
    asked = agent.opened(0.0)
    while not isinstance(asked[0], m.ActionRequest):
        conversation.ask(1, asked[0])
        asked = [request for news in conversation.news(1) for request in agent.received(news, 0.0)]
    return agent, asked, conversation


def test_the_agent_reports_a_table_that_contradicts_itself() -> None:
    agent, asked, conversation = on_turn()
    reported: list[str] = []
    agent._report = reported.append
    conversation.ask(1, asked[0])
    (response,) = conversation.news(1)
    table = structs.replace(response.game_state, next_player="cyd")
    for _ in range(2):
        assert agent.received(structs.replace(response, game_state=table), 0.0) == []
    assert len(reported) == 1 and "contradicts itself" in reported[0] and "cyd" in reported[0]


@pytest.mark.parametrize(
    ("next_player", "played", "reason"),
    [("cyd", {}, "'cyd'"), ("ann", {"RED": "ZERO"}, "'ZERO' is none of ONE, TWO")],
)
def test_an_agent_ends_at_a_start_that_contradicts_itself(
    next_player: str, played: dict[str, str | None], reason: str
) -> None:
    agent = Agent(lambda view: 0, "ann")
    agent.opened(0.0)
    agent.received(m.ConnectionResponse(["ann", "ben"]), 0.0)
    table = m.GameState(8, 8, 3, played, [m.WirePlayer("ann", [])], [], [], next_player)
    with pytest.raises(RemoteProtocolError, match=f"GAME_START_RESPONSE cannot .*{reason}"):
        agent.received(m.GameStartResponse(table), 0.0)


def test_after_a_refusal_the_agent_tries_another_action() -> None:
    """Three in quick succession, later ones when its patience is over."""
    agent, tried, _ = on_turn()
    now = 0.0
    for pause in [GRACE] * 3 + [PATIENCE] * 3:
        assert agent.received(NO, now) == []
        assert agent.time(now + pause - 0.01) == []
        tried += agent.time(now + pause)
        now += pause
    assert len(tried) == len(set(map(repr, tried))) == 7


def test_an_agent_starts_over_once_everything_was_refused() -> None:
    agent, tried, _ = on_turn()
    view = agent.follower.view
    assert view is not None
    for turn in range(1, 2 * len(view.legal_actions.indices)):
        tried += agent.time(PATIENCE * turn)
    legal = len(view.legal_actions.indices)
    assert len(tried) == 2 * legal and len(set(map(repr, tried))) == legal


def test_without_a_limit_the_agent_waits_after_three_other_actions() -> None:
    agent, tried, _ = on_turn(patience=0.0)
    assert agent.deadline is None
    for turn in range(9):
        assert agent.received(NO, float(turn)) == []
        tried += agent.time(turn + GRACE)
    assert len(tried) == 4 and agent.deadline is None


def test_an_error_for_another_player_causes_no_second_action() -> None:
    """The response to our action comes after another player's error, which every client gets."""
    agent, (asked,), conversation = on_turn()
    conversation.ask(1, asked)
    for explanation in ("No.", NOT_YOUR_TURN):
        assert agent.received(m.ErrorResponse(explanation, None), 0.1) == []
    assert agent.time(0.3) == []
    (response,) = conversation.news(1)
    assert agent.received(response, 0.4) == [] and agent.deadline is None
    assert agent.received(NO, 0.5) == [] and agent.time(99.0) == []


@pytest.mark.parametrize("explanation", [TOO_LATE, NAME_TAKEN, NOT_JOINED])
def test_a_player_whose_action_was_accepted_has_joined(explanation: str) -> None:
    """Errors about joining are then another client's, and the player stays."""
    agent, (asked,), conversation = on_turn()
    conversation.ask(1, asked)
    (response,) = conversation.news(1)
    assert agent.received(response, 0.1) == []
    assert agent.received(m.ErrorResponse(explanation, None), 0.2) == []
    assert agent.time(99.0) == [] and not agent.is_over and agent.follower.name == "ben"


@pytest.mark.parametrize("explanation", [TOO_LATE, NAME_TAKEN, NOT_JOINED, STARTED_ALREADY])
def test_a_player_of_a_game_that_has_begun_has_joined(explanation: str) -> None:
    """Another client may come too late before this player's first action."""
    agent, _, _ = on_turn()
    assert agent.received(m.ErrorResponse(explanation, None), 0.1) == []
    assert not agent.is_over and agent.refusal is None and agent.follower.name == "ben"


def test_an_error_about_the_turn_is_believed_for_a_while() -> None:
    agent, (asked,), _ = on_turn()
    assert agent.received(m.ErrorResponse(NOT_YOUR_TURN, None), 0.1) == []
    assert agent.time(PATIENCE - 0.1) == []
    (other,) = agent.time(PATIENCE)
    assert other != asked


def test_joining_and_starting_are_requested_again() -> None:
    agent = Agent(lambda view: 0, "ann", 1)
    agent.present.clock = lambda: 0.0
    join = agent.opened(0.0)
    assert agent.time(2.9) == [] and agent.time(3.0) == join
    assert agent.received(m.ConnectionResponse(["ann"]), 4.0) == [m.GameStartRequest()]
    assert agent.time(7.0) == [m.GameStartRequest()]
    assert agent.received(m.ErrorResponse(STARTED_ALREADY, None), 7.1) == []
    assert agent.deadline is None


@pytest.mark.parametrize("explanation", ["Name already in use", ""])
def test_a_name_refused_in_unknown_words_is_changed_twice(explanation: str) -> None:
    agent = Agent(lambda view: 0, "ann")
    (join,) = agent.opened(0.0)
    for name in ("ann", "ann2", "ann3"):
        assert join == m.ConnectionRequest(name) and agent.refusal is None
        join = next(iter(agent.received(m.ErrorResponse(explanation), 0.1)), None)
    assert join is None and agent.refusal == (explanation or "without a reason")


def test_a_player_joins_under_its_second_name_after_a_refusal_in_unknown_words() -> None:
    agent = Agent(lambda view: 0, "ann", start_when=2)
    agent.opened(0.0)
    assert agent.received(m.ErrorResponse("Taken."), 0.1) == [m.ConnectionRequest("ann2")]
    assert agent.received(m.ConnectionResponse(["ben", "ann2"]), 0.2) == [m.GameStartRequest()]
    agent.closed(0.3)
    assert agent.refusal is None, "the game was lost later"


def test_an_error_of_another_client_does_not_hide_that_the_first_name_was_accepted() -> None:
    agent = Agent(lambda view: 0, "ann", start_when=2)
    agent.opened(0.0)
    assert agent.received(m.ErrorResponse("Not your turn."), 0.1) == [m.ConnectionRequest("ann2")]
    assert agent.received(m.ConnectionResponse(["ben", "ann"]), 0.2) == [m.GameStartRequest()]
    assert agent.received(m.ErrorResponse(ALREADY_JOINED), 0.3) == []
    assert agent.follower.name == "ann" and not agent.is_over


def test_a_server_that_is_silent_after_a_refusal_has_refused() -> None:
    agent = Agent(lambda view: 0, "ann")
    agent.opened(0.0)
    agent.present.clock = lambda: 0.1
    agent.received(m.ErrorResponse("Full."), 0.1)
    assert agent.time(PATIENCE) == [] and not agent.is_over
    assert agent.time(PATIENCE + 0.2) == [] and agent.refusal == "Full."


def test_a_join_whose_answer_was_lost_is_not_a_refusal() -> None:
    agent = Agent(lambda view: 0, "ann")
    agent.opened(0.0)
    assert agent.received(m.ErrorResponse(ALREADY_JOINED, None), 3.1) == []
    assert agent.refusal is None and agent.deadline is None


class Odd(HanabiRoom):
    """A server that drops some actions, and sends some errors to every client."""

    def __init__(self, dialect: Dialect, seed: int, silent: float, loud: float) -> None:
        super().__init__(dialect, seed=seed)
        self.chance, self.silent, self.loud = random.Random(seed), silent, loud
        self.own_errors: list[str] = []
        """Explanations of a player's refused requests."""

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        is_action = isinstance(message, m.ActionRequest) and self._has_started
        if is_action and self.chance.random() < self.silent:
            return []
        effects = super().received(line, message, now)
        for effect in effects:
            if isinstance(effect, Send) and isinstance(effect.message, m.ErrorResponse):
                self.own_errors.append(effect.message.explanation)
        if is_action and self.chance.random() < self.loud:
            strangers = self.chance.choice(["The given Card cannot be found.", NOT_YOUR_TURN])
            error = m.ErrorResponse(strangers, None)
            return [Send(other, error) for other in self._open] + effects
        return effects


def seated(world: SlowWorld, thinks: float, seed: int, count: int) -> list[Agent]:
    """Agents that think for `thinks` seconds, joining one second apart."""
    agents = []
    for k in range(count):
        policy = load_policy("piers", seed=seed * 10 + k)
        box: list[Player] = []

        def think(view: Any, policy: Any = policy, box: list[Player] = box) -> int:
            box[0].clock += thinks
            return decide(policy, view)

        agent = Agent(think, f"p{k}", start_when=count)
        player = Player(agent)
        box.append(player)
        world.seat(player)
        world.run(1.0)
        agents.append(agent)
    return agents


@ALL
@pytest.mark.parametrize("count", [2, 4])
def test_slow_decisions_over_slow_lines_are_never_refused(dialect: Dialect, count: int) -> None:
    """Six seconds of thought, longer than a server may be silent: one request per turn."""
    room = Odd(dialect, count, silent=0.0, loud=0.0)
    world = SlowWorld(room)
    agents = seated(world, 6.0, count, count)
    world.run(3000.0)
    assert all(agent.is_over for agent in agents) and room.own_errors == []
    acted = [one for player in world.players for one in player.said if is_action(one)]
    heard = [one for one in world.players[0].heard if isinstance(one, m.ActionResponse)]
    assert len(acted) == len(heard) + 1  # the last is answered by the end of the game


@ALL
def test_errors_of_others_cause_no_second_action(dialect: Dialect) -> None:
    for seed in range(3):
        room = Odd(dialect, seed, silent=0.0, loud=0.5)
        world = SlowWorld(room)
        agents = seated(world, 0.1, seed, 3)
        world.run(3000.0)
        assert all(agent.is_over for agent in agents) and room.own_errors == []


@ALL
def test_a_server_that_drops_actions_ends_its_games(dialect: Dialect) -> None:
    for seed in range(3):
        room = Odd(dialect, seed, silent=0.2, loud=0.2)
        world = SlowWorld(room)
        agents = seated(world, 0.1, seed, 3)
        world.run(6000.0)
        assert all(agent.is_over for agent in agents)


def is_action(message: Any) -> bool:
    return isinstance(message, m.ActionRequest)
