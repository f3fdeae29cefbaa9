"""A table in the terminal: numbered actions, and a whole game with them."""

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest

from catan_env import cli
from catan_env.game.game import Game
from catan_env.notation import read, write_game
from catan_env.web.terminal import play
from tests.web.tables import live_table


def test_a_person_plays_a_whole_game_by_numbers() -> None:
    table = live_table(7, policies=("greedy",))
    chance = random.Random(7)
    said: list[str] = []

    def typed() -> Iterator[str]:
        yield from ("?", "b", "9999", "x", "u")
        while True:
            count = table.game.legal_actions.indices.size
            yield str(chance.randrange(count))

    play(table, typed(), said.append)
    assert table.game.is_over
    winner = table.names[table.game.winner or 0]
    assert said[-1] == f"{winner} has won"
    assert any("rolls" in line for line in said)


def test_a_player_at_the_end_of_input_leaves() -> None:
    table = live_table(7, policies=("greedy",))
    said: list[str] = []
    play(table, ["0", "q"], said.append)
    assert not table.game.is_over and table.step == 2


def test_a_game_that_is_left_is_in_its_record(tmp_path, monkeypatch, capsys) -> None:
    def typed() -> Iterator[str]:
        yield from ("0", "0", "0")
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", typed())
    with suppress(KeyboardInterrupt):
        cli.main(["table", "--terminal", "--against", "greedy", "--record", str(tmp_path)])
    (record,) = tmp_path.glob("*.sgn.json")
    assert str(record) in capsys.readouterr().out
    assert len(read(record).events) >= 3


def test_policies_take_the_other_seats_of_a_record(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.stdin", iter("q"))
    record = write_game(tmp_path, Game(2, 1, "duel"), ["Ann", "Ben"])
    line = ["table", "--from", str(record), "--step", "0", "--against", "--terminal"]
    assert cli.main(line) == 0 and capsys.readouterr().err == ""


def test_a_table_that_cannot_be_laid_is_refused_in_one_line(capsys) -> None:
    for line, why in (
        (["--against", "greedy", "--people", "4"], "allowed are 2, 3 or 4 together"),
        (["--against", "missing"], "unknown policy 'missing'"),
        (["--rules", "chess"], "chess"),
        (["--rules", "small", "--against", *["greedy"] * 3], "2 or 3 seats"),
    ):
        assert cli.main(["table", "--terminal", *line]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and why in error


@pytest.mark.parametrize(
    ("line", "policies"),
    [
        (["--people", "4"], 0),
        (["--people", "2", "--rules", "duel"], 0),
        (["--people", "3", "--rules", "small"], 0),
        (["--people", "2", "--against"], 0),
        (["--people", "3"], 1),
        ([], 1),
    ],
)
def test_a_policy_that_no_option_named_sits_down_only_where_a_seat_is_free(
    line: list[str], policies: int, monkeypatch, tmp_path
) -> None:
    monkeypatch.setattr("sys.stdin", iter("q"))
    assert cli.main(["table", "--terminal", "--record", str(tmp_path), *line]) == 0
    (record,) = tmp_path.glob("*.sgn.json")
    assert sum(name == "greedy" for name in read(record).players) == policies
