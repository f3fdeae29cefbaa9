"""The table of requirements for arguments."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_env.kernel.sources import symbol_of
from native.entries import exactly, wanted

ROOT = Path(__file__).resolve().parents[2]


def doors() -> Iterator[tuple[str, list[str]]]:
    """The symbol of each door of the package, and the names of its parameters."""
    for top in ("catan_env", "policies"):
        for path in sorted((ROOT / top).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for made in ast.parse(path.read_text("utf-8")).body:
                if isinstance(made, ast.FunctionDef) and "door" in map(
                    ast.unparse, made.decorator_list
                ):
                    names = [parameter.arg for parameter in made.args.args]
                    yield symbol_of(f"{module}.{made.name}"), names


@pytest.mark.parametrize(("symbol", "names"), [pytest.param(*door, id=door[0]) for door in doors()])
def test_a_requirement_refers_to_parameters_of_the_same_entry_point(
    symbol: str, names: list[str]
) -> None:
    for name in names:
        rule = wanted(symbol, {"name": name})
        referred = [length.of.removeprefix("len ").replace(".", " ") for length in rule.lengths]
        for other in (*referred, rule.by or ""):
            assert not other or other.split()[0] in names, f"{name}: {other}"


def test_a_parameter_is_found_first_by_entry_point_and_then_by_name() -> None:
    assert wanted("core_doors_play", {"name": "action"}).high == 847
    assert wanted("core_batch_step_games", {"name": "actions"}).lengths[0].of == "stop"
    weights = wanted("value_doors_play_out", {"name": "weights"}).lengths
    assert weights[0].of == "template.seats" and weights[1].rule == exactly(1).rule


def test_a_parameter_without_a_row_fails_the_build() -> None:
    with pytest.raises(ValueError, match="no row for mystery of core_doors"):
        wanted("core_doors_play", {"name": "mystery"})


def test_the_bound_of_an_outcome_depends_on_the_action() -> None:
    outcome = wanted("core_doors_play", {"name": "outcome"})
    assert outcome.by == "action" and len(outcome.highs) == 848
    assert outcome.highs[0] == 35, "two dice"
