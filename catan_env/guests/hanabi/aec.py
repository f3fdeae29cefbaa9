"""Hanabi for PettingZoo: one agent per seat, one action at a time.

| | |
|---|---|
| Import | `catan_env.guests.hanabi.env()` |
| Agents | `player_0` .. `player_4`, in seat order; `player_0` begins |
| Action space | `Discrete(20)`, 30, 38, 48 with 2-5 players: numbered in docs/hanabi.md |
| Observation space | `Dict` of the two below |
| `"observation"` | `Box(0, 1, (658,), int8)`, 956, 1041, 1280: the canonical encoder, bit for bit |
| `"action_mask"` | `Box(0, 1, (20,), int8)`, 30, 38, 48 |

The mask is 1 where an action is legal, and all zeros for a seat that is not to move. Every agent's
reward is the change of the score; an error that ends the game takes the score back, unless the
rules keep it. `reset(seed=...)` starts the game of `Game(seed=...)`; a `reset()` without a seed
starts the next game of the same sequence. `catan_env.adapters.aec` describes what all games share.

| Option | Default | Also |
|---|---|---|
| `players`, or `seats` | `2` | `3`, `4`, `5` |
| `rules` | `"official"` | the other names of `hanabi.rules.PRESETS`, a `Rules` |
| `mask_in` | `"observation"` | `"info"`, `"both"` |
| `illegal` | `"penalty"`: -1, to others 0, and the end | `"raise"`; `"ignore"`: ask again |
| `other_play` | `False` | `True`: each seat sees permuted colours, its own in each game |
| `memory` | `False` | `True`: observations end with what past events tell (`hanabi.remembered`) |
| `max_turns` | `None` | a number of actions after which the game is truncated |
| `render_mode` | `None` | `"ansi"`: text; `"human"`: text, printed |
"""

from typing import Any, ClassVar

from catan_env.adapters.aec import GameAEC, OrderEnforced
from catan_env.guests.hanabi.options import Options


def env(**options: Any) -> OrderEnforced:
    """The environment in PettingZoo's wrapper that enforces the order of calls."""
    return OrderEnforced(raw_env(**options))


def raw_env(**options: Any) -> "HanabiAEC":
    """The environment without the wrapper."""
    return HanabiAEC(**options)


class HanabiAEC(GameAEC):
    """The AEC environment; see the module docstring.

    >>> environment = raw_env(players=3)
    >>> environment.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = environment.last()
    >>> environment.agent_selection, observation["observation"].shape
    ('player_0', (956,))
    """

    kind = Options
    metadata: ClassVar[dict[str, Any]] = {
        "name": "hanabi_house_v0",
        "render_modes": list(Options.render_modes),
        "is_parallelizable": False,
        "render_fps": 2,
    }
