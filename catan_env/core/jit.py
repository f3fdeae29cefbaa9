"""The one decorator of the rules engine: Numba when present and wanted, plain Python otherwise.

`CATAN_ENV_JIT=0` switches Numba off, as Numba's own `NUMBA_DISABLE_JIT=1` does; without Numba
installed it is off by itself. Both ways run the same source: `rule` marks a sentence of the
rulebook, `door` a function that Python calls.

Only doors are cached on disk, each with everything it calls, in the user's cache folder under a
hash of all sources of the engine, so that a changed rule never meets a stale caller.
"""

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
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


def source_hash() -> str:
    """A name for this engine's machine code: its sources and what compiles them."""
    import numba

    digest = hashlib.sha256()
    for path in sorted(CORE.glob("*.py")):
        digest.update(path.read_bytes())
    bounds = os.environ.get("NUMBA_BOUNDSCHECK", "")
    digest.update(f"{numba.__version__} {np.__version__} {sys.version} {bounds}".encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Where compiled doors are kept, or None when no such folder can be written."""
    root = os.environ.get("CATAN_ENV_CACHE") or os.environ.get("XDG_CACHE_HOME")
    try:
        base = Path(root) if root else Path.home() / ".cache"
        folder = base / "catan_env" / source_hash()
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, RuntimeError):
        return None
    return folder


if COMPILED:
    from numba import njit
    from numba.core.caching import CacheImpl, _CacheLocator

    FOLDER = cache_folder()

    class CoreCacheLocator(_CacheLocator):  # type: ignore[misc]
        """Tells Numba to keep the engine's machine code in `FOLDER`."""

        def __init__(self, py_func: Any) -> None:
            self._line = py_func.__code__.co_firstlineno

        def get_cache_path(self) -> str:
            return str(FOLDER)

        def get_source_stamp(self) -> str:
            return FOLDER.name if FOLDER else ""

        def get_disambiguator(self) -> str:
            return str(self._line)

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> "CoreCacheLocator | None":
            ours = FOLDER is not None and Path(py_file).parent == CORE
            return cls(py_func) if ours else None

    CacheImpl._locator_classes.insert(0, CoreCacheLocator)

    def rule(function: Callable[..., Any]) -> Any:
        """Compile a function that other rules call."""
        return njit(nogil=True, error_model="numpy", forceinline=True)(function)

    def door(function: Callable[..., Any]) -> Any:
        """Compile a function that Python calls, and keep its machine code on disk."""
        return njit(nogil=True, error_model="numpy", cache=FOLDER is not None)(function)

else:
    FOLDER = None

    def rule(function: Callable[..., Any]) -> Any:
        """Leave a rule as it is written."""
        return function

    door = rule


_ready: set[str] = set()


@contextlib.contextmanager
def _only_one_process(path: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # no such lock on this system: two processes compile twice, harmlessly
        yield
        return
    with open(path, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def ensure_compiled(part: str = "rules") -> None:
    """Compile the "rules" or the "batch" unless this machine has done so.

    Once, said aloud on standard error, and by one process while others wait.
    """
    if part in _ready or not COMPILED:
        return
    _ready.add(part)
    if FOLDER is None:
        print(f"compiling the {part} engine: no cache folder can be written", file=sys.stderr)
        return
    done = FOLDER / part
    if done.exists():
        return
    with _only_one_process(FOLDER / "lock"):
        if not done.exists():
            print(f"compiling the {part} engine, once: about 30 s", file=sys.stderr, flush=True)
            from catan_env.core import warm

            warm.OPEN[part]()
            done.touch()


if __name__ == "__main__":
    from catan_env.core.jit import ensure_compiled as ensure

    ensure("rules")
    ensure("batch")
