"""The command lines of agents: their words, their programs and their names."""

import re
import shlex
import sys
from pathlib import Path

INTERPRETER = re.compile(r"(python|pypy|node|java|ruby|perl|bash|sh|env|uv|run)[\d.]*")
SCRIPT = re.compile(r"\.(py|sh|jar|js|rb|pl)$")
OURS = "catan-env"
WAIT = "wait"
"""The command of a seat whose agent is started elsewhere."""


def words_of(command: str) -> list[str]:
    """A command's words, split as by a shell; ValueError if a quotation does not end.

    `catan-env` is the one installed next to this Python, whatever `PATH` contains.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"--agent {command!r}: {error}") from None
    return [program_of(words[0]), *words[1:]] if words else words


def program_of(word: str) -> str:
    """A command's program: ours by its path, if it is installed; others unchanged."""
    ours = Path(sys.executable).with_name(OURS)
    return str(ours) if word == OURS and ours.exists() else word


def name_of(command: str) -> str:
    """An agent's name derived from its command: its policy, or the program.

    >>> name_of("catan-env agent --policy nets/mine.npz --dialect auto"), name_of("./agent -j 1")
    ('mine', 'agent')
    """
    words = words_of(command)
    if "--policy" in words[:-1]:
        return Path(words[words.index("--policy") + 1]).name.removesuffix(".npz")
    names = [Path(word).name for word in words if not word.startswith("-")]
    programs = [name for name in names if not INTERPRETER.fullmatch(name)]
    return SCRIPT.sub("", (programs or names or [command])[0])
