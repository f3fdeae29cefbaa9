"""The layout pages are generated from the tables, and their formulas agree with the actions."""

import re
from pathlib import Path

import pytest

from catan_env import NUM_ACTIONS, Action, Resource
from catan_env.core.observation import LAYOUT, OFFSETS
from catan_env.core.rules_shown import ADDED
from docs.generate.layouts import actions_page, observation_page, spans, write_pages

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize("name", ["observation.md", "actions.md"])
def test_the_pages_are_up_to_date(name: str, tmp_path: Path) -> None:
    """`python -m docs.generate.layouts docs` regenerates them."""
    write_pages(tmp_path)
    assert (DOCS / name).read_text(encoding="utf-8") == (tmp_path / name).read_text(
        encoding="utf-8"
    )


def test_every_field_of_the_observation_has_its_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", observation_page(), re.MULTILINE)
    assert rows[: len(LAYOUT)] == [(field.name, str(OFFSETS[field.name])) for field in LAYOUT]
    assert [name for name, _ in rows[len(LAYOUT) :]] == [field.name for field in ADDED]


def test_every_index_agrees_with_its_row() -> None:
    """Evaluate the formulas as printed."""
    formulas = {span.action.partition("(")[0]: span.formula for span in spans()}
    pairs = [(a, b) for a in Resource for b in Resource if a <= b]
    for index in range(NUM_ACTIONS):
        action = Action.from_index(index)
        formula = formulas[action.kind.name.lower()]
        assert eval(formula, values_of(action, pairs)) == index, f"{action}: {formula}"


def values_of(action: Action, pairs: list) -> dict[str, int]:
    """The variables of the formulas for an action."""
    kind, args = action.kind.name, action.args
    if kind == "PLAY_YEAR_OF_PLENTY":
        return {"pair": pairs.index(args)}
    if kind == "OFFER":
        to, given, got = args
        give, get = given.index(max(given)), got.index(max(got))
        return {"to": to, "give": give, "n": max(given), "m": max(got), "slot": get - (get > give)}
    if kind == "BANK_TRADE":
        give, get, _ = args
        return {"give": give, "slot": get - (get > give)}
    if kind == "MOVE_ROBBER":
        return {"t": args[0], "victim": args[1] or 0}
    return dict(zip("rve", args * 3, strict=False)) if args else {}


def test_the_rows_of_the_actions_leave_no_index_out() -> None:
    ranges = re.findall(r"^\| (\d+)(?: to (\d+))? \|", actions_page(), re.MULTILINE)
    listed = [i for first, last in ranges for i in range(int(first), int(last or first) + 1)]
    assert listed == list(range(NUM_ACTIONS))
