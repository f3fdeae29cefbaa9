"""Records as text: what is saved is restored, and a fault is named."""

import json
from pathlib import Path

import pytest

from catan_env.cli import main
from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance.contest import play_one
from catan_env.guests.renaissance.game import EXCHANGE_AT
from catan_env.guests.renaissance.native.actions import MAX_SWAPS
from catan_env.guests.renaissance.record import dumps, loads
from tests.guests.renaissance.drawn import fresh, shelves


def played(seats: int = 2) -> Game:
    return play_one(["random"] * seats, 0, 3)[1]


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_a_record_restores_the_game_and_its_names(seats: int) -> None:
    game, names = played(seats), [f"player {seat}" for seat in range(seats)]
    assert loads(dumps(game, names)) == (game, names)
    assert loads(dumps(game)).names == [f"seat {seat}" for seat in range(seats)]


def test_an_exchange_that_changes_nothing_is_not_recorded() -> None:
    """The first four of a turn change the number that the mask still allows."""
    game = shelves(fresh(), 0, "C", "SS")
    before = game.record()["marks"]
    for _ in range(50):
        game.exchange(0, 0)
    unchanged = game.copy()
    assert game.record()["marks"] == before + [EXCHANGE_AT] * MAX_SWAPS
    assert len(game.events) == len(fresh().events) + MAX_SWAPS
    game.exchange(1, 2)
    assert game.record()["marks"][-1] == EXCHANGE_AT + 7 and game != unchanged


def test_records_with_exchanges_that_change_nothing_are_read_unchanged() -> None:
    """Earlier versions recorded them."""
    record = fresh().record()
    record["marks"] += [EXCHANGE_AT] * 50
    game = Game.from_record(record)
    assert game.record() == record and len(game.events) == len(fresh().events) + 50
    assert loads(dumps(game)).game == game


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "chess"}, "not a record of Masters of Renaissance"),
        ({"version": True}, "'version' is True, not int"),
        ({"version": 2}, "not a record of Masters of Renaissance"),
        ({"seats": "2"}, "'seats' is '2', not int"),
        ({"seats": 9}, "seats is 9; allowed are 1..4"),
        ({"seed": -1}, "seed is -1; allowed"),
        ({"seed": None}, "'seed' is None, not int"),
        ({"cards": "mine"}, "cards 'mine'"),
        ({"marks": [95]}, "cannot play 95"),
        ({"marks": [103]}, "seat is 3; allowed are 0..1"),
        ({"marks": [137]}, "'marks' are whole numbers in 0..136"),
        ({"marks": [-1]}, "'marks' are whole numbers"),
        ({"marks": ["a"]}, "'marks' are whole numbers"),
        ({"marks": None}, "'marks' is None, not list"),
        ({"players": ["ann"]}, "allowed are 2 names"),
        ({"players": ["ann", " "]}, "allowed are 2 names"),
    ],
)
def test_errors_of_a_record_are_named(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        loads(json.dumps({**json.loads(dumps(played())), **change}))
    if "players" not in change:
        with pytest.raises(ValueError, match=said):
            Game.from_record({**played().record(), **change})


@pytest.mark.parametrize("text", ["hello", "[]", "7", "[" * 100_000])
def test_text_without_a_record_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a record is"):
        loads(text)


def test_a_saved_game_is_replayed_as_text_and_as_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, page = tmp_path / "game.json", tmp_path / "game.html"
    line = ["renaissance", "play", "--policy", "greedy", "--policy", "greedy", "--games", "1"]
    assert main([*line, "--record", str(record)]) == 0
    capsys.readouterr()
    assert main(["renaissance", "replay", str(record)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "  greedy 1 keeps two leaders." and "round 1" in said
    assert str(loads(record.read_text()).game) in "\n".join(said)
    record.write_text("\ufeff" + record.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["renaissance", "replay", str(record), "--html", str(page)]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
