"""Catan for Gymnasium: one seat, the others played by policies.

| | |
|---|---|
| Import | `gymnasium.make("catan_env:Catan-v0", opponents="random")` |
| Action space | `Discrete(848)`: flat indices, named in docs/actions.md |
| Observation space | `Dict` of the two below; with `mask_in="info"` the first alone |
| `"observation"` | `Box(0, 127, (913,), int8)`: fields named in docs/observation.md |
| `"action_mask"` | `Box(0, 1, (848,), int8)` |
| For MaskablePPO | `action_masks()` |

A step plays the action and then the other seats' decisions, until the seat acts again or
its episode has ended. `reset(seed=...)` determines everything: the seat, the game (that of
`Game(seed=...)`) and the random streams of opponents given by name or class; what the clock
limits, as it does the policy `search`, may still differ (docs/howto/seeds.md).

### Options

| Option | Default | Also |
|---|---|---|
| `opponents` | `"random"` | a policy, see below; a list of them, clockwise from the seat |
| `seat` | `"random"`: another one each episode | `0` .. `seats - 1` |

Where the table places the first pieces, `max_turns` must let the seat reach its first turn.

A policy is a name, a class or a partial of one, an object with `act(view)` or a function of a view
(`catan_env.policy`). The other options are those of `catan_env.envs.aec`, and so are the rewards: 1
for a win, -1/(seats - 1) for a loss, points paid on the way with `reward="shaped"`. An illegal
action ends the episode with a return of -1 (`illegal="penalty"`). `info["reason"]` gives the reason
for which an episode ended: `"win"`, `"loss"`, `"turn limit"` or `"illegal action: ..."`. An error
that an opponent raises breaks the episode off: the next call is `reset()`.
"""

from catan_env.adapters.one_seat import OneSeatEnv
from catan_env.envs.options import Options


class CatanEnv(OneSeatEnv):
    """The single-seat environment; see the module's documentation.

    >>> environment = CatanEnv(seats=3, seat=0, opponents="builder")
    >>> observation, info = environment.reset(seed=7)
    >>> observation["observation"].shape, int(environment.action_masks().sum())
    ((913,), 54)
    """

    kind = Options
    options: Options
    metadata = {  # noqa: RUF012 (Gymnasium's own attribute)
        "render_modes": list(Options.render_modes),
        "render_fps": 2,
    }
