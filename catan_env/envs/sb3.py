"""Catan for Stable-Baselines3: many games as one VecEnv, with masks for MaskablePPO.

One seat of each game learns against policies:

    environments = CatanVecEnv(64, opponents="random")
    model = MaskablePPO("MlpPolicy", environments).learn(1_000_000)

Or all seats learn, each from its own decisions and its own results:

    environments = CatanVecEnv(64, self_play=True)
    model = per_seat(MaskablePPO("MlpPolicy", environments)).learn(1_000_000)

The observation is a flat `Box(0, 127, (913,), int8)`; the masks of all games are one array,
`env_method("action_masks")`. Opponents, `seat` and all other options but `mask_in` are those of
`catan_env.envs.single`; docs/vector.md says more.
"""

from catan_env.adapters.per_seat import per_seat
from catan_env.adapters.seat_rollout import SeatRolloutBuffer
from catan_env.adapters.vec_env import GamesVecEnv
from catan_env.envs.options import Options


class CatanVecEnv(GamesVecEnv):
    """Games that one learner plays, one seat of each or with `self_play` all of them.

    >>> environments = CatanVecEnv(3, seats=2, seat=0)
    >>> environments.reset().shape, environments.action_masks().sum(axis=1).tolist()
    ((3, 913), [54, 54, 54])
    """

    kind = Options
    options: Options


__all__ = ["CatanVecEnv", "SeatRolloutBuffer", "per_seat"]
