"""The results table at the end of a command that plays games."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from catan_env.arena.outcome import Outcome
from catan_env.arena.report import report


@contextmanager
def reported(names: Sequence[str], outcomes: Sequence[Outcome]) -> Iterator[None]:
    """Print the table of the outcomes after a block that adds them.

    If a file cannot be written, the table of the games before is printed, and the error passed on.
    """
    try:
        yield
    except OSError:
        if outcomes:
            print(report(names, outcomes), flush=True)
        raise
    print(report(names, outcomes))
