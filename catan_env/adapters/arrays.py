"""Functions of networks that take NumPy's arrays to play and torch's tensors to learn.

A network is written once for both, so it joins arrays with the function that its caller passes,
and uses methods that both have, or one of these functions. Nothing here imports torch.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

Join = Callable[[list[Any], int], Any]
"""`np.concatenate` or `torch.cat`."""


def relu(x: Any) -> Any:
    """The numbers of `x`, with 0 instead of negative ones."""
    return x.relu() if hasattr(x, "relu") else np.maximum(x, 0)


def whole(x: Any) -> Any:
    """The numbers of `x` as int64, to index with."""
    return x.long() if hasattr(x, "long") else x.astype(np.int64)
