"""Enforces the limits of one agent's processes, and lets none of them outlive it.

Run as a separate program, with nothing but the standard library:

    python keeper.py

A line of JSON on standard input gives the command and its limits (`arena.sandbox` writes it). The
keeper starts the command as its child and becomes the parent of the orphans it leaves behind (a
subreaper, Linux). On standard output it writes one line, the reason that the agent is gone: it
exited, or it exceeded a limit and was killed. The limit of threads applies once a byte is read on
standard input after that; until then a wrapper may fork. The keeper ends, with all processes below
it, when the agent is gone, or a moment after its standard input is closed, which also happens when
its parent dies.
"""

import ctypes
import errno
import json
import os
import resource
import select
import signal
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

LOOK_EVERY = 0.05
"""Seconds between two checks of the processes."""
KILLING = 5.0
"""Seconds after which an unkillable process, such as one waiting for a broken disk, is left."""
MOST_AT_START = 64
"""Threads that a wrapper may run while it starts the agent."""
HOLDERS = 2
"""Processes of bubblewrap that are counted with an agent's."""
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
MEBIBYTE = 1 << 20
LASTING = 0.5
"""Seconds for which an agent may hold up to twice its memory."""
MOST_OUTPUT = 64 * MEBIBYTE
"""Bytes that an agent may write to a file, and to all files of its folder."""
MOST_FILES = 10_000
"""Files and folders that an agent may store; each takes memory even if it is empty."""
MOST_NESTED = 64
"""Folders within each other that an agent may store; the check holds each of them open."""
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
NOT_FOUND = 127


def main(spec: dict[str, Any]) -> None:
    """Start the agent, watch it, and report the reason for its end."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # its memory is closed to processes of the same user
    wakes, woken = os.pipe()
    for end in (wakes, woken):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    agent = start(spec, libc)
    try:
        reason = Watch(agent, spec, wakes).until_gone()
        if reason:  # before the connections of its processes end, which would say less
            os.write(1, f"{reason}\n".encode())
    finally:
        kill_all()


def read_spec() -> dict[str, Any]:
    """The first line of standard input, without reading any byte after it."""
    line = bytearray()
    while not line.endswith(b"\n"):
        line += os.read(0, 1) or b"\n"
    spec: dict[str, Any] = json.loads(line)
    return spec


def start(spec: dict[str, Any], libc: Any) -> int:
    """Fork the agent; returns its process id."""
    keeper = os.getpid()
    agent = os.fork()
    if agent:
        return agent
    try:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
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
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644), target)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.closerange(3, 256)
    os.chdir(spec["begins_in"])
    command = spec["command"]
    if spec["port"]:
        command = confined(command, spec)
    os.execvpe(command[0], command, spec["environment"])


def confined(command: list[str], spec: dict[str, Any]) -> list[str]:
    """Apply Landlock and seccomp to this process; the command, which a wrapper confines further.

    Their files are in the same folder as this one.
    """
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    landlock, seccomp = import_module("landlock"), import_module("seccomp")
    landlock.confine(spec["folder"], spec["port"])
    if not seccomp.is_there():
        return command
    if not spec["is_wrapped"]:
        seccomp.confine()
        return command
    program = seccomp.program()
    os.set_inheritable(program, True)
    return [command[0], "--seccomp", str(program), *command[1:]]


def limit(kind: int, most: int) -> None:
    """Lower a limit of this process permanently."""
    resource.setrlimit(kind, (most, most))


class Watch:
    """Checks an agent's processes at intervals."""

    def __init__(self, agent: int, spec: dict[str, Any], wakes: int) -> None:
        self._agent = agent
        self._spec = spec
        self._wakes = wakes
        self._most_threads = max(spec["threads"], MOST_AT_START) if spec["threads"] else 0
        self._overuse = Overuse(spec["memory"] * MEBIBYTE)
        self._until: float | None = None

    def until_gone(self) -> str:
        """The reason that the agent is gone; '' if its standard input was closed."""
        while True:
            self._wait()
            status = reap(self._agent)
            if status is not None:
                return "" if self._until else say(status)
            excess = self._exceeded()
            if excess:
                return excess
            if self._until and time.monotonic() > self._until:
                return ""

    def _wait(self) -> None:
        """Wait for input, or for the time of the next check."""
        heard = [self._wakes] if self._until else [0, self._wakes]
        ready, _, _ = select.select(heard, [], [], LOOK_EVERY)
        if self._wakes in ready:
            os.read(self._wakes, 64)
        if 0 in ready:
            if os.read(0, 64):
                self._most_threads = self._spec["threads"]
            else:
                self._until = time.monotonic() + self._spec["grace"]

    def _exceeded(self) -> str:
        """The limit that the processes exceed; '' for none."""
        threads, memory = 0, 0
        for process in self._processes():
            more = threads_of(process)
            threads += more
            memory += address_space_of(process) if more else 0
            pin(process, self._spec["processors"])
            if self._spec["is_wrapped"] and self._most_threads:
                bound_forks(process, self._most_threads + HOLDERS)
        if self._most_threads and threads > self._most_threads:
            return f"it ran {threads} threads; allowed are {self._spec['threads']}"
        if self._overuse.counts(memory, time.monotonic()):
            return f"its processes hold {memory >> 20} MiB; allowed are {self._spec['memory']}"
        excess = stored_in_excess(self._spec["folder"]) if self._spec["folder"] else ""
        if excess:
            return excess
        files = self._files()
        if files > MOST_FILES:
            return f"it stores {files} files; allowed are {MOST_FILES}"
        return ""

    def _files(self) -> int:
        """The number of files in the folders of its namespaces that the agent can write to."""
        holder = next(iter(children_of(self._agent)), None)
        if not self._spec["stores"] or holder is None:
            return 0
        return sum(files_in(folder, holder) for folder in self._spec["stores"])

    def _processes(self) -> list[int]:
        """The agent's processes, without those that hold its namespaces."""
        every = descendants()
        if not self._spec["is_wrapped"]:
            return every
        holders = {self._agent, *children_of(self._agent)}
        return [process for process in every if process not in holders]


