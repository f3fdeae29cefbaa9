"""The Stable-Baselines3 environment of every game: many games as one VecEnv, with masks.

One seat of each game learns against policies, or with `self_play=True` all seats learn, each from
its own decisions and its own results (through `per_seat.per_seat`). The observation is a flat Box;
the masks of all games are one array, `env_method("action_masks")`.
"""

import copy
import time
import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from catan_env.extras import missing

try:
    from gymnasium.error import ResetNeeded
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv

    from catan_env.adapters.per_seat import check_collector
except ImportError as error:
    raise missing("this environment", "train", error) from error

from catan_env.adapters.checks import (
    MOST_THREADS,
    checked_count,
    checked_row,
    checked_rows,
    seeds_by_game,
)
from catan_env.adapters.endings import UNMASKED, is_illegal
from catan_env.adapters.lockstep import Lockstep, SelfPlay
from catan_env.adapters.options import Options
from catan_env.adapters.seats import OtherSeats
from catan_env.kernel.numbers import flag

Array = np.ndarray[Any, Any]


class GamesVecEnv(OtherSeats, VecEnv):
    """Games that one learner plays, one seat of each or with `self_play` all of them.

    In self-play each step is the decision of the seat `seat[i]` in game i, and its reward is that
    seat's reward in that step. Its info names the seat that `"acted"`, the next one (`"seat"`),
    and every seat's reward (`"seat_rewards"`). A game's own class names its `kind`.
    """

    kind: ClassVar[type[Options]]

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Any = "random",
        seat: int | str = "random",
        *,
        self_play: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> None:
        if "mask_in" in options:
            raise TypeError("the masks come from action_masks(); there is no mask_in")
        num_envs = checked_count("num_envs", num_envs)
        threads = checked_count("threads", threads, MOST_THREADS)
        self.options = self._options_of({**options, "mask_in": "info"}, GamesVecEnv.__init__)
        self.render_mode = self.options.render_mode
        self._page = self.options.new_page()
        self.self_play = flag("self_play", self_play)
        if self.self_play:
            self._check_alone(opponents, seat)
        self._games = (
            SelfPlay(num_envs, self.options, threads)
            if self.self_play
            else Lockstep(num_envs, self.options, seat, opponents, threads, self.others)
        )
        self._returns = np.zeros_like(self._games.seat_rewards)
        self._lengths = np.zeros(num_envs, np.int64)
        self._begun = time.time()
        self._given_opponents = opponents
        self._is_reset = self._was_collected = False
        self._gave_masks = False
        super().__init__(num_envs, self.options.observation_space(), self.options.action_space())

    def _set_opponents(self, opponents: Any) -> None:
        if self.self_play:
            self._check_alone(opponents, "random")
        self._games.seat_opponents(opponents)

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    @property
    def seat_rewards(self) -> Array:
        """Every seat's reward in the last step: (num_envs, seats) float64, a copy."""
        return self._games.seat_rewards[:, : self.num_seats].copy()

    @property
    def dones(self) -> Array:
        """True where the last step ended the game: (num_envs,) bool, a fresh array."""
        dones: Array = self._games.terminated | self._games.truncated
        return dones

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed game i with `seed + i` at the next reset; without a seed, draw one."""
        if seed is None:
            return super().seed()
        seeds = seeds_by_game(seed, self.num_envs)
        assert seeds is not None
        self._seeds = seeds
        return seeds

    def reset(self) -> Array:
        """Begin all games; `seed(n)` before it seeds game i with n + i."""
        self._games.begin(range(self.num_envs), self._seeds)
        self._games.show()
        self._returns[:], self._lengths[:] = 0, 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        self._is_reset, self._was_collected = True, False
        return self._games.observations.copy()

    def step_async(self, actions: Array) -> None:
        """Take the actions, (num_envs,) integers; `step_wait` plays them."""
        if not self._is_reset or self._games.broken_off.any():
            raise ResetNeeded("the episodes have not begun or were broken off: call reset()")
        if self.self_play and not (self._was_collected or self.options.is_reward_shared):
            check_collector()
            self._was_collected = True
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Observations, float32 rewards, dones and infos; a game that ended has restarted."""
        games = self._games
        games.step(self._actions)
        self._returns += games.seat_rewards
        self._lengths += 1
        rewards, dones = games.rewards.astype(np.float32), self.dones
        infos = self._step_infos()
        for i, refusal in games.ignored.items():
            infos[i]["ignored"] = refusal
        ended = np.flatnonzero(dones).tolist()
        for i in ended:
            infos[i].update(self._final_info(i))
            self._warn_unmasked(infos[i]["reason"])
        if ended:
            games.begin(ended)
            self._returns[ended], self._lengths[ended] = 0, 0
        games.show()
        self._tell_who_decides(infos)
        return games.observations.copy(), rewards, dones, infos

    def action_masks(self) -> Array:
        """The legal actions: (num_envs, actions) bool, a fresh array."""
        self._gave_masks = True
        masks: Array = self._games.action_masks.astype(np.bool_)
        return masks

    def close(self) -> None:
        """Close the page of render mode "human", if it is open."""
        if self._page is not None:
            self._page.close()

    def _render(self, rows: Sequence[int]) -> list[Any]:
        """Positions in the render mode; "human" shows the first."""
        shown = rows[:1] if self.render_mode == "human" else rows
        return [self.options.render(self.game(i), self._page) for i in shown]

    def _warn_unmasked(self, reason: str) -> None:
        """Warn once if an illegal action ended a game and the masks were never requested."""
        if not self._gave_masks and is_illegal(reason):
            self._gave_masks = True
            warnings.warn(UNMASKED, stacklevel=4)

    def _final_info(self, i: int) -> dict[str, Any]:
        """The info of game i at its end; in self-play the episode's return is that of seat 0."""
        games = self._games
        seat = 0 if self.self_play else games.seat[i]
        return {
            "terminal_observation": games.final_observation(i),
            "TimeLimit.truncated": bool(games.truncated[i]),
            "reason": games.reasons[i],
            **self.options.end_info_in(games.batch, i),
            "seat_returns": self._returns[i, : self.num_seats].copy(),
            "episode": {
                "r": round(float(self._returns[i, seat]), 6),
                "l": int(self._lengths[i]),
                "t": round(time.time() - self._begun, 6),
            },
        }

    def _check_alone(self, opponents: Any, seat: Any) -> None:
        """Raise ValueError if self-play would ignore an argument."""
        if any(given is not None and str(given) != "random" for given in (opponents, seat)):
            raise ValueError(
                f"{self.others}={opponents!r} and seat={seat!r} would be ignored: with self_play "
                "every seat learns, so give neither"
            )

    @property
    def num_seats(self) -> int:
        """The number of rewards in a step: one for each seat."""
        return self.options.num_seats

    @property
    def seat(self) -> Array:
        """The acting seat of each game: (num_envs,) int8, a copy."""
        seats: Array = self._games.seat.copy()
        return seats

    @property
    def acted(self) -> Array:
        """The seat that acted in the last step: (num_envs,) int8, a copy."""
        seats: Array = self._games.acted.copy()
        return seats

    def game(self, i: int) -> Any:
        """A copy of game i, including everything hidden."""
        return self._games.batch.game(checked_row(i, self.num_envs))

    def get_images(self) -> Sequence[Any]:
        """Every game's position in the render mode."""
        return self._render(range(self.num_envs))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this object, once for each game in question."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set the other seats' policies or the render mode; this object plays all games."""
        settable = (self.others, "render_mode")
        if attr_name not in settable:
            allowed = ", ".join(settable)
            raise AttributeError(f"{attr_name} cannot be set; allowed are {allowed}")
        if indices is not None:
            raise ValueError(f"{attr_name} cannot be set for single games: one object plays all")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Call "action_masks", which gives one array, (k, actions) bool, or "game" or "render"."""
        rows = self._get_indices(indices)
        if method_name == "action_masks":
            return self.action_masks()[rows]
        if method_name == "game":
            return [self.game(i) for i in rows]
        if method_name == "render":
            return self._render(rows)
        raise AttributeError(
            f"no method {method_name!r} of single games; there are action_masks, game, render"
        )

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """True for Monitor: the infos contain episode statistics as Monitor's do."""
        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]

    def _get_indices(self, indices: Any) -> list[int]:
        return checked_rows(indices, self.num_envs)

    def _step_infos(self) -> list[dict[str, Any]]:
        """An info for each game: in self-play the seat that acted, and every seat's reward."""
        if not self.self_play:
            return [{} for _ in range(self.num_envs)]
        pairs = zip(self.acted.tolist(), self.seat_rewards, strict=True)
        return [{"acted": seat, "seat_rewards": rewards} for seat, rewards in pairs]

    def _tell_who_decides(self, infos: list[dict[str, Any]]) -> None:
        """In self-play, the next acting seat of each game."""
        if self.self_play:
            for info, seat in zip(infos, self.seat.tolist(), strict=True):
                info["seat"] = seat
