"""Catan for PettingZoo: an agent for every seat, one decision at a time.

| | |
|---|---|
| Import | `catan_env.env()`; after `import catan_env`, `pettingzoo.make("aec", "catan/Catan-v0")` |
| Agents | `player_0` .. `player_3`, in seat order; `player_0` begins |
| Action space | `Discrete(848)`: flat indices, named in docs/actions.md |
| Observation space | `Dict` of the two below |
| `"observation"` | `Box(0, 127, (913,), int8)`: fields named in docs/observation.md |
| `"action_mask"` | `Box(0, 1, (848,), int8)` |
| Parallel | no: use `turn_based_aec_to_parallel` |

The observation is what the seat can see, from that seat's perspective. The mask is 1 where an
action is legal, and all zeros for a seat that is not acting. The same `reset(seed=...)` gives the
same game, that of `Game(seed=...)`; a `reset()` without a seed continues with another game of the
same sequence.

### Options

| Option | Default | Also |
|---|---|---|
| `seats` | `4` | `2`, `3` |
| `rules` | `"base"` | `"tournament"`, `"duel"`, `"colonist_1v1"`, ... a `Rules` |
| `board` | `"spiral"` | `"random_tokens"`, `"beginner"`, a `Board` |
| `mask_in` | `"observation"` | `"info"`: in `info["action_mask"]`, with a plain `Box`; `"both"` |
| `illegal` | `"penalty"` | `"raise"`: IllegalActionError; `"ignore"`: the seat acts again |
| `reward` | `"sparse"` | `"shaped"`; one of your own: `catan_env.envs.rewards` |
| `max_turns` | `1000` | any number of turns, then the game is truncated; `None` |
| `observation_version` | `1` | `2`: the table's rules and the next roll too (docs/observation.md) |
| `render_mode` | `None` | `"ansi"`: text; `"human"`: a live page; `"rgb_array"`; `"svg"` |

### Rewards

Sparse: the winner gets 1, every other seat -1/(seats - 1); a truncated game gives 0.

Shaped: in addition, each step gives every seat the change of its potential, which is its victory
points (including hidden ones) over the points to win, and 0 once the seat's episode has ended. The
undiscounted return is exactly the sparse reward: points are paid when they are made, and
taken back from the losers, and from all seats when the turn limit cuts the game off.

### An illegal action

With `illegal="penalty"` the episode of that seat terminates with a return of -1, whatever was
paid before, and the game continues for the others. On its own turn the seat leaves the table: the
turn ends, its pieces stay, and the last remaining seat wins. Until then the environment answers for
it with the last legal index: it rejects offers, discards, and places in the set-up. With
`"ignore"`, `info["ignored"]` gives the reason. A non-integer action raises TypeError.

When a seat's episode has ended, `info["reason"]` is `"win"`, `"loss"`, `"turn limit"` or
`"illegal action: ..."`.
"""

from typing import Any, ClassVar

from catan_env.adapters.aec import GameAEC, OrderEnforced
from catan_env.envs.options import Options
from catan_env.game.game import Game


def env(**options: Any) -> OrderEnforced:
    """The environment in PettingZoo's wrapper that enforces the order of calls."""
    return OrderEnforced(raw_env(**options))


def raw_env(**options: Any) -> "CatanAEC":
    """The environment without a wrapper."""
    return CatanAEC(**options)


class CatanAEC(GameAEC):
    """The AEC environment; see the module's documentation.

    >>> environment = raw_env(seats=2)
    >>> environment.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = environment.last()
    >>> environment.agent_selection, int(observation["action_mask"].sum())
    ('player_0', 54)
    """

    kind = Options
    options: Options
    game: Game
    metadata: ClassVar[dict[str, Any]] = {
        "name": "catan_v0",
        "render_modes": list(Options.render_modes),
        "is_parallelizable": False,
        "render_fps": 2,
    }
