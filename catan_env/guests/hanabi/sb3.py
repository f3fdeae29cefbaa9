"""Hanabi for Stable-Baselines3: many games as one VecEnv, with masks for MaskablePPO.

    environments = HanabiVecEnv(64, players=2, self_play=True)
    model = MaskablePPO("MlpPolicy", environments).learn(1_000_000)

The observation is the flat vector. With `self_play` each step is the action of the seat `seat[i]`
in game i, and its reward is the change of the score, which every seat receives. Seats share one
return, so MaskablePPO's own buffer may carry advantages from one seat to the next; with
`catan_env.envs.sb3.per_seat(model)` each seat learns from its own decisions, and rewards between
two of them are added. Other options are those of `catan_env.guests.hanabi.vector`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    from gymnasium.error import ResetNeeded

    from catan_env.envs.games_vec_env import GamesVecEnv
except ImportError as error:
    raise ImportError(
        f"this environment needs {error.name}: pip install 'catan-env[train]'"
    ) from error

from catan_env.guests.hanabi.aec import Options
from catan_env.guests.hanabi.lockstep import Lockstep

Array = np.ndarray[Any, Any]


class HanabiVecEnv(GamesVecEnv):
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
        if self_play and (seat != 0 or any(one != "random" for one in np.ravel(partners))):
            raise ValueError(
                f"partners={partners!r} and seat={seat!r} would be ignored: with self_play every "
                "seat learns, and allowed is to give neither"
            )
        self.options = Options(**options)
        self.render_mode = self.options.render_mode
        self._is_reset = False
        self.self_play, self.num_seats = self_play, self.options.players
        self._games = Lockstep(num_envs, self.options, seat, partners, self_play, threads)
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self.options.vector_space(), self.options.action_space())

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
        self._is_reset = True
        return self._games.observations()

    def step_async(self, actions: Array) -> None:
        """Take the actions, (num_envs,) integers; `step_wait` plays them."""
        if not self._is_reset:
            raise ResetNeeded("the episodes have not begun: call reset()")
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
        self._tell_who_decides(infos)
        return games.observations(), rewards, self.dones, infos

    def action_masks(self) -> Array:
        """The legal actions: (num_envs, actions) bool, a fresh array."""
        masks: Array = self._games.masks().astype(np.bool_)
        return masks

    def _render(self, rows: Sequence[int]) -> list[Any]:
        """Positions as the render mode says; a person is shown the first."""
        shown = rows[:1] if self.render_mode == "human" else rows
        return [self.options.render(self.game(i)) for i in shown]

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
