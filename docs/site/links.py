"""`python -m docs.site.links FOLDER`: the links of a built site that lead nowhere, one per line."""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The targets and anchors of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note `href` and `src` as targets, `id` as an anchor."""
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.targets.append(value)
            elif name == "id" and value:
                self.anchors.add(value)


def broken(folder: Path) -> Iterator[str]:
    """Every link to a missing file or anchor of the site, with the page that has it."""
    files = [file for file in folder.rglob("*.html") if "_static" not in file.parts]
    pages = {file.resolve(): Page(file.read_text(encoding="utf-8")) for file in files}
    for file, page in pages.items():
        for target in page.targets:
            if not leads_somewhere(file, target, pages):
                yield f"{file.relative_to(folder.resolve())}: {target}"


def leads_somewhere(file: Path, target: str, pages: dict[Path, Page]) -> bool:
    """True if the target is on another site, or is a file and anchor of this one."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return True
    path = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if not path.is_file():
        return False
    anchor = unquote(parts.fragment)
    return path not in pages or not anchor or anchor in pages[path].anchors


if __name__ == "__main__":
    found = list(broken(Path(sys.argv[1])))
    print("\n".join(found) or "every internal link leads to a page")
    sys.exit(bool(found))
