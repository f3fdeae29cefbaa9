"""A record that ends early is unfinished; a damaged one is rejected, with its place."""

import json
import random
from pathlib import Path

import pytest

from catan_env.notation import NotationError, dumps, loads, read, write
from catan_env.notation.files import parse
from tests.notation.random_games import random_game

GAME = random_game(5, 3, "base", 150)
TEXTS = {
    "an array": dumps(GAME.to_sgn()),
    "an array in one line": json.dumps(GAME.to_sgn()),
    "an array with indents": json.dumps(GAME.to_sgn(), indent=1),
    "one message a line": "".join(json.dumps(message) + "\n" for message in GAME.to_sgn()),
}


@pytest.fixture(params=TEXTS.values(), ids=TEXTS)
def text(request: pytest.FixtureRequest) -> str:
    return request.param


def test_a_record_may_end_after_any_letter(text: str) -> None:
    chance = random.Random(1)
    for at in (*chance.sample(range(len(text)), 60), len(text) - 1, len(text) - 2):
        start = text[:at]
        if start.strip():
            record = loads(start)
            assert GAME.events[: len(record.events)] == record.events


def test_a_record_that_ends_at_a_sign_or_a_point_is_unfinished() -> None:
    for tail in (
        '"B":-',
        '"B":1.',
        '"B":1e',
        '"B":1e+',
        '"B":"\\',
        '"B":"\\u00',
        '"B":tru',
        '"B":n',
    ):
        messages, is_cut = parse('[{"a":1},{"b":{"c":[1,{' + tail)
        assert (messages, is_cut) == ([{"a": 1}], True)


def test_one_damaged_quotation_mark_is_refused_with_its_position(text: str) -> None:
    quotes = [at for at, letter in enumerate(text) if letter == '"']
    chance = random.Random(2)
    for share in (0.1, 0.3, 0.5, 0.9, *(chance.random() for _ in range(40))):
        at = quotes[int(share * (len(quotes) - 40))]
        for damage in ("", " ", "x", '"'):
            damaged = text[:at] + damage + text[at + 1 :]
            if damaged == text:
                continue
            with pytest.raises(NotationError, match=r"line \d+, column \d+|\$\[\d+\]"):
                loads(damaged)


@pytest.mark.parametrize("letter", [",", ":", "{", "}", "[", "]"])
def test_a_missing_mark_in_the_middle_is_refused(text: str, letter: str) -> None:
    at = text.index(letter, len(text) // 3)
    with pytest.raises(NotationError, match=r"line \d+, column \d+|\$\[\d+\]"):
        loads(text[:at] + text[at + 1 :])


def test_a_byte_order_mark_is_not_part_of_the_record(tmp_path: Path) -> None:
    path = tmp_path / "marked.sgn.json"
    path.write_bytes(b"\xef\xbb\xbf" + dumps(GAME.to_sgn()).encode())
    assert read(path).game == GAME
    assert loads("\ufeff" + dumps(GAME.to_sgn())).game == GAME


def test_a_file_may_end_within_a_letter_of_several_bytes(tmp_path: Path) -> None:
    path = tmp_path / "cut.sgn.json"
    write(path, GAME.to_sgn(players=["Ann", "Ben", "Zoë"]))
    text = json.dumps(GAME.to_sgn(players=["Ann", "Ben", "Zoë"]), ensure_ascii=False).encode()
    path.write_bytes(text[: text.rindex("ë".encode()) + 1])
    assert read(path).is_cut
    path.write_bytes(text.replace("ë".encode(), b"\xeb"))
    with pytest.raises(NotationError, match="not UTF-8"):
        read(path)


@pytest.mark.parametrize("start", ["[", ""])
@pytest.mark.parametrize("end", ["}", "}]", "", ","])
def test_a_number_of_too_many_digits_is_refused_with_its_position(start: str, end: str) -> None:
    with pytest.raises(NotationError, match=r"line 2, column 1: a number"):
        parse(f'{start}{{"a":1}}{"," * len(start)}\n{{"x":{"9" * 5000}{end}')


def test_a_record_that_ends_before_the_map_has_no_players_yet() -> None:
    with pytest.raises(NotationError, match="ends before the map is defined"):
        _ = loads(GAME.to_sgn()[:1]).players
