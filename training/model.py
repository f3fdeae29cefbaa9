"""The model that all of this folder trains: MaskablePPO's, made without an environment to play."""

from pathlib import Path
from typing import Any, TypeVar

from sb3_contrib import MaskablePPO

from catan_env.envs.sb3 import CatanVecEnv
from catan_env.training.places import PlacesPolicy

Kind = TypeVar("Kind", bound=MaskablePPO)
WIDTHS = ("hidden", "local", "value")


def fresh_model(
    environments: CatanVecEnv | None = None, kind: type[Kind] = MaskablePPO, **options: Any
) -> Kind:
    """A model with random weights; `options` are MaskablePPO's and the widths of `PlacesPolicy`."""
    widths = {name: options.pop(name) for name in WIDTHS if name in options}
    games = CatanVecEnv(1) if environments is None else environments
    given = {"device": "cpu", "policy_kwargs": widths, **options}
    return kind(PlacesPolicy, games, **given)


def load_model(
    path: str | Path,
    environments: CatanVecEnv | None = None,
    kind: type[Kind] = MaskablePPO,
    **options: Any,
) -> Kind:
    """The model in a zip that `save` wrote, also a clone's; ValueError where it is no such file."""
    if not Path(path).is_file():
        raise ValueError(f"no model at {str(path)!r}")
    try:
        return kind.load(path, env=environments, device="cpu", **options)
    except (ModuleNotFoundError, AttributeError) as error:
        raise ValueError(f"{str(path)!r} is of another version ({error}): train it again") from None


def begin_from(model: MaskablePPO, path: str | Path) -> None:
    """Give a model the weights of a saved one; ValueError where their widths differ."""
    weights = load_model(path).policy.state_dict()
    try:
        model.policy.load_state_dict(weights)
    except RuntimeError:
        mine = model.policy.state_dict()
        odd = [name for name in mine if name in weights and mine[name].shape != weights[name].shape]
        raise ValueError(f"{str(path)!r} has other widths ({', '.join(odd)})") from None
