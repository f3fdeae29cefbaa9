"""Masters of Renaissance for Stable-Baselines3: many games as one VecEnv, with masks.

    environments = RenaissanceVecEnv(64, self_play=True, seats=2)
    model = per_seat(MaskablePPO("MlpPolicy", environments)).learn(1_000_000)

`per_seat` is `catan_env.adapters.per_seat`'s. The observation is the flat vector. Options are
those of `catan_env.guests.renaissance.single`.
"""

from typing import Any

from catan_env.adapters.vec_env import GamesVecEnv
from catan_env.guests.renaissance.options import Options, seated


class RenaissanceVecEnv(GamesVecEnv):
    """Games of one learner, which plays one seat of each or with `self_play` all of them.

    >>> environments = RenaissanceVecEnv(3, seats=2, self_play=True)
    >>> environments.reset().shape, environments.action_masks().shape
    ((3, 886), (3, 96))
    """

    kind = Options

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Any = None,
        seat: int | str = "random",
        **options: Any,
    ) -> None:
        super().__init__(num_envs, opponents, seat, **seated(opponents, options))
