"""An agent's processes under the limits of MSG_BEGIN, and under what the machine can enforce."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from catan_env.arena import bubblewrap, landlock, seccomp
from catan_env.machine import holds_agents, in_one_line, usable_processors
from catan_env.terminal import printable

KEEPER = Path(__file__).with_name("keeper.py")
LONGEST_LINE = 200
"""Characters of an agent's output that are repeated on the server's screen."""
LONGEST_END = 8.0
"""Seconds after which a keeper that does not end its processes is killed."""
PR_SET_DUMPABLE = 4
LEVELS = ("strict", "limits", "none")


@dataclass(frozen=True)
class Limits:
    """The resources that an agent's processes may use in total; 0: no limit."""

    threads: int = 1
    memory: int = 512
    """MiB of address space."""


@dataclass(frozen=True)
class Sandbox:
    """The isolation of agents (docs/security.md); `private` paths are hidden from them.

    `strict` is separate namespaces by bubblewrap, `limits` the same counts without them, `none`
    only ends their processes with the game. They are started in `folder`, which they can
    read; without one in the working directory, which appears empty under `strict`.
    """

    level: str = "limits"
    private: tuple[Path, ...] = ()
    folder: Path | None = None
    grace: float = 1.0
    """Seconds in which an agent may exit by itself when its game is over."""

    def start(
        self,
        command: Sequence[str],
        port: int,
        limits: Limits,
        out: Path,
        err: Path,
        first: int,
        said: Mapping[str, str] | None = None,
    ) -> "Agent":
        """Start an agent that plays at `port`, on processors from number `first` onward.

        It receives the environment variables `said` in addition to those of this process. OSError
        if there is no folder, process or file for it.
        """
        is_strict, is_held = self.level == "strict", self.level != "none"
        scratch = tempfile.mkdtemp(prefix="catan-env-agent-") if self.level == "limits" else None
        variables = {**os.environ, **(said or {})}
        where = self.folder or Path.cwd()
        if is_strict:
            command = bubblewrap.wrapped(command, Path.cwd(), self.folder, self.private)
            variables = bubblewrap.environment(variables)
        elif scratch is not None:
            variables["TMPDIR"] = scratch
        spec = {
            "command": list(command),
            "threads": limits.threads if is_held else 0,
            "memory": limits.memory if is_held else 0,
            "processors": processors(limits.threads, first) if is_held else [],
            "stdout": str(out),
            "stderr": str(err),
            "is_wrapped": is_strict,
            "folder": scratch,
            "stores": bubblewrap.STORES if is_strict else (),
            "begins_in": str(where),
            "grace": self.grace,
            "port": port if is_held else 0,
            "environment": variables,
        }
        try:
            return Agent(spec, scratch)
        except OSError:
            if scratch is not None:
                os.rmdir(scratch)
            raise


def strongest() -> str:
    """The strictest level that this machine supports."""
    return "limits" if bubblewrap.why_not() else "strict"


def check_level(level: str) -> None:
    """Raise ValueError if this machine does not support the level."""
    if level not in LEVELS:
        raise ValueError(f"--sandbox is {level!r}; allowed are {', '.join(LEVELS)}")
    if level == "strict" and bubblewrap.why_not():
        raise ValueError(f"--sandbox strict: {bubblewrap.why_not()}")


