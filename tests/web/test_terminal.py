"""A table in the terminal: numbered actions, and a whole game with them."""

import random
from collections.abc import Iterator

from catan_env import cli
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
