"""Cross-play: a table of policies with each other, and the same from the command line."""

import math

import pytest

from catan_env.cli import main
from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.cross_play import cross_play
from catan_env.guests.hanabi.policies import load_policy
from catan_env.guests.hanabi.rating import play_game


def test_the_diagonal_is_self_play_and_strangers_score_less() -> None:
    table = cross_play(["best", "iggi"], players=3, games=6, seed=4)
    for i in range(6):
        team = [load_policy("best", 4 + i * 3 + seat) for seat in range(3)]
        assert table.ratings[0][0].scores[i] == play_game(team, Game(3, 4 + i))
    assert table.ratings[0][0].mean > table.ratings[0][1].mean
    assert table.self_play > table.cross_play


def test_one_stranger_sits_among_the_players_of_the_row() -> None:
    table = cross_play(["piers", "random"], players=3, games=6, rules="server")  # keeps points
    with_one, with_two = table.ratings[0][1].mean, table.ratings[1][0].mean
    assert with_one > with_two


def test_one_policy_has_no_cross_play() -> None:
    assert math.isnan(cross_play(["iggi"], games=2).cross_play)


def test_hat_guessing_needs_common_colours() -> None:
    """Its questions are asked in the colours of each player, so permuted ones ruin them."""
    same, other = (
        cross_play(["hat"], players=3, games=4, other_play=permuted).self_play
        for permuted in (False, True)
    )
    assert same > 23 > other + 5


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hanabi", "cross-play", "iggi", "piers", "--games", "3"]) == 0
    head, *rows, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["iggi", "piers"]
    assert [row.split()[0] for row in rows] == ["iggi", "piers"]
    assert last.startswith("self-play") and "cross-play" in last
