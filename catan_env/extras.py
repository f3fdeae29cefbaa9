"""The error for a library that is not installed and belongs to an extra."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def missing(what: str, extra: str, error: ImportError) -> ImportError:
    """The error to raise: `what` needs what `error` could not import, which `extra` brings.

    >>> str(missing("drawing pixels", "render", ImportError(name="resvg_py")))
    "drawing pixels needs resvg_py: pip install '.[render]' in a checkout of catan_env"
    """
    library = (error.name or "a library").partition(".")[0]
    said = f"{what} needs {library}: {command_for(extra)} in a checkout of catan_env"
    return ImportError(said, name=error.name)


def command_for(extra: str) -> str:
    """The command that installs an extra; the package is in no index."""
    return f"pip install '.[{extra}]'"


@contextmanager
def imported_for(program: str, extra: str) -> Iterator[None]:
    """Imports of a program of ours, `__file__`: it ends with one line if one is missing.

    The exit status is 2; after Ctrl-C, which an import may take seconds for, it is 130.
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
