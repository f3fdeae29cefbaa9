"""Imports only go down, as docs/architecture.md shows, and no files import each other."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
TOPS = ("catan_env", "policies", "training")
FILES = sorted(file for top in TOPS for file in (ROOT / top).rglob("*.py"))
NAMED_APART = {"catan_env": "face", "catan_env.__main__": "cli"}
ENGINE = {"numpy", "numba", "llvmlite", *sys.stdlib_module_names}
"""The external modules that kernel and core may import."""


def rows_of(heading: str) -> list[list[str]]:
    """The cells of the table under a heading of the page."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in rows]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


MAY_IMPORT = {quoted(room)[0]: set(quoted(imports)) for room, _, imports in rows_of("The rooms")}
EXCEPTIONS = [(*quoted(file), *quoted(other)) for file, other, _ in rows_of("Exceptions")]
CLOSES_A_CIRCLE = EXCEPTIONS[:3]


def name_of(file: Path) -> str:
    """The module of a file; policies and training are parts of the package."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts if parts[0] == "catan_env" else ("catan_env", *parts))
    return name.removesuffix(".__init__")


MODULES = {name_of(file): file for file in FILES}


def room_of(module: str) -> str | None:
    """The layer of a module; None for external modules."""
    if module in NAMED_APART:
        return NAMED_APART[module]
    top, *rest = module.split(".")
    if top != "catan_env":
        return None
    inner = "/".join(rest[:2])
    return inner if inner in MAY_IMPORT else rest[0]


def lies_in(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}.")


def is_excepted(file: str, module: str, exceptions: list[tuple[str, ...]] = EXCEPTIONS) -> bool:
    return any(lies_in(file, here) and lies_in(module, there) for here, there in exceptions)


def imports_of(source: str, file: str, is_package: bool = False) -> Iterator[str]:
    """Every module that a file imports at run time, anywhere in it, by full name.

    Names given to `import_module` count; imports for type checkers do not.
    """
    package = file.split(".") if is_package else file.split(".")[:-1]
    tree = ast.parse(source)
    if "TYPE_CHECKING" in source:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                node.body = []
    for node in ast.walk(tree) if "import_module" in source else statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield inner if inner in MODULES else module
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from named_in(node)


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Every statement and what has statements in it, without the expressions."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        yield node
        for field in ("body", "orelse", "handlers", "finalbody", "cases"):
            left += getattr(node, field, ())


def named_in(call: ast.Call) -> Iterator[str]:
    """The modules that a call of `import_module` names, as far as its text says them."""
    for node in ast.walk(call):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.match(r"catan_env\.\w", node.value):
                yield f"{node.value}*" if node.value.endswith(".") else node.value


def imported_by(name: str) -> set[str]:
    file = MODULES[name]
    return set(imports_of(file.read_text(encoding="utf-8"), name, file.stem == "__init__"))


def complaint(file: str, module: str) -> str | None:
    """The reason why a file may not import a module, or None."""
    here, there = room_of(file), room_of(module)
    if (
        there == here
        or (module == "catan_env.core.constants" and here != "kernel")
        or is_excepted(file, module)
    ):
        return None
    if there is None:
        is_allowed = here not in ("kernel", "core") or module.split(".")[0] in ENGINE
        return None if is_allowed else f"{here} may not import {module}"
    if here is None or here not in MAY_IMPORT:
        return f"docs/architecture.md has no room for {file}"
    return None if there in MAY_IMPORT[here] else f"{here} may not import {module} ({file})"


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_down_only(name: str) -> None:
    complaints = [complaint(name, module) for module in imported_by(name)]
    assert [said for said in complaints if said] == []


def files_named_for(protocol: str) -> set[str]:
    """The files of a protocol on the page: those of its column, or of the paragraph on it."""
    text = PAGE.read_text(encoding="utf-8")
    if protocol == "jsettlers":
        cells = [text.split("`jsettlers` is only ")[1].split("\n\n")[0]]
    else:
        heading, _, *rows = text.split("| step |")[1].split("\n\n")[0].splitlines()
        column = quoted(heading).index(protocol) + 2
        cells = [row.split("|")[column] for row in rows]
    return {name for cell in cells for name in quoted(cell) if re.fullmatch(r"\w+\.py", name)}


@pytest.mark.parametrize("protocol", ["catan_binary", "catan_german", "jsettlers"])
def test_the_page_has_every_file_of_a_protocol(protocol: str) -> None:
    folder = ROOT / "catan_env" / "protocols" / protocol
    files = {file.name for file in folder.glob("*.py")} - {"__init__.py"}
    assert files_named_for(protocol) == files


PROGRAMS = {"cli", "training"}
"""The rooms with command lines."""


def test_only_programs_know_a_command_line() -> None:
    """Anything else receives values or dataclasses, and can be called without a command line."""
    found = {room_of(name) for name in MODULES if "argparse" in imported_by(name)}
    assert found <= PROGRAMS


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The sets of modules that import each other in a cycle."""
    while leaves := [name for name, others in graph.items() if not others & graph.keys()]:
        graph = {name: others for name, others in graph.items() if name not in leaves}
    while tops := graph.keys() - set().union(*graph.values()):
        graph = {name: others for name, others in graph.items() if name not in tops}
    return [sorted(graph)] if graph else []


