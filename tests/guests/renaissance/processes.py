"""Servers as processes, which can be killed, and agents as threads of this one."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.client import play

ATTEMPTS = 1500
ROOT = Path(__file__).resolve().parents[3]


class ServerProcess:
    """`catan-env renaissance serve` on a port that it keeps across restarts."""

    def __init__(self, database: str) -> None:
        self.database, self.port = database, 0
        self.process: subprocess.Popen[str]

    def start(self) -> str:
        """Start it; return the line that announces its address."""
        words = ["serve", "--port", str(self.port), "--database", self.database]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "catan_env", "renaissance", *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.port = int(line.split(";")[0].split()[-1])
        return line

    def kill(self) -> None:
        """Kill it as `kill -9` does."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def served(database: str) -> Iterator[ServerProcess]:
    """A server while the block runs."""
    server = ServerProcess(database)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def start_agents(port: int, agents: list[Agent]) -> list[threading.Thread]:
    """Run agents in separate threads; they reconnect when the connection breaks.

    They wait for a server to restart, which may take its time on a busy machine.
    """
    threads = [
        threading.Thread(target=play, args=("127.0.0.1", port, agent, ATTEMPTS), daemon=True)
        for agent in agents
    ]
    for thread in threads:
        thread.start()
    return threads
