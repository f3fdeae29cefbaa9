"""Hanabi for PettingZoo: an agent for every seat, one action at a time.

| | |
|---|---|
| Import | `catan_env.guests.hanabi.env()` |
| Agents | `player_0` .. `player_4`, in seat order; `player_0` begins |
| Action space | `Discrete(20)`, 30, 38, 48 with 2-5 players: numbered in docs/hanabi.md |
| Observation space | `Dict` of the two below |
| `"observation"` | `Box(0, 1, (658,), int8)`, 956, 1041, 1280: the canonical encoder, bit for bit |
| `"action_mask"` | `Box(0, 1, (20,), int8)`, 30, 38, 48 |

The mask is 1 where an action is legal, and all zeros for a seat that is not to move. Every agent is
paid the change of the score; an error that ends the game takes the score back, unless the rules
keep it. The same `reset(seed=...)` gives the game of `Game(seed=...)`; a `reset()` without a seed
goes on to another of the same sequence. Nothing is ever truncated.

| Option | Default | Also |
|---|---|---|
| `players` | `2` | `3`, `4`, `5` |
| `rules` | `"official"` | the other names of `hanabi.rules.PRESETS`, a `Rules` |
| `illegal` | `"penalty"`: the game ends as by the last error | `"raise"`: IllegalActionError |
| `render_mode` | `None` | `"ansi"`: text; `"human"`: text, printed |
"""

from dataclasses import dataclass
from operator import index as index_of
from typing import Any

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from catan_env.envs.seat_agents import SeatAgents
except ImportError as error:
    raise ImportError(
        f"this environment needs {error.name}: pip install gymnasium pettingzoo"
    ) from error

from catan_env.guests.hanabi.action import all_actions
from catan_env.guests.hanabi.errors import IllegalActionError
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.observation import observation_size
from catan_env.guests.hanabi.rules import Rules, rules_of
from catan_env.guests.hanabi.view import SeatView

RENDER_MODES = ("human", "ansi")


@dataclass(frozen=True)
class Options:
    """The options that the environments share; the module's table explains them."""

    players: int = 2
    rules: Rules | str = "official"
    illegal: str = "penalty"
    render_mode: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", rules_of(self.rules))
        self.table_rules.check_players(self.players)
        if self.illegal not in ("penalty", "raise"):
            raise ValueError(f"illegal is {self.illegal!r}; allowed are 'penalty' and 'raise'")
        if self.render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is {self.render_mode!r}; allowed are {RENDER_MODES}")

    @property
    def table_rules(self) -> Rules:
        """The rules themselves."""
        assert isinstance(self.rules, Rules)
        return self.rules

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return len(all_actions(self.table_rules, self.players))

    def vector_space(self) -> spaces.Box:
        """A fresh space of observations without the mask."""
        return spaces.Box(0, 1, (observation_size(self.table_rules, self.players),), np.int8)

    def observation_space(self) -> spaces.Dict:
        """A fresh space of observations with the mask."""
        mask = spaces.Box(0, 1, (self.num_actions,), np.int8)
        return spaces.Dict({"observation": self.vector_space(), "action_mask": mask})

    def action_space(self) -> spaces.Discrete:
        """A fresh space of action numbers."""
        return spaces.Discrete(self.num_actions)

    def render(self, game: Game) -> str | None:
        """The position as text, or printed."""
        if self.render_mode is None:
            raise ValueError(f"nothing is rendered without a render_mode of {RENDER_MODES}")
        return print(game) if self.render_mode == "human" else str(game)


def env(**options: Any) -> "HanabiOrderEnforced":
    """The environment in PettingZoo's wrapper that enforces the order of calls."""
    return HanabiOrderEnforced(raw_env(**options))


def raw_env(**options: Any) -> "HanabiAEC":
    """The environment without a wrapper."""
    return HanabiAEC(**options)


class HanabiAEC(SeatAgents):
    """The AEC environment; see the module's documentation.

    >>> environment = raw_env(players=3)
    >>> environment.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = environment.last()
    >>> environment.agent_selection, observation["observation"].shape
    ('player_0', (956,))
    """

    metadata = {  # noqa: RUF012 (PettingZoo's own attribute)
        "name": "hanabi_house_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, **options: Any) -> None:
        self.options = table = Options(**options)
        self.render_mode = table.render_mode
        super().__init__(table.players, table.observation_space, table.action_space)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; options are not looked at."""
        self._game = Game(self.options.players, self._next_seed(seed), self.options.rules)
        self._seat_everybody()
        self.agent_selection = self.possible_agents[0]

    @property
    def game(self) -> Game:
        """The game as it stands: a copy, with everything hidden in it."""
        return self._game.copy()

    def view(self, agent: str) -> SeatView:
        """What the agent's seat knows, as a policy's `act` takes it."""
        return self._game.view(self.possible_agents.index(agent))

    def observe(self, agent: str) -> Any:
        """What the agent's seat knows, in memory that is the caller's."""
        seat = self.possible_agents.index(agent)
        mask = self._game.action_mask
        if seat != self._game.seat or any(self.terminations.values()):
            mask[:] = 0
        return {"observation": self._game.observe(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play the action of the agent that is to move; None for an agent whose episode ended."""
        agent = self.agent_selection
        if self._has_ended(agent):
            self._was_dead_step(action)
            return
        reward, reason = play_number(self._game, index_of(action), self.options)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, reward)
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[self._game.seat]
        if reason is not None:
            for each in self.agents:
                self.terminations[each] = True
                self.infos[each] = {"reason": reason, "score": self._game.score}
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The position, as the render mode says."""
        return self.options.render(self._game)


class HanabiOrderEnforced(OrderEnforcingWrapper[str, Any, Any]):
    """The wrapped environment, which still gives games and views."""

    env: HanabiAEC

    def view(self, agent: str) -> SeatView:
        """What the agent's seat knows."""
        return self.env.view(agent)

    @property
    def game(self) -> Game:
        """The game as it stands: a copy."""
        return self.env.game


def play_number(game: Game, number: int, options: Options) -> tuple[float, str | None]:
    """Play an action by its number: the reward, and why the game has ended if it has.

    An illegal one ends the episode and takes the score back, or raises IllegalActionError.
    """
    before = game.score
    try:
        game.play(number)
    except IllegalActionError as error:
        if options.illegal == "raise":
            raise
        return -float(before), f"illegal action: {error}"
    return float(game.score - before), ending(game)


def ending(game: Game) -> str | None:
    """Why a game is over, or None."""
    if not game.is_over:
        return None
    if game.has_exploded:
        return "last error"
    return "last turn" if game.turns_left == 0 else "complete"
