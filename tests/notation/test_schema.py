"""The schema accepts our records, and names the place and message of a fault."""

import subprocess
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from catan_env.notation import NotationError, check, problems
from catan_env.notation.messages import VALUE_KEYS
from catan_env.notation.schema import schema
from tests.notation.random_games import TABLES, random_game, tables_of_slow_tests


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())


@tables_of_slow_tests
def test_written_records_follow_the_schema(seats: int, rules: str) -> None:
    game = random_game(TABLES.index((seats, rules)), seats, rules)
    check(game.to_sgn())
    check(game.to_sgn(viewer=1))


def test_the_whole_schema_and_its_parts_agree() -> None:
    messages: Any = random_game(1, 3, "base", 60).to_sgn()
    whole = Draft202012Validator(schema())
    assert whole.is_valid(messages)
    messages[7]["value"] = {"odd": 1}
    assert not whole.is_valid(messages)
    assert [problem.index for problem in problems(messages)] == [7, 7]


@pytest.mark.parametrize(
    ("event", "change", "path"),
    [
        ("BS", {"intersection": [[0, 0], [0, 1]]}, ".value.intersection"),
        ("BR", {"path": "north"}, ".value.path"),
        ("DR", {"result": 13}, ".value.result"),
        ("MD", {"harbors": [{}]}, ".value.harbors[0]"),
        ("PE", {"phase": "Over"}, ".value.phase"),
        ("PA", {"player": "B"}, ".value.player"),
        ("RP", {"resources": [{"player": "1", "X": 1}]}, ".value.resources[0]"),
        ("RP", {"resources": [{"G": 1}]}, ".value.resources[0]"),
        ("RS", {"round": 1.5}, ".value.round"),
        ("TS", {"odd": 1}, ".value"),
    ],
)
def test_an_error_names_the_path_and_the_uuid(event: str, change: Any, path: str) -> None:
    messages = random_game(1, 3, "base", 200).to_sgn()
    at = next(k for k, message in enumerate(messages) if message["event"] == event)
    messages[at]["value"] |= change
    found = list(problems(messages))
    assert [problem.index for problem in found] == [at] * len(found)
    assert found[0].path == f"$[{at}]{path}"
    assert found[0].uuid == messages[at]["uuid"] and found[0].uuid in str(found[0])
    with pytest.raises(NotationError):
        check(messages)


@pytest.mark.parametrize(
    ("message", "path"),
    [
        (None, "$[0]"),
        ({}, "$[0]"),
        ({"uuid": 1, "player": "A", "event": "GO", "value": {}}, "$[0].uuid"),
        ({"uuid": "x", "player": "A", "event": "go", "value": {}}, "$[0].event"),
        ({"uuid": "x", "player": "A", "event": "GO", "value": []}, "$[0].value"),
        ({"uuid": "x", "player": "A", "event": "GO", "value": {}, "batch": [1]}, "$[0].batch"),
        (
            {"uuid": "x", "player": "A", "event": "GO", "value": {}, "batch": [0, 1]},
            "$[0].batch[0]",
        ),
    ],
)
def test_a_message_has_its_shape(message: Any, path: str) -> None:
    assert next(problems([message])).path == path


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"event": "DR", "value": {"result": 12}}, {"event": "DR", "value": {"result": True}}),
        ({"event": "DR", "value": {"result": 12.0}}, {"event": "DR", "value": {"result": 12.5}}),
        ({"event": "RM", "value": {"tile": [0, 1]}}, {"event": "RM", "value": {"tile": (0, 1)}}),
        ({"event": "GO", "value": {}}, {"event": "GO", "value": {}, "uuid": ""}),
        ({"event": "GO", "value": {}}, {"event": "GO", "value": {}, "uuid": None}),
    ],
)
def test_a_remembered_message_lets_no_other_pass(good: Any, bad: Any) -> None:
    """Values that are equal in Python, or the same in JSON, are distinguished."""
    good, bad = ({"uuid": "x", "player": "A", **message} for message in (good, bad))
    for _ in range(2):
        assert not list(problems([good, good | {"uuid": "y"}]))
        assert [problem.index for problem in problems([good, bad, good])] in ([1], [1, 1])


def test_a_message_that_cannot_be_written_down_is_validated_too() -> None:
    class Text(str):
        """Text for the schema, which marshal does not take."""

    message: Any = {"uuid": "x", "player": Text("A"), "event": "GO", "value": {}}
    assert not list(problems([message]))
    assert next(problems([message | {"player": Text("")}])).path == "$[0].player"


def test_all_errors_are_listed() -> None:
    messages: Any = random_game(1, 3, "base", 60).to_sgn()
    messages[3] = 3
    messages[5]["player"] = None
    messages[7]["value"] = {}
    assert [problem.index for problem in problems(messages)] == [3, 5, 7]


def test_without_jsonschema_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['jsonschema'] = None\n"
        "from catan_env import Game\n"
        "from catan_env.notation import check\n"
        "game = Game(2, seed=1)\n"
        "assert Game.from_sgn(game.to_sgn()) == game\n"
        "try: check(game.to_sgn())\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install '.[notation]'" in done.stdout


def test_the_reader_and_the_schema_know_the_same_keys() -> None:
    for event, keys in VALUE_KEYS.items():
        listed = schema()["$defs"][event].get("properties", {})
        known = {key for key in listed if not key.startswith("x-")}
        assert keys - {"code"} == known - {"code"}, event  # the text's name of cCode
