"""Servers that say some things differently than ours, and games with them."""

from typing import Any

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.policies import Random
from catan_env.net.room import Effect, Send
from tests.guests.renaissance.in_memory import House, seat_checked


class Altered(House):
    """A house whose server says some things differently."""

    def do(self, effects: list[Effect]) -> None:
        super().do([altered for effect in effects for altered in self.altered(effect)])

    def altered(self, effect: Effect) -> list[Effect]:
        """The effects instead of one of our server."""
        if not isinstance(effect, Send):
            return [effect]
        return [Send(effect.line, one) for one in self.said(effect.line, effect.message)]

    def said(self, line: int, message: Any) -> list[Any]:
        """The messages instead of one of our server."""
        return [message]


def play_out(house: House, agents: list[Any]) -> None:
    """Play until every agent is done; those that lack news return."""
    for _ in range(2000):
        house.run()
        house.reconnect_lost()
        if all(agent.is_done for agent in agents):
            return
        if not house.queue:
            house.wait(1.0)
    raise AssertionError("the game does not end")


def play_compared(house: House, seats: int, seed: int, policy: Any = Greedy) -> None:
    """Play a game without a lost connection, in which every agent's view is compared."""
    agents = seat_checked(house, seats, seed, policy)
    play_out(house, agents)
    assert house.next_line == len(agents) and all(agent.compared for agent in agents)


def in_the_set_up() -> tuple[House, list[Agent]]:
    """A game of two players that have been dealt leaders."""
    house = House(1)
    agents = [Agent(f"p{k}", Random(seed=k), 2) for k in range(2)]
    for agent in agents:
        house.connect(agent)
    while not all(agent.follower.names for agent in agents):
        assert house.step()
    return house, agents


def in_a_game(seats: int = 2, seed: int = 1) -> tuple[House, list[Agent]]:
    """A game whose set-up is done."""
    house = House(seed)
    agents = [Agent(f"p{k}", Random(seed=k), seats) for k in range(seats)]
    for agent in agents:
        house.connect(agent)
    while not house.room.tables or not next(iter(house.room.tables)).game.is_playing:
        house.step()
    return house, agents
