"""Which sources there are, and which of them a compiled function contains."""

from pathlib import Path

import pytest

import catan_env
from catan_env import policies
from catan_env.kernel.sources import imports_of, source_of, sources_in

PACKAGE, POLICIES = Path(catan_env.__file__).parent, Path(policies.__file__).parent


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
        ("catan_env.core", PACKAGE / "core" / "__init__.py"),
        ("catan_env.policies.search", POLICIES / "search" / "__init__.py"),
        ("catan_env.policies.search.search", POLICIES / "search" / "search.py"),
    ],
)
def test_a_source_is_that_of_a_module_or_of_a_package(module: str, source: Path) -> None:
    assert source_of(module) == source


def test_a_network_contains_the_tables_of_the_board_but_not_the_pages() -> None:
    inside = sources_in(POLICIES / "network" / "native")
    assert PACKAGE / "game" / "geometry.py" in inside
    assert PACKAGE / "core" / "board.py" in inside
    assert PACKAGE / "game" / "position.py" not in inside
    assert len(inside) == len(set(inside))
