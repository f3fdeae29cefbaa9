"""The packages whose sources are in the machine code, so that none of them may change unnoticed."""

import re
from collections.abc import Iterable
from pathlib import Path

from catan_env.kernel.jit import PACKAGE, folders_of

IMPORT = re.compile(
    rf"^(?:from|import) ({PACKAGE}[\w.]*)(?: import (?:\(([^)]*)\)|([\w, ]+)))?", re.MULTILINE
)


def packages_of(entries: Iterable[str]) -> list[str]:
    """The packages of the entry points, named "module.name", and of all that their modules import.

    Compiled functions contain the constants of these modules, such as tables of the board.
    """
    left = [entry.rpartition(".")[0] for entry in entries]
    found = {f"{PACKAGE}.kernel"}
    seen = set(left)
    while left:
        module = left.pop()
        found.add(package_of(module))
        new = imports_of(source_of(module)) - seen
        seen |= new
        left += new
    return sorted(found)


def package_of(module: str) -> str:
    """The package that a module is in, or the package itself."""
    is_package = source_of(module).name == "__init__.py"
    return module if is_package else module.rpartition(".")[0]


def imports_of(source: Path) -> set[str]:
    """The modules of this package that a source imports, or from which it imports names."""
    found = set()
    for module, listed, few in IMPORT.findall(source.read_text(encoding="utf-8")):
        names = re.sub("#.*", "", listed or few).split(",")
        inner = [f"{module}.{name.split()[0]}" for name in names if name.strip()]
        found |= {name if is_module(name) else module for name in inner or [module]}
    return {name for name in found if is_module(name)}


def is_module(name: str) -> bool:
    """True if that is the name of a module or package with a source, not of something in one."""
    return any(True for _ in folders_of(name))


def source_of(module: str) -> Path:
    """The source of a module; of a package, its `__init__.py`."""
    folder = next(iter(folders_of(module)))
    *_, package, name = ("", *module.split("."))
    return folder / (f"{name}.py" if folder.name == package else "__init__.py")
