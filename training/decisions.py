"""Decisions: what is recorded of each, as columns of arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

OPEN, ENDED = -1, -2
"""The successor of a decision: none yet, or the game's end."""


def column(dtype: Any, width: str = "") -> dict[str, Any]:
    """A column of `Decisions`: one number per decision, or an array of the named width."""
    return {"dtype": dtype, "width": width}


@dataclass
class Decisions:
    """Arrays, or tensors, with one row per decision."""

    features: Any = field(metadata=column(np.int8, "features"))
    """The input of the network: its own encoding of the observation, of any dtype."""
    masks: Any = field(metadata=column(np.uint8, "mask_bytes"))
    """The action mask, packed by `np.packbits`."""
    actions: Any = field(metadata=column(np.int64))
    log_probs: Any = field(metadata=column(np.float32))
    """Of the actions, when they were drawn."""
    values: Any = field(metadata=column(np.float32))
    """The network's estimates of the returns."""
    rewards: Any = field(metadata=column(np.float32))
    """Received until the same seat's next decision."""
    potentials: Any = field(metadata=column(np.float32))
    """The position's potential for the seat (`shaping`)."""
    is_own: Any = field(metadata=column(np.bool_))
    """False if the teacher's action was played instead."""
    teacher_actions: Any = field(metadata=column(np.int16, "choices"))
    teacher_probs: Any = field(metadata=column(np.float32, "choices"))
    """The teacher's policy over `teacher_actions`; all 0 without a teacher."""
    chance_values: Any = field(metadata=column(np.float32, "chance"))
    """The network's estimate of the value of each chance residual (`control_variate`)."""
    chance_residuals: Any = field(metadata=column(np.float32, "chance"))
    """The effects of chance beyond their mean until the same seat's next decision."""
    next: Any = field(metadata=column(np.int64))
    """The row of the same seat's next decision, OPEN or ENDED."""
    games: Any = field(metadata=column(np.int64))
    seats: Any = field(metadata=column(np.int64))
    advantages: Any = field(metadata=column(np.float32))
    """By GAE, without the control variate's part."""
    td_errors: Any = field(metadata=column(np.float32))
    """The one-step errors of the value, with it."""

    @classmethod
    def empty(cls, rows: int, features_dtype: Any = np.int8, **widths: int) -> Decisions:
        """Columns of zeros."""
        dtypes = {one.name: one.metadata["dtype"] for one in fields(cls)}
        dtypes["features"] = features_dtype
        shapes = {
            one.name: (rows, widths[one.metadata["width"]]) if one.metadata["width"] else rows
            for one in fields(cls)
        }
        return cls(**{name: np.zeros(shapes[name], dtype) for name, dtype in dtypes.items()})

    @classmethod
    def concatenated(cls, parts: Sequence[Decisions]) -> Decisions:
        """All rows of several."""
        columns = zip(*(part.columns() for part in parts), strict=True)
        return cls(*map(np.concatenate, columns))

    def columns(self) -> Iterator[Any]:
        """The columns in order."""
        return (getattr(self, one.name) for one in fields(self))

    def map(self, function: Callable[[Any], Any]) -> Decisions:
        """The same with a function applied to every column."""
        return Decisions(*map(function, self.columns()))

    def take(self, rows: Any) -> Decisions:
        """Some of the rows, copied."""
        return self.map(lambda one: one[rows])

    def __len__(self) -> int:
        return len(self.actions)
