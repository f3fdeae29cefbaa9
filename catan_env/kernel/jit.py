"""The three engines that run the rules, all from one source.

- `native`: machine code generated when the package was built (`python -m native`).
- `jit`: machine code that Numba generates on this machine and caches in the user's cache folder.
- `python`: the source as it is, for debuggers and for machines without the other two.

`CATAN_ENV_ENGINE` names one, or several to try in turn (`native,python`). The default is native
code if it was built from the sources next to it, then Numba if installed, then Python. Numba's own
`NUMBA_DISABLE_JIT=1` also selects Python.

`inline` marks a function that is compiled into its callers, `compiled` a longer one that is
compiled once and called, `door` one that Python calls. Only doors are cached on disk, each with
everything it calls. The cache of a folder is named by a hash of its sources, of this folder's, of
those of every folder of compiled functions that it imports, and of the modules elsewhere whose
constants these functions use, so that a changed rule never runs with a stale caller.
"""

import hashlib
import importlib
import json
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.kernel.sources import PACKAGE, engine_hashes, sources_in, symbol_of

NATIVE, NUMBA, PYTHON = "native", "jit", "python"


def load_native() -> Any:
    """The native extension, or None if it is missing or was built from other sources."""
    try:
        library = importlib.import_module(f"{PACKAGE}.kernel._native")
    except ImportError:
        return None
    built_from = json.loads(library.hashes)
    here = engine_hashes(built_from)
    changed = [package for package in here if here[package] != built_from[package]]
    if changed:
        names = ", ".join(changed)
        print(f"not using the machine code: {names} changed since the build", file=sys.stderr)
        return None
    if wanted_body := os.environ.get("CATAN_ENV_NATIVE_BODY"):
        library.use_body(wanted_body)
    return library


def wanted_modes() -> list[str]:
    """The engines to try, in order."""
    if named := os.environ.get("CATAN_ENV_ENGINE"):
        modes = named.split(",")
        if unknown := set(modes) - {NATIVE, NUMBA, PYTHON}:
            text = f"CATAN_ENV_ENGINE names {', '.join(sorted(unknown))}"
            raise ImportError(f"{text}; the engines are {NATIVE}, {NUMBA} and {PYTHON}")
        return modes
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return [PYTHON]
    if os.environ.get("NUMBA_BOUNDSCHECK"):
        return [NUMBA, PYTHON]
    return [NATIVE, NUMBA, PYTHON]


def choose_mode() -> tuple[str, Any]:
    """The engine that runs, and the extension if it is the native one."""
    modes = wanted_modes()
    for mode in modes:
        if mode == NATIVE and (library := load_native()) is not None:
            return NATIVE, library
        if mode == NUMBA and find_spec("numba") is not None:
            return NUMBA, None
        if mode == PYTHON:
            return PYTHON, None
    raise ImportError(f"CATAN_ENV_ENGINE is {','.join(modes)}, which this installation lacks")


MODE, LIBRARY = choose_mode()
JIT = MODE == NUMBA
"""True if Numba compiles the sources in this process."""
MACHINE_CODE = MODE != PYTHON
"""True if doors are machine code, which is fast and takes arrays."""


def table(rows: Any, dtype: Any = np.int64) -> Any:
    """A constant table: an array for compiled rules, a memoryview of ints for interpreted ones."""
    array = np.array(rows, dtype=dtype)
    array.flags.writeable = False
    return array if JIT else memoryview(array)


def source_hash(folder: Path) -> str:
    """A hash of the sources that the doors of a folder contain and of the compiler versions."""
    import numba

    digest = hashlib.sha256()
    for path in sources_in(folder):
        digest.update(path.read_bytes())
    bounds = os.environ.get("NUMBA_BOUNDSCHECK", "")
    digest.update(f"{numba.__version__} {np.__version__} {sys.version} {bounds}".encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path | None:
    """The cache folder of this package; None if the user has no home folder."""
    given = os.environ.get("CATAN_ENV_CACHE") or os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(given) if given else Path.home() / ".cache") / PACKAGE
    except RuntimeError:  # no home folder
        return None


