"""The packages whose sources are in the machine code."""

from pathlib import Path

import pytest

from native.sources import imports_of, packages_of, source_of
from tests.native.test_native import ROOT


@pytest.mark.parametrize(
    ("entry", "packages"),
    [
        ("core.doors.play", {"kernel", "core"}),
        ("policies.value.doors.rank_actions", {"kernel", "core", "policies.value"}),
        (
            "policies.network.native.forward.write_outputs",
            {"kernel", "core", "game", "policies.network", "policies.network.native"},
        ),
    ],
)
def test_an_entry_point_has_the_packages_of_all_that_its_module_imports(
    entry: str, packages: set[str]
) -> None:
    named = {f"catan_env.{package}" for package in packages}
    assert set(packages_of([f"catan_env.{entry}"])) == named


def test_imports_are_found_in_brackets_and_with_other_names(tmp_path: Path) -> None:
    source = tmp_path / "any.py"
    source.write_text(
        "import numpy as np\n"
        "from catan_env.core import board as laid, dice\n"
        "from catan_env.game.geometry import (\n    EDGES,  # of the board, all\n    TILES,\n)\n"
        "from catan_env.nowhere import nothing\n"
        "import catan_env.batch\n"
    )
    modules = {"core.board", "core.dice", "game.geometry", "batch"}
    assert imports_of(source) == {f"catan_env.{module}" for module in modules}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("catan_env.core", "catan_env/core/__init__.py"),
        ("catan_env.policies.search", "policies/search/__init__.py"),
        ("catan_env.policies.search.search", "policies/search/search.py"),
    ],
)
def test_a_source_is_that_of_a_module_or_of_a_package(module: str, source: str) -> None:
    assert source_of(module) == ROOT / source
