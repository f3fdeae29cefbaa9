"""Ahead-of-time compilation: calls each entry point of a game once, which fills the cache."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from catan_env.kernel.jit import JIT, cache_folder, marker

if JIT:
    from numba.core.event import Listener, install_listener
else:
    Listener = object

DURATION = "once per version; it takes minutes on a slow core"

_ready: set[tuple[Path, str]] = set()


def ensure_compiled(name: str, open_doors: Callable[[], None], folder: Path) -> None:
    """Compile the doors called `name` in `folder` by calling `open_doors`, once per machine.

    It prints a line to standard error. One process compiles while the others wait.
    """
    if (folder, name) in _ready or not JIT:
        return
    _ready.add((folder, name))
    cached = cache_folder(folder)
    if cached is None:
        print(f"compiling the {name} engine: no cache folder is writable", file=sys.stderr)
        return
    done = marker(cached, name)
    if done.exists():
        return
    with _only_one_process(cached / "lock", name):
        if not done.exists():
            print(f"compiling the {name} engine, {DURATION}", file=sys.stderr, flush=True)
            with install_listener("numba:compile", DoorsShown(sys.stderr)):
                open_doors()
            done.touch()


class DoorsShown(Listener):
    """Prints each door's name and compile time, but not those of the functions it calls."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = perf_counter) -> None:
        self._out, self._clock = out, clock
        self._begun: list[float] = []

    def on_start(self, event: Any) -> None:
        """Note the start of a compilation."""
        self._begun.append(self._clock())

    def on_end(self, event: Any) -> None:
        """Print a compilation that is not part of another one."""
        seconds = self._clock() - self._begun.pop()
        if not self._begun:
            name = event.data["dispatcher"].py_func.__name__
            print(f"  {name}: {seconds:.1f} s", file=self._out, flush=True)


@contextlib.contextmanager
def _only_one_process(path: Path, name: str) -> Iterator[None]:
    """Hold the lock at `path`; a process that has to wait for it prints a line."""
    try:
        import fcntl
    except ImportError:  # no such lock here: two processes both compile, which is harmless
        yield
        return
    with open(path, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting = f"waiting for another process that is compiling the {name} engine"
            print(waiting, file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
