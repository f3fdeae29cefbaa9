"""Running processes of this machine, found by a word of their command lines."""

import os
import time
from pathlib import Path


def running(marker: str) -> list[int]:
    """Processes with the marker in their command line."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                line = Path(f"/proc/{entry}/cmdline").read_bytes()
            except OSError:
                continue
            if marker.encode() in line:
                found.append(int(entry))
    return found


def all_gone(marker: str, within: float = 600.0) -> bool:
    """True if no such process is left within this time; those that must end sleep for an hour."""
    until = time.monotonic() + within
    while running(marker):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
