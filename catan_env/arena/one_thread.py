"""Limits numerical libraries to one thread: with small matrices more of them are slower."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
ONE_THREAD = dict.fromkeys(NAMES, "1")
"""The environment variables that a process needs before it imports NumPy."""


@contextmanager
def unless_said() -> Iterator[None]:
    """Libraries loaded and processes started in the block use one thread, or the user's setting.

    The value of OMP_NUM_THREADS applies to all of them.
    """
    missing = [name for name in NAMES if name not in os.environ]
    os.environ.update(dict.fromkeys(missing, os.environ.get("OMP_NUM_THREADS", "1")))
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]
