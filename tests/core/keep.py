"""Compilation of the tests' loops over games."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from catan_env.core.compiled import CORE
from catan_env.kernel import jit

if jit.JIT:
    import numba

    FOLDER = jit.cache_folder(CORE)

    def slow(function: Callable[..., Any]) -> Any:
        """Compile a function that the loops call."""
        return numba.njit(nogil=True, error_model="numpy")(function)

    def brief(function: Callable[..., Any]) -> Any:
        """Like `slow`, but inlined, for functions called 848 times per step."""
        return numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)

    def loop(function: Callable[..., Any]) -> Any:
        """Compile a loop; its machine code is cached with the engine's, under a hash of both."""
        if FOLDER is None:
            return slow(function)
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(FOLDER / f"tests-{_sources()}")
        try:
            return numba.njit(nogil=True, error_model="numpy", cache=True)(function)
        finally:
            numba.config.CACHE_DIR = before

    def _sources() -> str:
        files = sorted(Path(__file__).parent.glob("*.py"))
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]

else:

    def slow(function: Callable[..., Any]) -> Any:
        """Return the function as it is."""
        return function

    loop = brief = slow
