"""The promise: what an agent computes from messages is what the environment gives its seat."""

import random
from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import Greedy, Random
from tests.guests.renaissance.in_memory import House, seat_checked


def test_an_agent_sees_and_may_do_what_the_environment_says(games: int) -> None:
    compared = 0
    for seed in range(max(games // 100, 12)):
        house = House(seed, cards=("printed", "am49")[seed // 4 % 2])
        agents = seat_checked(house, 1 + seed % 4, seed)
        house.run()
        assert not house.agents and not house.room.tables and not house.room._seats_of
        assert all(agent.is_done and not agent.refusals for agent in agents)
        compared += sum(agent.compared for agent in agents)
    assert compared > 500


def test_greedy_agents_too() -> None:
    for seed in range(4):
        house = House(seed)
        agents = seat_checked(house, 1 + seed, seed, Greedy)
        house.run()
        assert all(agent.is_done and not agent.refusals for agent in agents)


def test_players_leave_and_come_back(games: int) -> None:
    """As far as the page promises; every other game goes on while somebody is away."""
    compared = 0
    for seed in range(max(games // 200, 12)):
        house, draw = House(seed), random.Random(seed)
        agents = seat_checked(house, 1 + seed % 4, seed)
        absent = []
        for _ in range(100_000):
            if draw.random() < 0.02 and house.agents and house.room.tables:
                absent.append(house.drop(draw.choice(list(house.agents))))
            if absent and (draw.random() < 0.1 or not house.queue):
                agent = absent.pop(draw.randrange(len(absent)))
                agent.has_returned = True
                if house.room.tables:
                    house.connect(agent)
            if not house.step() and not absent:
                break
        assert not house.room.tables, seed
        compared += sum(agent.compared for agent in agents)
        assert not any(agent.refusals for agent in agents)
    assert compared > 500


class OfTheText(House):
    """A server that spells as the protocol's text does where the real one does otherwise."""

    def spelled(self, message: Any) -> Any:
        if isinstance(message, m.UpdateFaithPoints):
            return m.UpdateFaithTrack(message.isBlackCross, message.faithPoints, message.player)
        if isinstance(message, m.UpdateCurrentPlayer):
            return m.UpdateCurrentPlayer(nickname=message.player)
        if isinstance(message, m.UpdatePlayerStatus):
            return m.UpdatePlayerStatus(message.isActive, nickname=message.player)
        if isinstance(message, m.UpdateDevSlot):
            return m.UpdateDevSlot(message.player, slot=message.devSlot, cards=message.devCards)
        if isinstance(message, m.UpdateVaticanSection) and len(message.bonusGivenPlayers) == 1:
            name = message.bonusGivenPlayers[0]
            return m.UpdateVaticanSection(name, id=message.vaticanSection)
        if isinstance(message, m.UpdateDevCardGrid) and message.devCardGrid is not None:
            cards = {name: [row] for name, row in message.devCardGrid.topCards.items()}
            return m.UpdateDevCardGrid(topCards=m.TextGrid(cards))
        return message


def test_an_agent_reads_the_forms_of_the_text_too() -> None:
    for seed in range(8):
        house = OfTheText(seed)
        agents = seat_checked(house, 1 + seed % 4, seed)
        house.run()
        assert all(agent.is_done and not agent.refusals for agent in agents)


def test_silence_is_a_refusal_and_the_end_of_a_turn_is_asked_for_twice() -> None:
    house, agent = House(3), Agent("p0", Random(seed=3), 1)
    house.connect(agent)
    while agent._awaited is None or agent._awaited[0] != 95:
        assert house.step()
    house.queue.clear()
    assert agent.deadline == 5.0 and agent.time(5.0) == [m.ReqEndTurn()]
    first = agent._awaited
    assert agent.time(10.0) and agent._awaited != first, "something else is tried"


def test_a_name_still_taken_is_asked_for_again() -> None:
    house = House(3)
    agent = seat_checked(house, 1, 3)[0]
    while not agent.follower.names:
        assert house.step()
    agent.opened(20.0)
    assert agent.received(m.ErrNickname("TAKEN"), 20.0) == []
    assert agent.deadline == 21.0 and agent.time(21.0) == [m.ReqJoin("p0")]


def test_a_silent_server_is_asked_for_a_sign_before_it_is_given_up() -> None:
    agent = Agent("ann", Random(seed=1))
    agent.opened(0.0)
    assert agent.time(40.0) == [m.ReqHeartbeat()] and not agent.is_done
    assert agent.deadline == 52.5 and agent.time(50.0) == []
    agent.received(m.ResHeartbeat(), 51.0)
    assert agent.time(60.0) == [] and agent.time(63.5) == [m.ReqHeartbeat()]
    assert agent.time(76.0) == [] and agent.is_done
