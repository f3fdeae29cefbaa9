"""Hanabi for Stable-Baselines3: many games as one VecEnv, with masks for MaskablePPO.

    environments = HanabiVecEnv(64, players=2, self_play=True)
    model = MaskablePPO("MlpPolicy", environments).learn(1_000_000)

The observation is the flat vector. With `self_play` each step is the action of the seat `seat[i]`
in game i, and its reward is the change of the score, which every seat receives. Seats share one
return, so MaskablePPO's own buffer may carry advantages from one seat to the next; with
`catan_env.envs.sb3.per_seat(model)` each seat learns from its own decisions, and rewards between
two of them are added. Other options are those of `catan_env.guests.hanabi.vector`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError(
        f"this environment needs {error.name}: pip install 'catan-env[train]'"
    ) from error

from catan_env.guests.hanabi.aec import Options
from catan_env.guests.hanabi.lockstep import Lockstep

Array = np.ndarray[Any, Any]


class HanabiVecEnv(VecEnv):
    """Games that one learner plays, one seat of each or with `self_play` all of them.

    >>> environments = HanabiVecEnv(3, players=4, self_play=True)
    >>> environments.reset().shape, environments.action_masks().shape
    ((3, 1041), (3, 38))
    """

    def __init__(
        self,
        num_envs: int = 1,
        partners: Any = "random",
        seat: int | str = 0,
        *,
        self_play: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.options = Options(**options)
        self.render_mode = self.options.render_mode
        self.self_play, self.num_seats = self_play, self.options.players
        self._games = Lockstep(num_envs, self.options, seat, partners, self_play, threads)
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self.options.vector_space(), self.options.action_space())

    @property
    def seat(self) -> Array:
        """Who decides in each game: (num_envs,) int8, a copy."""
        return self._games.seat.copy()

    @property
    def acted(self) -> Array:
        """Who decided in the last step: (num_envs,) int8, a copy."""
        return self._games.acted.copy()

    @property
    def seat_rewards(self) -> Array:
        """What the last step brought every seat: (num_envs, players) float64, a fresh array."""
        return np.repeat(self._games.rewards[:, None], self.options.players, 1).astype(np.float64)

    @property
    def dones(self) -> Array:
        """Which games the last step ended: (num_envs,) bool, a copy."""
        return self._dones.copy()

    def reset(self) -> Array:
        """Begin all games; `seed(n)` before it seeds game i with n + i."""
        seeds = [None if seed is None else int(seed) for seed in self._seeds]
        self._games.begin(range(self.num_envs), seeds)
        self._returns[:], self._lengths[:] = 0, 0
        self._dones = np.zeros(self.num_envs, np.bool_)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return self._games.observations()

    def step_async(self, actions: Array) -> None:
        """Take the actions, (num_envs,) integers; `step_wait` plays them."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Observations, float32 rewards, dones and infos; a game that ended has begun anew."""
        games = self._games
        games.step(self._actions)
        self._returns += games.rewards
        self._lengths += 1
        rewards, self._dones = games.rewards.copy(), games.ended.copy()
        infos = self._step_infos()
        rows = np.flatnonzero(self._dones).tolist()
        if rows:
            self._write_finals(rows, infos)
            games.begin(rows, [None] * self.num_envs)
            self._returns[rows], self._lengths[rows] = 0, 0
        if self.self_play:
            for info, seat in zip(infos, games.seat.tolist(), strict=True):
                info["seat"] = seat
        return games.observations(), rewards, self.dones, infos

    def _step_infos(self) -> list[dict[str, Any]]:
        """An info for each game: in self-play who acted, and what everybody received."""
        if not self.self_play:
            return [{} for _ in range(self.num_envs)]
        pairs = zip(self.acted.tolist(), self.seat_rewards, strict=True)
        return [{"acted": seat, "seat_rewards": rewards} for seat, rewards in pairs]

    def action_masks(self) -> Array:
        """The legal actions: (num_envs, actions) bool, a fresh array."""
        masks: Array = self._games.masks().astype(np.bool_)
        return masks

    def env_method(
        self, method_name: str, *arguments: Any, indices: Any = None, **named: Any
    ) -> Any:
        """`action_masks` of all games or some; nothing else is a game's own."""
        if method_name != "action_masks":
            raise AttributeError(f"no method {method_name!r}; allowed is 'action_masks'")
        masks = self.action_masks()
        return masks if indices is None else masks[list(self._get_indices(indices))]

    def has_attr(self, attr_name: str) -> bool:
        """Whether every game has that attribute."""
        return attr_name == "action_masks" or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute that is the same for all games."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing is set in single games."""
        raise AttributeError(f"{attr_name!r} cannot be set: options are chosen at the start")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Games are not wrapped; a Monitor's `episode` is in the infos all the same."""
        return [wrapper_class.__name__ == "Monitor"] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[Any]:
        """There are no pictures."""
        return []

    def close(self) -> None:
        """Nothing is held open."""

    def _get_indices(self, indices: Any) -> Iterable[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)

    def _write_finals(self, rows: list[int], infos: list[dict[str, Any]]) -> None:
        last = self._games.observations()
        for i in rows:
            infos[i].update(
                {
                    "terminal_observation": last[i],
                    "TimeLimit.truncated": False,
                    "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": 0.0},
                    "reason": self._games.reasons[i],
                    "score": self._games.score(i),
                }
            )
