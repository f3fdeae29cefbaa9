"""A server with one agent of its own, whose other seat is open."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def server_that_waits(
    agent: str, *options: str
) -> Iterator[tuple["subprocess.Popen[str]", str, str]]:
    """The server, and the host and port where seat 1 can be taken."""
    command = [sys.executable, "-m", "catan_env", "serve", "--agent", agent, "--agent", "wait"]
    server = subprocess.Popen(
        [*command, "--max-turns", "4", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None and server.stdout is not None
    with server, server.stderr, server.stdout:
        line = next(line for line in server.stderr if line.startswith("seat 1 waits"))
        host, port = line.split()[-2:]
        yield server, host, port
