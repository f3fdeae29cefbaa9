"""Leaders, R060-R068 and R103."""

import pytest

from tests.guests.renaissance.drawn import (
    ACTIVATE,
    DISCARD,
    buy,
    end_turns,
    faith,
    fresh,
    in_hand,
    leaders,
    legal,
    play,
    refresh,
    shelves,
    slots,
    strongbox,
    tiles,
    top,
)


def test_a_leader_is_activated_on_ones_own_turn_when_its_requirement_holds():
    """R060: nothing is paid."""
    game = in_hand(strongbox(fresh(), 0, "CCCCC"), 0, 4, 0)
    assert {ACTIVATE, ACTIVATE + 1} & legal(game) == {ACTIVATE}
    play(game, ACTIVATE)
    assert game.goods(0) == [5, 0, 0, 0] and game.active_leaders(0) == [4]


def test_goods_are_counted_over_all_containers():
    """R061: discounts do not lower the requirement."""
    game = leaders(shelves(strongbox(fresh(), 0, "CC"), 0, "", "CC"), 0, 7, 4)
    game.state["leader_state"][0, 1] = 0
    assert ACTIVATE + 1 not in legal(refresh(game))
    game.state["depot"][0, 0] = 1
    assert ACTIVATE + 1 in legal(refresh(game)), "2 + 2 + 1 coins"
    discount = in_hand(strongbox(leaders(fresh(), 0, 3, 4), 0, "CCCC"), 0, 3, 4)
    discount.state["leader_state"][0, 0] = 1
    assert ACTIVATE + 1 not in legal(refresh(discount))


def test_card_requirements_count_covered_cards_of_any_level():
    """R062."""
    game = in_hand(slots(fresh(), 0, (3, 16), (7,)), 0, 0, 8)
    assert ACTIVATE in legal(game), "a green on a yellow card"
    assert ACTIVATE + 1 not in legal(game), "no blue card"
    slots(game, 0, (3, 16, 34), (7,))
    assert ACTIVATE + 1 in legal(game), "blue level 3, yellow twice level 1"


@pytest.mark.parametrize(
    "cards, holds", [((3,), 0), ((1, 19), 1), ((1, 19, 32), 1), ((1, 17, 35), 0)]
)
def test_a_level_2_requirement_needs_a_level_2_card_covered_or_not(cards, holds):
    """R063: a level 3 card does not count."""
    game = in_hand(slots(fresh(), 0, cards), 0, 12, 0)
    assert (ACTIVATE in legal(game)) == bool(holds)


def test_a_discarded_leader_gives_its_owner_a_faith():
    """R064."""
    game = play(in_hand(fresh(), 0, 0, 1), DISCARD + 1)
    assert faith(game) == [1, 0]
    assert not {DISCARD + 1, ACTIVATE + 1} & legal(game) and DISCARD in legal(game)


def test_an_active_leader_is_not_discarded_nor_activated_again():
    """R065, R066."""
    game = leaders(strongbox(fresh(), 0, "CCCCC"), 0, 4, 5)
    assert not {ACTIVATE, ACTIVATE + 1, DISCARD, DISCARD + 1} & legal(game)
    assert game.points(0) == 6


def test_only_active_leaders_give_points():
    """R067."""
    assert in_hand(fresh(), 0, 0, 8).points(0) == 0
    assert leaders(fresh(), 0, 0, 8).points(0) == 7
    assert leaders(fresh(), 0, 0, 8, state=2).points(0) == 0


def test_an_ability_lasts_for_the_rest_of_the_game():
    """R068."""
    game = in_hand(slots(strongbox(fresh(), 0, ""), 0, (1,), (3,)), 0, 3, 4)
    end_turns(play(game, ACTIVATE), 8)
    strongbox(top(game, 10), 0, "CC")
    assert buy(game, 10, 2) in legal(game), "three coins less one"


def test_a_report_follows_the_faith_of_a_discarded_leader():
    """R103."""
    game = in_hand(fresh(), 0, 0, 1)
    game.state["faith"][:2] = (7, 4)
    play(game, DISCARD)
    assert tiles(game, 0)[0] == 1 and tiles(game, 1)[0] == 2
