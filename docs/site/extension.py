"""The Sphinx extension of the site: generated pages, pictures, links and docstrings."""

import re
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer

from docs.site import command_line, pictures
from docs.site.docstrings import to_rst

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def generate(app: Any) -> None:
    """Write the pages and pictures that come from the package."""
    source = Path(app.srcdir)
    _write(source / "reference" / "command_line.md", command_line.page())
    pictures.draw(source / "site" / "static" / "generated")


def _write(file: Path, text: str) -> None:
    """Write the file if it changes, so that an incremental build reads it only then."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def links_inside(app: Any, page: str, content: list[str]) -> None:
    """Replace links to files of the repository that are not pages with their names."""
    source = Path(app.srcdir).resolve()
    folder = (source / page).parent

    def link(match: re.Match[str]) -> str:
        text, target, _ = match.groups()
        path = (folder / target).resolve()
        if not path.exists() or (path.is_file() and path.is_relative_to(source)):
            return match.group(0)
        index = path / "README.md"
        if path.is_relative_to(source) and index.exists():
            return f"[{text}]({target.rstrip('/')}/README.md)"
        if not path.is_relative_to(source.parent):
            return match.group(0)
        name = path.relative_to(source.parent)
        return f"{text} (`{name}`)" if text.strip("`") != str(name) else f"`{name}`"

    content[0] = LINK.sub(link, content[0])


def docstring(app: Any, kind: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Turn a docstring into reStructuredText in place."""
    lines[:] = to_rst(lines)


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_lexer("mermaid", TextLexer)
    app.connect("builder-inited", generate)
    app.connect("source-read", links_inside)
    app.connect("autodoc-process-docstring", docstring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