def guard_memory() -> None:
    """Close this process's memory to others of the same user (no core file, no debugger)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def in_words(level: str) -> str:
    """A description of a level on this machine, in one line."""
    if level == "none":
        return "none: agents run as you do, without limits"
    if not holds_agents():
        return in_one_line()
    has = landlock.version()
    parts = ["namespaces by bubblewrap"] if level == "strict" else []
    parts += ["limits of threads, memory and files", "processors pinned"]
    if has:
        parts.append(f"Landlock version {has}")
    if seccomp.is_there():
        parts.append("seccomp")
    text = f"{level}: {', '.join(parts)}"
    if level == "limits" and has < 6:
        text += "; agents can reach other processes of this user"
    if os.geteuid() == 0:
        text += "; as root, whose files agents can read"
    return text


class Agent:
    """A command that runs under a separate keeper (see `arena.keeper`), Linux only.

    `lifeline` is the number of a file on which one line gives the reason that the agent is gone.
    """

    keepers: ClassVar[set[int]] = set()
    """The keepers of all agents that run, of this process."""

    def __init__(self, spec: dict[str, object], scratch: str | None) -> None:
        self._scratch = scratch
        self._keeper = subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._keeper.stdin is not None
        self._keeper.stdin.write(json.dumps(spec).encode() + b"\n")
        self._keeper.stdin.flush()
        self.keepers.add(self._keeper.pid)

    @property
    def lifeline(self) -> int:
        """The file to read."""
        assert self._keeper.stdout is not None
        return self._keeper.stdout.fileno()

    @property
    def keeper(self) -> int:
        """The process that is the ancestor of all the agent's processes."""
        return self._keeper.pid

    def begin(self) -> None:
        """Mark the start of the game: the limits of its processes apply from now on."""
        assert self._keeper.stdin is not None
        if self._keeper.stdin.closed:  # it was hung up before
            return
        try:
            self._keeper.stdin.write(b"b")
            self._keeper.stdin.flush()
        except BrokenPipeError:  # it is gone, and its lifeline gives the reason
            pass

    def hang_up(self) -> None:
        """Give the agent a moment to exit after its game, then end it. Does not wait."""
        assert self._keeper.stdin is not None
        try:
            self._keeper.stdin.close()
        except BrokenPipeError:
            pass
        self._keeper.send_signal(signal.SIGCONT)  # in case an agent has stopped it

    @property
    def is_gone(self) -> bool:
        """True if everything has ended."""
        return self._keeper.poll() is not None

    def close(self, within: float = LONGEST_END) -> None:
        """End everything in a bounded time, even if the keeper hangs; `within` in seconds."""
        self.hang_up()
        if not self._ends(within):
            self._keeper.kill()  # which kills the agent's first process and its namespaces
            self._ends(LONGEST_END)
        self.keepers.discard(self._keeper.pid)
        assert self._keeper.stdout is not None
        self._keeper.stdout.close()
        if self._scratch is not None:
            delete(self._scratch)

    def _ends(self, within: float) -> bool:
        """True if the keeper ends within that many seconds."""
        try:
            self._keeper.wait(max(0.0, within))
        except subprocess.TimeoutExpired:
            return False
        return True


def delete(folder: str) -> None:
    """Delete a folder of an agent, whatever its folders allow and however deep they are nested.

    `shutil.rmtree` leaves folders that cannot be listed, and fails at a thousand nested ones.
    """
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        subprocess.run([*command, "--", folder], stderr=subprocess.DEVNULL)
    if os.path.lexists(folder):
        print(f"an agent's files in {folder} cannot be deleted", file=sys.stderr, flush=True)


def processors(count: int, first: int) -> list[int]:
    """`count` of the processors that this process may use, from the `first` onward; [] for all."""
    usable = usable_processors()
    return [usable[(first + k) % len(usable)] for k in range(min(count, len(usable)))]


def check_command(command: list[str], folder: Path | None = None) -> None:
    """Raise ValueError for a command that does not exist, as seen from the agent's folder."""
    if not command:
        raise ValueError("an --agent command is empty")
    if folder is not None and "/" in command[0]:
        command = [str(folder / command[0])]
    if shutil.which(command[0]) is None:
        raise ValueError(f"no command {command[0]!r} to start an agent with: give its path")


def last_line(path: Path) -> str:
    """The last line of an agent's output, printable and shortened; '' if there is none."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4 * LONGEST_LINE))
        text = file.read().decode(errors="replace").rstrip()
    return printable(text.rpartition("\n")[2].strip(), LONGEST_LINE)
