"""Keeps one agent's processes to their limits, and lets none of them outlive it.

Run as a program of its own, with nothing but the standard library:

    python keeper.py '{"command": [...], "memory": 512, "threads": 1, ...}'

It starts the command as its child and becomes the parent of whatever that leaves behind (a
subreaper, Linux). On standard output it writes one line, why the agent is gone: it exited, or it
exceeded a limit and was killed. It ends, with all processes below it, when that happens or when
its standard input is closed, which is also what happens when whoever started it dies.
"""

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any

LOOK_EVERY = 0.05
"""Seconds between two looks at the processes."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
MEBIBYTE = 1 << 20
MOST_OUTPUT = 64 * MEBIBYTE
"""Bytes that an agent may write to a file."""
NOT_FOUND = 127


def main(spec: dict[str, Any]) -> None:
    """Start the agent, watch it, say why it is gone."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wakes, woken = os.pipe()
    for end in (wakes, woken):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    agent = start(spec, libc)
    try:
        reason = watch(agent, spec, wakes)
    finally:
        kill_all()
    if reason:
        os.write(1, f"{reason}\n".encode())


def start(spec: dict[str, Any], libc: Any) -> int:
    """Fork the agent; returns its process id."""
    keeper = os.getpid()
    agent = os.fork()
    if agent:
        return agent
    try:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() == keeper:
            become(spec)
    except OSError as error:
        os.write(2, f"{spec['command'][0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_FOUND)


def become(spec: dict[str, Any]) -> None:
    """Turn this process into the agent."""
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, MOST_OUTPUT)
    if spec["memory"]:
        limit(resource.RLIMIT_AS, spec["memory"] * MEBIBYTE)
    if spec["processors"]:
        os.sched_setaffinity(0, spec["processors"])
    for target, path in ((1, spec["stdout"]), (2, spec["stderr"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644), target)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.closerange(3, 256)
    os.execvp(spec["command"][0], spec["command"])


def limit(kind: int, most: int) -> None:
    """Lower a limit of this process, for good."""
    resource.setrlimit(kind, (most, most))


def watch(agent: int, spec: dict[str, Any], wakes: int) -> str:
    """Look at the processes again and again; why the agent is gone, '' when nobody asks."""
    while True:
        ready, _, _ = select.select([0, wakes], [], [], LOOK_EVERY)
        if 0 in ready and not os.read(0, 64):
            return ""
        if wakes in ready:
            os.read(wakes, 64)
        status = reap(agent)
        if status is not None:
            return say(status)
        excess = exceeded(spec)
        if excess:
            return excess


def reap(agent: int) -> int | None:
    """Take note of the dead; the agent's own wait status when it is among them."""
    status = None
    while True:
        try:
            dead, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if not dead:
            return status
        if dead == agent:
            status = how


def say(status: int) -> str:
    """A wait status in words."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return f"its process was killed by {signal.Signals(-code).name}"
    return f"its process exited with status {code}"


def exceeded(spec: dict[str, Any]) -> str:
    """Which limit the processes exceed, '' for none."""
    threads, memory = 0, 0
    for process in descendants():
        more = threads_of(process)
        threads += more
        memory += address_space_of(process) if more else 0
    if spec["threads"] and threads > spec["threads"]:
        return f"it ran {threads} threads; allowed are {spec['threads']}"
    if spec["memory"] and memory > spec["memory"] * MEBIBYTE:
        return f"its processes hold {memory >> 20} MiB; allowed are {spec['memory']}"
    return ""


def descendants() -> list[int]:
    """The processes below this one."""
    found, new = [], [os.getpid()]
    while new:
        new = [child for process in new for child in children_of(process)]
        found += new
    return found


def children_of(process: int) -> list[int]:
    """The children of all threads of a process."""
    children: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                children += map(int, file.read().split())
    except OSError:  # it is gone
        pass
    return children


def threads_of(process: int) -> int:
    """How many threads a process runs; 0 when it is dead."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0
    return 0 if fields[0] in "ZX" else int(fields[17])


def address_space_of(process: int) -> int:
    """The size of a process's address space in bytes."""
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def kill_all() -> None:
    """Stop what runs below, so that it forks no more, then kill it, until nothing is left."""
    signals = (signal.SIGSTOP, signal.SIGKILL)
    while processes := descendants():
        for number in signals:
            for process in processes:
                send(process, number)
        reap(-1)
        time.sleep(0.001)


def send(process: int, number: int) -> None:
    """A signal to a process that may be gone."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
