"""The parser of the command line: an invalid argument gives one line."""

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from catan_env.cli.ending import BAD_INPUT

MOST_SECONDS = 1_000_000
MOST_IN_BEGIN = 2**32 - 1
"""The largest value that MSG_BEGIN can hold."""
PREDICTABLE = "--seed: agents that know or guess the seed can predict every die and card"


class Parser(argparse.ArgumentParser):
    """Reports an invalid argument in one line, and prints descriptions without rewrapping them."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with status 2."""
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def formerly(
    old: str, option: argparse.Action, parser: argparse.ArgumentParser, value: str | None = None
) -> None:
    """Accept an option's name of version 0.2.0, with a line on standard error giving the new one.

    With a `value` the old name was a flag, which gave the option that value.

    >>> parser = Parser(prog="catan-env match")
    >>> formerly("--jobs", parser.add_argument("--workers", type=int), parser)
    >>> parser.parse_args(["--jobs", "2"])
    Namespace(workers=2)
    """
    now = option.option_strings[0]
    parser.add_argument(
        old, dest=option.dest, type=option.type or str, metavar=option.metavar, action=OldName,
        choices=option.choices, nargs=None if value is None else 0, const=value,
        now=now if value is None else f"{now} {value}", help=argparse.SUPPRESS,
    )  # fmt: skip


class OldName(argparse.Action):
    """An option under its old name; `now` is the new one."""

    def __init__(self, *, now: str, **options: Any) -> None:
        super().__init__(**options)
        self._now = now

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
        option_string: str | None = None,
    ) -> None:  # fmt: skip
        """Store the value, and print the new name."""
        print(f"{parser.prog}: {option_string} is called {self._now} now", file=sys.stderr)
        setattr(namespace, self.dest, values if self.const is None else self.const)


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number in this range, for `add_argument(type=...)`.

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
    """Seconds, up to the longest that every clock can time, for `add_argument(type=...)`."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= MOST_SECONDS:
        raise _refused(text, f"0..{MOST_SECONDS}")
    return number


def player_name(text: str) -> str:
    """A player's name, which others see, for `add_argument(type=...)`."""
    if not text.isprintable() or not text.strip():
        raise _refused(text, "printable characters")
    return text


def check_chosen(where: str, options: Mapping[str, Any]) -> None:
    """Raise ValueError for an option that was given although it has an effect only `where`."""
    given = [name for name, value in options.items() if value is not None and value is not False]
    if given:
        raise ValueError(f"{', '.join(given)}: only {where}")


def _refused(text: str, allowed: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"{text!r}; allowed are {allowed}")
