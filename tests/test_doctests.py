"""The examples in docstrings and on every page run as printed."""

import doctest
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import catan_env
from tests.pages import pages

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted(
    file
    for top in ("catan_env", "policies")
    for file in (ROOT / top).rglob("*.py")
    if file.stem != "__main__"
)
PAGES = pages()
WITH_TORCH = ("adapters.per_seat", "adapters.seat_rollout", "adapters.vec_env", ".sb3")
"""Ends of the names of modules that import torch or Stable-Baselines3."""


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    below = parts if parts[0] == "catan_env" else ("catan_env", *parts)
    return ".".join(below[:-1] if below[-1] == "__init__" else below)


def modules() -> Iterator[Any]:
    """The names of all modules, as parameters of a test."""
    for name in map(module_of, FILES):
        yield pytest.param(name, marks=[pytest.mark.torch] if name.endswith(WITH_TORCH) else [])


@pytest.mark.parametrize("name", list(modules()))
def test_the_examples_of_a_module(name: str) -> None:
    try:
        module = import_module(name)
    except ImportError as error:
        missing = str(getattr(error.__cause__ or error, "name", None)).split(".")[0]
        if (ROOT / missing).exists():
            raise
        pytest.skip(f"{missing} is not installed")
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder().find(module):
        if test.examples:  # a millisecond each without this
            runner.run(test)
    assert not runner.failures


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page(page: Path) -> None:
    flags = doctest.ELLIPSIS
    failed, _ = doctest.testfile(str(page), False, optionflags=flags, encoding="utf-8")
    assert not failed


def test_every_public_class_has_an_example() -> None:
    shown = [getattr(catan_env, name) for name in catan_env.__all__]
    classes = [thing for thing in shown if isinstance(thing, type)]
    ours = [cls for cls in classes if not issubclass(cls, (Exception, Enum, tuple))]
    finder = doctest.DocTestFinder(recurse=False)
    assert [cls for cls in ours if not any(test.examples for test in finder.find(cls))] == []
