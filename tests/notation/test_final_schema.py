"""Written records fit the author's final schema of 0.3; other versions are recognized by name."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from catan_env import Game
from catan_env.game.board import Board
from catan_env.game.event import HIDDEN
from catan_env.notation import NotationError, check, dumps, loads
from tests.notation.final_schema import MESSAGE, MESSAGES
from tests.notation.random_games import random_game, tables_of_slow_tests

VI = {
    "uuid": "v",
    "player": "A",
    "event": "VI",
    "value": {"version": 0.3, "schema_uri": "https://example.org/v0.3/message.json"},
}


@cache
def validators(event: str) -> list[Any]:
    """The final schema of that event as written here, and the author's own file if available."""
    return [Draft202012Validator(MESSAGES[event]), *of_the_author()]


@cache
def of_the_author() -> list[Any]:
    found: list[Any] = []
    if (path := os.environ.get("SGN_SCHEMA")) is not None:
        found.append(Draft4Validator(json.loads(Path(path).read_text())))
    return found


@tables_of_slow_tests
def test_every_message_is_one_that_the_authors_final_schema_takes(seats: int, rules: str) -> None:
    """But the small map: the schema demands eight harbours and more."""
    game, seen = random_game(7, seats, rules), set()
    for messages in (game.to_sgn(), game.to_sgn(viewer=seats - 1)):
        for message in json.loads(dumps(messages)):
            text = json.dumps(message | {"uuid": ""})
            if text not in seen:  # most messages are said many times
                seen.add(text)
                fits = all(
                    validator.is_valid(message) for validator in validators(message["event"])
                )
                assert fits != (rules == "small" and message["event"] == "MD"), message


def test_the_whole_final_schema_and_its_events_agree() -> None:
    whole = Draft202012Validator(MESSAGE)
    events: dict[str, Any] = {m["event"]: m for m in random_game(7, 4, "base").to_sgn()}
    values = [message["value"] for message in events.values()]
    for k, (event, message) in enumerate(events.items()):
        wrong = message | {"value": values[k - 1]}
        assert whole.is_valid(wrong) == validators(event)[0].is_valid(wrong), wrong
        assert whole.is_valid(message)
        assert not whole.is_valid(message | {"player": 1})
        assert not validators(event)[0].is_valid(message | {"player": 1})


def test_a_robbery_of_nothing_names_a_resource_of_which_none_moves() -> None:
    for seed in range(40):
        for message in random_game(seed, 4, "base", 300).to_sgn():
            if message["event"] == "RR" and message["value"]["resources"][0].get("B") == 0:
                assert [share["B"] for share in message["value"]["resources"]] == [0, 0]
                return
    raise AssertionError("no theft from an empty hand")


def test_one_seats_record_keeps_hidden_cards_hidden_and_comes_back() -> None:
    game = random_game(3, 4, "base")
    messages = game.to_sgn(viewer=2)
    record = loads(dumps(messages))
    assert record.view() == game.view(2)
    assert any(event.outcome is HIDDEN for event in record.events)
    assert not any("?" in json.dumps(message["value"]) for message in messages)


def older(message: dict[str, Any]) -> dict[str, Any]:
    """The message in the old form: extensions in the value, unseen cards as "?"."""
    written = {key: value for key, value in message.items() if not key.startswith("x-")}
    value = dict(message["value"])
    if "x-bought" in message:
        return {**written, "event": "BD", "player": message["x-bought"], "value": {}}
    if "x-robbed" in message:
        parties = ((message["x-robbed"], -1), (message["player"], 1))
        value["resources"] = [{"player": name, "?": n} for name, n in parties]
    for key in ("x-game", "x-viewer", "x-dice", "x-left"):
        if key in message:
            value[key] = message[key]
    return {**written, "value": value}


@tables_of_slow_tests
def test_older_records_are_read_as_before(seats: int, rules: str) -> None:
    game = random_game(11, seats, rules)
    old = [older(message) for message in game.to_sgn()]
    check(old)
    assert loads(old).game == game
    unseen = [older(message) for message in game.to_sgn(viewer=1)]
    check(unseen)
    assert loads(unseen).view() == game.view(1)


def test_the_version_is_read_where_it_is_given() -> None:
    game = random_game(1, 2, "duel", 50)
    messages = game.to_sgn()
    assert loads([VI, *messages]).game == game
    assert loads([messages[0], VI, *messages[1:]]).game == game
    check([VI, *messages])


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('[{"PS":"Setup"},{"PA":"P1"}]', "0.1"),
        ('[{"PS":{"phase":"Setup"}},{"player":"A","uuid":"1","event":"PA","value":{}}]', "0.2"),
        ('{"aCode":"BS","player":"1","value":{"intersection":[[0,0],[1,0],[0,1]]}}', "0.4"),
        ('["1","MR",{"tile":[0,0]}]', "1.0"),
        ('["1","MR",{"tile":[0,0]}]\n["1","BS",{}]\n', "1.0"),
        (json.dumps([VI | {"value": {"version": 0.4, "schema_uri": ""}}]), "0.4"),
        (json.dumps([VI | {"value": {"version": 1, "schema_uri": ""}}]), "1"),
    ],
)
def test_other_versions_are_refused_by_name(text: str, version: str) -> None:
    with pytest.raises(NotationError, match=f"Settlers Game Notation {version}; 0.3 is"):
        loads(text)


def test_unusual_harbour_rates_are_given_next_to_the_map() -> None:
    usual = Board.beginner()
    board = Board(usual.tiles, (usual.harbours[0]._replace(rate=4), *usual.harbours[1:]))
    game = Game(2, seed=9, board=board)
    messages = game.to_sgn()
    whole = Draft202012Validator(MESSAGE)
    assert all(whole.is_valid(message) for message in messages)
    assert loads(messages).game == game
    defined = next(message for message in messages if message["event"] == "MD")
    for wrong in ([], None, [4] * 8, ["x"] * 9):
        with pytest.raises(NotationError, match="x-rates"):
            loads([{**m, "x-rates": wrong} if m is defined else m for m in messages])
