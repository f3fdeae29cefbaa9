"""The number of players (C196-C199)."""

from random import Random

import pytest

from catan_env import Action, Board, Game
from tests.rules.drawn import at, corner, hand, position


def finish(game: Game, seed: int, actions: int = 20_000) -> Game:
    """Play at random, without offers, until a seat has won."""
    choose = Random(seed)
    for _ in range(actions):
        if game.is_over:
            return game
        legal = [index for index in game.legal_actions.indices if index < 308]
        game.play(int(choose.choice(legal)))
    raise AssertionError("a game without an end")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_three_and_four_seats_play_to_the_end(seats: int) -> None:
    """C196, C197, C198."""
    game = finish(Game(seats=seats, seed=seats), seed=seats)
    assert game.winner in range(seats)
    assert game.points(game.winner) >= 10
    assert {event.seat for event in game.events} == set(range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_turn_passes_from_seat_to_seat_and_round_again(seats: int) -> None:
    """C196, C197, C198."""
    game = position(seats=seats)
    order = []
    for _ in range(2 * seats):
        game.play(Action.end_turn())
        order.append(game.seat)
        game.play(Action.roll(), outcome=(1, 1))
    assert order == [(k + 1) % seats for k in range(2 * seats)]


def test_three_seats_leave_the_fourth_colour_out() -> None:
    """C196: it has no pieces, no cards and no turn."""
    game = position(seats=3, settlements={2: [corner(4, "N")]}, phase="roll", turn_seat=2)
    game.play(Action.roll(), outcome=(3, 3))
    assert game.hand(2) == hand(brick=1)
    with pytest.raises(ValueError, match=r"allowed are 0\.\.2"):
        game.hand(3)
    with pytest.raises(ValueError, match=r"allowed are 0\.\.2"):
        position(seats=3, settlements={3: [at(2, 5)]})


def test_two_seats_place_in_the_order_0_1_1_0() -> None:
    """C198."""
    game = Game(seats=2, board=Board.beginner())
    order = []
    while game.turn == 0:
        order.append(game.seat)
        game.play(next(iter(game.legal_actions)))
        game.play(next(iter(game.legal_actions)))
    assert order == [0, 1, 1, 0]


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 6])
def test_no_other_number_of_seats_is_offered(seats: int) -> None:
    """C199."""
    with pytest.raises(ValueError, match="seats; allowed are 2, 3 and 4"):
        Game(seats=seats)
    with pytest.raises(ValueError, match="seats; allowed are 2, 3 and 4"):
        position(seats=seats)
