"""A changed record is rejected if it is impossible, and otherwise is a legal game."""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from catan_env.notation import NotationError, Record, loads
from catan_env.notation.messages import EVENTS
from tests.notation.random_games import TABLES, random_game

Messages = list[Any]
LENGTH = 120
LONGEST_ERROR = 300
"""Characters: an error fits on a terminal screen, whatever the record contained."""
JUNK = (None, True, -1, 0, 7, 10**30, 1.5, "", "1", "B", "A", "x", [], [[]], {}, [0, 0], {"a": 1})


@cache
def written(seed: int, seats: int, rules: str, viewer: int | None = None) -> str:
    return json.dumps(random_game(seed, seats, rules, LENGTH).to_sgn(viewer=viewer))


def drop(messages: Messages, at: int, chance: random.Random) -> None:
    del messages[at]


def double(messages: Messages, at: int, chance: random.Random) -> None:
    messages.insert(at, copy.deepcopy(messages[at]))


def swap(messages: Messages, at: int, chance: random.Random) -> None:
    other = min(at + 1, len(messages) - 1)
    messages[at], messages[other] = messages[other], messages[at]


def move(messages: Messages, at: int, chance: random.Random) -> None:
    messages.insert(chance.randrange(len(messages)), messages.pop(at))


def rename(messages: Messages, at: int, chance: random.Random) -> None:
    messages[at]["event"] = chance.choice(sorted(EVENTS))


def give_to_another(messages: Messages, at: int, chance: random.Random) -> None:
    messages[at]["player"] = chance.choice(["1", "2", "3", "4", "5", "A", "B"])


def replace_message(messages: Messages, at: int, chance: random.Random) -> None:
    messages[at] = chance.choice(JUNK)


def change_a_leaf(messages: Messages, at: int, chance: random.Random) -> None:
    """Change one number, word or list somewhere in the message."""
    places = list(leaves(messages[at]))
    holder, key = chance.choice(places)
    was = holder[key]
    if isinstance(was, int) and chance.random() < 0.7:
        holder[key] = was + chance.choice((-1, 1))
    else:
        holder[key] = chance.choice(JUNK)


def drop_a_leaf(messages: Messages, at: int, chance: random.Random) -> None:
    holder, key = chance.choice(list(leaves(messages[at])))
    del holder[key]


def leaves(value: Any) -> Any:
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from leaves(value[key])


MUTATIONS: tuple[Callable[[Messages, int, random.Random], None], ...] = (
    drop, double, swap, move, rename, give_to_another, replace_message, change_a_leaf,
    change_a_leaf, change_a_leaf, drop_a_leaf,
)  # fmt: skip


def assert_is_legal(record: Record) -> None:
    """The loaded game can be played on and written again."""
    if record.table is None or record.viewer is not None:
        return
    again = loads(record.game.to_sgn(players=record.players))
    assert again.game == record.game


@pytest.mark.parametrize(("seats", "rules"), TABLES, ids=lambda value: str(value))
def test_a_changed_record_is_refused_at_the_first_impossible_message(
    seats: int, rules: str, games: int
) -> None:
    """A hundredth of `--games` per table: 1,000,000 games are 100,000 changed records."""
    chance = random.Random(seats)
    refused: Counter[bool] = Counter()
    count = games // 100
    for _ in range(count):
        messages: Messages = json.loads(written(chance.randrange(20), seats, rules))
        at = chance.randrange(len(messages))
        chance.choice(MUTATIONS)(messages, at, chance)
        try:
            record = loads(messages)
        except NotationError as error:
            assert error.index is not None
            assert str(error).startswith(f"$[{error.index}]")
            assert len(str(error)) <= LONGEST_ERROR
            # The part before it is valid, as in a record cut short there.
            loads(messages[: error.index])
            with pytest.raises(NotationError):
                loads(messages[: error.index + 1])
            refused[True] += 1
        else:
            assert_is_legal(record)
            refused[False] += 1
    assert refused[True] >= 0.35 * count


def test_a_changed_redacted_record_is_refused_or_can_be_followed() -> None:
    chance = random.Random(1)
    for k in range(300):
        seats, rules = TABLES[k % len(TABLES)]
        messages: Messages = json.loads(written(k % 20, seats, rules, k % seats))
        chance.choice(MUTATIONS)(messages, chance.randrange(len(messages)), chance)
        try:
            record = loads(messages)
        except NotationError as error:
            assert error.index is not None and len(str(error)) <= LONGEST_ERROR
        else:
            if record.viewer is not None:
                assert min(record.view().bank) >= 0


def test_changed_text_is_refused_or_read() -> None:
    chance = random.Random(2)
    text = json.dumps(random_game(2, 3, "base", 40).to_sgn())
    for _ in range(500):
        letters = list(text)
        for _ in range(chance.randrange(1, 4)):
            letters[chance.randrange(len(letters))] = chance.choice(
                '{}[]",:01-.eE\\ \nnulltr\ud800'
            )
        try:
            loads("".join(letters))
        except NotationError as error:
            assert str(error)


@pytest.mark.parametrize("field", ["uuid", "player", "event", "value"])
@pytest.mark.parametrize("junk", ["x" * 5000, ["y"] * 5000, {"z" * 5000: 1}], ids=type)
def test_errors_about_large_messages_are_short(field: str, junk: Any) -> None:
    messages: Messages = json.loads(written(1, 3, "base"))
    messages[30][field] = junk
    with pytest.raises(NotationError) as refused:
        loads([*messages[:31], messages[30]])
    assert len(str(refused.value)) <= LONGEST_ERROR


def test_an_illegal_choice_is_refused_with_the_nearest_ones_only() -> None:
    """Only two or three of all robber moves are named: the same tile, then its neighbours."""
    messages, found = json.loads(json.dumps(random_game(1, 3, "base", 600).to_sgn())), 0
    for at, message in enumerate(messages):
        if message["event"] == "RM" and messages[at + 1]["event"] == "RR":
            with pytest.raises(NotationError, match=r"allowed are: .*, and \d+ more") as refused:
                loads([*messages[: at + 1], *messages[at + 2 :]])
            said = str(refused.value)
            tile = said.partition("robber to tile ")[2].split()[0]
            assert f"allowed are: move the robber to tile {tile} and rob" in said
            assert said.count("move the robber") in (3, 4) and len(said) <= LONGEST_ERROR
            found += 1
    assert found


@pytest.mark.parametrize("text", ["", " ", "1", "null", "{}", "[1]", "[[]]", "x", "[" * 100_000])
def test_a_value_that_is_not_a_record_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        loads(text)


def test_neither_a_reason_nor_a_uuid_makes_an_error_long() -> None:
    error = NotationError("x" * 5000, ".value.resources[0]").of_message(1234, {"uuid": "u" * 5000})
    assert 200 < len(str(error)) <= LONGEST_ERROR + 20
