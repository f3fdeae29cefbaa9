"""Imports go down only: from training to policies, the environments, the game and core."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
UPSTAIRS = {
    "face",
    "extras",
    "game",
    "envs",
    "notation",
    "render",
    "net",
    "protocols",
    "arena",
    "web",
}
MAY_IMPORT = {
    "core": {"core"},
    "net": {"net"},
    "game": {"core", "game"},
    "face": UPSTAIRS | {"core", "cli"},
    "extras": set(),
    "envs": {"core", "game", "envs", "render", "extras"},
    "notation": {"game", "notation", "extras"},
    "web": {"game", "net", "notation", "render", "web", "extras"},
    "render": {"game", "render", "notation", "extras"},
    "protocols": {"game", "net", "notation", "protocols"},
    "arena": {"game", "net", "notation", "render", "protocols", "arena"},
    "cli": UPSTAIRS | {"cli", "guests"},
    "guests": {"net", "guests", "extras"},
    "search": UPSTAIRS | {"core", "policies", "search"},
    "policies": UPSTAIRS | {"policies", "search"},
    "training": UPSTAIRS | {"policies", "search", "training"},
}
_NOT_CATAN = ("bits", "compiled", "jit", "memory", "rng", "threads")
NOT_CATAN = {f"catan_env.core.{name}" for name in _NOT_CATAN}
MAY_REACH_UP = {
    "catan_env.game.game": ("catan_env.notation", "catan_env.render"),
}
"""A game's own methods write, read and draw it (`to_sgn`, `from_sgn`, notebooks); both rooms are
loaded when they are asked for, and the public name stays where one looks for it."""
FACE = {"catan_env", "catan_env.__init__", "catan_env.__main__"}
TOPS = ("catan_env", "policies", "training")
FILES = sorted(file for top in TOPS for file in (ROOT / top).rglob("*.py"))


def part_of(module: str) -> str | None:
    """The part of the house that a module lives in; None for other people's modules."""
    top, _, rest = module.partition(".")
    if module in FACE:
        return "face"
    if module.startswith(("catan_env.policies.search", "catan_env.policies.value")):
        return "search"
    if top == "catan_env":
        first = rest.split(".")[0]
        return {"batch": "game", "policy": "game", "layouts": "game"}.get(first, first)
    return None


def name_of(file: Path) -> str:
    """The module that a file is; the two folders at the top are links' targets (pyproject.toml)."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "catan_env" else ("catan_env", *parts))


def is_ours(module: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def imports_of(file: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it, by full name."""
    package = name_of(file).split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield inner if is_ours(inner) else module


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_go_down_only(file: Path) -> None:
    here = part_of(name_of(file))
    assert here is not None
    others = {"numpy", "numba", "llvmlite", *sys.stdlib_module_names}
    for module in imports_of(file):
        there = part_of(module)
        if module == "catan_env.core.constants" and here != "guests":
            continue  # everybody's numbers
        if here == "guests" and module in NOT_CATAN:
            continue
        if module.startswith(MAY_REACH_UP.get(name_of(file), ("nothing",))):
            continue
        if there is not None:
            assert there in MAY_IMPORT[here], f"{here} may not import {module}"
        elif here == "core":
            assert module.split(".")[0] in others, f"core may not import {module}"


def test_importing_the_package_brings_neither_torch_nor_matplotlib() -> None:
    ours = {f"catan_env.{name}" for name in ("policies", "training")}
    heavy = {"torch", "matplotlib", "stable_baselines3", *ours}
    code = f"import sys, catan_env; print(*sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_no_file_says_where_somebodys_machine_keeps_it() -> None:
    pattern = "(^|[^[:alnum:].])/(" + "|".join(["work", "root", "home", "Users"]) + ")/"
    done = subprocess.run(
        ["git", "grep", "--no-index", "--exclude-standard", "-nIE", pattern, "--", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stdout or done.stderr
