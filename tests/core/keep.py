"""Compilation of the tests' loops over games."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.core.compiled import CORE
from catan_env.kernel import jit
from catan_env.kernel.memory import doorway, memory_of

if jit.JIT:
    import numba

    from catan_env.kernel.parts import Inlined, Part

    FOLDER = jit.cache_folder(CORE)
    FILES = sorted(Path(__file__).parent.glob("*.py"))
    HASH = hashlib.sha256(b"".join(file.read_bytes() for file in FILES))
    NAME = f"tests-{HASH.hexdigest()[:16]}"
    """The name of the machine code of the loops as they are now."""

    slow = Part
    """Compiles a function that the loops call."""
    brief = Inlined
    """Like `slow`, but inlined, for functions called 848 times per step."""

    def loop(function: Callable[..., Any]) -> Any:
        """Compile a loop; its machine code is cached with the engine's, under a hash of both."""
        if FOLDER is None:
            return numba.njit(nogil=True, error_model="numpy")(function)
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(FOLDER / NAME)
        try:
            return numba.njit(nogil=True, error_model="numpy", cache=True)(function)
        finally:
            numba.config.CACHE_DIR = before

else:

    def slow(function: Callable[..., Any]) -> Any:
        """Return the function as it is."""
        return function

    loop = brief = slow


class Games(np.ndarray):
    """Games as entry points take them, whose elements have fields as interpreted rules need."""

    def __getitem__(self, at: Any) -> Any:
        if not isinstance(at, int):
            return super().__getitem__(at)
        memories = self.__dict__.setdefault("memories", {})
        if at not in memories:
            memories[at] = memory_of(np.asarray(self)[at : at + 1])
        return memories[at]

    def __setitem__(self, at: Any, value: Any) -> None:
        np.asarray(self)[at : at + 1] = value.block


def for_loops(states: np.ndarray[Any, Any]) -> Any:
    """Games in the form that the loops take: they call entry points and the functions in them.

    On machine code of the build only the entry points are compiled.
    """
    if jit.MODE == jit.NATIVE:
        return states.view(Games)
    return doorway(states)
