"""The option `--version`."""

import argparse
from collections.abc import Sequence
from typing import Any

import catan_env


class ShowVersion(argparse.Action):
    """Prints the version (with `--verbose` the installation) and exits with status 0."""

    def __init__(
        self, option_strings: Sequence[str], dest: str, arguments: Sequence[str], **_: Any
    ) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")
        self._is_verbose = "--verbose" in arguments

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version and exit."""
        if self._is_verbose:
            from catan_env.cli.installation import report

            print(report())
        else:
            print(f"catan-env {catan_env.__version__}")
        parser.exit()
