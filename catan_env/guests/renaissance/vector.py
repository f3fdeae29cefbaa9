"""Masters of Renaissance for Gymnasium, many games stepped together, natively.

`gymnasium.make_vec("catan_env:Renaissance-v0", num_envs=64)`. Options are those of
`catan_env.guests.renaissance.single` and of `catan_env.adapters.many`.
"""

from typing import Any

from catan_env.adapters.many import ManyGames
from catan_env.guests.renaissance.options import Options, seated


class RenaissanceVectorEnv(ManyGames):
    """The vector environment; see the module docstring.

    >>> environments = RenaissanceVectorEnv(3)
    >>> observations, infos = environments.reset(seed=7)
    >>> observations["observation"].shape, environments.action_masks().sum(axis=1).tolist()
    ((3, 886), [6, 6, 6])
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
