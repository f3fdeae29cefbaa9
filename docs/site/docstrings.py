"""Docstrings as reStructuredText: their text is plain, with `code`, lists and indented blocks."""

import re
from collections.abc import Iterator

BULLET = re.compile(r"(\s*)[-*] ")
QUOTED = re.compile(r"(`+)(.+?)\1")


def to_rst(lines: list[str]) -> list[str]:
    """The docstring with every sign that reStructuredText would interpret escaped."""
    out: list[str] = []
    for block in _blocks(lines):
        out += [*_rst(block), ""]
    return out


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """The paragraphs; blank lines between indented ones do not separate them."""
    block: list[str] = []
    blanks = 0
    for line in lines:
        if not line.strip():
            blanks += 1
            continue
        if block and blanks and not (_is_code(block) and _is_code([line])):
            yield block
            block, blanks = [], 0
        block += [""] * blanks + [line]
        blanks = 0
    if block:
        yield block


def _is_code(block: list[str]) -> bool:
    return block[0].startswith((" ", ">>>"))


def _rst(block: list[str]) -> list[str]:
    if _is_code(block):
        language = "pycon" if block[0].lstrip().startswith(">>>") else "text"
        return [f".. code-block:: {language}", "", *(f"   {line}" for line in block)]
    if any(BULLET.match(line) for line in block):
        return _list(block)
    return [_escaped(line) for line in block]


def _list(block: list[str]) -> list[str]:
    """Items, each with the lines that continue it."""
    out: list[str] = []
    for line in block:
        if BULLET.match(line):
            out += ["", "* " + _escaped(BULLET.sub("", line, count=1))]
        else:
            out.append(("  " if out and "*" in "".join(out) else "") + _escaped(line.strip()))
    return out


def _escaped(text: str) -> str:
    """A line with its `code` as literals and everything else as plain text."""
    parts = QUOTED.split(text)
    out = []
    for k in range(0, len(parts), 3):
        out.append(re.sub(r"([\\*_|`])", r"\\\1", parts[k]))
        if k + 2 < len(parts):
            out.append(f"\\ ``{parts[k + 2]}``\\ ")
    return "".join(out)
