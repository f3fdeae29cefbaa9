"""Adam and AdamW of PyTorch that do not import its compiler, and the schedule of learning rates.

PyTorch wraps an optimizer's methods for `torch.compile`, and the wrappers import `torch._dynamo`:
two seconds and 190 MB per process, for what no training here uses.
"""

from inspect import unwrap
from math import cos, pi
from typing import Any, TypeVar

import torch

Kind = TypeVar("Kind", bound=type[torch.optim.Optimizer])

WRAPPED = ("add_param_group", "load_state_dict", "state_dict", "zero_grad")


def eager(kind: Kind) -> Kind:
    """The same optimizer with its methods as they are, without hooks before or after a step."""
    methods = {name: unwrap(getattr(kind, name)) for name in WRAPPED}
    step: Any = torch.no_grad()(unwrap(kind.step))
    step.hooked = True  # PyTorch would wrap it for its profiler
    made: Any = type(kind.__name__, (kind,), {**methods, "step": step})
    return made


Adam = eager(torch.optim.Adam)
AdamW = eager(torch.optim.AdamW)


def set_learning_rate(
    optimizer: torch.optim.Optimizer, first: float, last: float, progress: float
) -> float:
    """Set and return the rate on half a cosine wave from `first` to `last`, at 0..1 of the way."""
    rate = last + (first - last) * (1 + cos(pi * min(progress, 1.0))) / 2
    for group in optimizer.param_groups:
        group["lr"] = rate
    return rate
