"""Limits a forked child to one OpenMP thread, since the others exist only in its parent.

The first large operation of torch starts OpenMP's threads. A child forked after that would wait
forever for threads that it does not have, in its own first large operation.
"""

import os
import sys

_forked = False


def is_forked() -> bool:
    """True if this process was forked from one that had imported this module."""
    return _forked


def _compute_with_one_thread() -> None:
    global _forked
    _forked = True
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_compute_with_one_thread)
