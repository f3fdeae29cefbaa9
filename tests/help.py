"""The faults that the help of any command may have."""

import argparse
from collections.abc import Iterator


def unexplained(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The faults of a parser's help: arguments without a text, or with a default that is hidden.

    A default is written as "default: 3".
    """
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction | argparse._HelpAction):
            continue
        name, text = "/".join(action.option_strings) or action.dest, action.help
        text = text and text.replace("%(default)s", str(action.default))
        if text == argparse.SUPPRESS:
            continue
        if not text:
            yield f"{name} has no help"
        elif has_default(action) and "default: " not in text:
            yield f"{name} does not say its default, {action.default}: {text}"
        elif "default" in text.replace("default: ", "").replace("default port: ", ""):
            yield f"{name} writes its default otherwise: {text}"


def has_default(action: argparse.Action) -> bool:
    """True if an argument that is not given has a value that a reader may want to know."""
    return action.nargs != 0 and action.default not in (None, "", [], argparse.SUPPRESS)
