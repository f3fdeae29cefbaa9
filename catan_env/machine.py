"""The machine: its processors and processes, and the features of Linux that others lack."""

import ctypes
import importlib.util
import os
import platform
import signal
import sys
from pathlib import Path
from threading import Thread
from typing import IO, Any

PR_SET_PDEATHSIG = 1
FEATURES = {
    "limits and isolation of agents' processes": "serve, match and league start none",
    "processor pinning": "games share all processors",
    "locks while compiling": "two processes may compile the same functions",
    "timers of processes": "a policy that thinks too long is not interrupted",
    "limits of open files": "a server accepts as many connections as it was configured for",
}
"""Features of Linux, each with the consequence where it is missing; everything else runs."""


def usable_processors() -> list[int]:
    """The numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def holds_agents() -> bool:
    """True where agents' processes can be started and held to their limits: on Linux."""
    return sys.platform == "linux" and hasattr(os, "fork") and Path("/proc/self").exists()


def missing() -> list[str]:
    """The features of `FEATURES` that this system lacks."""
    present = (
        holds_agents(),
        hasattr(os, "sched_setaffinity"),
        importlib.util.find_spec("fcntl") is not None,
        hasattr(signal, "SIGALRM"),
        importlib.util.find_spec("resource") is not None,
    )
    return [name for name, is_present in zip(FEATURES, present, strict=True) if not is_present]


def in_one_line() -> str:
    """The missing features with their consequences; '' if there are none."""
    lost = [f"{name} ({FEATURES[name]})" for name in missing()]
    return f"not on {platform.system()}: {'; '.join(lost)}" if lost else ""


def held_elsewhere(file: IO[Any]) -> bool:
    """Hold an open file until it is closed; True if another process holds it already.

    Where the system, or the file's, has no such locks, the file is not held by any.
    """
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # no such lock on this file system
        pass
    return False


def end_with_parent() -> None:
    """End this process, which multiprocessing started, when its parent is gone, however it ended.

    Ctrl-C, which a terminal sends to both, is left to the parent. Under Linux this process also
    ends with the thread of the parent that started it, and while machine code keeps Python's lock.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    from multiprocessing import parent_process  # imported already, where there is a parent

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def processor_name() -> str:
    """The model of the processor, or its kind where the system does not name it."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
