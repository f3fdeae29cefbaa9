"""Purchases, R041-R049 and R102."""

import numpy as np

from catan_env.guests.renaissance.native import doors
from tests.guests.renaissance.drawn import (
    BUY,
    buy,
    fresh,
    leaders,
    legal,
    pass_turn,
    pay,
    play,
    refresh,
    shelves,
    shelves_of,
    slots,
    strongbox,
    strongbox_of,
    top,
)

ALL = "CCCCCCCCCC" + "SSSSSSSSSS" + "VVVVVVVVVV" + "HHHHHHHHHH"


def buyable(game) -> set[int]:
    return {action for action in legal(game) if BUY <= action < BUY + 36}


def test_the_top_card_is_bought_and_the_next_turned_up():
    """R041."""
    game = strongbox(top(fresh(), 0), 0, ALL)
    below = int(game.state["stack"][1, 0][2])
    play(game, buy(game, 0, 1))
    assert game.state["slot"][0, 1, 0] == 0
    assert game.state["top"][1, 0] == below and game.state["left"][1, 0] == 3


def test_nothing_is_bought_from_an_empty_stack():
    """R042."""
    game = strongbox(top(fresh(), 0), 0, ALL)
    assert buy(game, 0, 0) in legal(game)
    game.state["left"][1, 0], game.state["top"][1, 0] = 0, -1
    refresh(game)
    assert not {BUY + 9, BUY + 10, BUY + 11} & legal(game)


def test_a_card_of_level_1_needs_an_empty_slot():
    """R043."""
    game = slots(strongbox(fresh(), 0, ALL), 0, (1,), (), ())
    level_1 = {action for action in buyable(game) if (action - BUY) // 3 % 3 == 0}
    assert {(action - BUY) % 3 for action in level_1} == {1, 2}


def test_a_card_covers_one_of_the_level_below_of_any_colour():
    """R044."""
    game = slots(strongbox(fresh(), 0, ALL), 0, (1,), (2, 16), ())
    for level, slot in ((1, 0), (2, 1)):
        actions = {action for action in buyable(game) if (action - BUY) // 3 % 3 == level}
        assert actions == {BUY + 9 * colour + 3 * level + slot for colour in range(4)}


def test_no_other_slot_takes_a_card():
    """R045."""
    game = slots(strongbox(fresh(), 0, ALL), 0, (1, 17, 33), (2, 18, 34), (3, 19, 35))
    assert buyable(game) == set()


def test_the_cost_is_paid_from_any_mix_of_containers():
    """R046."""
    game = top(leaders(fresh(), 0, 0, 7), 10)
    shelves(strongbox(game, 0, "CC"), 0, "C")
    game.state["depot"][0, 1] = 1
    refresh(game)
    play(game, buy(game, 10, 0), pay("C", 0), pay("C", 1))
    assert shelves_of(game, 0)[0] == "" and game.state["depot"][0, 1] == 0
    assert strongbox_of(game, 0) == "C", "the last piece has one source left"


def test_the_exact_cost_is_paid():
    """R046: one piece too few is not enough."""
    game = shelves(strongbox(top(fresh(), 10), 0, "C"), 0, "", "C")
    assert buy(game, 10, 0) not in legal(game)
    strongbox(game, 0, "CCCC")
    play(game, buy(game, 10, 0))
    assert legal(game) == {pay("C", 0), pay("C", 2)}
    play(game, pay("C", 2))
    assert shelves_of(game, 0)[1] == "C" and strongbox_of(game, 0) == "C"


def test_a_discount_leader_takes_one_of_its_goods_off_the_cost():
    """R047."""
    game = leaders(strongbox(top(fresh(), 10), 0, "CC"), 0, 3, 4)
    play(game, buy(game, 10, 0))
    assert strongbox_of(game, 0) == "" and game.state["slot"][0, 0, 0] == 10
    assert doors.cost_of(game._states, 0, 0, 0, 0) == 0, "never below 0"
    assert doors.cost_of(game._states, 0, 0, 0, 3) == 2, "other goods as printed"


def test_two_discount_leaders_both_apply():
    """R048."""
    game = leaders(strongbox(top(fresh(), 12), 0, "CH"), 0, 1, 3)
    play(game, buy(game, 12, 0))
    assert strongbox_of(game, 0) == "" and game.state["slot"][0, 0, 0] == 12


def test_covered_cards_count_for_points_and_no_longer_produce():
    """R049."""
    game = strongbox(slots(fresh(), 0, (8, 24)), 0, ALL)
    assert game.points(0) == 3 + 7
    play(game, 75)
    assert game.state["promised"][:].tolist() == [0, 2, 0, 0], "the upper card's output"


def test_the_7th_card_counts_after_the_purchase():
    """R102."""
    game = strongbox(top(slots(fresh(), 0, (1, 17, 33), (2, 18, 34), ()), 0), 0, "HH")
    assert not game.state["last_round"]
    play(game, buy(game, 0, 2))
    assert game.state["last_round"] and not game.is_over
    assert game.points(0) == sum((1, 5, 9, 1, 5, 9, 1))


def test_payments_are_offered_so_that_each_can_be_completed():
    rng = np.random.default_rng(3)
    game = fresh(1, seed=4)
    for _ in range(300):
        strongbox(game, 0, "".join(rng.choice(list("CSVH"), 5)))
        for action in buyable(game):
            trial = game.copy()
            trial.play(action)
            while trial.phase == "pay":
                trial.play(int(rng.choice(sorted(legal(trial)))))
            assert trial.state["main_done"]
        if game.round < 40:
            pass_turn(game)
        if game.is_over:
            break
