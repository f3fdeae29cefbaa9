"""Whole games at servers with random combinations of habits that the protocol's text allows."""

import random

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.policies import Random
from tests.guests.renaissance.altered import play_out
from tests.guests.renaissance.habits import Habitual, drawn_habits
from tests.guests.renaissance.in_memory import Checked, seat_checked

LATE = m.ErrAction("LATE_SETUP_ACTION")
"""The answer of our server, behind the habits, to a choice of no goods."""


def begun(seed: int) -> tuple[Habitual, list[Checked]]:
    draw = random.Random(seed)
    house = Habitual(seed, drawn_habits(draw))
    return house, seat_checked(house, draw.randrange(1, 5), seed, draw.choice([Random, Greedy]))


def test_an_agent_knows_its_game_at_servers_with_other_habits(games: int) -> None:
    """Observation and mask are the environment's, and no connection is lost."""
    for seed in range(max(games // 20, 20)):
        house, agents = begun(seed)
        play_out(house, agents)
        at = seed, house.habits
        assert house.next_line == len(agents) and all(agent.compared for agent in agents), at
        assert all(error == LATE for agent in agents for error in agent.refusals), at


def test_players_leave_servers_with_other_habits_and_return(games: int) -> None:
    for seed in range(max(games // 40, 10)):
        house, agents = begun(seed)
        draw = random.Random(seed)
        absent: list[Checked] = []
        for _ in range(200_000):
            for agent in [agent for agent in absent if draw.random() < 0.05]:
                absent.remove(agent)
                house.connect(agent)
            if house.agents and draw.random() < 0.01 and any(a.follower.names for a in agents):
                agent = house.drop(draw.choice(list(house.agents)))
                assert isinstance(agent, Checked)
                agent.has_returned = True
                if not agent.is_done:
                    absent.append(agent)
            if not house.step() and not absent:
                house.wait(1.0)
                if all(agent.is_done for agent in agents):
                    break
            for line in [line for line, one in house.agents.items() if one.is_lost]:
                lost = house.drop(line)
                assert isinstance(lost, Checked)
                lost.has_returned = True
                house.connect(lost)
        assert all(agent.is_done and agent.has_ended for agent in agents), (seed, house.habits)
        assert not house.room.tables
