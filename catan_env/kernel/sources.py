"""Where the sources of this package are, which import which, and their hashes.

Machine code is kept under a hash of all sources that it contains: compiled functions, those that
they call, and the modules whose constants they use, such as the tables of a board.
"""

import hashlib
import re
import sys
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

KERNEL = Path(__file__).parent
PACKAGE = __name__.partition(".")[0]
COMPILES = re.compile(
    rf"^from {PACKAGE}\.kernel\.jit import .*\b(inline|compiled|door|rule|part)\b", re.MULTILINE
)
IMPORT = re.compile(
    rf"^(?:from|import) ({PACKAGE}[\w.]*)(?: import (?:\(([^)]*)\)|([\w, ]+)))?", re.MULTILINE
)


@cache
def folders_of(module: str) -> tuple[Path, ...]:
    """The folders of a module of this package: that of its file, or the package itself."""
    found = []
    for root in sys.modules[PACKAGE].__path__:
        path = Path(root, *module.split(".")[1:])
        if path.is_dir():
            found.append(path)
        elif path.with_suffix(".py").is_file():
            found.append(path.parent)
    return tuple(found)


def is_module(name: str) -> bool:
    """True if that is the name of a module or package with a source, not of something in one."""
    return bool(folders_of(name))


@cache
def source_of(module: str) -> Path:
    """The source of a module; of a package, its `__init__.py`."""
    folder = folders_of(module)[0]
    *_, package, name = ("", *module.split("."))
    return folder / (f"{name}.py" if folder.name == package else "__init__.py")


@cache
def imports_of(source: Path) -> frozenset[str]:
    """The modules of this package that a source imports, or from which it imports names."""
    found = set()
    for module, listed, few in IMPORT.findall(source.read_text(encoding="utf-8")):
        names = re.sub("#.*", "", listed or few).split(",")
        inner = [f"{module}.{name.split()[0]}" for name in names if name.strip()]
        found |= {name if is_module(name) else module for name in inner or [module]}
    return frozenset(name for name in found if is_module(name))


@cache
def marks_functions(source: Path) -> bool:
    """True if a source marks functions as compiled."""
    return COMPILES.search(source.read_text(encoding="utf-8")) is not None


def compiled_with(folder: Path) -> list[Path]:
    """The folders whose functions the doors of `folder` may contain, including itself."""
    found, left = {KERNEL}, [folder]
    while left:
        here = left.pop()
        if here not in found and (here == folder or any(map(marks_functions, here.glob("*.py")))):
            found.add(here)
            for source in here.glob("*.py"):
                left += [place for module in imports_of(source) for place in folders_of(module)]
    return sorted(found)


def tables_of(folders: Collection[Path]) -> list[Path]:
    """The sources elsewhere whose constants the compiled functions in these folders may contain.

    They are those that the sources of the functions import, directly or through other modules.
    """
    sources = [source for folder in folders for source in folder.glob("*.py")]
    left = list(filter(marks_functions, sources))
    seen = set(left)
    while left:
        new = {source_of(module) for module in imports_of(left.pop())} - seen
        seen |= new
        left += new
    return sorted(source for source in seen if source.is_file() and source.parent not in folders)


def engine_hashes(packages: Iterable[str]) -> dict[str, str]:
    """A hash of the sources of each package of compiled functions that is installed."""
    found = {}
    for package in packages:
        for folder in folders_of(package):
            digest = hashlib.sha256()
            for source in sorted(folder.glob("*.py")):
                digest.update(source.read_bytes())
            found[package] = digest.hexdigest()[:16]
    return found


def sources_in(folder: Path) -> list[Path]:
    """The sources whose functions and constants the doors of `folder` may contain."""
    folders = compiled_with(folder)
    sources = [source for place in folders for source in sorted(place.glob("*.py"))]
    return sources + tables_of(folders)


def symbol_of(name: str) -> str:
    """The symbol of a door, from its module and name, such as `core_batch_step_games`."""
    left_out = {PACKAGE, "guests", "native", "policies"}
    return "_".join(part for part in name.split(".") if part not in left_out)
