"""Hanabi for Gymnasium: one seat, with policies at the others.

`gymnasium.make("catan_env:Hanabi-v0", players=2, partners="iggi")`; options are those of
`catan_env.guests.hanabi.aec` and

| Option | Default | Also |
|---|---|---|
| `seat` | `"random"`: drawn at each reset | `0` .. `players - 1` |
| `partners` | `"random"` | a policy's name, class or object, or a list of one for each other seat |

Rewards are the changes of the score. `info["reason"]` and `info["score"]` describe the ending.
`catan_env.adapters.one_seat` describes what all games share.
"""

from typing import Any

from catan_env.adapters.one_seat import OneSeatEnv
from catan_env.guests.hanabi.options import Options, Partners


class HanabiEnv(Partners, OneSeatEnv):
    """The environment; see the module docstring.

    >>> environment = HanabiEnv(players=3, partners="iggi")
    >>> observation, info = environment.reset(seed=3)
    >>> observation["observation"].shape, int(environment.action_masks().sum()) > 0
    ((956,), True)
    """

    kind = Options
    metadata = {  # noqa: RUF012 (Gymnasium's own attribute)
        "render_modes": list(Options.render_modes),
        "render_fps": 2,
    }

    def __init__(
        self, partners: Any = "random", seat: int | str = "random", **options: Any
    ) -> None:
        super().__init__(partners, seat, **options)
