"""Hanabi for Stable-Baselines3: many games as one VecEnv, with masks for MaskablePPO.

    environments = HanabiVecEnv(64, players=2, self_play=True)
    model = MaskablePPO("MlpPolicy", environments).learn(1_000_000)

The observation is the flat vector. With `self_play` each step is the action of the seat `seat[i]`
in game i, and its reward is the change of the score, which every seat receives. Seats share one
return, so MaskablePPO's own buffer may carry advantages from one seat to the next; with
`catan_env.envs.sb3.per_seat(model)` each seat learns from its own decisions, and rewards between
two of them are added. Other options are those of `catan_env.guests.hanabi.vector`.
"""

from typing import Any

from catan_env.adapters.vec_env import GamesVecEnv
from catan_env.guests.hanabi.options import Options, Partners


class HanabiVecEnv(Partners, GamesVecEnv):
    """Games of one learner, which plays one seat of each or with `self_play` all of them.

    >>> environments = HanabiVecEnv(3, players=4, self_play=True)
    >>> environments.reset().shape, environments.action_masks().shape
    ((3, 1041), (3, 38))
    """

    kind = Options

    def __init__(
        self,
        num_envs: int = 1,
        partners: Any = "random",
        seat: int | str = "random",
        **options: Any,
    ) -> None:
        super().__init__(num_envs, partners, seat, **options)
