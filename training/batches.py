"""The batch of games that a configuration names, `env` and `env_options`."""

from typing import Any

from catan_env.training import config
from catan_env.training.options import Args

SET = ("seed", "threads", "autoreset")
"""Arguments of a batch that training sets itself."""


def batch_of(args: Args, num_games: int, **given: Any) -> Any:
    """A batch of that many games; ValueError if the options of a configuration do not fit."""
    for name in SET:
        if name in args.env_options:
            raise ValueError(f"env_options has {name}, which training sets itself")
    maker = config.named(args.env)
    if isinstance(maker, type) and hasattr(maker, "kind"):
        raise ValueError(
            f"env = {args.env!r} is an environment; expected the maker of a batch, as "
            "in examples.fourth_game:batch"
        )
    batch = config.call("env_options", maker, num_games, **given, **args.env_options)
    if batch.observations is None or batch.action_masks is None:
        raise ValueError("env_options: training reads observations and action masks")
    return batch
