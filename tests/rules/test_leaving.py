"""A seat may leave the table in the middle of a game."""

import pytest

from catan_env import Action, Game, IllegalActionError, Phase


def tournament(seats=4):
    return Game(seats=seats, seed=1, rules="tournament")


def test_the_turn_of_a_seat_that_leaves_ends():
    game = tournament()
    game.play(Action.roll(), outcome=(1, 2))
    game.leave(0)
    assert (game.turn_seat, game.seat, game.phase, game.turn) == (1, 1, Phase.ROLL, 2)


def test_the_turn_of_another_seat_goes_on():
    game = tournament()
    game.leave(1)
    game.leave(2)
    assert (game.turn_seat, game.turn) == (0, 1)
    game.play(Action.roll(), outcome=(1, 2))
    game.play(Action.end_turn())
    assert game.turn_seat == 3


def test_the_turn_ends_when_the_seat_that_is_asked_leaves():
    game = Game.from_position(
        board=tournament().board, rules="tournament", phase="main", hands={0: {0: 1}}
    )
    game.play(Action.offer(2, 0, 1))
    game.leave(2)
    assert (game.turn_seat, game.phase, game.offer) == (1, Phase.ROLL, None)


@pytest.mark.parametrize("last", [0, 1, 2])
def test_the_last_seat_left_has_won(last):
    game = tournament(seats=3)
    for seat in {0, 1, 2} - {last}:
        assert game.winner is None
        game.leave(seat)
    assert (game.winner, game.is_over, game.seat) == (last, True, last)


def test_nobody_leaves_twice():
    game = tournament()
    game.leave(1)
    with pytest.raises(IllegalActionError, match="seat 1 has left the table already"):
        game.leave(1)
