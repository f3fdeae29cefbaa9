"""The pages that are generated from the package: the command line's help, and module options."""

import argparse
import os
from collections.abc import Iterator

HEAD = """\
# Command line

Every command of `catan-env`, as `--help` prints it. In a checkout the program is
`.venv/bin/catan-env`, or `catan-env` once the environment is activated
([installation](../start/install.md)).
"""


def page() -> str:
    """The page's text, in Markdown."""
    os.environ["COLUMNS"] = "88"
    from catan_env.cli.command import COMMANDS, parser_for

    parts = [HEAD, _block(parser_for([]))]
    for name in COMMANDS:
        for title, parser in _with_actions(name, _command(parser_for([name]), name)):
            parts += [f"{'#' * (1 + len(title.split()))} {title}\n", _block(parser)]
    return "\n".join(parts)


def _command(parser: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """The parser of a command among those of its parent."""
    return dict(_children(parser))[name]


def _children(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _with_actions(
    title: str, parser: argparse.ArgumentParser
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield title, parser
    for name, child in _children(parser):
        yield from _with_actions(f"{title} {name}", child)


def _block(parser: argparse.ArgumentParser) -> str:
    return f"```text\n{parser.format_help().rstrip()}\n```\n"
