"""Adam and AdamW of PyTorch that do not import its compiler.

PyTorch wraps an optimizer's methods for `torch.compile`, and the wrappers import `torch._dynamo`:
two seconds and 190 MB per process, for what no training here uses.
"""

from inspect import unwrap
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
