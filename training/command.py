"""What the commands that learn have in common: a configuration, threads, and how they are typed."""

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
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


def as_typed(parser: ArgumentParser, given: Sequence[str] | None) -> str:
    """The command as a card shows it."""
    return " ".join([parser.prog, *(sys.argv[1:] if given is None else given)])
