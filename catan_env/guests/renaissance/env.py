"""Masters of Renaissance for PettingZoo and Gymnasium.

| | |
|---|---|
| AEC | `env(seats=2, cards="printed")`, agents `player_0` .. in seat order |
| Gymnasium | `SoloEnv()`: the solo game against Lorenzo, or one seat against policies |
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

import random
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from catan_env.guests.renaissance.batch import MAX_ROUNDS
from catan_env.guests.renaissance.errors import IllegalActionError
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.cards import DECKS
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.native.state import SEATS
from catan_env.guests.renaissance.policies import Policy, as_policy
from catan_env.guests.renaissance.view import SeatView

ILLEGAL_REWARD = -1.0
Step = tuple[Any, float, bool, bool, dict[str, Any]]


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
        _check("seats", seats, range(1, SEATS + 1))
        _check("cards", cards, DECKS)
        _check("reward", reward, ("sparse", "points"))
        _check("illegal", illegal, ("penalty", "raise", "ignore"))
        _check("render_mode", render_mode, (None, "ansi", "human"))
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


def _check(name: str, given: Any, allowed: Sequence[Any]) -> None:
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


class RenaissanceAEC(AECEnv[str, Any, Any]):
    """The AEC environment; see the module's documentation.

    >>> environment = raw_env(seats=2)
    >>> environment.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = environment.last()
    >>> environment.agent_selection, int(observation["action_mask"].sum())
    ('player_0', 6)
    """

    metadata = {  # noqa: RUF012 (PettingZoo's own attribute)
        "name": "renaissance_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.options = Options(**options)
        self.render_mode = self.options.render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.options.seats)]
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self._seeds = random.Random()

    def observation_space(self, agent: str) -> Any:
        """The space of that agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of that agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; options are not looked at."""
        if seed is not None:
            self._seeds.seed(seed)
        game_seed = seed if seed is not None else self._seeds.getrandbits(63)
        self.game = Game(self.options.seats, game_seed, self.options.cards)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
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

    def _has_ended(self, agent: str) -> bool:
        return self.terminations[agent] or self.truncations[agent]

    def render(self) -> Any:
        """The position, as the render mode says."""
        return self.options.render(self.game)

    def close(self) -> None:
        """Nothing is held open."""


class SoloEnv(gymnasium.Env[Any, Any]):
    """One seat: the solo game against Lorenzo, or with `opponents` a game against policies.

    `opponents` is a policy's name or a list of them in turn order; `seat` is 0.. or "random".

    >>> environment = SoloEnv()
    >>> observation, info = environment.reset(seed=7)
    >>> observation["observation"].shape, int(environment.action_masks().sum())
    ((886,), 6)
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponents: str | Policy | Sequence[str | Policy] | None = None,
        seat: int | str = "random",
        seats: int | None = None,
        **options: Any,
    ) -> None:
        if opponents is None:
            self._opponents: list[Any] = []
        elif isinstance(opponents, list | tuple):
            self._opponents = list(opponents)
        else:
            self._opponents = [opponents] * ((seats or 2) - 1)
        self.options = Options(len(self._opponents) + 1, **options)
        if seats not in (None, self.options.seats):
            raise ValueError(f"{seats} seats and {len(self._opponents)} opponents")
        _check("seat", seat, ("random", *range(self.options.seats)))
        self._seat = seat
        self.render_mode = self.options.render_mode
        self.observation_space = observation_space()
        self.action_space = Discrete(NUM_ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game; the seed settles it, the seat and what opponents draw."""
        super().reset(seed=seed)
        draw: Callable[[], int] = lambda: int(self.np_random.integers(1 << 62))  # noqa: E731
        self.game = Game(self.options.seats, draw(), self.options.cards)
        seats = self.options.seats
        self.seat = int(draw() % seats) if isinstance(self._seat, str) else self._seat
        self._players = {
            (self.seat + 1 + k) % seats: as_policy(one, draw() % (1 << 31))
            for k, one in enumerate(self._opponents)
        }
        self._let_others_play()
        return self._observe(), {"seat": self.seat}

    def step(self, action: Any) -> Step:
        """Play the action, and then everybody else's decisions until the seat decides again."""
        info: dict[str, Any] = {}
        try:
            self.game.play(int(action))
        except IllegalActionError as error:
            if self.options.illegal == "raise":
                raise
            info["illegal"] = str(error)
            if self.options.illegal == "penalty":
                return self._observe(), ILLEGAL_REWARD, True, False, info
        self._let_others_play()
        over = self.game.is_over
        reward = self.options.reward_of(self.game, self.seat) if over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observe(), float(reward), over, not over and self._is_cut_off(), info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """What may be played now, (96,) bool, as sb3-contrib's MaskablePPO asks for it."""
        return self.game.action_mask.astype(bool)

    def render(self) -> Any:
        """The position, as the render mode says."""
        return self.options.render(self.game)

    def _observe(self) -> Any:
        decides = self.game.seat == self.seat
        mask = self.game.action_mask if decides else np.zeros(NUM_ACTIONS, np.int8)
        return {"observation": self.game.observe(self.seat), "action_mask": mask}

    def _is_cut_off(self) -> bool:
        return self.game.round > self.options.max_rounds

    def _let_others_play(self) -> None:
        while not self.game.is_over and self.game.seat != self.seat and not self._is_cut_off():
            policy = self._players[self.game.seat]
            self.game.play(int(policy.act(self.game.view(self.game.seat))))
