"""Decisions to learn from, and what they turned out to be worth."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class Experience(NamedTuple):
    """Arrays with a row for each of n decisions."""

    facts: Array
    """(n, num_facts) int8: what the network made of the observations."""
    masks: Array
    """(n, bytes) uint8: the action masks, packed."""
    actions: Array
    """(n,) int64."""
    log_odds: Array
    """(n,) float32: the logarithms of how likely they were."""
    values: Array
    """(n,) float32: what the network thought the positions worth."""
    own: Array
    """(n,) bool: whether the action was played; else the teacher's was."""
    taught: Array
    """(n, choices) int16: what the teacher would choose."""
    shares: Array
    """(n, choices) float32: how gladly; all 0 without a teacher."""
    swings: Array
    """(n, swings) float32: what each surprise of chance was thought worth."""
    surprises: Array
    """(n, swings) float32: how much there was of it until the same seat's next decision."""
    advantages: Array
    """(n,) float32: by how much the decision was better than the value, luck taken out."""
    errors: Array
    """(n,) float32: by how much one step surprised, luck and all."""


def joined(parts: Sequence[Experience]) -> Experience:
    """All decisions of several players."""
    return Experience(*map(np.concatenate, zip(*parts, strict=True)))
