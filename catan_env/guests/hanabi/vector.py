"""Hanabi for Gymnasium, many games at once: one seat in each, the others played by policies.

`gymnasium.make_vec("catan_env:Hanabi-v0", num_envs=64)`. Options are those of
`catan_env.guests.hanabi.single`; `threads` step the games. A game that ended begins anew in the
same step: `infos["final_obs"]` and `infos["final_info"]` say how it stood.
"""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from catan_env.guests.hanabi.aec import RENDER_MODES, Options
from catan_env.guests.hanabi.lockstep import Lockstep

Array = np.ndarray[Any, Any]


class HanabiVectorEnv(VectorEnv[Any, Any, Any]):
    """The vector environment; see the module's documentation.

    >>> environments = HanabiVectorEnv(3, players=2)
    >>> observations, infos = environments.reset(seed=7)
    >>> observations["observation"].shape
    (3, 658)
    """

    def __init__(
        self,
        num_envs: int = 1,
        partners: Any = "random",
        seat: int | str = 0,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.num_envs, self.options = num_envs, Options(**options)
        self.render_mode = self.options.render_mode
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self.single_observation_space = self.options.observation_space()
        self.single_action_space = self.options.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._games = Lockstep(num_envs, self.options, seat, partners, False, threads)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games; `seed` seeds game i with `seed + i`, a list each with its own."""
        self._games.begin(range(self.num_envs), seeds_for(seed, self.num_envs))
        return self._observations(), {}

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Play an action in each game, then the partners'."""
        games = self._games
        games.step(np.asarray(actions))
        rewards, ended = games.rewards.astype(np.float64), games.ended.copy()
        infos: dict[str, Any] = {}
        rows = np.flatnonzero(ended).tolist()
        if rows:
            last = games.observations()
            for i in rows:
                no_mask = np.zeros(self.options.num_actions, np.int8)
                final = {
                    "final_obs": {"observation": last[i], "action_mask": no_mask},
                    "final_info": {"reason": games.reasons[i], "score": games.score(i)},
                }
                infos = self._add_info(infos, final, i)
            games.begin(rows, [None] * self.num_envs)
        return self._observations(), rewards, ended, np.zeros_like(ended), infos

    def action_masks(self) -> Array:
        """The legal actions: (num_envs, actions) bool, a fresh array."""
        masks: Array = self._games.masks().astype(np.bool_)
        return masks

    def _observations(self) -> dict[str, Array]:
        return {"observation": self._games.observations(), "action_mask": self._games.masks()}


def seeds_for(seed: Any, n: int) -> list[int | None]:
    """A seed for each game: those of a list, `seed + i`, or none."""
    if seed is None:
        return [None] * n
    if isinstance(seed, list | tuple | np.ndarray):
        if len(seed) != n:
            raise ValueError(f"{len(seed)} seeds; allowed are {n}, one for each game")
        return [None if one is None else int(one) for one in seed]
    return [int(seed) + i for i in range(n)]
