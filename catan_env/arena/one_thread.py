"""Libraries that compute with several threads, kept to one: small matrices only lose by more."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
ONE_THREAD = dict.fromkeys(NAMES, "1")
"""What a process has to find in its environment before it imports NumPy."""


@contextmanager
def unless_said() -> Iterator[None]:
    """Libraries loaded and processes begun meanwhile take one thread, or as the user has said.

    What OMP_NUM_THREADS says is meant for all of them.
    """
    missing = [name for name in NAMES if name not in os.environ]
    os.environ.update(dict.fromkeys(missing, os.environ.get("OMP_NUM_THREADS", "1")))
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]
