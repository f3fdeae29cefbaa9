"""Masters of Renaissance for PettingZoo: one agent per seat, one small decision at a time.

| | |
|---|---|
| Import | `catan_env.guests.renaissance.env(seats=2)` |
| Agents | `player_0` .. in seat order |
| Action space | `Discrete(96)`; docs/renaissance.md lists the spans |
| `"observation"` | `Box(0, 255, (886,), uint8)`; docs/renaissance.md lists the fields |
| `"action_mask"` | `Box(0, 1, (96,), int8)` |

The mask is 1 where an action is legal, and all zeros for a seat that is not to decide. Forced
steps are taken automatically.

### Options

| Option | Default | Also |
|---|---|---|
| `seats` | `2` | `1`, `3`, `4` |
| `cards` | `"printed"` | `"am49"`: that server's data |
| `mask_in` | `"observation"` | `"info"`, `"both"` |
| `reward` | `"sparse"` | `"points"`: the seat's score / 100 is added at the end |
| `illegal` | `"penalty"`: -1, to others 0, and the end | `"raise"`; `"ignore"`: ask again |
| `max_rounds` | `200` | rounds after which the game is truncated; `None` |
| `render_mode` | `None` | `"ansi"`, `"human"` |

Rewards: 1 to the winner, -1/(n - 1) to each other seat; in the solo game 1 or -1; 0 when truncated.
`catan_env.adapters.aec` describes what all games share.
"""

from typing import Any, ClassVar

from catan_env.adapters.aec import GameAEC, OrderEnforced
from catan_env.guests.renaissance.options import Options


def env(**options: Any) -> OrderEnforced:
    """The AEC environment in PettingZoo's wrapper that enforces the order of calls."""
    return OrderEnforced(raw_env(**options))


def raw_env(**options: Any) -> "RenaissanceAEC":
    """The AEC environment without the wrapper."""
    return RenaissanceAEC(**options)


class RenaissanceAEC(GameAEC):
    """The AEC environment; see the module docstring.

    >>> environment = raw_env(seats=2)
    >>> environment.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = environment.last()
    >>> environment.agent_selection, int(observation["action_mask"].sum())
    ('player_0', 6)
    """

    kind = Options
    metadata: ClassVar[dict[str, Any]] = {
        "name": "renaissance_v0",
        "render_modes": list(Options.render_modes),
        "is_parallelizable": False,
        "render_fps": 2,
    }
