"""The model that all of this folder trains: MaskablePPO's, made without an environment to play."""

from pathlib import Path
from typing import Any, TypeVar

from sb3_contrib import MaskablePPO

from catan_env.envs.sb3 import CatanVecEnv
from training.places import PlacesPolicy

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
    return kind.load(path, env=environments, device="cpu", **options)
