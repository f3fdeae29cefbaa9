"""What the commands that learn have in common: a configuration, threads, and how they are typed."""

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch


def parser_of(name: str, about: str | None) -> ArgumentParser:
    """For `python -m catan_env.training.NAME CONFIG`, with `--threads`; `about` is its help."""
    parser = ArgumentParser(
        prog=f"python -m catan_env.training.{name}",
        description=about,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("config", type=Path, help="TOML; some lie in training/configs")
    parser.add_argument("--threads", type=int, default=1, help="of torch (default 1)")
    return parser


def parsed(parser: ArgumentParser, given: Sequence[str] | None) -> Namespace:
    """What was given, or typed where nothing is; torch takes that many threads from now on."""
    wanted = parser.parse_args(given)
    torch.set_num_threads(wanted.threads)
    return wanted


@contextmanager
def ends_in_one_line(parser: ArgumentParser) -> Iterator[None]:
    """What is wrong with a configuration, a file or a folder ends the command with a line."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise SystemExit(f"{parser.prog}: {error}") from None


def as_typed(parser: ArgumentParser, given: Sequence[str] | None) -> str:
    """The command as a card shows it."""
    return " ".join([parser.prog, *(sys.argv[1:] if given is None else given)])
