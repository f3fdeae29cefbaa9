"""Witnesses on the lines, and servers with three kinds of habits and a fourth that teases."""

import json

import pytest

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import Greedy, Random
from tests.guests.renaissance.in_memory import House
from tests.guests.renaissance.manners import OfTheRealServer, OfTheText, Teasing
from tests.guests.renaissance.witness import Witness


class Witnessed(House):
    """A house with a witness on each line."""

    def __init__(self, seed: int, cards: str = "printed") -> None:
        super().__init__(seed, cards=cards)
        self.witnesses: dict[int, Witness] = {}

    def deliver(self, line: int, data: bytes) -> None:
        self.witnesses.setdefault(line, Witness()).hear(json.loads(data))
        super().deliver(line, data)


def seat(house: House, seats: int, policy: type[Random] | type[Greedy] = Random) -> list[Agent]:
    """Agents of one game, connected."""
    agents = [Agent(f"p{k}", policy(seed=7 * seats + k), seats) for k in range(seats)]
    for agent in agents:
        house.connect(agent)
    return agents


def run_with_pauses(house: House) -> None:
    """Play to the end; time passes if no line is waiting."""
    for _ in range(200_000):
        if not house.agents:
            return
        if not house.step():
            house.wait(6.0)
            house.reconnect_lost()
    raise AssertionError("the game does not end")


def test_a_witness_on_each_line_finds_nothing(games: int) -> None:
    """The messages on every line describe a game by the rules."""
    seen: set[str] = set()
    for seed in range(max(games // 500, 8)):
        house = Witnessed(seed, cards=("printed", "am49")[seed // 4 % 2])
        policy = Greedy if seed % 3 == 0 else Random
        agents = seat(house, 1 + seed % 4, policy)
        house.run()
        assert all(agent.is_done and not agent.refusals for agent in agents)
        for witness in house.witnesses.values():
            assert witness.findings == [] and witness.has_ended
            seen |= set(witness.actions)
    assert len(seen) == 9, "every action was judged"


def test_a_witness_finds_errors() -> None:
    """A card for nothing, a marble that stays, a report withheld: each is noticed."""
    for kind, change in FORGERIES.items():
        house = Forged(5, kind, change)
        seat(house, 3, Greedy)
        while not any(one.findings for one in house.witnesses.values()) and house.step():
            pass
        assert house.has_forged and any(one.findings for one in house.witnesses.values()), kind


class Forged(Witnessed):
    """Sends the witness something other than the agent, once."""

    def __init__(self, seed: int, kind: str, change: object) -> None:
        super().__init__(seed)
        self.kind, self.change, self.has_forged = kind, change, False

    def deliver(self, line: int, data: bytes) -> None:
        message = json.loads(data)
        witness = self.witnesses.setdefault(line, Witness())
        if message["type"] == self.kind and not self.has_forged and witness.actions["END_TURN"]:
            self.has_forged = True
            message.update(self.change)
        witness.hear(message)
        House.deliver(self, line, data)


FORGERIES = {
    "UpdateResourceContainer": {
        "resContainer": {"id": 128, "content": {"Shield": 2}, "size": 1},
    },
    "UpdateFaithPoints": {"faithPoints": 19},
    "UpdateVictoryPoints": {"victoryPoints": 99},
    "UpdateDevSlot": {"devCards": [47]},
    "UpdateCurrentPlayer": {"player": "nobody"},
    "UpdateVaticanSection": {"bonusGivenPlayers": []},
    "UpdateMarket": {"market": {"grid": [["Coin"] * 4] * 3, "slide": "Zero"}},
    "UpdateLastRound": {"type": "UpdateBookedSeats"},
    "UpdateGameEnd": {"winner": "nobody"},
}


@pytest.mark.parametrize("manner", [OfTheText, OfTheRealServer])
def test_an_agent_plays_on_servers_with_other_habits(manner: type[House]) -> None:
    for seed in range(4):
        house = manner(seed, cards="am49")
        agents = seat(house, 1 + seed)
        run_with_pauses(house)
        assert all(agent.is_done and not agent.refusals for agent in agents)
        assert all(agent.follower.is_over for agent in agents)


def test_a_teased_agent_continues() -> None:
    refused = silent = 0
    for seed in range(8):
        house = Teasing(seed)
        agents = seat(house, 1 + seed % 4)
        run_with_pauses(house)
        assert all(agent.is_done and agent.follower.is_over for agent in agents)
        assert sum(len(agent.refusals) for agent in agents) == house.refused
        refused, silent = refused + house.refused, silent + house.silent
    assert refused > 20 and silent > 10