class Overuse:
    """Memory beyond a limit of bytes, 0 for none; it counts once it lasts.

    A process that starts a program is found twice with the same address space, until the program
    begins. More than twice the limit counts immediately.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._since: float | None = None

    def counts(self, held: int, now: float) -> bool:
        """True if that much may not be held any longer."""
        if not self._most or held <= self._most:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        return held > 2 * self._most or now - self._since >= LASTING


def pin(process: int, processors: list[int]) -> None:
    """Move a process's threads back to their processors."""
    if not processors:
        return
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            if os.sched_getaffinity(int(thread)) != set(processors):
                os.sched_setaffinity(int(thread), processors)
    except OSError:  # it is gone
        pass


def bound_forks(process: int, most: int) -> None:
    """Limit a process's forks by its user's processes, if the namespace counts them separately."""
    try:
        resource.prlimit(process, resource.RLIMIT_NPROC, (most, most))
    except (OSError, ValueError):  # it is gone, or has lowered its own limit
        pass


def stored_in_excess(folder: str) -> str:
    """The reason why a folder contains more than an agent may store; '' if it does not."""
    size = count = 0
    try:
        for status in stored_below(os.open(folder, FOLDER)):
            size += status.st_blocks * 512
            count += 1
            if size > MOST_OUTPUT or count > MOST_FILES:
                return f"it stores more than {MOST_OUTPUT >> 20} MiB or {MOST_FILES} files"
    except OSError as error:  # what cannot be counted is not allowed
        return f"a folder that it made cannot be read: {error.strerror}"
    return ""


def stored_below(folder: int, nested: int = 0) -> Iterator[os.stat_result]:
    """Yield the status of everything below an open folder, which is closed at the end.

    OSError if a part cannot be read. Paths are not used: they may be longer than the kernel allows.
    """
    try:
        if nested > MOST_NESTED:
            raise OSError(errno.ELOOP, f"more than {MOST_NESTED} are nested")
        for name in os.listdir(folder):
            with suppress(FileNotFoundError, NotADirectoryError):  # it is gone, or is replaced
                status = os.lstat(name, dir_fd=folder)
                yield status
                if stat.S_ISDIR(status.st_mode):
                    yield from stored_below(os.open(name, FOLDER, dir_fd=folder), nested + 1)
    finally:
        os.close(folder)


def files_in(folder: str, process: int) -> int:
    """The number of files in a process's private folder; 0 if its folder is the host's.

    The folder is opened once, because a wrapper mounts while its files are counted.
    """
    try:
        host = os.stat(folder)
        inside = os.open(f"/proc/{process}/root{folder}", os.O_PATH | os.O_CLOEXEC)
        try:
            if os.fstat(inside).st_dev == host.st_dev:
                return 0
            usage = os.fstatvfs(inside)
        finally:
            os.close(inside)
    except OSError:  # there is no such folder, or the process is gone
        return 0
    return usage.f_files - usage.f_ffree


def reap(agent: int) -> int | None:
    """Reap the dead; returns the agent's own wait status if it is among them."""
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
    """A wait status as text."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return f"its process was killed by {name_of(-code)}"
    return f"its process exited with status {code}"


def name_of(number: int) -> str:
    """The name of a signal; most real-time signals have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def descendants(above: int | None = None) -> list[int]:
    """The processes below one, by default below this one."""
    found, new = [], [os.getpid() if above is None else above]
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
    """The number of threads of a process; 0 if it is dead."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0
    threads = int(fields[17])
    return 0 if fields[0] in "ZX" and threads <= 1 else threads


def address_space_of(process: int) -> int:
    """The size of a process's address space in bytes.

    It is that of any thread which has not ended; the first may have.
    """
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return 0
    return next(filter(None, (_address_space(process, thread) for thread in threads)), 0)


def _address_space(process: int, thread: str) -> int:
    try:
        with open(f"/proc/{process}/task/{thread}/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def kill_all() -> None:
    """Stop all descendants, so that they fork no more, then kill them until none is left."""
    signals = (signal.SIGSTOP, signal.SIGKILL)
    until = time.monotonic() + KILLING
    while (processes := descendants()) and time.monotonic() < until:
        for number in signals:
            for process in processes:
                send(process, number)
        reap(-1)
        time.sleep(0.001)


def send(process: int, number: int) -> None:
    """Send a signal to a process that may be gone."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


if __name__ == "__main__":
    main(read_spec())
