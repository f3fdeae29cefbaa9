"""The model that all of this folder trains: MaskablePPO's, made without an environment to play."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from torch import nn

from catan_env.envs.sb3 import CatanVecEnv
from training.extractor import Yields


def policy_kwargs(hidden: Sequence[int] = (512, 512), value: Sequence[int] = (256, 256)) -> Any:
    """What MaskablePPO is told of its network: hidden layers of the policy and of the value."""
    return {
        "features_extractor_class": Yields,
        "net_arch": {"pi": list(hidden), "vf": list(value)},
        "activation_fn": nn.ReLU,
    }


def fresh_model(environments: CatanVecEnv | None = None, **options: Any) -> MaskablePPO:
    """A model with random weights; `options` are MaskablePPO's, and `hidden` and `value`."""
    layers = {name: options.pop(name) for name in ("hidden", "value") if name in options}
    games = CatanVecEnv(1) if environments is None else environments
    given = {"device": "cpu", "policy_kwargs": policy_kwargs(**layers), **options}
    return MaskablePPO("MlpPolicy", games, **given)


def load_model(path: str | Path, environments: CatanVecEnv | None = None, **options: Any) -> Any:
    """The model in a zip that `save` wrote, also a clone's; ValueError where it is no such file."""
    if not Path(path).is_file():
        raise ValueError(f"no model at {str(path)!r}")
    return MaskablePPO.load(path, env=environments, device="cpu", **options)
