"""Ctrl-C while a program is still being loaded.

Imports as little as possible: until the handler is set, Ctrl-C ends in Python's traceback.
"""

import os
import signal
import sys

INTERRUPTED = 130
"""As in a shell: 128 plus the number of the signal."""


class LeavingAtInterrupt:
    """In this block Ctrl-C ends the program with one line and status 130.

    An exception could be swallowed by the library being imported. If SIGINT is ignored or already
    handled, or the caller's program is not `catan-env`, nothing changes.
    """

    def __init__(self, is_program: bool) -> None:
        self._is_ours = is_program and signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def __enter__(self) -> None:
        if self._is_ours:
            try:
                signal.signal(signal.SIGINT, _leave)
            except ValueError:  # not in the main thread
                self._is_ours = False

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(*_: object) -> None:
    sys.stdout.flush()
    os.write(2, b"catan-env: interrupted\n")
    os._exit(INTERRUPTED)
