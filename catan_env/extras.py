"""One-line ends of a program: a library that belongs to an extra is missing, or bad input."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catan_env.failure import PolicyError


class BadInput(SystemExit):
    """Ends a command with status 2, after one line on standard error."""

    def __init__(self, line: str) -> None:
        super().__init__(2)
        self.line = line
        print(line, file=sys.stderr)

    def __str__(self) -> str:
        return self.line


@contextmanager
def ends_in_one_line(program: str) -> Iterator[None]:
    """End a command with one line if an option, a file, a folder or a needed library is wrong.

    A policy whose own code fails adds the traceback of that code.
    """
    try:
        check_current_folder()
        yield
    except PolicyError as error:
        raise BadInput(f"{error.trace}{program}: {error}") from None
    except (OSError, ValueError, ImportError) as error:
        raise BadInput(f"{program}: {reason(error)}") from None


def check_current_folder() -> None:
    """Raise OSError if the current folder was removed; Python's own error does not name it."""
    try:
        os.getcwd()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "the current folder") from None


def reason(error: Exception) -> str:
    """Return the message of an error; a system error's has the file first, and no number.

    >>> reason(FileNotFoundError(2, "No such file or directory", "game.json"))
    'game.json: No such file or directory'
    """
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def missing(what: str, extra: str, error: ImportError) -> ImportError:
    """Return the error for `what`, which needs the library missing in `error`, part of `extra`.

    The extra is empty for a library that every installation needs.

    >>> str(missing("drawing pixels", "render", ImportError(name="resvg_py")))
    "drawing pixels needs resvg_py: pip install '.[render]' in a checkout of catan_env"
    """
    library = (error.name or "a library").partition(".")[0]
    message = f"{what} needs {library}: {command_for(extra)} in a checkout of catan_env"
    return ImportError(message, name=error.name)


def command_for(extra: str) -> str:
    """Return the command that installs an extra; the package is not on a package index.

    >>> command_for("")
    'pip install .'
    """
    return f"pip install '.[{extra}]'" if extra else "pip install ."


@contextmanager
def imported_for(program: str, extra: str) -> Iterator[None]:
    """Import the libraries of a program, `__file__`; exit with one line if one is missing.

    The exit status is 2; after Ctrl-C, since imports may take seconds, it is 130.
    """
    name = Path(program).name
    try:
        yield
    except ImportError as error:
        print(missing(name, extra, error), file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        raise SystemExit(130) from None
