"""A network, tried in the first positions of its games: a wrong shape is refused before a run."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from catan_env.training.networks.network import Network

TRIED = 64
"""Positions; those of fewer games are repeated."""


def check_network(network: Any, batch: Any) -> None:
    """Raise ValueError if a network does not fit the games of a batch.

    It computes as when it learns: a network may keep what it prepares for playing, which
    `symmetric` does, and its device, type and weights are not the final ones here.
    """
    if not isinstance(network, Network):
        kind = f"{type(network).__module__}:{type(network).__name__}"
        raise ValueError(f"{kind} is not a subclass of catan_env.training.networks.Network")
    rows = np.minimum(np.arange(TRIED), len(batch.observations) - 1)
    features = network.features(torch.from_numpy(batch.observations[rows]))
    _check_shape("features", features, (TRIED, network.num_features))
    logits, values, _ = network.outputs(features)
    _check_shape("values", values, (TRIED,))
    actions = batch.action_masks.shape[1]
    if logits.ndim != 2 or len(logits) != TRIED or logits.shape[1] > actions:
        allowed = f"({TRIED}, {actions}), or fewer columns"
        raise ValueError(f"its logits have the shape {tuple(logits.shape)}, not {allowed}")
    if not (logits.isfinite().all() and values.isfinite().all()):
        raise ValueError("its logits and values are not finite")


def _check_shape(what: str, found: Tensor, expected: tuple[int, ...]) -> None:
    if tuple(found.shape) != expected:
        raise ValueError(f"its {what} have the shape {tuple(found.shape)}, not {expected}")
