"""The packages whose sources are in the machine code, so that none of them may change unnoticed."""

from collections.abc import Iterable

from catan_env.kernel.sources import PACKAGE, imports_of, source_of


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
