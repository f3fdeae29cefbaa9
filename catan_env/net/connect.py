"""Connecting to a server that may not be up yet."""

import socket
import sys
import time
from collections.abc import Callable

WAIT = 60.0
"""Seconds for which agents try to reach a server; a default of the command line."""
PAUSE = 0.5
"""Seconds between two attempts."""
ATTEMPT = 10.0
"""Time limit of one attempt, in seconds."""


def connect(
    host: str,
    port: int,
    wait: float = WAIT,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> socket.socket:
    """Return a connection that sends small messages immediately.

    If the server cannot be reached, retry for `wait` seconds; this is printed once. Raise
    ValueError after that, or immediately if the host name does not exist.
    """
    until = clock() + wait
    is_first = True
    while True:
        try:
            return attempt(host, port)
        except socket.gaierror as error:
            raise ValueError(f"cannot connect to {host} {port}: {error.strerror}") from None
        except OSError as error:
            reason = error.strerror or str(error)
        if clock() >= until:
            raise ValueError(
                f"cannot connect to {host} {port}: {reason}; is a server running there?"
            )
        if is_first:
            print(f"{host} {port}: {reason}; trying for {wait:g} s", file=sys.stderr, flush=True)
        is_first = False
        sleep(min(PAUSE, max(until - clock(), 0.0)))


def attempt(host: str, port: int) -> socket.socket:
    """Return a connection that sends small messages immediately; raise OSError if it fails."""
    wire = socket.create_connection((host, port), timeout=ATTEMPT)
    wire.settimeout(None)
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return wire
