"""How arguments are read: what is wrong with them is one line."""

import argparse
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from catan_env.cli.ending import BAD_INPUT

PREDICTABLE = "--seed: agents that know or guess the seed can predict every die and card"


class Parser(argparse.ArgumentParser):
    """Ends with one line for what it cannot read, and shows descriptions as they are written."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)

    def error(self, message: str) -> NoReturn:
        """Print it and exit with status 2."""
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number of these, for `add_argument(type=...)`.

    >>> whole(1)("12")
    12
    """
    allowed = f"{least} or more" if most is None else f"{least}..{most}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise _refused(text, f"whole numbers, {allowed}") from None
        if number < least or (most is not None and number > most):
            raise _refused(text, allowed)
        return number

    return read


def seconds(text: str) -> float:
    """Seconds, 0 or more, for `add_argument(type=...)`."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise _refused(text, "0 or more")
    return number


def _refused(text: str, allowed: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"{text!r}; allowed are {allowed}")