def test_no_files_import_each_other() -> None:
    graph = {
        name: {
            module
            for module in imported_by(name)
            if module != name and not is_excepted(name, module, CLOSES_A_CIRCLE)
        }
        for name in MODULES
    }
    assert circles(graph) == []


def test_the_page_draws_no_arrow_up() -> None:
    """The layers form no cycle, so they can be ordered by dependency."""
    assert circles({room: set(imports) for room, imports in MAY_IMPORT.items()}) == []
    rooms = {room_of(name) for name in MODULES}
    assert rooms <= MAY_IMPORT.keys()


@pytest.mark.parametrize(
    ("file", "source", "said"),
    [
        ("catan_env.core.rules", "import catan_env.game.game", "core may not import"),
        ("catan_env.core.rules", "def f():\n    from catan_env.game import game", "core may not"),
        ("catan_env.kernel.jit", "import catan_env.core.actions", "kernel may not import"),
        ("catan_env.kernel.jit", "from catan_env.core import constants", "kernel may not import"),
        ("catan_env.game.view", "import_module('catan_env.envs.aec')", "game may not import"),
        ("catan_env.net.room", "importlib.import_module(f'catan_env.arena.{x}')", "net may not"),
        ("catan_env.guests.hanabi.game", "from catan_env.core import rules", "guests may not"),
        ("catan_env.core.rules", "import requests", "core may not import requests"),
        ("catan_env.batch.play_out", "import_module('catan_env.policies.greedy')", "batch may not"),
    ],
)
def test_an_upward_import_is_found(file: str, source: str, said: str) -> None:
    complaints = [complaint(file, module) for module in imports_of(source, file)]
    assert any(one and said in one for one in complaints)


def test_a_cycle_of_imports_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == [["b", "c"]]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


@pytest.mark.parametrize(
    ("imported", "heavy"),
    [
        (
            "catan_env",
            {
                "torch",
                "matplotlib",
                "stable_baselines3",
                "catan_env.policies",
                "catan_env.training",
            },
        ),
        ("catan_env.arena.seat", {"asyncio", "msgspec", "catan_env.protocols.catan_german"}),
    ],
    ids=["the package", "an agent's process"],
)
def test_a_small_process_imports_nothing_large(imported: str, heavy: set[str]) -> None:
    code = f"import sys, {imported}; print(*sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_no_file_contains_a_path_of_the_build_machine() -> None:
    pattern = "(^|[^[:alnum:].])/(" + "|".join(["work", "root", "home", "Users"]) + ")/"
    done = subprocess.run(
        ["git", "grep", "--no-index", "--exclude-standard", "-nIE", pattern, "--", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stdout or done.stderr
