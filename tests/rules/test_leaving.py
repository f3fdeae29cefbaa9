"""A seat may leave the table during a game."""

from random import Random

import pytest

from catan_env import Action, Game, IllegalActionError, Phase, named_observation


def tournament(seats=4):
    return Game(seats=seats, seed=1, rules="tournament")


def test_the_turn_of_a_seat_that_leaves_ends():
    """C223."""
    game = tournament()
    game.play(Action.roll(), outcome=(1, 2))
    game.leave(0)
    assert (game.turn_seat, game.seat, game.phase, game.turn) == (1, 1, Phase.ROLL, 2)


def test_the_turn_of_another_seat_continues():
    """C222: the turns of seats that have left are skipped."""
    game = tournament()
    game.leave(1)
    game.leave(2)
    assert (game.turn_seat, game.turn) == (0, 1)
    game.play(Action.roll(), outcome=(1, 2))
    game.play(Action.end_turn())
    assert game.turn_seat == 3


def test_the_turn_ends_when_the_seat_that_is_asked_leaves():
    """C223."""
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
    """C223."""
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


def owed_by_a_seat_that_left(seats=4):
    """Seat 1 left with eight cards, and owes four of them for the seven of seat 0."""
    game = Game.from_position(
        board=tournament().board, rules="base", phase="roll", hands={1: {0: 8}}, seats=seats
    )
    game.leave(1)
    game.play(Action.roll(), outcome=(3, 4))
    assert (game.phase, game.seat) == (Phase.DISCARD, 1)
    return game


def asked_of_a_seat_that_left(seats=4):
    """Seat 1 left, and seat 0 makes it an offer."""
    game = Game.from_position(
        board=tournament().board, rules="base", phase="main", hands={0: {0: 1}}, seats=seats
    )
    game.leave(1)
    game.play(Action.offer(1, 0, 1))
    assert (game.phase, game.seat) == (Phase.ANSWER, 1)
    return game


def test_a_seat_that_left_discards_at_a_seven_like_any_other():
    """C224."""
    game = owed_by_a_seat_that_left()
    for _ in range(4):
        game.play(Action.discard(0))
    assert (game.phase, game.seat, game.hand_size(1)) == (Phase.ROBBER, 0, 4)


def test_a_seat_that_left_is_asked_like_any_other():
    """C225."""
    game = asked_of_a_seat_that_left()
    game.play(Action.reject())
    assert (game.phase, game.seat) == (Phase.MAIN, 0)


@pytest.mark.parametrize("waiting", [owed_by_a_seat_that_left, asked_of_a_seat_that_left])
def test_a_game_that_waits_for_a_seat_that_left_continues_when_a_third_seat_leaves(waiting):
    """C226: two seats are still playing."""
    game = waiting()
    phase = game.phase
    game.leave(2)
    assert (game.is_over, game.winner, game.phase, game.seat) == (False, None, phase, 1)
    game.leave(0)
    assert (game.is_over, game.winner) == (True, 3)


@pytest.mark.parametrize("waiting", [owed_by_a_seat_that_left, asked_of_a_seat_that_left])
def test_the_last_seat_wins_while_its_turn_waits_for_a_seat_that_left(waiting):
    """C226."""
    game = waiting(seats=3)
    game.leave(2)
    assert (game.is_over, game.winner, game.seat) == (True, 0, 0)


def test_a_game_that_seats_leave_ends_with_a_winner(games):
    """C226."""
    for seed in range(games // 10):
        game, chance = Game(seats=3 + seed % 2, seed=seed, rules="base"), Random(seed)
        while not game.is_over:
            game.play(chance.choice(game.legal_actions.indices.tolist()))
            here = [seat for seat in range(game.seats) if game.is_playing(seat)]
            if game.turn > 0 and not game.is_over and chance.random() < 0.01:
                game.leave(chance.choice(here))
                assert game.is_over == (len(here) == 2), seed
        assert game.winner is not None, seed


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
    """C226."""
    game = tournament(seats=3)
    for seat in {0, 1, 2} - {last}:
        assert game.winner is None
        game.leave(seat)
    assert (game.winner, game.is_over, game.seat) == (last, True, last)


def test_a_position_may_have_seats_that_have_left():
    """C222, C224, C225: their turns are skipped, and they may owe an answer or cards."""
    board, gone = tournament().board, {1, 2}
    game = Game.from_position(board=board, left=gone)
    assert [game.is_playing(seat) for seat in range(4)] == [True, False, False, True]
    game.play(Action.end_turn())
    assert game.turn_seat == 3
    asked = {"phase": "answer", "offer": (1, 0, 1), "hands": {0: {0: 1}}}
    owing = {"phase": "discard", "hands": {1: {0: 8}}}
    for facts in (asked, owing):
        assert Game.from_position(board=board, left=gone, **facts).seat == 1


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"left": {4}}, r"seat is 4; allowed are 0\.\.3"),
        ({"left": {0}}, r"seat 0 has left, but it is its turn \(C223\)"),
        ({"left": {1, 2, 3}}, r"3 of 4 seats have left: the last one has won \(C226\)"),
        ({"left": {1}, "phase": "place_settlement"}, "no seat leaves in the set-up"),
    ],
)
def test_a_position_refuses_seats_that_cannot_have_left(facts, said):
    with pytest.raises(ValueError, match=said):
        Game.from_position(board=tournament().board, **facts)


def test_no_seat_leaves_twice():
    game = tournament()
    game.leave(1)
    with pytest.raises(IllegalActionError, match="seat 1 has already left the table"):
        game.leave(1)
