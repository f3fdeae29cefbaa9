"""Compiling ahead of time: each entry point of a game called once, which fills the cache."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from catan_env.kernel.jit import JIT, kept_in, marker

if JIT:
    from numba.core.event import Listener, install_listener
else:
    Listener = object

DURATION = "once for each version of it; a slow core takes minutes"

_ready: set[tuple[Path, str]] = set()


def ensure_compiled(name: str, open_doors: Callable[[], None], folder: Path) -> None:
    """Compile the doors of that name in `folder`, each called by `open_doors`, once a machine.

    With a line on standard error, and by one process while others wait.
    """
    if (folder, name) in _ready or not JIT:
        return
    _ready.add((folder, name))
    kept = kept_in(folder)
    if kept is None:
        print(f"compiling the {name} engine: no cache folder can be written", file=sys.stderr)
        return
    done = marker(kept, name)
    if done.exists():
        return
    with _only_one_process(kept / "lock", name):
        if not done.exists():
            print(f"compiling the {name} engine, {DURATION}", file=sys.stderr, flush=True)
            with install_listener("numba:compile", DoorsShown(sys.stderr)):
                open_doors()
            done.touch()


class DoorsShown(Listener):
    """Writes each door's name and its seconds when it has been compiled, not what it calls."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = perf_counter) -> None:
        self._out, self._clock = out, clock
        self._begun: list[float] = []

    def on_start(self, event: Any) -> None:
        """A function begins to be compiled."""
        self._begun.append(self._clock())

    def on_end(self, event: Any) -> None:
        """A function has been compiled, the ones that it calls before it."""
        seconds = self._clock() - self._begun.pop()
        if not self._begun:
            name = event.data["dispatcher"].py_func.__name__
            print(f"  {name}: {seconds:.1f} s", file=self._out, flush=True)


@contextlib.contextmanager
def _only_one_process(path: Path, name: str) -> Iterator[None]:
    """Hold the lock at `path`; a process that has to wait for it says so."""
    try:
        import fcntl
    except ImportError:  # no such lock on this system: two processes compile twice, harmlessly
        yield
        return
    with open(path, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting = f"another process compiles the {name} engine: waiting for it"
            print(waiting, file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
