"""A forked child computes with one thread: OpenMP's other threads exist in its parent only.

The first large operation of torch starts OpenMP's threads. A child that is forked after that waits
forever for threads that it does not have, in its own first large operation.
"""

import os
import sys

_forked = False


def is_forked() -> bool:
    """True if this process was forked from one that had imported this file."""
    return _forked


def _compute_with_one_thread() -> None:
    global _forked
    _forked = True
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_compute_with_one_thread)
