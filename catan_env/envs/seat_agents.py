"""What the PettingZoo environments of all games share: an agent for every seat."""

import random
from collections.abc import Callable
from typing import Any

from gymnasium.spaces import Space
from pettingzoo import AECEnv


class SeatAgents(AECEnv[str, Any, Any]):
    """Agents `player_0` and so on, in seat order, each with spaces of its own.

    The game, its rewards and its end are those of the class that stands on this one.
    """

    def __init__(
        self,
        seats: int,
        observation_space: Callable[[], Space[Any]],
        action_space: Callable[[], Space[Any]],
    ) -> None:
        super().__init__()
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: action_space() for agent in self.possible_agents}
        self._seeds = random.Random()

    def observation_space(self, agent: str) -> Any:
        """The space of that agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of that agent's actions."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """Nothing is held open."""

    def _next_seed(self, given: int | None) -> int:
        """The seed of the next game: the one given, or else the next of the same sequence."""
        if given is None:
            return self._seeds.getrandbits(63)
        self._seeds.seed(given)
        return given

    def _seat_everybody(self) -> None:
        """All agents sit down; nobody has earned anything."""
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None

    def _has_ended(self, agent: str) -> bool:
        """Whether the agent's episode has ended."""
        return self.terminations[agent] or self.truncations[agent]
