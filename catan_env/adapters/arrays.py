"""Functions of networks that take NumPy's arrays to play and torch's tensors to learn.

A network is written once for both, so it joins arrays with the function that its caller passes,
and uses methods that both have, or `relu`. Nothing here imports torch. Catan's network has its own:
machine code is made of it, which would depend on the sources of this folder.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

Join = Callable[[list[Any], int], Any]
"""`np.concatenate` or `torch.cat`."""


def relu(x: Any) -> Any:
    """The numbers of `x`, with 0 instead of negative ones."""
    return x.relu() if hasattr(x, "relu") else np.maximum(x, 0)
