"""An agent's processes, held to the limits of MSG_BEGIN."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

KEEPER = Path(__file__).with_name("keeper.py")
LONGEST_LINE = 200
"""Characters of an agent's output that are repeated on the server's screen."""


@dataclass(frozen=True)
class Limits:
    """What an agent's processes may use together; 0 is no limit."""

    threads: int = 1
    memory: int = 512
    """MiB of address space."""


class Sandbox:
    """A command that runs under a keeper of its own (see `arena.keeper`), Linux only.

    `lifeline` is the number of a file on which one line says why the agent is gone; `close` ends
    the agent and everything it has started.
    """

    def __init__(
        self, command: list[str], limits: Limits, stdout: Path, stderr: Path, first_processor: int
    ) -> None:
        spec = {
            "command": command,
            "threads": limits.threads,
            "memory": limits.memory,
            "processors": processors(limits.threads, first_processor),
            "stdout": str(stdout),
            "stderr": str(stderr),
        }
        self._keeper = subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER), json.dumps(spec)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    @property
    def lifeline(self) -> int:
        """The file to read."""
        assert self._keeper.stdout is not None
        return self._keeper.stdout.fileno()

    def hang_up(self) -> None:
        """Ask the keeper to end everything; returns at once."""
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()

    def close(self) -> None:
        """End everything, and wait until it has ended."""
        self.hang_up()
        self._keeper.wait()
        assert self._keeper.stdout is not None
        self._keeper.stdout.close()


def processors(count: int, first: int) -> list[int]:
    """`count` of the processors that this process may use, from the `first` onward; [] for all."""
    usable = sorted(os.sched_getaffinity(0))
    return [usable[(first + k) % len(usable)] for k in range(min(count, len(usable)))]


def check_command(command: list[str]) -> None:
    """Raise ValueError for a command that does not exist."""
    if not command:
        raise ValueError("an --agent command is empty")
    if shutil.which(command[0]) is None:
        raise ValueError(f"no command {command[0]!r} to start an agent with: give its path")


def last_line(path: Path) -> str:
    """The last line of an agent's output as one may print it, shortened; '' where there is none."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4 * LONGEST_LINE))
        text = file.read().decode(errors="replace").rstrip()
    line = text.rpartition("\n")[2].strip()
    return "".join(sign if sign.isprintable() else "?" for sign in line[:LONGEST_LINE])
