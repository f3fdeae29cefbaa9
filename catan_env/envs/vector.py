"""Catan for Gymnasium as a vector: one seat in each of many games, policies play the others.

| | |
|---|---|
| Import | `gymnasium.make_vec("catan_env:Catan-v0", num_envs=64)` |
| Action space | `MultiDiscrete([848] * num_envs)`: a flat index for every game |
| Observation space | `Dict` of the two below; with `mask_in="info"` the first alone |
| `"observation"` | `Box(0, 127, (num_envs, 913), int8)`: fields named in docs/observation.md |
| `"action_mask"` | `Box(0, 1, (num_envs, 848), int8)` |

Options, rewards, reasons and illegal actions are those of `catan_env.envs.single`, and so are the
games: with the same seeds, episode i is the one that a `CatanEnv` reset with seed i plays, except
that opponents all named "random" play natively and use another random stream. In addition:

| Option | Default | Also |
|---|---|---|
| `autoreset_mode` | `NEXT_STEP` | `SAME_STEP`, `DISABLED`; an `AutoresetMode`, its name or value |
| `copy` | `True` | `False`: every call returns the same arrays, overwritten by the next call |
| `threads` | `1` | up to 1024 threads that step the games |

`reset(seed=n)` seeds game i with `n + i`; a list or an array seeds each game. Of the `options` of
`reset` only `"reset_mask"` is used. Gymnasium's wrappers of vector observations take
`NEXT_STEP` and `DISABLED` alone. docs/vector.md shows loops.
"""

from catan_env.adapters.many import ManyGames
from catan_env.envs.options import Options


class CatanVectorEnv(ManyGames):
    """The vector environment; see the module's documentation.

    >>> environments = CatanVectorEnv(3, seats=2, seat=0)
    >>> observations, infos = environments.reset(seed=7)
    >>> observations["observation"].shape, environments.action_masks().sum(axis=1).tolist()
    ((3, 913), [54, 54, 54])
    """

    kind = Options
    options: Options
