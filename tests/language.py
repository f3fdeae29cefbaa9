"""The English of docstrings, comments, messages and pages: patterns that a machine can find.

Each pattern is a habit of a text that was thought in another language. `faults` finds them; the
few sentences in which one is right are in `ALLOWED`.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ASKS = r"(?:What|Whether|How|Who|Whom|Whose|Whoever|Whatever)\b"
QUESTION = re.compile(rf"{ASKS}(?!.*\?)")
"""How no docstring opens: it states what it describes."""
QUOTED = re.compile(rf"['\"]{ASKS}")
"""Where a docstring may open so; the others need not be parsed."""

PATTERNS = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "nobody, somebody, whoever: name the seat, the client, the caller": (
            r"(?-i:(?!NOBODY))\b(nobody|somebody|whoever|whomever|nobody's|somebody's)\b"
        ),
        "anew: again": r"\banew\b",
        "so many: N, that many": r"(?<!not )\bso many\b(?! (?:that|\w+ that))",
        "X is no Y: is not a Y": (
            r"(?<!there )\b(?:is|are|was|were) no "
            r"(?!longer|more|less|fewer|later|earlier|matter|\w+er than)"
        ),
        "gone on with, goes on: continue": r"\b(?:goes|gone|went) on\b(?! (?:top|a|the) )",
        "the own: its own": r"\bthe own\b",
        "told: sent, announced": r"\btold\b",
        "alike: equally, the same": r"\balike\b",
        "amid, at one stroke, takes leave, moreover": (
            r"\b(amid|at one stroke|tak(?:es|en|ing) (?:its )?leave|moreover)\b"
        ),
        "a line each: one per line": r"\ba (?:line|row|seat|process|file|word) each\b",
        "none such, no such thing there: if missing": r"\bnone such\b",
        "in words: as text": r"\bin words\b",
        "in place of: instead of": r"\bin place of\b",
        "learnt: learned (the name of a Hanabi policy stays)": r"\blearnt\b(?! \(two players)",
        "stands for is": r"\bstands? (?:there|here|written|beside|below|above|first|last)\b",
        "gladly": r"\bgladly\b",
        "as ever, as well as ever": r"\bas ever\b",
    }.items()
}
ANY = re.compile("|".join(f"(?:{one.pattern})" for one in PATTERNS.values()), re.IGNORECASE)
"""One of the patterns, in code or text; a line without it need not be read as Python."""


class Fault(NamedTuple):
    """A place whose English is to be changed."""

    path: Path
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.text}"


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The docstrings of a module, its classes and functions, and those below attributes."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for child in body if isinstance(body, list) else ():
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                if isinstance(child.value.value, str):
                    yield child.lineno, child.value.value


# An f-string is one token before Python 3.12, and from then on its parts are.
STRINGS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def sentences_of_python(source: str) -> Iterator[tuple[int, str]]:
    """Docstrings, comments and strings of several words, with their first lines' numbers."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
        elif token.type in STRINGS and " " in token.string:
            for offset, line in enumerate(token.string.splitlines()):
                yield token.start[0] + offset, line


def sentences_of_markdown(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a page that are not code."""
    is_code = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield number, re.sub(r"`[^`]*`", "``", line)


def faults_in(path: Path, source: str) -> Iterator[Fault]:
    """What is to be changed in one file."""
    if path.suffix == ".py":
        for line, text in docstrings(ast.parse(source)) if QUOTED.search(source) else ():
            if QUESTION.match(text.split("\n")[0]):
                yield Fault(
                    path, line, "a docstring opens with a question word", text.split("\n")[0]
                )
        lines = sentences_of_python(source) if ANY.search(source) else iter(())
    else:
        lines = sentences_of_markdown(source)
    for line, text in lines:
        for rule, pattern in PATTERNS.items():
            if pattern.search(text):
                yield Fault(path, line, rule, text.strip())
