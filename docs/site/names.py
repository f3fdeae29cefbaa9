"""`python -m docs.site.names FOLDER`: the public names that a built site does not describe."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from docs.site.links import Page

PACKAGES = (
    "catan_env",
    "catan_env.batch",
    "catan_env.notation",
    "catan_env.policy",
    "catan_env.render",
    "catan_env.guests.hanabi",
    "catan_env.guests.renaissance",
)
"""The packages whose `__all__` is documented name by name."""


def missing(folder: Path) -> Iterator[str]:
    """Every public name without an entry in the reference."""
    anchors: set[str] = set()
    for file in (folder / "reference" / "api").glob("*.html"):
        anchors |= Page(file.read_text(encoding="utf-8")).anchors
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            is_module = isinstance(thing, ModuleType)
            anchor = f"module-{thing.__name__}" if is_module else f"{package}.{name}"
            if anchor not in anchors:
                yield anchor


if __name__ == "__main__":
    found = list(missing(Path(sys.argv[1])))
    print("\n".join(found) or "every public name is in the reference")
    sys.exit(bool(found))
