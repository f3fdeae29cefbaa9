"""Catan for PettingZoo: an agent for every seat, one decision at a time.

| | |
|---|---|
| Import | `catan_env.env()`, or `pettingzoo.make("aec", "catan/Catan-v0")` |
| Agents | `player_0` .. `player_3`, in seat order; `player_0` begins |
| Action space | `Discrete(848)`: flat indices, named in docs/actions.md |
| Observation space | `Dict` of the two below |
| `"observation"` | `Box(0, 127, (913,), int8)`: fields named in docs/observation.md |
| `"action_mask"` | `Box(0, 1, (848,), int8)` |
| Parallel | no: use `turn_based_aec_to_parallel` |

The observation is what the seat knows, seen from that seat. The mask is 1 where an action is
legal, and all zeros for a seat that is not to decide. The same `reset(seed=...)` gives the same
game, that of `Game(seed=...)`; a `reset()` without a seed goes on to another game of the same
sequence.

### Options

| Option | Default | Also |
|---|---|---|
| `seats` | `4` | `2`, `3` |
| `rules` | `"base"` | `"tournament"`, `"duel"`, a `Rules` |
| `board` | `"spiral"` | `"random_tokens"`, `"beginner"`, a `Board` |
| `mask_in` | `"observation"` | `"info"`: in `info["action_mask"]`, beside a plain `Box`; `"both"` |
| `illegal` | `"penalty"` | `"raise"`: IllegalActionError; `"ignore"`: the seat is asked again |
| `reward` | `"sparse"` | `"shaped"` |
| `max_turns` | `1000` | any number of turns, then the game is truncated; `None` |
| `render_mode` | `None` | `"ansi"`: text; `"human"`: a live page; `"rgb_array"`; `"svg"` |

### Rewards

Sparse: the winner gets 1, every other seat -1/(seats - 1); a truncated game gives 0.

Shaped: in addition, each step gives every seat the change of its potential, which is its victory
points (hidden ones too) over the points to win, and 0 once the seat's episode has ended. An
undiscounted episode is worth exactly its sparse reward: points are paid when they are made, and
taken back from those who lose and from all when the turn limit cuts the game off.

### An illegal action

With `illegal="penalty"` the episode of that seat terminates with a reward of -1, and the game goes
on for the others. When its own turn comes (or is), the seat leaves the table: the turn ends, its
pieces stay, and the last seat left has won. Until then the environment answers for it with the
last legal index: it rejects offers, discards, and places in the set-up. With `"ignore"`,
`info["ignored"]` says why nothing happened. What is no integer at all raises a TypeError.

When a seat's episode has ended, `info["reason"]` says why: `"win"`, `"loss"`, `"turn limit"` or
`"illegal action: ..."`.
"""

import copy
from typing import Any

import numpy as np

try:
    from pettingzoo.utils.env_logger import EnvLogger
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from catan_env.envs.human import Human
    from catan_env.envs.options import (
        RENDER_MODES,
        action_index,
        options_from,
        plain_seed,
    )
    from catan_env.envs.seat_agents import SeatAgents
except ImportError as error:
    library = str(error.name).partition(".")[0]
    raise ImportError(
        f"this environment needs {library}: pip install gymnasium pettingzoo"
    ) from error

from catan_env.core.actions import NUM_ACTIONS
from catan_env.envs.episode import Episode
from catan_env.envs.results import ILLEGAL_REWARD, illegal, is_too_long, result
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.game.view import SeatView


def env(**options: Any) -> "CatanOrderEnforced":
    """The environment in PettingZoo's wrapper that enforces the order of calls."""
    return CatanOrderEnforced(raw_env(**options))


def raw_env(**options: Any) -> "CatanAEC":
    """The environment without a wrapper."""
    return CatanAEC(**options)