def is_writable(folder: Path) -> bool:
    """True if files can be written into a folder, which is created if necessary."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def marker(folder: Path, name: str) -> Path:
    """The file that marks the doors of that name as compiled into a folder."""
    return folder / f"{name}.compiled"


if JIT:
    from numba.core.caching import CacheImpl, FunctionCache, _CacheLocator
    from numba.core.runtime import rtsys

    from catan_env.kernel.parts import Door, Inlined, Part

    @cache
    def cache_folder(folder: Path) -> Path | None:
        """The cache of the machine code of the doors in `folder`; None if there is none.

        A read-only cache is used if it is not empty, as for an agent in a sandbox.
        """
        root = cache_root()
        if root is None:
            return None
        cached = root / f"{folder.name}-{source_hash(folder)}"
        return cached if is_writable(cached) or any(cached.glob("*.compiled")) else None

    class FolderCacheLocator(_CacheLocator):  # type: ignore[misc]
        """Makes Numba cache the machine code of each folder's doors under its sources' hash."""

        def __init__(self, py_func: Any, cached: Path) -> None:
            self._line, self._cached = py_func.__code__.co_firstlineno, cached

        def get_cache_path(self) -> str:
            return str(self._cached)

        def get_source_stamp(self) -> str:
            return self._cached.name

        def get_disambiguator(self) -> str:
            return str(self._line)

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> "FolderCacheLocator | None":
            folder = Path(py_file).parent
            cached = cache_folder(folder) if folder in HAVE_DOORS else None
            return None if cached is None else cls(py_func, cached)

    class DoorCache(FunctionCache):  # type: ignore[misc]
        """Loads machine code without Numba's tables for compiling, which take 0.15 s."""

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            rtsys.initialize(target_context)
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)

    HAVE_DOORS: set[Path] = set()

    CacheImpl._locator_classes.insert(0, FolderCacheLocator)

    def inline(function: Callable[..., Any]) -> Any:
        """Compile a function into each of its callers."""
        return Inlined(function)

    def compiled(function: Callable[..., Any]) -> Any:
        """Compile a function that other compiled functions call, too long to be inlined."""
        return Part(function)

    def door(function: Callable[..., Any]) -> Any:
        """Compile a function that Python calls, and cache its machine code on disk."""
        folder = Path(function.__code__.co_filename).parent
        HAVE_DOORS.add(folder)
        dispatcher = Door(function)
        if cache_folder(folder) is not None:
            dispatcher._cache = DoorCache(function)
        return dispatcher

else:

    def inline(function: Callable[..., Any]) -> Any:
        """Return the function as it is."""
        return function

    @cache
    def cache_folder(folder: Path) -> Path | None:
        """None, since nothing is compiled."""
        return None

    compiled = inline

    def door(function: Callable[..., Any]) -> Any:
        """The machine code of a function that Python calls, or the function as it is."""
        if MODE == PYTHON:
            return function
        found = getattr(LIBRARY, symbol_of(f"{function.__module__}.{function.__name__}"), None)
        return found if found is not None else interpreted(function)

    def interpreted(function: Callable[..., Any]) -> Any:
        """A door that is not in the extension, run as Python with the same arguments."""
        name = f"{function.__module__}.{function.__name__}"

        @wraps(function)
        def call(*given: Any) -> Any:
            if name not in _noticed:
                _noticed.add(name)
                print(f"{name} runs as Python: {ENGINE_HINT}", file=sys.stderr)
            return function(*(BY_FIELD[0](a) if is_blocks(a) else a for a in given))

        return call

    def is_blocks(value: Any) -> bool:
        """True for an array of records."""
        return isinstance(value, np.ndarray) and value.dtype.names is not None

    BY_FIELD: list[Callable[[Any], Any]] = []
    """Converts an array of records for Python code; set by `memory`, which imports this module."""
    _noticed: set[str] = set()
    ENGINE_HINT = "CATAN_ENV_ENGINE=jit compiles it"


RENAMED = {"rule": "inline", "part": "compiled", "kept_in": "cache_folder"}


def __getattr__(name: str) -> Any:
    """A function by its old name, with a warning."""
    if name not in RENAMED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"{name} is now {RENAMED[name]}", DeprecationWarning, stacklevel=2)
    return globals()[RENAMED[name]]
