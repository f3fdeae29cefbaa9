"""The packages whose sources are in the machine code."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")

from native import __main__ as build
from native.sources import packages_of


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


def test_what_is_lowered_for_the_browser_does_not_pass_for_the_description_of_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only that of objects says which arrays are written to."""
    pytest.importorskip("numba")
    lowered = {"entries": [{"entry": "catan_env.core.doors.play", "parameters": []}]}
    marked = lowered | {"marked": True}

    def front(folder: Path) -> tuple[str, dict[str, Any]]:
        (folder / "entries.json").write_text(json.dumps(lowered))
        return "", lowered

    monkeypatch.setattr(build, "front", front)
    (tmp_path / "entries.json").write_text(json.dumps(marked))
    (tmp_path / "stamp").write_text(build.stamp_of(marked, build.MADE_BY))
    assert build.kept(tmp_path) == marked
    assert build.lowered(tmp_path) == ("", lowered)
    assert build.kept(tmp_path) is None and build.kept(tmp_path, "lowered") == lowered


def test_the_c_compiler_may_have_words_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "'/opt/my tools/gcc' -m64")
    assert build.compiler() == ["/opt/my tools/gcc", "-m64"]
    monkeypatch.delenv("CC")
    assert build.compiler() == ["cc"]
