"""MaskablePPO models with this project's network, built without a live environment if need be."""

from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO

from catan_env.envs.sb3 import CatanVecEnv
from catan_env.training.sb3.policy import PointerPolicy

WIDTHS = ("hidden", "local")


def fresh_model(environments: CatanVecEnv | None = None, **options: Any) -> MaskablePPO:
    """A model with random weights; `options` are MaskablePPO's and `PointerPolicy`'s widths."""
    widths = {name: options.pop(name) for name in WIDTHS if name in options}
    games = CatanVecEnv(1) if environments is None else environments
    given = {"device": "cpu", "policy_kwargs": widths, **options}
    return MaskablePPO(PointerPolicy, games, **given)


def load_model(
    path: str | Path,
    environments: CatanVecEnv | None = None,
    **options: Any,
) -> MaskablePPO:
    """The model in a zip that `save` wrote, or a clone's; ValueError if it is not such a file."""
    if not Path(path).is_file():
        raise ValueError(f"no model at {str(path)!r}")
    try:
        model: MaskablePPO = MaskablePPO.load(path, env=environments, device="cpu", **options)
        return model
    except AssertionError:  # a zip with other contents, or a part of one
        raise ValueError(f"{str(path)!r} is not a model, a .zip, or is damaged") from None
    except (ModuleNotFoundError, AttributeError) as error:  # classes that have moved
        raise ValueError(f"{str(path)!r} is of another version ({error}): train it again") from None


def begin_from(model: MaskablePPO, path: str | Path) -> None:
    """Give a model the weights of a saved one; ValueError if their widths differ."""
    weights = load_model(path).policy.state_dict()
    try:
        model.policy.load_state_dict(weights)
    except RuntimeError:
        mine = model.policy.state_dict()
        odd = [name for name in mine if name in weights and mine[name].shape != weights[name].shape]
        raise ValueError(f"{str(path)!r} has other widths ({', '.join(odd)})") from None
