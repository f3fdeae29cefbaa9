"""Every code block of the site and the README runs, or is marked as output."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catan_env.cli.command import COMMANDS, asked_for, parser_for
from tests.pages import BLOCK, OUTPUT, ROOT, RUN, blocks, is_run, lines_of, needs, pages, run_page


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


TRAIN_LONG = {
    "docs/howto/clone_games.md",
    "docs/tutorials/network.md",
    "docs/tutorials/opponent.md",
    "docs/tutorials/self_play.md",
    "docs/tutorials/small_map.md",
}
"""docs/start/first_training.md and README.md train every time."""


def run_pages() -> Iterator[Any]:
    """Pages with code to run."""
    for page in filter(is_run, pages()):
        marks = [pytest.mark.nightly] if name_of(page) in TRAIN_LONG else []
        if {"torch", "sb3_contrib"} & set(needs(page)):
            marks.append(pytest.mark.torch)
        yield pytest.param(page, id=name_of(page), marks=marks)


@pytest.mark.parametrize("page", list(run_pages()))
def test_the_code_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in needs(page):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    run_page(page, tmp_path)
    for weights in tmp_path.glob("runs/*/final.npz"):
        with np.load(weights) as file:
            assert all(np.isfinite(file[name]).all() for name in file if file[name].dtype == "f4")


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_block_is_run_or_marked_as_output(page: Path) -> None:
    for block in blocks(page):
        is_directive = block.language.startswith("{")
        assert is_directive or block.language in RUN | OUTPUT, block.language
        is_code = block.language in ("c", "toml", "json")
        assert not is_code or block.file or "not run" in block.text, block.text


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_commands_that_are_not_run_have_arguments_that_are_read(page: Path) -> None:
    for block in blocks(page):
        if block.language == "console":
            for line in lines_of(block.text):
                check(line.partition("  #")[0])


def test_every_page_saves_its_records_in_a_folder_of_its_own() -> None:
    """A command refuses a folder that has its records, also if an earlier page made them."""
    folders: Counter[str] = Counter()
    for page in pages():
        text = "\n".join(block.text for block in blocks(page))
        folders.update(set(re.findall(r"catan-env .*--record (\w+)$", text, re.MULTILINE)))
    assert folders and set(folders.values()) == {1}, folders


PARTS = ("benchmarks", "catan_env", "docs", "native", "policies", "tests", "training", "examples")
OF_AN_OLDER_VERSION = "have the names of that version"


def files() -> list[str]:
    """The paths of the repository's Python and JavaScript files."""
    found = [ROOT / "hatch_build.py"]
    for part in PARTS:
        found += [file for ending in ("py", "js") for file in (ROOT / part).rglob(f"*.{ending}")]
    return [file.relative_to(ROOT).as_posix() for file in found]


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    if OF_AN_OLDER_VERSION not in " ".join(prose.split()):
        named = set(re.findall(r"`([a-z0-9_./]+\.(?:py|js))`", prose))
        paths = [f"/{path}" for path in files()]
        assert [n for n in named if not any(path.endswith(f"/{n}") for path in paths)] == []


def check(line: str) -> None:
    """Read a command's arguments as the program does; SystemExit if it refuses them."""
    words = shlex.split(line)
    if words[0] == "catan-env":
        given = ["4000" if word == "PORT" else word for word in words[1:]]
        assert asked_for(given) in COMMANDS, line
        parser_for(given).parse_args(given)
    elif words[:2] == ["python", "-m"]:
        assert find_spec(words[2]), line


def test_the_reference_has_every_module_that_a_guest_imports() -> None:
    example = "".join(path.read_text() for path in ROOT.glob("examples/fourth_game*.py"))
    tutorial = (ROOT / "docs" / "tutorials" / "guest.md").read_text()
    imported = {*re.findall(r"^from (catan_env\.adapters\.\w+) import", example + tutorial, re.M)}
    pages = (ROOT / "docs" / "reference" / "api").glob("*.md")
    entries = {
        name for page in pages for name in re.findall(r"automodule:: (\S+)", page.read_text())
    }
    assert len(imported) > 8 and imported <= entries
