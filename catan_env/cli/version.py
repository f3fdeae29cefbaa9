"""The option `--version`."""

import argparse
from collections.abc import Sequence
from typing import Any

import catan_env


class ShowVersion(argparse.Action):
    """Prints the version, and with `--verbose` the installation, and exits with status 0."""

    def __init__(self, *names: Any, arguments: Sequence[str], **options: Any) -> None:
        text = "show the version and exit"
        super().__init__(*names, nargs=0, help=text, **options)
        self._is_verbose = "--verbose" in arguments

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print it and exit."""
        if self._is_verbose:
            from catan_env.cli.installation import report

            print(report())
        else:
            print(f"catan-env {catan_env.__version__}")
        parser.exit()
