"""The PettingZoo environment of every game: an agent for every seat, one decision at a time.

Agents are `player_0` and so on, in seat order. The observation is what the seat can see; the
mask is all zeros for a seat that is not acting. With `illegal="penalty"` the episode of a seat that
plays an illegal action terminates with a return of -1. If the episode is an `EpisodeWithAbsence`,
the game continues for the others; otherwise it ends for all of them.
"""

import copy
import random
from typing import Any, ClassVar, Self

from catan_env.extras import missing

try:
    from gymnasium.error import ResetNeeded
    from pettingzoo import AECEnv
    from pettingzoo.utils.env_logger import EnvLogger
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from catan_env.adapters.latest_episode import LatestEpisode
    from catan_env.adapters.options import Options
except ImportError as error:
    raise missing("this environment", "", error) from error

from catan_env.adapters.checks import checked_action, checked_seed
from catan_env.adapters.endings import ILLEGAL_REWARD, TURN_LIMIT, illegal
from catan_env.adapters.games import EpisodeWithAbsence


class GameAEC(LatestEpisode, AECEnv[str, Any, Any]):
    """An agent for every seat of a game; a game's own class names its `kind`."""

    kind: ClassVar[type[Options]]

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.options = table = self.kind.of(options)
        self.render_mode = table.render_mode
        self._page = table.new_page()
        self._seeds = random.Random()
        self.possible_agents = [f"player_{seat}" for seat in range(table.num_seats)]
        self.observation_spaces = {a: table.observation_space() for a in self.possible_agents}
        self.action_spaces = {a: table.action_space() for a in self.possible_agents}

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def observation_space(self, agent: str) -> Any:
        """The space of that agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of that agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; `options` are ignored."""
        self._episode = self.options.new_episode(self._next_seed(checked_seed(seed)))
        self.options.check_episode(self._episode)
        self._absent: set[int] = set()
        self._paid = dict.fromkeys(self.possible_agents, 0.0)
        self._has_rewards = self._is_broken_off = False
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._info() for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def view(self, agent: str) -> Any:
        """The view of the agent's seat, as a policy's `act` takes it."""
        return self._begun().view(self._seat_of(agent))

    def observe(self, agent: str) -> Any:
        """The observation of the agent's seat, in memory that belongs to the caller."""
        episode, seat = self._begun(), self._seat_of(agent)
        vector = episode.observation(seat)
        if not self.options.mask_in_observation:
            return vector
        decides = seat == episode.seat and agent in self._live() and not self._is_broken_off
        mask = episode.action_mask() if decides else self.options.no_mask()
        return {"observation": vector, "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The next agent's observation, reward since its last step, terminated, truncated, info."""
        self._begun()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: Any) -> None:
        """Play the acting agent's action; None for an agent whose episode has ended."""
        episode = self._begun()
        agent = self.agent_selection
        if self._is_broken_off:
            raise ResetNeeded("the episode was broken off: call reset()")
        if self._has_ended(agent):
            self._was_dead_step(action)
            return
        index = checked_action(action, self.options.num_actions)
        is_legal = episode.is_legal(index)
        if not is_legal and self.options.illegal == "raise":
            raise self.options.illegal_error(episode.refusal(index))
        self._is_broken_off = True  # if a reward raises: another seat may be acting
        self._cumulative_rewards[agent] = 0.0
        if self._has_rewards:
            self._clear_rewards()
            self._has_rewards = False
        if is_legal:
            self._play(agent, index)
        elif self.options.illegal == "ignore":
            self.infos[agent] = {**self.infos[agent], "ignored": episode.refusal(index)}
        else:
            self._throw_out(agent, episode.refusal(index))
        self._is_broken_off = False
        if self.render_mode == "human":
            self.render()

    def _next_seed(self, given: int | None) -> int:
        """The seed of the next game: the given one, otherwise the next of the sequence."""
        if given is None:
            return self._seeds.getrandbits(63)
        self._seeds.seed(given)
        return given

    def _has_ended(self, agent: str) -> bool:
        return self.terminations[agent] or self.truncations[agent]

    def _play(self, agent: str, index: int) -> None:
        self.infos[agent] = self._info()
        self._episode.play(index)
        if self._absent:
            self._play_for_absent()
        if self.options.is_paid_on_the_way:
            self._pay_all()
        self._continue()

    def _continue(self) -> None:
        """Select the next seat, or end every episode."""
        if self._episode.is_over or self.options.is_too_long(self._episode):
            self._finish()
            self._deads_step_first()
        else:
            self._select()

    def _select(self) -> None:
        agent = self.agent_selection = self.possible_agents[self._episode.seat]
        if self.options.mask_in_info:
            self.infos[agent] = {"action_mask": self._episode.action_mask()}

    def _info(self) -> dict[str, Any]:
        """The info of an agent that is not acting."""
        return {"action_mask": self.options.no_mask()} if self.options.mask_in_info else {}

    def _finish(self) -> None:
        """End the remaining episodes: the game is over or beyond its limit."""
        episode, options = self._episode, self.options
        totals, more = options.checked_totals(episode), options.end_info(episode)
        for agent in self._live():
            seat = self._seat_of(agent)
            if episode.is_over:
                reason, ends = options.reason(episode, seat), self.terminations
            else:
                reason, ends = TURN_LIMIT, self.truncations
            self._end(agent, ends, totals[seat], {"reason": reason, **more})

    def _throw_out(self, agent: str, refusal: str) -> None:
        """End the episode of an agent that played an illegal action."""
        more = self.options.end_info(self._episode)
        self.infos[agent] = self._info()
        info = {"reason": illegal(refusal), **more}
        self._end(agent, self.terminations, ILLEGAL_REWARD, info)
        if isinstance(self._episode, EpisodeWithAbsence):
            self._absent.add(self.possible_agents.index(agent))
            if self._live():
                self._play_for_absent()
                self._continue()
        else:
            for other in self._live():
                info = {"reason": f"{agent} played an illegal action", **more}
                self._end(other, self.terminations, 0.0, info)
        self._deads_step_first()

    def _play_for_absent(self) -> None:
        """Decide for the seats that were removed until another seat acts."""
        episode = self._episode
        while not episode.is_over and episode.seat in self._absent:
            assert isinstance(episode, EpisodeWithAbsence)
            episode.play_for_absent()

    def _live(self) -> list[str]:
        """The agents whose episodes have not ended; others may have been removed already."""
        return [agent for agent in self.agents if not self._has_ended(agent)]

    def _end(self, agent: str, ends: dict[str, bool], total: float, info: dict[str, Any]) -> None:
        """End an agent's episode with a return of `total`; `ends` records it."""
        ends[agent] = True
        self.infos[agent].update(info)
        self._pay(agent, total)
        self._has_rewards = True

    def _seat_of(self, agent: str) -> int:
        """The agent's seat; ValueError if there is no such agent."""
        if agent not in self.possible_agents:
            raise ValueError(f"no agent {agent!r}; there are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def _pay_all(self) -> None:
        totals = self.options.checked_totals(self._episode)
        for agent in self._live():
            self._pay(agent, totals[self.possible_agents.index(agent)])

    def _pay(self, agent: str, total: float) -> None:
        """Pay the difference to a total in this step."""
        reward, self._paid[agent] = total - self._paid[agent], total
        if reward:
            self.rewards[agent] += reward
            self._cumulative_rewards[agent] += reward
            self._has_rewards = True


class OrderEnforced(OrderEnforcingWrapper[str, Any, Any]):
    """PettingZoo's wrapper that enforces the order of calls, with a shorter path through `last`."""

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The next agent's observation, reward since its last step, terminated, truncated, info."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)

    def __copy__(self) -> "OrderEnforced":
        return copy.deepcopy(self)
