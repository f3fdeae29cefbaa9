"""Every exception of the package reaches another process with its text."""

import ast
import pickle
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from catan_env.failure import PolicyError
from catan_env.foreign.errors import LONGEST_REASON
from catan_env.guests.renaissance import messages as m

ROOT = Path(__file__).resolve().parents[1]
BASES = ("Error", "Exception", "Exit", "Refusal")
GIVEN: dict[str, tuple[Any, ...]] = {
    "catan_env.failure:PolicyError": ("policy bot:Bot failed", "KeyError: 3", "a traceback"),
    "catan_env.foreign.errors:ForeignError": (("a long reason " * (LONGEST_REASON // 14), 12)),
    "catan_env.guests.renaissance.judge.refusal:Refusal": (m.ErrAction("no"),),
    "catan_env.notation.errors:NotationError": ("a reason", "$[12]", 12, "an id"),
    "catan_env.web.http_end:RefusedError": (404, "there is no such page"),
}
"""The arguments of the classes that take more than a text."""


def exceptions() -> Iterator[Any]:
    """The places, "module:Class", of the classes whose bases are called like exceptions."""
    for path in sorted((ROOT / "catan_env").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            bases = getattr(node, "bases", []) if isinstance(node, ast.ClassDef) else []
            if any(ast.unparse(base).endswith(BASES) for base in bases):
                module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                yield f"{module}:{node.name}"


PLACES = list(exceptions())


def test_the_table_names_classes_that_exist() -> None:
    assert GIVEN.keys() <= {*PLACES} and len(PLACES) > 20


@pytest.mark.parametrize("place", PLACES)
def test_an_exception_that_is_pickled_has_the_same_text(place: str) -> None:
    module, _, name = place.partition(":")
    kind = getattr(import_module(module), name)
    error = kind(*GIVEN.get(place, ("a text",)))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind and str(again) == str(error) and vars(again) == vars(error)
    assert str(error)


def test_a_failure_is_raised_again_as_gymnasiums_processes_do() -> None:
    """`AsyncVectorEnv` raises the class with the error as its only argument."""
    error = PolicyError("policy bot:Bot failed", "KeyError: 3", "a traceback")
    assert str(PolicyError(error)) == "policy bot:Bot failed: KeyError: 3"