class CatanAEC(SeatAgents):
    """The AEC environment; see the module's documentation.

    >>> environment = raw_env(seats=2)
    >>> environment.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = environment.last()
    >>> environment.agent_selection, int(observation["action_mask"].sum())
    ('player_0', 54)
    """

    metadata = {  # noqa: RUF012 (PettingZoo's own attribute)
        "name": "catan_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, **options: Any) -> None:
        self.options = table = options_from(options)
        self.render_mode = table.render_mode
        self._human = Human()
        super().__init__(table.seats, table.observation_space, table.action_space)

    def __copy__(self) -> "CatanAEC":
        return copy.deepcopy(self)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; `options` are not looked at."""
        game_seed = self._next_seed(plain_seed(seed))
        self._episode = Episode(self.options.new_game(game_seed))
        self._absent: set[int] = set()
        self._seen: dict[str, Any] = {}
        self._potentials = dict.fromkeys(self.possible_agents, 0.0)
        self._is_paid = False
        self._seat_everybody()
        self.infos = {agent: self._info() for agent in self.agents}
        self._select()

    @property
    def game(self) -> Game:
        """The game as it stands: a copy, with everything hidden in it."""
        return self._episode.game()

    def view(self, agent: str) -> SeatView:
        """What the agent's seat knows, as a policy's `act` takes it."""
        return self._episode.view(self.possible_agents.index(agent))

    def observe(self, agent: str) -> Any:
        """What the agent's seat knows, in memory that is the caller's."""
        observation = self._seen.get(agent)
        if observation is None:
            observation = self._seen[agent] = self._observation(agent)
        return copy.deepcopy(observation)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The next agent's observation, reward since its last step, terminated, truncated, info."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: Any) -> None:
        """Play the action of the agent that is to decide; None for an agent whose episode ended."""
        agent = self.agent_selection
        if self._has_ended(agent):
            self._was_dead_step(action)
            return
        index = action_index(action)
        is_legal = self._episode.is_legal(index)
        if not is_legal and self.options.illegal == "raise":
            raise IllegalActionError(self._episode.refusal(index))
        self._cumulative_rewards[agent] = 0.0
        if self._is_paid:
            self._clear_rewards()
            self._is_paid = False
        if is_legal:
            self._play(agent, index)
        elif self.options.illegal == "ignore":
            self.infos[agent] = {**self.infos[agent], "ignored": self._episode.refusal(index)}
        else:
            self._throw_out(agent, self._episode.refusal(index))
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The position, as the render mode says."""
        return self.options.render(self._episode.game(), self._human)

    def close(self) -> None:
        """Close the page of render mode "human", if it is open."""
        self._human.close()

    def _play(self, agent: str, index: int) -> None:
        episode = self._episode
        self._seen = {}
        self.infos[agent] = self._info()
        episode.play(index)
        if self._absent:
            self._play_for_absent()
        if self.options.reward == "shaped":
            self._pay_points()
        self._go_on()

    def _go_on(self) -> None:
        """Ask the next seat, or end everybody's episode."""
        if self._episode.is_over or is_too_long(self.options, self._episode.turn):
            self._finish()
            self._deads_step_first()
        else:
            self._select()

    def _select(self) -> None:
        agent = self.agent_selection = self.possible_agents[self._episode.seat]
        if self.options.mask_in_info:
            self.infos[agent] = {"action_mask": self._episode.action_mask()}

    def _info(self) -> dict[str, Any]:
        """The info of an agent that is not to decide."""
        if not self.options.mask_in_info:
            return {}
        return {"action_mask": np.zeros(NUM_ACTIONS, np.int8)}

    def _observation(self, agent: str) -> Any:
        seat = self.possible_agents.index(agent)
        vector = self._episode.observation(seat)
        if not self.options.mask_in_observation:
            return vector
        decides = seat == self._episode.seat and not self._has_ended(agent)
        mask = self._episode.action_mask() if decides else np.zeros(NUM_ACTIONS, np.int8)
        return {"observation": vector, "action_mask": mask}

    def _finish(self) -> None:
        """End the episodes of all who still play: somebody has won, or the game is too long."""
        ends = self.terminations if self._episode.is_over else self.truncations
        for agent in self._live():
            seat = self.possible_agents.index(agent)
            self._end(agent, ends, *result(self.options, seat, self._episode.winner))

    def _throw_out(self, agent: str, refusal: str) -> None:
        self._seen = {}
        self.infos[agent] = self._info()
        self._end(agent, self.terminations, ILLEGAL_REWARD, illegal(refusal))
        self._absent.add(self.possible_agents.index(agent))
        if self._live():
            self._play_for_absent()
            self._go_on()
        self._deads_step_first()

    def _play_for_absent(self) -> None:
        episode = self._episode
        while not episode.is_over and episode.seat in self._absent:
            episode.play_for_absent()

    def _live(self) -> list[str]:
        return [agent for agent in self.agents if not self.terminations[agent]]

    def _end(self, agent: str, ends: dict[str, bool], reward: float, reason: str) -> None:
        """End an agent's episode, noted in `ends`; its potential is 0 from here on."""
        ends[agent] = True
        self.infos[agent]["reason"] = reason
        if self.options.reward == "shaped":
            reward -= self._potentials[agent]
        self._pay(agent, reward)

    def _pay_points(self) -> None:
        for agent in self._live():
            seat = self.possible_agents.index(agent)
            potential = self.options.potential(self._episode.points(seat))
            if potential != self._potentials[agent]:
                self._pay(agent, potential - self._potentials[agent])
                self._potentials[agent] = potential

    def _pay(self, agent: str, reward: float) -> None:
        """Add to what the agent gets for this step."""
        self.rewards[agent] += reward
        self._cumulative_rewards[agent] += reward
        self._is_paid = True


class CatanOrderEnforced(OrderEnforcingWrapper[str, Any, Any]):
    """PettingZoo's wrapper that enforces the order of calls, without its detours in `last`."""

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The next agent's observation, reward since its last step, terminated, truncated, info."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)

    def __copy__(self) -> "CatanOrderEnforced":
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return str(self.env)
