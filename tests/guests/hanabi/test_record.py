"""Records: a saved game is replayed, and errors of a record are reported."""

import json
import random
from io import StringIO
from pathlib import Path

import pytest

from catan_env.cli.command import main
from catan_env.guests.hanabi import Game, Rules
from catan_env.guests.hanabi.record import dumps, loads, positions
from tests.guests.hanabi.random_games import careful_action


def played(players: int = 3, rules: Rules | str = "official") -> Game:
    game, chance = Game(players, 4, rules), random.Random(1)
    while not game.is_over:
        game.play(careful_action(game, chance))
    return game


@pytest.mark.parametrize("rules", ["official", "server", "Hanabi-Small"])
def test_a_record_restores_the_game(rules: str) -> None:
    game = played(2, rules)
    assert loads(dumps(game)) == game
    assert loads(dumps(played(4, Rules(multicolour="suit")))).rules.multicolour == "suit"


def test_a_record_gives_every_position() -> None:
    game = played()
    counts = [len(position.events) for position in positions(dumps(game))]
    assert counts == list(range(len(game.events) + 1))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "chess"}, "not a record of format"),
        ({"players": "3"}, "'players' is '3', not int"),
        ({"actions": [99]}, "action 1 of the record: no action 99"),
        ({"actions": [0]}, "action 1 of the record: .*H021"),
        ({"actions": ["play"]}, "numbers, not 'play'"),
        ({"deck": "R1"}, "a deck of 1 cards"),
        ({"deck": "X9"}, "no card 'X9'"),
        ({"rules": {"colours": 5}}, "unknown rules: colours; allowed are colors"),
        ({"rules": {"colors": "five"}}, "rules {'colors': 'five'}"),
        ({"rules": {"hand_size": 4.5}}, "hand_size is 4.5; allowed are whole numbers"),
        ({"rules": {"empty_hints": "no"}}, "empty_hints is 'no'; allowed are True and False"),
        ({"score": 99}, "score is 99; the game's is"),
    ],
)
def test_errors_of_a_record_are_reported(change: dict[str, object], said: str) -> None:
    record = {**json.loads(dumps(played())), **change}
    with pytest.raises(ValueError, match=said):
        loads(json.dumps(record))


def test_text_other_than_json_is_refused() -> None:
    for text in ("hello", "[" * 100_000):
        with pytest.raises(ValueError, match="a record is JSON"):
            loads(text)


def test_a_saved_game_is_replayed_in_the_terminal(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "game.json"
    assert main(["hanabi", "play", "--policy", "iggi", "--seed", "3", "--record", str(path)]) == 0
    shown = capsys.readouterr().out
    assert main(["hanabi", "replay", str(path)]) == 0
    assert capsys.readouterr().out == shown
    assert main(["hanabi", "replay", str(path), "--seat", "1", "--from", "2", "--to", "2"]) == 0
    seen = capsys.readouterr().out
    assert seen.count("hints ") == 1 and " ??[" in seen


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """The file of a saved game."""
    path = tmp_path / "game.json"
    path.write_text(dumps(played()), encoding="utf-8")
    return str(path)


def test_the_end_of_input_ends_a_replay_in_steps(saved, capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("sys.stdin", StringIO("\n"))
    assert main(["hanabi", "replay", saved, "--step"]) == 0
    stepped = capsys.readouterr()
    assert main(["hanabi", "replay", saved, "--to", "1"]) == 0
    assert (stepped.out, stepped.err) == (capsys.readouterr().out, "")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (["--from", "999"], "--from 999: the game has 53 actions"),
        (["--from", "9", "--to", "3"], "--from 9 --to 3: there is no position between them"),
    ],
)
def test_a_part_without_positions_is_refused(part, said, saved, capsys) -> None:  # type: ignore[no-untyped-def]
    assert main(["hanabi", "replay", saved, *part]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", f"catan-env hanabi: {said}\n")


def test_a_byte_order_mark_is_no_part_of_a_saved_game(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "game.json"
    path.write_text("\ufeff" + dumps(played()), encoding="utf-8")
    assert main(["hanabi", "replay", str(path)]) == 0
    assert "score" in capsys.readouterr().out
