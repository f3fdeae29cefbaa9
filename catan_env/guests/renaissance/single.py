"""Masters of Renaissance for Gymnasium: the solo game, or one seat against policies.

`gymnasium.make("catan_env:Renaissance-v0")` is the game against Lorenzo. Options are those of
`catan_env.guests.renaissance.aec`, and

| Option | Default | Also |
|---|---|---|
| `opponents` | `None`: Lorenzo | a policy's name, class or object, or a list: one per seat |
| `seats` | `1`, with `opponents` `2` | up to `4` |
| `seat` | `"random"`: drawn at each reset | a seat |

`catan_env.adapters.one_seat` describes what all games share.
"""

from typing import Any

from catan_env.adapters.one_seat import OneSeatEnv
from catan_env.guests.renaissance.options import Options, seated


class RenaissanceEnv(OneSeatEnv):
    """The environment; see the module docstring.

    >>> environment = RenaissanceEnv()
    >>> observation, info = environment.reset(seed=7)
    >>> observation["observation"].shape, int(environment.action_masks().sum())
    ((886,), 6)
    """

    kind = Options
    metadata = {  # noqa: RUF012 (Gymnasium's own attribute)
        "render_modes": list(Options.render_modes),
        "render_fps": 2,
    }

    def __init__(self, opponents: Any = None, seat: int | str = "random", **options: Any) -> None:
        super().__init__(opponents, seat, **seated(opponents, options))
