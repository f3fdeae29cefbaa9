"""Hanabi for Gymnasium, many games together: one seat in each, with policies at the others.

`gymnasium.make_vec("catan_env:Hanabi-v0", num_envs=64)`. Options are those of
`catan_env.guests.hanabi.single` and of `catan_env.adapters.many`.
"""

from typing import Any

from catan_env.adapters.many import ManyGames
from catan_env.guests.hanabi.options import Options, Partners


class HanabiVectorEnv(Partners, ManyGames):
    """The vector environment; see the module docstring.

    >>> environments = HanabiVectorEnv(3, players=2)
    >>> observations, infos = environments.reset(seed=7)
    >>> observations["observation"].shape
    (3, 658)
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
