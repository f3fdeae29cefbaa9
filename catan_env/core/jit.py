"""The one decorator of the rules engine: Numba when present and wanted, plain Python otherwise.

`CATAN_ENV_JIT=0` switches Numba off, as Numba's own `NUMBA_DISABLE_JIT=1` does; without Numba
installed it is off by itself. Both ways run the same source: `rule` marks a sentence of the
rulebook, `part` a longer function that is compiled once and called, `door` one that Python calls.

Only doors are cached on disk, each with everything it calls, in the user's cache folder under a
hash of all sources of the engine, so that a changed rule never meets a stale caller. Doors of
another folder (a policy's) are kept under a second hash: of its sources, and of those of every such
folder loaded before it, whose parts they may contain.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

WANTED = (
    os.environ.get("CATAN_ENV_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
)
COMPILED = WANTED and find_spec("numba") is not None

CORE = Path(__file__).parent


def table(rows: Any, dtype: Any = np.int64) -> Any:
    """A constant table: an array for compiled rules, a memoryview (plain ints) for interpreted."""
    array = np.array(rows, dtype=dtype)
    array.flags.writeable = False
    return array if COMPILED else memoryview(array)


def source_hash(first: Path, *others: Path) -> str:
    """A name for machine code: the sources in the folders and what compiles them."""
    import numba

    digest = hashlib.sha256()
    for folder in (first, *others):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.read_bytes())
    bounds = os.environ.get("NUMBA_BOUNDSCHECK", "")
    digest.update(f"{numba.__version__} {np.__version__} {sys.version} {bounds}".encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Where compiled doors are kept, or None when no such folder can be written.

    One that can only be read is kept to where the engine has been compiled into it: an agent's that
    runs in a sandbox.
    """
    root = os.environ.get("CATAN_ENV_CACHE") or os.environ.get("XDG_CACHE_HOME")
    folder = Path()
    try:
        base = Path(root) if root else Path.home() / ".cache"
        folder = base / "catan_env" / source_hash(CORE)
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, RuntimeError):
        return folder if (folder / "rules").exists() else None
    return folder


def _made(folder: Path) -> Path | None:
    """The folder, made; None where it cannot be."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return folder


if COMPILED:
    from numba import njit
    from numba.core.caching import CacheImpl, _CacheLocator

    FOLDER = cache_folder()

    KEPT: dict[Path, Path | None] = {CORE: FOLDER}  # where each folder's doors are kept

    class CoreCacheLocator(_CacheLocator):  # type: ignore[misc]
        """Tells Numba to keep the machine code of each folder's doors under its sources' hash."""

        def __init__(self, py_func: Any, kept: Path) -> None:
            self._line, self._kept = py_func.__code__.co_firstlineno, kept

        def get_cache_path(self) -> str:
            return str(self._kept)

        def get_source_stamp(self) -> str:
            return self._kept.name

        def get_disambiguator(self) -> str:
            return str(self._line)

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> "CoreCacheLocator | None":
            kept = KEPT.get(Path(py_file).parent)
            return None if kept is None else cls(py_func, kept)

    CacheImpl._locator_classes.insert(0, CoreCacheLocator)

    def kept_in(folder: Path) -> Path | None:
        """Where the doors written in `folder` are kept; below the engine's own, which they call."""
        if folder not in KEPT:
            others = [known for known in KEPT if known != CORE]
            kept = FOLDER / source_hash(*others, folder) if FOLDER is not None else None
            if kept is not None and not kept.exists():
                kept = _made(kept)
            KEPT[folder] = kept
        return KEPT[folder]

    def rule(function: Callable[..., Any]) -> Any:
        """Compile a function that other rules call."""
        return njit(nogil=True, error_model="numpy", forceinline=True)(function)

    def part(function: Callable[..., Any]) -> Any:
        """Compile a function that other rules call, too long to be put into each of them."""
        return njit(nogil=True, error_model="numpy")(function)

    def door(function: Callable[..., Any]) -> Any:
        """Compile a function that Python calls, and keep its machine code on disk."""
        kept = kept_in(Path(function.__code__.co_filename).parent)
        return njit(nogil=True, error_model="numpy", cache=kept is not None)(function)

else:
    FOLDER = None

    def rule(function: Callable[..., Any]) -> Any:
        """Leave a rule as it is written."""
        return function

    def kept_in(folder: Path) -> Path | None:
        """Nothing is compiled, nothing kept."""
        return None

    part = door = rule
