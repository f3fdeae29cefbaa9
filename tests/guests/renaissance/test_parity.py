"""The promise: an agent's view from messages equals the environment's view of its seat."""

import random

import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import Greedy, Random
from catan_env.net.errors import RemoteProtocolError
from tests.guests.renaissance.in_memory import House, seat_checked
from tests.guests.renaissance.manners import OfTheText


def test_an_agents_view_and_mask_equal_the_environments(games: int) -> None:
    compared = 0
    for seed in range(max(games // 100, 8)):
        house = House(seed, cards=("printed", "am49")[seed // 4 % 2])
        agents = seat_checked(house, 1 + seed % 4, seed)
        house.run()
        assert not house.agents and not house.room.tables and not house.room._seats_of
        assert all(agent.is_done and not agent.refusals for agent in agents)
        compared += sum(agent.compared for agent in agents)
    assert compared > 500


def test_greedy_agents_views_equal_the_environments() -> None:
    for seed in range(4):
        house = House(seed)
        agents = seat_checked(house, 1 + seed, seed, Greedy)
        house.run()
        assert all(agent.is_done and not agent.refusals for agent in agents)


def test_players_leave_and_return(games: int) -> None:
    """As far as the page promises; every other game continues while a player is away."""
    compared = 0
    for seed in range(max(games // 200, 8)):
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


def test_an_agent_also_reads_the_forms_of_the_text() -> None:
    for seed in range(4):
        house = OfTheText(seed)
        agents = seat_checked(house, 1 + seed % 4, seed)
        house.run()
        assert all(agent.is_done and not agent.refusals for agent in agents)


def test_silence_is_a_refusal_and_the_end_of_a_turn_is_requested_twice() -> None:
    house, agent = House(3), Agent("p0", Random(seed=3), 1)
    house.connect(agent)
    while agent._awaited is None or agent._awaited[0] != 95:
        assert house.step()
    house.queue.clear()
    house.now = 3.0
    assert agent.deadline == 3.0 and agent.time(3.0) == [m.ReqEndTurn()]
    first = agent._awaited
    house.now = 6.0
    assert agent.time(6.0) and agent._awaited != first, "something else is tried"


def test_a_name_still_taken_is_requested_again() -> None:
    house = House(3)
    agent = seat_checked(house, 1, 3)[0]
    while not agent.follower.names:
        assert house.step()
    agent.opened(20.0)
    assert agent.received(m.ErrNickname("TAKEN"), 20.0) == []
    assert agent.deadline == 21.0 and agent.time(21.0) == [m.ReqJoin("p0")]


@pytest.mark.parametrize("reason", ["NOT_SET", "TOO_LONG"])
def test_an_invalid_name_is_an_error(reason: str) -> None:
    agent = Agent("ann", Random(seed=1), 2)
    agent.opened(0.0)
    with pytest.raises(ValueError, match=reason):
        agent.received(m.ErrNickname(reason), 0.0)


def test_a_name_still_taken_by_a_waiting_line_is_requested_again() -> None:
    """A client that was in the lobby has a name there; another client's name is not waited for."""
    agent = Agent("ann", Random(seed=1), 2)
    agent.present.clock = lambda: 0.0
    agent.opened(0.0)
    with pytest.raises(ValueError, match="TAKEN"):
        agent.received(m.ErrNickname("TAKEN"), 0.0)
    agent.received(m.UpdateBookedSeats(1, "ann"), 0.0)
    agent.opened(3.0)
    assert agent.received(m.ErrNickname("TAKEN"), 3.0) == []
    assert agent.time(4.0) == [m.ReqJoin("ann")]


def test_an_agent_whose_game_ended_without_it_leaves() -> None:
    """R113: its name is free, and it must wait as if it had come for another game."""
    house = House(3)
    agent = seat_checked(house, 2, 3)[0]
    while not agent.follower.names:
        assert house.step()
    agent.opened(20.0)
    assert agent.received(m.UpdateBookedSeats(1, "p0"), 20.0) == [m.ReqQuit()]
    assert agent.received(m.ResQuit(), 20.0) == [m.ReqGoodbye()]
    assert agent.received(m.ResGoodbye(), 20.0) == [] and agent.is_done


def test_a_silent_server_gets_a_heartbeat_request_before_the_agent_returns() -> None:
    agent = Agent("ann", Random(seed=1))
    agent.opened(0.0)
    agent.received(m.UpdateBookedSeats(1, "ann"), 0.0)
    assert agent.time(40.0) == [m.ReqHeartbeat()] and not agent.is_done
    assert agent.deadline == 52.5 and agent.time(50.0) == []
    agent.received(m.ResHeartbeat(), 51.0)
    assert agent.time(60.0) == [] and agent.time(63.5) == [m.ReqHeartbeat()]
    assert agent.time(76.0) == [] and agent.is_lost and not agent.is_done


def test_an_agent_gives_a_server_up_that_says_nothing_on_a_connection() -> None:
    agent = Agent("ann", Random(seed=1))
    agent.opened(0.0)
    agent.received(m.UpdateBookedSeats(1, "ann"), 0.0)
    agent.opened(50.0)
    assert agent.time(63.0)[-1] == m.ReqHeartbeat()
    with pytest.raises(RemoteProtocolError, match="not one message in 25 seconds"):
        agent.time(76.0)
