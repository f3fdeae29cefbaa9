"""The part that batches of all games share: blocks of memory by row, and copies of the whole."""

import copy
from typing import Any, ClassVar, Self

import numpy as np

from catan_env.kernel.memory import copy_of
from catan_env.kernel.numbers import whole


class BlockBatch:
    """N games in one array of blocks, `states`; copies and pickles hold it by value."""

    BLOCK: ClassVar[np.dtype[Any]]
    """The dtype of `states`."""
    BLOCKS: ClassVar[tuple[str, ...]] = ("states",)
    """Attributes that are arrays of blocks."""
    DERIVED: ClassVar[frozenset[str]]
    """Attributes that `_open` derives from the others; pickles omit them."""

    num_games: int
    seats: int

    def _open(self) -> None:
        """Set the attributes in `DERIVED`."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self.DERIVED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        for name in self.BLOCKS:
            blocks = state[name].view(self.BLOCK)  # older pickles have other names for its fields
            setattr(self, name, copy_of(blocks))  # at the start of a cache line
        self._open()

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def _row(self, i: int) -> int:
        return whole("i", i, 0, self.num_games - 1)

    def _seat(self, seat: int) -> int:
        return whole("seat", seat, 0, self.seats - 1)
