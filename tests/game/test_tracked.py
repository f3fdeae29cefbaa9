"""A view followed at a table whose counts correct it."""

from random import Random

import numpy as np
import pytest

from catan_env import Action, Board, Event, Game, SeatView
from catan_env.game.errors import IllegalActionError
from catan_env.game.tracked import LARGEST_HAND, TrackedView

SIDES = {"board": Board.beginner(), "seats": 3, "settlements": {0: [8], 1: [35], 2: [20]}}


def tracked_of(**more: object) -> TrackedView:
    """Return the tracked view of seat 0 in a small position."""
    return TrackedView(Game.from_position(**{**SIDES, **more}).view(0))


def test_an_event_by_the_rules_leaves_the_view_exact() -> None:
    game = Game(3, 1)
    tracked = TrackedView(SeatView.begin(game.board, viewer=1, seats=3))
    for _ in range(20):
        tracked.apply(game.play(next(iter(game.legal_actions))).redacted(1, 3))
    assert tracked.is_exact and tracked.view == game.view(1)


def test_an_event_against_the_rules_is_counted_and_followed() -> None:
    tracked, roll = tracked_of(turn=5), Event(2, Action.roll(), (3, 2))
    with pytest.raises(IllegalActionError):
        tracked.apply(roll)
    assert tracked.is_exact
    tracked.follow(roll)
    assert tracked.differences == {"refused: roll": 1} and tracked.exact_until == 5
    assert tracked.view.turn_seat == 2


def test_an_impossible_outcome_is_not_followed() -> None:
    tracked = tracked_of(phase="roll")
    with pytest.raises(ValueError, match="lacks its outcome"):
        tracked.follow(Event(0, Action.roll()))
    assert tracked.is_exact


def test_what_is_computed_already_changes_nothing() -> None:
    tracked = tracked_of(hands={0: (1, 1, 0, 0, 0), 1: (0, 3, 0, 0, 0)}, cards={0: (1, 0, 0, 0, 0)})
    before = tracked.view.state_bytes()
    tracked.believe_hand(0, 2, (1, 1, 0, 0, 0))
    tracked.believe_hand(1, 3)
    tracked.believe_cards(0, 1, (1, 0, 0, 0, 0))
    tracked.believe_knights(1, 0)
    tracked.believe_award("longest_road", None)
    assert tracked.is_exact and tracked.view.state_bytes() == before


def test_the_viewer_s_hand_is_what_the_table_announces() -> None:
    tracked = tracked_of(hands={0: (1, 1, 0, 0, 0)})
    tracked.believe_hand(0, 3, (0, 0, 2, 1, 0))
    assert (tracked.view.hand(0), tracked.view.hand_size(0)) == ((0, 0, 2, 1, 0), 3)
    assert tracked.differences == {"own hand": 1} and not tracked.is_exact


@pytest.mark.parametrize("number", [96, 128, 5000])
def test_a_hand_larger_than_our_bank_is_shown_with_as_many_cards_as_the_bank_has(
    number: int,
) -> None:
    tracked = tracked_of()
    tracked.believe_hand(0, number, (number - 2, 0, 1, 0, 1))
    tracked.believe_hand(1, number)
    assert (tracked.view.hand(0), tracked.view.hand_size(1)) == ((93, 0, 1, 0, 1), LARGEST_HAND)
    tracked.view._array["hand_size"][0, 2] = 127
    tracked.limit_hands()
    assert [tracked.view.hand_size(seat) for seat in range(3)] == [LARGEST_HAND] * 3


def test_all_cards_of_our_bank_fit_into_one_hand() -> None:
    tracked = tracked_of()
    tracked.believe_hand(0, LARGEST_HAND, (19,) * 5)
    assert tracked.view.hand(0) == (19,) * 5 and LARGEST_HAND == 95


def test_more_development_cards_than_the_deck_has_are_shown_as_the_deck() -> None:
    tracked = tracked_of()
    tracked.believe_cards(0, 1001, (1000, 1, 0, 0, 0))
    tracked.believe_knights(1, 1000)
    assert (tracked.view.card_count(0), tracked.view.cards(0)) == (25, (24, 1, 0, 0, 0))
    assert tracked.view.knights(1) == 25 and tracked.view.deck_size == 0


def test_known_cards_of_another_hand_are_reduced_by_the_cards_lost() -> None:
    tracked = tracked_of(hands={1: (3, 1, 0, 0, 0)})
    tracked.view._array["known"][0, 1] = (3, 1, 0, 0, 0)
    tracked.believe_hand(1, 3)
    assert (tracked.view.hand_size(1), tracked.view.known(1)) == (3, (2, 0, 0, 0, 0))


def test_the_bank_is_its_certain_minimum() -> None:
    hands = {0: (2, 0, 0, 0, 0), 1: (3, 1, 0, 0, 0), 2: (0, 0, 4, 0, 0)}
    tracked = tracked_of(hands=hands)
    tracked.view._array["known"][0] = 0
    tracked.believe_hand(1, 5)
    assert tracked.view.bank == (19 - 2 - 9, 19 - 9, 19 - 9, 19 - 9, 19 - 9)


def test_bought_cards_are_missing_in_the_deck() -> None:
    tracked = tracked_of()
    deck = tracked.view.deck_size
    tracked.believe_cards(1, 2)
    assert (tracked.view.card_count(1), tracked.view.deck_size) == (2, deck - 2)


def test_knights_and_awards_are_those_announced() -> None:
    tracked = tracked_of()
    tracked.believe_knights(1, 2)
    tracked.believe_award("largest_army", 2)
    assert tracked.view.knights(1) == 2 and tracked.view.largest_army_seat == 2
    assert tracked.differences == {"knights": 1, "largest_army": 1}


def test_nothing_of_a_turn_remains_where_the_table_begins_another() -> None:
    """In turns of random games; each field had a value in one of them."""
    fields, had = ("new_cards", "card_played", "free_roads", "offers", "owed"), set()
    for seed in range(40):
        game, chance = Game(seats=3, seed=seed), Random(seed)
        while not game.is_over and game.turn < 80:
            game.play(chance.choice(list(game.legal_actions)))
            tracked = TrackedView(game.view(0))
            state = tracked.view._array[0]
            valued = {name for name in fields if np.any(state[name])}
            if valued - had:
                had |= valued
                tracked.begin_turn(2)
                assert not any(np.any(state[name]) for name in fields), valued
                assert tracked.view.turn_seat == tracked.view.seat == 2
        if had == set(fields):
            return
    assert had == set(fields)
