"""Turns and the end of the set-up at servers that send only what has changed."""

from typing import Any

import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import GRACE, Agent
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.native.actions import END_ACTION
from catan_env.guests.renaissance.policies import Random
from catan_env.net.room import Effect, Send
from catan_env.net.watchdog import PATIENCE
from tests.guests.renaissance.altered import (
    Altered,
    in_a_game,
    in_the_set_up,
    play_compared,
    play_out,
)
from tests.guests.renaissance.in_memory import House, seat_checked


class OnlyChanges(Altered):
    """A server that does not name the current player again after its turn."""

    omitted = 0

    def do(self, effects: list[Effect]) -> None:
        ended = [one.message.player for one in effects if is_end_of_turn(one)]
        self.ended = ended[0] if ended else None
        super().do(effects)

    def said(self, line: int, message: Any) -> list[Any]:
        if isinstance(message, m.UpdateCurrentPlayer) and message.player == self.ended:
            self.omitted += 1
            return []
        return [message]


def is_end_of_turn(effect: Effect) -> bool:
    is_action = isinstance(effect, Send) and isinstance(effect.message, m.UpdateAction)
    return is_action and effect.message.action == "END_TURN"


@pytest.mark.parametrize("policy", [Random, Greedy])
def test_a_solo_player_is_on_turn_again_without_an_announcement(policy: Any) -> None:
    for seed in range(3):
        house = OnlyChanges(seed)
        agents = seat_checked(house, 1, seed, policy)
        play_out(house, agents)
        assert house.next_line == 1 and house.now < 10.0 and house.omitted > 5
        assert agents[0].compared and not agents[0].refusals


@pytest.mark.parametrize("seats", [2, 3])
def test_a_player_whose_opponents_are_away_is_on_turn_again(seats: int) -> None:
    for seed in range(3):
        house = OnlyChanges(seed)
        agents: list[Any] = seat_checked(house, seats, seed)
        while not any(agent.follower.names and agent.follower.state["is_playing"]
                      for agent in agents):  # fmt: skip
            assert house.step()
        for line in list(house.agents)[1:]:
            house.drop(line)
        play_out(house, agents[:1])
        assert house.next_line == seats and house.omitted > 5
        assert agents[0].compared and not agents[0].refusals


class Later(OnlyChanges):
    """A server that names the current player after the next command, or at once, or not at all."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.late: list[Effect] = []

    def altered(self, effect: Effect) -> list[Effect]:
        is_next = isinstance(effect, Send) and isinstance(effect.message, m.UpdateCurrentPlayer)
        if not is_next:
            return [effect]
        self.late += [effect] * (self.random.random() < 0.7)
        return []

    def do(self, effects: list[Effect]) -> None:
        super().do(effects)
        if self.random.random() < 0.5:
            late, self.late = self.late, []
            House.do(self, late)


def test_an_announcement_of_our_turn_that_comes_late_does_not_begin_it_again() -> None:
    for seed in range(6):
        house = Later(seed)
        agents = [Agent("p0", Random(seed=seed), 1)]
        house.connect(agents[0])
        play_out(house, agents)
        assert house.next_line == 1 and not agents[0].refusals


def test_the_last_turn_of_a_player_who_is_alone_is_not_continued() -> None:
    """The end may be announced after the UpdateAction."""

    class EndLater(OnlyChanges):
        def do(self, effects: list[Effect]) -> None:
            super().do(sorted(effects, key=self.is_end))

        def is_end(self, effect: Effect) -> bool:
            return isinstance(effect, Send) and isinstance(effect.message, m.UpdateGameEnd)

    for seed in range(6):
        house = EndLater(seed)
        agents = [Agent("p0", Greedy() if seed % 2 else Random(seed=seed), 1)]
        house.connect(agents[0])
        play_out(house, agents)
        assert house.next_line == 1 and not agents[0].refusals
        assert agents[0].follower.is_over and not agents[0].has_missed_end


class TokenLater(OnlyChanges):
    """A server that announces Lorenzo's token and its effects after the UpdateAction."""

    names_next = False

    def do(self, effects: list[Effect]) -> None:
        super().do(sorted(effects, key=lambda effect: not is_end_of_turn(effect)))

    def said(self, line: int, message: Any) -> list[Any]:
        return [message] if self.names_next else super().said(line, message)


@pytest.mark.parametrize("names_next", [False, True])
def test_a_solo_player_decides_after_the_token_that_follows_the_end_of_its_turn(
    names_next: bool,
) -> None:
    for seed in range(3):
        house = TokenLater(seed)
        house.names_next = names_next
        agents = seat_checked(house, 1, seed, Greedy if seed % 2 else Random)
        play_out(house, agents)
        assert house.next_line == 1 and agents[0].compared and not agents[0].refusals
        assert house.now < (5.0 if names_next else 100.0)


