"""Ctrl-C while a program is still being loaded."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""As in a shell: 128 plus the number of the signal."""


@contextmanager
def leaving_at_interrupt(is_program: bool) -> Iterator[None]:
    """In this block Ctrl-C ends the program with one line and status 130.

    An exception could be swallowed by the library being imported. If SIGINT is ignored or already
    handled, or the caller's program is not `catan-env`, nothing changes.
    """
    is_ours = (
        is_program
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not is_ours:
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(*_: object) -> None:
    sys.stdout.flush()
    os.write(2, b"catan-env: interrupted\n")
    os._exit(INTERRUPTED)
