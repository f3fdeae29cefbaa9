"""Seats that are away, R111-R114."""

import pytest

from catan_env.guests.renaissance import NOBODY, Game, IllegalActionError
from tests.guests.renaissance.drawn import (
    AWAY,
    END,
    LINE,
    PLACE,
    faith,
    first_legal,
    fresh,
    legal,
    market,
    pass_turn,
    play,
    shelves_of,
    take,
    tiles,
)


def test_an_absent_seat_is_skipped_moved_and_judged():
    """R111."""
    game = market(fresh(3), "CSVH CSV. ..HF", ".")
    game.state["faith"][1] = 6
    game.go_away(1)
    take(game, 0, AWAY, AWAY, AWAY, AWAY)
    assert faith(game) == [0, 10, 4] and tiles(game, 1)[0] == 1
    game.play(END)
    assert game.turn_seat == 2
    game.come_back(1)
    pass_turn(game)
    pass_turn(game)
    assert game.turn_seat == 1


def test_the_turn_of_a_leaving_seat_ends_immediately():
    """R112: an unfinished action is undone."""
    game = market(fresh(2), "CSVH CSV. ..HF", ".")
    play(game, LINE, PLACE)
    game.go_away(0)
    assert shelves_of(game, 0) == ["", "", ""] and game.turn_seat == 1 and game.phase == "main"
    assert not game.sequence and Game.from_record(game.record()).turn_seat == 1


def test_no_token_is_revealed_when_the_player_leaves():
    """R112: in the solo game."""
    game = fresh(1)
    game.go_away(0)
    assert game.seat == NOBODY and game.state["last_token"] == -1 and not legal(game)


def test_the_last_round_ends_before_seat_0_even_if_it_is_away():
    """R113."""
    game = fresh(3)
    game.state["last_round"] = 1
    pass_turn(game)
    game.go_away(0)
    pass_turn(game)
    assert not game.is_over
    pass_turn(game)
    assert game.is_over


def test_the_last_round_ends_when_the_last_present_seat_leaves():
    """R113."""
    game = fresh(2)
    pass_turn(game)
    game.state["last_round"] = 1
    game.go_away(0)
    game.go_away(1)
    assert game.is_over


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_first_to_return_is_on_turn(first):
    """R114."""
    game = fresh(3)
    for seat in (1, 2, 0):
        game.go_away(seat)
    assert game.seat == NOBODY and not game.is_over
    game.come_back(first)
    assert (game.seat, game.turn_seat, game.phase) == (first, first, "main")
    assert LINE in legal(game)


def test_a_seat_absent_in_the_set_up_chooses_when_it_returns():
    game = Game(2, seed=3)
    game.go_away(0)
    assert game.seat == 0
    while not game.is_playing:
        game.play(first_legal(game))
    assert game.turn_seat == 1, "seat 0 is away"


def test_a_seat_leaves_and_returns_once():
    game = fresh(2)
    with pytest.raises(IllegalActionError, match="not away"):
        game.come_back(1)
    game.go_away(1)
    with pytest.raises(IllegalActionError, match="away already"):
        game.go_away(1)
