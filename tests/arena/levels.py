"""The levels of the sandbox, and the users, that tests are for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_env.arena import bubblewrap

NOBODY = 65534
ROOT = Path(__file__).parents[2]
strict = pytest.mark.skipif(bool(bubblewrap.why_not()), reason="bubblewrap does not run here")
HELD = [pytest.param("strict", marks=strict), "limits"]


def unprivileged() -> tuple[str, int] | None:
    """A Python that runs these files, and a user whose processes the kernel limits."""
    if os.getuid():
        return sys.executable, os.getuid()
    probe = ["-c", "import tests.arena.attacked"]
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            subprocess.run([python, *probe], cwd=ROOT, user=NOBODY, group=NOBODY, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        return python, NOBODY
    return None
