"""Masters of Renaissance for PettingZoo: an agent for every seat, one small decision at a time.

| | |
|---|---|
| Import | `catan_env.guests.renaissance.env(seats=2)` |
| Agents | `player_0` .. in seat order |
| Action space | `Discrete(96)`; docs/renaissance.md names the spans |
| `"observation"` | `Box(0, 255, (886,), uint8)`; docs/renaissance.md names its fields |
| `"action_mask"` | `Box(0, 1, (96,), int8)` |

The mask is 1 where an action is legal, and all zeros for a seat that is not to decide. Steps that
leave no choice are taken by themselves.

### Options

| Option | Default | Also |
|---|---|---|
| `seats` | `2` | `1`, `3`, `4` |
| `cards` | `"printed"` | `"am49"`: that server's data |
| `reward` | `"sparse"` | `"points"`: the own score / 100 is added at the end |
| `illegal` | `"penalty"`: -1, and the game ends | `"raise"`; `"ignore"`: asked again |
| `max_rounds` | `200` | then the game is truncated |
| `render_mode` | `None` | `"ansi"`, `"human"` |

Rewards: 1 to the winner, -1/(n - 1) to each other seat; in the solo game 1 or -1; 0 when truncated.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from catan_env.envs.seat_agents import SeatAgents
from catan_env.guests.renaissance.batch import MAX_ROUNDS
from catan_env.guests.renaissance.errors import IllegalActionError
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.cards import DECKS
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.native.state import SEATS
from catan_env.guests.renaissance.view import SeatView

ILLEGAL_REWARD = -1.0
RENDER_MODES = ("human", "ansi")


class Options:
    """What an environment was made with; ValueError for what is not allowed."""

    def __init__(
        self,
        seats: int = 2,
        cards: str = "printed",
        reward: str = "sparse",
        illegal: str = "penalty",
        max_rounds: int = MAX_ROUNDS,
        render_mode: str | None = None,
    ) -> None:
        check("seats", seats, range(1, SEATS + 1))
        check("cards", cards, DECKS)
        check("reward", reward, ("sparse", "points"))
        check("illegal", illegal, ("penalty", "raise", "ignore"))
        check("render_mode", render_mode, (None, *RENDER_MODES))
        self.seats, self.cards, self.reward = seats, cards, reward
        self.illegal, self.max_rounds, self.render_mode = illegal, max_rounds, render_mode

    def reward_of(self, game: Game, seat: int) -> float:
        """What a seat gets when the game has ended."""
        lost = -1.0 / max(game.seats - 1, 1)
        reward = 1.0 if game.winner == seat else lost
        return reward + (game.scores()[seat] / 100 if self.reward == "points" else 0.0)

    def render(self, game: Game) -> str | None:
        """The position, as the render mode says."""
        if self.render_mode == "human":
            print(game)
            return None
        return str(game) if self.render_mode == "ansi" else None


def check(name: str, given: Any, allowed: Sequence[Any]) -> None:
    """ValueError where an option is given what is not allowed."""
    if given not in allowed:
        raise ValueError(f"{name} {given!r}; allowed are {', '.join(map(repr, allowed))}")


def observation_space() -> Dict:
    """The space of observations."""
    return Dict(
        {
            "observation": Box(0, 255, (OBSERVATION_SIZE,), np.uint8),
            "action_mask": Box(0, 1, (NUM_ACTIONS,), np.int8),
        }
    )


def env(**options: Any) -> Any:
    """The AEC environment in PettingZoo's wrapper that enforces the order of calls."""
    return OrderEnforcingWrapper(raw_env(**options))


def raw_env(**options: Any) -> "RenaissanceAEC":
    """The AEC environment without a wrapper."""
    return RenaissanceAEC(**options)


class RenaissanceAEC(SeatAgents):
    """The AEC environment; see the module's documentation.

    >>> environment = raw_env(seats=2)
    >>> environment.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = environment.last()
    >>> environment.agent_selection, int(observation["action_mask"].sum())
    ('player_0', 6)
    """

    metadata = {  # noqa: RUF012 (PettingZoo's own attribute)
        "name": "renaissance_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, **options: Any) -> None:
        self.options = Options(**options)
        self.render_mode = self.options.render_mode
        super().__init__(self.options.seats, observation_space, lambda: Discrete(NUM_ACTIONS))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; options are not looked at."""
        self.game = Game(self.options.seats, self._next_seed(seed), self.options.cards)
        self._seat_everybody()
        self.agent_selection = self.possible_agents[self.game.seat]

    def observe(self, agent: str) -> Any:
        """What the agent's seat knows, and what it may play now."""
        seat = self.possible_agents.index(agent)
        decides = self.game.seat == seat and agent in self.agents and not self._has_ended(agent)
        mask = self.game.action_mask if decides else np.zeros(NUM_ACTIONS, np.int8)
        return {"observation": self.game.observe(seat), "action_mask": mask}

    def view(self, agent: str) -> SeatView:
        """What the agent's seat knows, as a policy's `act` takes it."""
        return self.game.view(self.possible_agents.index(agent))

    def step(self, action: Any) -> None:
        """Play the action of the agent that is to decide; None for one whose episode ended."""
        agent = self.agent_selection
        if self._has_ended(agent):
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            self.game.play(int(action))
        except IllegalActionError as error:
            self._refuse(agent, error)
        if not self._has_ended(agent):
            self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        if self.game.is_over:
            for seat, agent in enumerate(self.possible_agents):
                self.terminations[agent] = True
                self.rewards[agent] = self.options.reward_of(self.game, seat)
        elif self.game.round > self.options.max_rounds:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.game.seat]
            return
        self._deads_step_first()

    def _refuse(self, agent: str, error: IllegalActionError) -> None:
        if self.options.illegal == "raise":
            raise error
        self.infos[agent] = {"illegal": str(error)}
        if self.options.illegal == "penalty":
            self.rewards[agent] = ILLEGAL_REWARD
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()

    def render(self) -> Any:
        """The position, as the render mode says."""
        return self.options.render(self.game)
