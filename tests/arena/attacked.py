"""Agents that attack, confined as the server confines them.

On its own it lets one fork unnoticed: `python -m tests.arena.attacked`. It needs only the standard
library, so that a user who cannot read the caller's environment can also run it.
"""

import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from catan_env.arena.keeper import HOLDERS, children_of, descendants
from catan_env.arena.sandbox import Agent, Limits, Sandbox

ATTACKS = Path(__file__).with_name("attacks.py")
PORT = 4
PATIENCE = 600.0
"""Seconds for events that are immediate on an idle machine."""


def named(word: object) -> str:
    """An argument of the attack."""
    return f"@{word}" if isinstance(word, Path) else str(word)


def wait_until(is_so: Callable[[], object]) -> None:
    """Poll until the condition holds; AssertionError after PATIENCE."""
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


class Attack:
    """An agent that attacks, and what it printed."""

    def __init__(self, sandbox: Sandbox, folder: Path, *words: object, limits: Limits) -> None:
        self.out, err = folder / "agent.out", folder / "agent.err"
        command = [sys.executable, "-I", "-S", str(ATTACKS), *map(named, words)]
        self.agent: Agent = sandbox.start(command, PORT, limits, self.out, err, 0)

    def reason(self) -> str:
        """The report on its lifeline."""
        assert select.select([self.agent.lifeline], [], [], PATIENCE)[0]
        return os.read(self.agent.lifeline, 1024).decode().strip()

    def has_printed(self, line: str) -> bool:
        """True if it has printed that by now."""
        return self.out.exists() and line in self.out.read_text().splitlines()

    @property
    def is_gone(self) -> bool:
        """True if its lifeline has a report."""
        return bool(select.select([self.agent.lifeline], [], [], 0)[0])

    def said(self) -> list[str]:
        """The lines that it printed, after its end."""
        self.reason()
        self.agent.close()
        return self.out.read_text().splitlines()


def fork_unseen() -> None:
    """Print the output of an agent that forks while unobserved, and the reason for its end."""
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(Sandbox("strict"), Path(folder), "forks_quickly", limits=Limits(1, 256))
        keeper = attack.agent.keeper
        attack.agent.begin()
        wait_until(lambda: attack.has_printed("ready"))
        (agent,) = (process for process in descendants(keeper) if not children_of(process))
        wait_until(lambda: resource.prlimit(agent, resource.RLIMIT_NPROC)[0] == 1 + HOLDERS)
        os.kill(keeper, signal.SIGSTOP)
        wait_until(lambda: is_stopped(keeper))
        os.kill(agent, signal.SIGUSR1)
        wait_until(lambda: attack.has_printed("done"))
        print(attack.out.read_text())
        os.kill(keeper, signal.SIGCONT)
        print(attack.reason())
        attack.agent.close()


def is_stopped(process: int) -> bool:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"


if __name__ == "__main__":
    fork_unseen()
