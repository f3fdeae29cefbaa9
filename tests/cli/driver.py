"""`python driver.py`: run lines of `catan-env` from standard input in one process.

It prints the outcome of each as JSON. The libraries in BLOCKED cannot be imported, as if they were
not installed. A line that has not ended after a minute ends with a TimeoutError.
"""

import io
import json
import os
import signal
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout

BLOCKED = frozenset(os.environ.get("BLOCKED", "").split())
PATIENCE = float(os.environ.get("PATIENCE", "60"))


class Blocker:
    """A finder before all others that hides the blocked libraries."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def too_late(*_):
    raise AssertionError(f"it still runs after {PATIENCE} seconds")


def run(line):
    """Status, standard output and standard error of one command; a traceback has no status."""
    from catan_env.cli import main

    out, err = io.StringIO(), io.StringIO()
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(line)
        except BaseException:
            status = None
            traceback.print_exc()
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"status": status, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    sys.meta_path.insert(0, Blocker())
    signal.signal(signal.SIGALRM, too_late)
    print(json.dumps([run(line) for line in json.load(sys.stdin)]))
