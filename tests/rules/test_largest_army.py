"""Largest Army (C181-C186)."""

from random import Random
from typing import Any

import pytest

from catan_env import Action, Game, Phase
from tests.rules.drawn import legal_kinds, position

KNIGHTS = {n: (n, 0, 0, 0, 0) for n in range(8)}


def armies(*played: int, **facts: Any) -> Game:
    """Each seat has played that many knights, and seat 0 holds one more."""
    counts = {seat: KNIGHTS[n] for seat, n in enumerate(played)}
    return position(**{"played": counts, "cards": {0: KNIGHTS[1]}, **facts})


def points(game: Game) -> list[int]:
    """The points of all seats."""
    return [game.points(seat) for seat in range(game.seats)]


def test_the_first_army_of_three_takes_the_card() -> None:
    """C181: two points, as the third knight is played; the second takes nothing."""
    game = armies(1, 0, 0, 0)
    game.play(Action.play_knight())
    assert (game.largest_army_seat, points(game)) == (None, [0, 0, 0, 0])
    game = armies(2, 2, 0, 0)
    assert (game.largest_army_seat, points(game)) == (None, [0, 0, 0, 0])
    game.play(Action.play_knight())
    assert game.phase == Phase.ROBBER
    assert (game.largest_army_seat, points(game)) == (0, [2, 0, 0, 0])


def test_an_equal_army_leaves_the_card_with_its_holder() -> None:
    """C182."""
    game = armies(2, 3, 0, 0)
    assert game.largest_army_seat == 1
    game.play(Action.play_knight())
    assert (game.largest_army_seat, points(game)) == (1, [0, 2, 0, 0])


def test_a_larger_army_takes_the_card_immediately() -> None:
    """C183."""
    game = armies(3, 3, 0, 0, largest_army_seat=1)
    assert points(game) == [0, 2, 0, 0]
    game.play(Action.play_knight())
    assert (game.largest_army_seat, points(game)) == (0, [2, 0, 0, 0])


def test_knights_in_hand_do_not_count() -> None:
    """C184."""
    game = armies(2, 0, 0, 0, cards={0: KNIGHTS[5]})
    assert (game.largest_army_seat, game.knights(0), points(game)) == (None, 2, [0, 0, 0, 0])
    game = armies(3, 0, 0, 0, cards={1: KNIGHTS[7]})
    assert (game.largest_army_seat, game.knights(1)) == (0, 0)


def test_other_cards_do_not_count_as_army() -> None:
    """C184: of four cards played, two are knights."""
    game = armies(0, cards={0: (1, 0, 0, 0, 0)}, played={0: (1, 1, 1, 1, 0)})
    game.play(Action.play_knight())
    assert (game.largest_army_seat, game.knights(0)) == (None, 2)


@pytest.mark.parametrize("knights", [3, 4, 6])
def test_the_holder_gains_nothing_by_another_knight(knights: int) -> None:
    """C185."""
    game = armies(knights, 0, 0, 0)
    assert points(game) == [2, 0, 0, 0]
    game.play(Action.play_knight())
    assert game.knights(0) == knights + 1
    assert (game.largest_army_seat, points(game)) == (0, [2, 0, 0, 0])


def test_the_card_is_never_set_aside() -> None:
    """C186: in whole games armies do not shrink, and a larger one takes the card from another."""
    changes = 0
    for seed in range(6):
        game, choose = Game(seats=3, seed=seed), Random(seed)
        before, holder = [0, 0, 0], None
        for _ in range(2000):
            if game.is_over:
                break
            verb = choose.choice(sorted(legal_kinds(game)))
            legal = [action for action in game.legal_actions if action.kind.name == verb]
            game.play(choose.choice(legal))
            armies_now = [game.knights(seat) for seat in range(3)]
            assert all(old <= new for old, new in zip(before, armies_now, strict=True))
            if game.largest_army_seat != holder:
                assert game.largest_army_seat is not None
                changes += 1
            before, holder = armies_now, game.largest_army_seat
            if holder is not None:
                assert armies_now[holder] == max(armies_now) >= 3
            else:
                assert max(armies_now) < 3
    assert changes > 3
