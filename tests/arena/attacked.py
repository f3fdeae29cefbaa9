"""Agents that attack, held as the server holds them.

Run by itself it lets one fork unseen: `python -m tests.arena.attacked`. It needs nothing but the
standard library, so that a user who cannot read this one's environment can run it, too.
"""

import os
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

from catan_env.arena.sandbox import Agent, Limits, Sandbox

ATTACKS = Path(__file__).with_name("attacks.py")
PORT = 4


def named(word: object) -> str:
    """An argument of the attack."""
    return f"@{word}" if isinstance(word, Path) else str(word)


class Attack:
    """An agent that attacks, and what it printed."""

    def __init__(self, sandbox: Sandbox, folder: Path, *words: object, limits: Limits) -> None:
        self.out, err = folder / "agent.out", folder / "agent.err"
        command = [sys.executable, "-I", "-S", str(ATTACKS), *map(named, words)]
        self.agent: Agent = sandbox.start(command, PORT, limits, self.out, err, 0)

    def reason(self, within: float = 20) -> str:
        """What its lifeline says."""
        assert select.select([self.agent.lifeline], [], [], within)[0]
        return os.read(self.agent.lifeline, 1024).decode().strip()

    def said(self) -> list[str]:
        """The lines that it printed, once it has ended."""
        self.reason()
        self.agent.close()
        return self.out.read_text().splitlines()


def fork_unseen() -> None:
    """Print what an agent says that forks while nobody looks, and why it is gone in the end."""
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(Sandbox("strict"), Path(folder), "forks_quickly", limits=Limits(1, 256))
        attack.agent.begin()
        time.sleep(0.5)
        os.kill(attack.agent.keeper, signal.SIGSTOP)
        time.sleep(2)
        print(attack.out.read_text())
        os.kill(attack.agent.keeper, signal.SIGCONT)
        print(attack.reason())
        attack.agent.close()


if __name__ == "__main__":
    fork_unseen()