def test_a_solo_player_decides_soon_where_no_token_is_announced() -> None:
    """Otherwise a game would not end at a server that announces none."""
    agent = Agent("p0", Random(seed=1), 1)
    house = House(1)
    house.connect(agent)
    while not agent.follower.names or agent._awaited != [END_ACTION]:
        assert house.step()
    agent._awaited = None
    turns = agent.follower.turns
    assert agent.received(m.UpdateAction("p0", "END_TURN"), house.now) == []
    assert agent.follower.turns == turns + 1
    assert agent.deadline == house.now + GRACE
    assert agent.time(house.now + GRACE / 2) == []
    assert len(agent.time(house.now + GRACE)) == 1


def test_the_end_of_a_turn_whose_action_was_refused_as_late_is_not_our_next_turn() -> None:
    """The announcement heard before it is that of the turn that ends."""
    _, (agent, _) = in_a_game()
    follower = agent.follower
    follower.hear(m.UpdateCurrentPlayer(player=follower.nickname))
    follower.hear(m.ErrAction("LATE_MANDATORY_ACTION"))
    follower.hear(m.UpdateAction(follower.nickname, "END_TURN"))
    assert not follower.decides and follower.is_owed
    follower.hear(m.UpdateCurrentPlayer(player=follower.nickname))
    assert follower.decides and not follower.state["main_done"]


class WithoutSetupDone(Altered):
    """A server that does not announce the end of the set-up."""

    def said(self, line: int, message: Any) -> list[Any]:
        return [] if isinstance(message, m.UpdateSetupDone) else [message]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_set_up_ends_when_all_choices_are_confirmed(seats: int) -> None:
    house = WithoutSetupDone(seats)
    play_compared(house, seats, seats)
    assert house.now < 10.0


class Unflagged(WithoutSetupDone):
    """The same, and it does not say of a player that has no goods to choose that it is done."""

    def said(self, line: int, message: Any) -> list[Any]:
        for player in message.players if isinstance(message, m.UpdateGame) else ():
            player.setup.hasChosenResources &= bool(player.setup.initialResources)
        return super().said(line, message)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_set_up_ends_when_a_choice_is_too_late(seats: int) -> None:
    """It may wait for the choice of no goods: the first player makes it after a silence."""
    house = Unflagged(seats)
    agents = [Agent(f"p{k}", Random(seed=k), seats) for k in range(seats)]
    for agent in agents:
        house.connect(agent)
    play_out(house, agents)
    assert house.next_line == seats and house.now < 10.0
    first = next(agent for agent in agents if not agent.follower.seat)
    assert first.refusals == [m.ErrAction("LATE_SETUP_ACTION")]
    assert not any(agent.refusals for agent in agents if agent is not first)


def test_a_choice_that_is_too_late_does_not_end_the_set_up_of_others() -> None:
    """Our server answers so once the player's own choices are made."""
    house, agents = in_the_set_up()
    first = next(agent for agent in agents if not agent.follower.seat)
    first.follower.hear(m.UpdateAction(first.follower.nickname, "CHOOSE_LEADERS"))
    first.received(m.ErrAction("LATE_SETUP_ACTION"), house.now)
    assert not first.follower.state["is_playing"]


def test_a_server_that_has_not_ended_the_set_up_is_waited_for() -> None:
    house, agents = in_a_game()
    first = next(agent for agent in agents if not agent.follower.seat)
    follower = first.follower
    follower.state["is_playing"] = 0
    first._awaited = None
    follower.hear(m.UpdateAction(follower.names[1], "CHOOSE_RESOURCES"))
    assert follower.state["is_playing"]
    assert first._play() != []
    assert first.received(m.ErrAction("EARLY_MANDATORY_ACTION"), house.now) == []
    assert not follower.state["is_playing"] and not follower.decides
    assert first.time(house.now + 2 * PATIENCE) == []
    first.received(m.UpdateSetupDone(), house.now)
    assert follower.decides


def test_a_turn_of_another_player_does_not_end_our_set_up() -> None:
    """The group's server lets a player act while others still choose."""
    house, agents = in_the_set_up()
    second = next(agent for agent in agents if agent.follower.seat)
    done = m.UpdateAction(second.follower.names[0], "TAKE_MARKET_RESOURCES")
    second.received(done, house.now)
    assert not second.follower.state["is_playing"] and second.follower.decides


def test_goods_that_are_chosen_already_are_not_waited_for() -> None:
    """Another server answers so to the choice of no goods."""

    class Answering(Unflagged):
        def answer(self, line: int, message: Any) -> list[Effect]:
            if isinstance(message, m.ReqChooseResources) and not message.shelves:
                return [Send(line, m.ErrInitialChoice(False, 0))]
            return super().answer(line, message)

    for seats in (1, 2, 3):
        house = Answering(seats)
        agents = [Agent(f"p{k}", Random(seed=k), seats) for k in range(seats)]
        for agent in agents:
            house.connect(agent)
        play_out(house, agents)
        assert house.next_line == seats and house.now < 10.0
        assert sum(len(agent.refusals) for agent in agents) == 1
