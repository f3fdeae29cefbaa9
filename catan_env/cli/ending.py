"""The end of a command: its exit status, and one line for an expected error."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from catan_env.cli.interrupt import INTERRUPTED
from catan_env.failure import PolicyError
from catan_env.terminal import printable

FAILED, BAD_INPUT = 1, 2
BROKEN_PIPE, TERMINATED = 141, 143
"""As in a shell: 128 plus the number of the signal."""


def ended(name: str, run: Callable[[], int]) -> int:
    """Run a command; returns the exit status, after printing a line if it failed."""
    try:
        status = run()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_output()
        return BROKEN_PIPE
    except PolicyError as error:
        print(f"{error.trace}{name}: {in_one_line(error)}", file=sys.stderr)
        return BAD_INPUT
    except (ValueError, ImportError, OSError) as error:
        print(f"{name}: {in_one_line(error)}", file=sys.stderr)
        return BAD_INPUT


def in_one_line(error: Exception) -> str:
    """The message of an error, without line breaks and control characters.

    >>> in_one_line(FileNotFoundError(2, "No such file or directory", "x.json"))
    'x.json: No such file or directory'
    """
    if isinstance(error, UnicodeEncodeError):
        sign = error.object[error.start]
        advice = "" if error.encoding.startswith("utf") else "; set PYTHONUTF8=1"
        return f"the output cannot be {error.encoding}: it contains {sign!a}{advice}"
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        return printable(f"{where}{error.strerror}")
    return printable(" ".join(str(error).split())) or type(error).__name__


def _let_go_of_output() -> None:
    """Discard the rest of the buffer: the reader has closed the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Ending:
    """The way in which an interruptible block ended."""

    status = 0
    """0, INTERRUPTED or TERMINATED."""


@contextmanager
def stoppable() -> Iterator[Ending]:
    """Ctrl-C or SIGTERM ends only the block, so that the results so far can be shown."""
    ending, status = Ending(), INTERRUPTED

    def terminate(*_: object) -> None:
        nonlocal status
        status = TERMINATED
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell sets it for `&`
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield ending
    except KeyboardInterrupt:
        ending.status = status
    finally:
        signal.signal(signal.SIGTERM, before)
