"""The least numbers that options of commands may have."""

from argparse import Namespace


def check_counts(wanted: Namespace, *options: str) -> None:
    """ValueError if one of those options is below 1."""
    check_least(wanted, **dict.fromkeys(options, 1))


def check_least(wanted: Namespace, **least: int) -> None:
    """ValueError if one of those options is below its least."""
    for option, number in least.items():
        if getattr(wanted, option) < number:
            name = f"--{option.replace('_', '-')}"
            raise ValueError(f"{name} is {getattr(wanted, option)}; allowed are {number} or more")
