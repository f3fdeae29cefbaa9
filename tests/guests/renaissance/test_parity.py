"""The promise: what an agent computes from messages is what the environment gives its seat."""

import random

from catan_env.guests.renaissance.policies import Greedy
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
