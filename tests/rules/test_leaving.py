"""A seat may leave the table during a game."""

import pytest

from catan_env import Action, Game, IllegalActionError, Phase, named_observation


def tournament(seats=4):
    return Game(seats=seats, seed=1, rules="tournament")


def test_the_turn_of_a_seat_that_leaves_ends():
    game = tournament()
    game.play(Action.roll(), outcome=(1, 2))
    game.leave(0)
    assert (game.turn_seat, game.seat, game.phase, game.turn) == (1, 1, Phase.ROLL, 2)


def test_the_turn_of_another_seat_continues():
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


def amid_discards(**given):
    """Seat 0 has rolled a seven; seats 0 and 2 discard four cards each, seat 0 first."""
    hands = {0: {0: 8}, 2: {1: 8}, **given}
    game = Game.from_position(
        board=tournament().board, rules="base", phase="roll", hands=hands, seats=4
    )
    game.play(Action.roll(), outcome=(3, 4))
    assert (game.phase, game.seat) == (Phase.DISCARD, 0)
    return game


def test_the_turn_ends_when_a_seat_that_owes_cards_leaves_before_it_is_asked():
    game = amid_discards()
    game.leave(2)
    assert (game.turn_seat, game.seat, game.phase, game.turn) == (1, 1, Phase.ROLL, 2)
    assert named_observation(game.observe(0))["owed"].tolist() == [0, 0, 0, 0]
    assert game.hand_size(0) == game.hand_size(2) == 8


def test_the_turn_continues_when_a_seat_that_owes_nothing_leaves_during_discards():
    game = amid_discards()
    game.leave(3)
    assert (game.turn_seat, game.seat, game.phase) == (0, 0, Phase.DISCARD)
    assert named_observation(game.observe(0))["owed"].tolist() == [4, 0, 4, 0]


def test_an_observation_shows_which_seats_have_left():
    game = tournament()
    game.leave(2)
    for viewer in (0, 1, 3):
        playing = named_observation(game.observe(viewer))["playing"].tolist()
        assert playing == [int((viewer + step) % 4 != 2) for step in range(4)]


def test_an_observation_counts_turns_up_to_127():
    for turn, shown in ((1, 1), (126, 126), (127, 127), (128, 127), (400, 127)):
        game = Game.from_position(board=tournament().board, phase="main", turn=turn)
        assert named_observation(game.observe(0))["turn"].tolist() == [shown]


@pytest.mark.parametrize("last", [0, 1, 2])
def test_the_last_seat_left_has_won(last):
    game = tournament(seats=3)
    for seat in {0, 1, 2} - {last}:
        assert game.winner is None
        game.leave(seat)
    assert (game.winner, game.is_over, game.seat) == (last, True, last)


def test_no_seat_leaves_twice():
    game = tournament()
    game.leave(1)
    with pytest.raises(IllegalActionError, match="seat 1 has already left the table"):
        game.leave(1)
