"""The errors if catanatron, or its version 3.3, is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

COMMAND = "pip install git+https://github.com/bcollazo/catanatron"


@contextmanager
def needed_for(what: str) -> Iterator[None]:
    """Import catanatron; if that fails, ImportError with the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(f"{what} need catanatron: {COMMAND}", name=error.name) from None


def newer_needed_for(what: str, installed: str) -> ImportError:
    """The error for `what`, which the `installed` version lacks."""
    return ImportError(f"{what} needs catanatron 3.3 or later, not {installed}: {COMMAND}")
