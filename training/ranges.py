"""The allowed values of options, by their ranges and types."""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from math import inf
from typing import Any, NamedTuple


class Range(NamedTuple):
    """The allowed numbers of an option, both ends included."""

    least: float
    most: float = inf
    is_above: bool = False
    """True if `least` is not allowed itself."""

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int | float) or isinstance(number, bool):
            return False
        is_above = number > self.least if self.is_above else number >= self.least
        return is_above and number <= self.most and abs(number) < inf

    def __str__(self) -> str:
        if self.least == -inf:
            return "finite numbers"
        if self.most < inf and self.is_above:
            return f"numbers above {self.least:g}, up to {self.most:.10g}"
        if self.most < inf:
            return f"{self.least:g}..{self.most:.10g}"
        return f"numbers above {self.least:g}" if self.is_above else f"{self.least:g} or more"


COUNT, NOT_NEGATIVE, FRACTION = Range(1), Range(0), Range(0, 1)
POSITIVE, ANY = Range(0, is_above=True), Range(-inf)
SEED = Range(0, 2**31 - 1)
"""Programs make further seeds from one: NumPy's have 32 bits, those of games and torch 64."""
Ranges = Mapping[str, Range]
"""The allowed numbers by option."""


def in_ranges(names: Mapping[Range, str]) -> Ranges:
    """The ranges by option, from the options of each, separated by spaces."""
    return {name: allowed for allowed, listed in names.items() for name in listed.split()}


def check_values(kind: Any, given: Mapping[str, Any]) -> None:
    """Raise ValueError if a value is of another type than its field, or not in `kind.RANGES`."""
    for field in fields(kind):
        if field.name in given:
            default, allowed = default_of(field), kind.RANGES.get(field.name, ANY)
            if fault := fault_of(given[field.name], default, allowed):
                raise ValueError(f"{field.name} is {given[field.name]!r}; allowed are {fault}")


def fault_of(value: Any, default: Any, allowed: Range) -> str:
    """Return the values allowed instead of this one, by its option's default; "" if it is one."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "true and false"
    if isinstance(default, int | float):
        if value not in allowed:
            return str(allowed)
        is_whole = isinstance(value, int) or isinstance(default, float)
        return "" if is_whole else "whole numbers"
    if isinstance(default, list):
        return _fault_of_list(value, default)
    words = "names in quotes" if isinstance(default, str) else "tables: [section] or {name = value}"
    return "" if isinstance(value, type(default)) else words


def _fault_of_list(value: Any, default: list[Any]) -> str:
    """As `fault_of`, for an option that is a list of names, or of tables."""
    is_table = bool(default) and not isinstance(default[0], str)
    kind, words = (dict, "[[tables]]") if is_table else (str, "lists of names, such as ['random']")
    is_right = isinstance(value, list) and all(isinstance(one, kind) for one in value)
    return "" if is_right else words


def default_of(field: Field[Any]) -> Any:
    """The default of a dataclass's field."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def check_seed(seed: int) -> None:
    """Raise ValueError if it is not a seed of a program."""
    if seed not in SEED:
        raise ValueError(f"--seed is {seed}; allowed are {SEED}")


def check_counts(wanted: Namespace, *options: str) -> None:
    """ValueError if one of those options is below 1."""
    check_least(wanted, **dict.fromkeys(options, 1))


def check_least(wanted: Namespace, **least: int) -> None:
    """ValueError if one of those options is below its least."""
    for option, number in least.items():
        if getattr(wanted, option) < number:
            name = f"--{option.replace('_', '-')}"
            raise ValueError(f"{name} is {getattr(wanted, option)}; allowed are {number} or more")
