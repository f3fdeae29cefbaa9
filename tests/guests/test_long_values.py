"""Errors about guests' records are short, whatever a record contains."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from catan_env.guests import hanabi, renaissance
from catan_env.guests.hanabi import hanab_live
from catan_env.guests.hanabi import record as of_hanabi
from catan_env.guests.renaissance import record as of_renaissance

LONG = ["x" * 100_000, [0] * 100_000, {"y" * 100_000: 1}, 10**4000]


def live_record() -> str:
    game = hanabi.Game(2, seed=1)
    while not game.is_over:
        game.play(next(iter(game.legal_actions)))
    return hanab_live.dumps(game, ["ann", "bob"])


RECORDS: list[tuple[Callable[[str], Any], str]] = [
    (of_hanabi.loads, of_hanabi.dumps(hanabi.Game(2, seed=1))),
    (of_renaissance.loads, of_renaissance.dumps(renaissance.Game(2, seed=1))),
    (lambda text: list(hanab_live.positions(text)), live_record()),
]


@pytest.mark.parametrize("value", LONG, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(("load", "text"), RECORDS, ids=["hanabi", "renaissance", "hanab.live"])
def test_an_error_about_a_record_is_short(
    load: Callable[[str], Any], text: str, value: Any
) -> None:
    record = json.loads(text)
    refused = 0
    for changed in changes(record, value):
        try:
            load(json.dumps(changed))
        except ValueError as error:
            refused += 1
            assert len(str(error)) < 500, str(error)[:100]
    assert refused >= len(record) - 2


def changes(record: dict[str, Any], value: Any) -> Any:
    """The record with each field as `value`, and each list and object with an entry of it."""
    for name, field in record.items():
        yield record | {name: value}
        if isinstance(field, list):
            yield record | {name: [value, *field[1:]]}
        if isinstance(field, dict):
            yield from (record | {name: field | {key: value}} for key in (*field, "z" * 100_000))
            yield record | {name: field | {"variant": value, "startingPlayer": value}}
    for k in ("actions", "deck"):
        if isinstance(record.get(k), list) and record[k] and isinstance(record[k][0], dict):
            for key in record[k][0]:
                yield record | {k: [record[k][0] | {key: value}, *record[k][1:]]}
