"""Set-up, R003 and R005-R013."""

from collections import Counter

import numpy as np
import pytest

from catan_env.guests.renaissance import Game, IllegalActionError
from catan_env.guests.renaissance.native.cards import MARBLES
from tests.guests.renaissance.drawn import (
    GAIN,
    KEEP,
    PLACE,
    bytes_of,
    faith,
    first_legal,
    legal,
    play,
    shelves_of,
)

GAMES = [Game(4, seed) for seed in range(200)]


def test_the_twelve_stacks_are_shuffled_separately():
    """R003: only the top card is turned up."""
    orders = set()
    for game in GAMES:
        for colour in range(4):
            for level in range(3):
                stack = game.state["stack"][colour, level]
                assert {tuple(game.state["dev"][card][:2]) for card in stack} == {
                    (colour, level + 1)
                }
                assert len(set(stack)) == 4
                assert game.state["top"][colour, level] == stack[3]
        orders.add(tuple(game.state["stack"][0, 0]))
    assert len(orders) == 24


def test_marbles_are_random_in_three_rows_and_on_the_slide():
    """R005."""
    for game in GAMES:
        assert Counter(game.state["market"].tolist()) == Counter(MARBLES)
    slides = Counter(int(game.state["market"][12]) for game in GAMES)
    assert set(slides) == set(range(6))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_one_to_four_seats_play_and_seat_0_begins(seats):
    """R006: seat 0 has the inkwell."""
    game = Game(seats, seed=5)
    while not game.is_playing:
        game.play(first_legal(game))
    assert (game.turn_seat, game.phase) == (0, "main")


@pytest.mark.parametrize("seats", [0, 5, -1])
def test_no_other_number_of_seats(seats):
    with pytest.raises(ValueError, match=r"allowed are 1\.\.4"):
        Game(seats)


def test_each_seat_is_dealt_four_leaders_and_keeps_two():
    """R007: the others leave the game unseen."""
    for game in GAMES:
        dealt = game.state["dealt"]
        assert len(set(dealt.flatten())) == 16
        assert (np.diff(dealt, axis=1) > 0).all()
    assert len({tuple(game.state["dealt"][0]) for game in GAMES}) > 150
    game = Game(2, seed=1)
    assert legal(game) == set(range(KEEP, KEEP + 6))
    game.play(KEEP + 4)
    assert game.state["leader"][0].tolist() == game.state["dealt"][0][[1, 3]].tolist()
    hidden = game.state["dealt"][0][0]
    view = game.view(1)
    assert hidden not in view.state["leader"].flatten() and not (view.state["dealt"][0] >= 0).any()


def test_later_seats_choose_goods_and_start_with_faith():
    """R008."""
    game, gains = Game(4, seed=2), [0] * 4
    assert faith(game) == [0, 0, 1, 1]
    while not game.is_playing:
        seat, action = game.seat, first_legal(game)
        gains[seat] += action >= GAIN
        game.play(action)
    assert gains == [0, 1, 1, 2]


def fourth(seed: int = 2) -> Game:
    """Seat 3 must choose its first good."""
    game = Game(4, seed)
    while game.seat != 3 or game.phase != "gain":
        game.play(first_legal(game))
    return game


def test_a_starting_good_is_never_faith_and_must_be_taken():
    """R009."""
    game = fourth()
    assert legal(game) == {GAIN, GAIN + 1, GAIN + 2, GAIN + 3}
    game.play(GAIN + 1)
    assert legal(game) == {PLACE, PLACE + 1, PLACE + 2}
    game.play(PLACE + 1)
    assert legal(game) == {GAIN + 1, GAIN + 2, GAIN + 3}, "goods ascend: one way to say each choice"


def test_two_starting_goods_of_a_kind_share_a_shelf_of_two_or_three():
    """R010."""
    game = play(fourth(), GAIN + 1, PLACE + 2, GAIN + 1)
    assert game.is_playing, "the one place left is taken by itself"
    assert shelves_of(game, 3) == ["", "", "SS"]
    small = play(fourth(), GAIN + 1, PLACE)
    assert GAIN + 1 not in legal(small)
    last_kind = play(fourth(), GAIN + 3)
    assert PLACE not in legal(last_kind), "a second shield would have no place"


def test_a_seat_has_three_shelves_a_strongbox_and_three_slots():
    """R011."""
    state = Game(2, seed=1).state
    assert state["shelf_count"].shape == (4, 3) and state["height"].shape == (4, 3)
    assert state["strongbox"].shape == (4, 4) and state["tile"].shape == (4, 3)
    assert not state["shelf_count"].any() and not state["strongbox"].any()


def test_the_order_of_choices_in_the_set_up_does_not_matter():
    """R012: simultaneous; goods before leaders or after them."""
    one = Game(3, seed=9)
    play(one, KEEP + 1, KEEP + 2, GAIN, PLACE, KEEP + 3, GAIN + 1, PLACE + 2)
    other = Game(3, seed=9)
    other.ask(2, for_goods=True)
    play(other, GAIN + 1, PLACE + 2)
    other.ask(2)
    other.play(KEEP + 3)
    other.ask(1)
    play(other, KEEP + 2)
    other.ask(1)
    play(other, GAIN, PLACE)
    other.ask(0)
    other.play(KEEP + 1)
    assert bytes_of(one) == bytes_of(other)
    assert Game.from_record(other.record()) == other


def test_no_seat_sees_anothers_choice_before_all_are_done():
    """R012."""
    a, b = Game(3, seed=9), Game(3, seed=9)
    play(a, KEEP + 1, KEEP + 2, GAIN, PLACE)
    play(b, KEEP + 5, KEEP + 1, GAIN + 3, PLACE + 2)
    assert (a.observe(2) == b.observe(2)).all()
    assert a.view(2) == b.view(2)
    for game in (a, b):
        play(game, KEEP, GAIN, PLACE)
    assert (a.observe(2) != b.observe(2)).any()


def test_a_seat_is_asked_once_for_each_choice():
    game = Game(3, seed=9)
    game.play(KEEP)
    with pytest.raises(IllegalActionError, match="nothing to choose"):
        game.ask(0)
    with pytest.raises(IllegalActionError, match="nothing to choose"):
        game.ask(0, for_goods=True)


def test_starting_faith_never_causes_a_report():
    """R013."""
    for game in GAMES[:20]:
        while not game.is_playing:
            game.play(first_legal(game))
        assert not game.state["reported"].any() and not game.state["tile"].any()
