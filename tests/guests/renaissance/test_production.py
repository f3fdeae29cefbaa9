"""Production, R050-R057."""

import pytest

from catan_env.guests.renaissance import IllegalActionError
from catan_env.guests.renaissance.command import Produce, Production
from tests.guests.renaissance.drawn import (
    DONE,
    GAIN,
    PRODUCE,
    faith,
    fresh,
    leaders,
    legal,
    pay,
    play,
    shelves,
    shelves_of,
    slots,
    strongbox,
    strongbox_of,
)

BASE, SLOT_0, SLOT_1, LEADER_0, LEADER_1 = PRODUCE, PRODUCE + 1, PRODUCE + 2, PRODUCE + 4, 79


def productions(game) -> set[int]:
    return {action for action in legal(game) if PRODUCE <= action < DONE}


def test_any_set_of_productions_is_legal_each_at_most_once():
    """R050."""
    game = leaders(slots(strongbox(fresh(), 0, "CCSSVVHH"), 0, (4,), (7,)), 0, 12, 15)
    assert productions(game) == {BASE, SLOT_0, SLOT_1, LEADER_0, LEADER_1}
    play(game, SLOT_0)
    assert productions(game) == {SLOT_1, LEADER_0, LEADER_1}, "in ascending order"
    play(game, LEADER_0, GAIN)
    assert productions(game) == {LEADER_1} and DONE in legal(game)


def test_no_output_feeds_an_input_of_the_same_action():
    """R051."""
    game = slots(strongbox(fresh(), 0, "S"), 0, (4,), (6,))
    play(game, SLOT_0)
    assert strongbox_of(game, 0) == "" and game.state["promised"][2] == 1
    assert productions(game) == set(), "the servant is not there yet"
    play(game, DONE)
    assert strongbox_of(game, 0) == "V"


def test_outputs_go_to_the_strongbox_and_faith_moves_the_marker():
    """R052."""
    game = play(slots(strongbox(fresh(), 0, "SV"), 0, (12,)), SLOT_0, DONE)
    assert strongbox_of(game, 0) == "CC" and faith(game) == [1, 0]
    assert shelves_of(game, 0) == ["", "", ""]


def test_the_base_production_takes_any_two_goods_for_one():
    """R053: equal or not, from any containers, and never for faith."""
    game = shelves(strongbox(fresh(), 0, "CS"), 0, "C")
    play(game, BASE)
    assert legal(game) == {pay("C", 0), pay("C", 2)}, "after the stone nothing could follow"
    play(game, pay("C", 0))
    assert legal(game) == {pay("C", 2), pay("S", 2)}
    play(game, pay("S", 2))
    assert legal(game) == {GAIN, GAIN + 1, GAIN + 2, GAIN + 3}
    play(game, GAIN + 2, DONE)
    assert strongbox_of(game, 0) == "CV"
    assert BASE not in legal(strongbox(fresh(), 0, "C"))


def test_a_production_leader_gives_a_good_of_choice_and_a_faith():
    """R054."""
    game = leaders(strongbox(fresh(), 0, "H"), 0, 12, 0)
    play(game, LEADER_0, GAIN + 1, DONE)
    assert strongbox_of(game, 0) == "S" and faith(game) == [1, 0]


def test_the_choice_is_faith_only_if_the_card_allows_it():
    """R055: the recipe's exclusions decide."""
    printed = play(leaders(strongbox(fresh(), 0, "H"), 0, 12, 0), LEADER_0)
    assert legal(printed) == {GAIN, GAIN + 1, GAIN + 2, GAIN + 3}
    am49 = play(leaders(strongbox(fresh(cards="am49"), 0, "H"), 0, 12, 0), LEADER_0)
    assert GAIN + 4 in legal(am49)
    play(am49, GAIN + 4, DONE)
    assert faith(am49) == [2, 0]


def test_a_covered_card_or_the_same_production_twice_is_refused():
    """R056: and so are another seat's cards, and leaders that are not active."""
    game = slots(slots(strongbox(fresh(), 0, "CCSSVVHH"), 0, (4, 20)), 1, (1,), (2,))
    assert productions(game) == {BASE, SLOT_0}
    play(game, SLOT_0)
    assert int(game.state["promised"][1]) == 3, "card 20, not card 4 beneath it"
    assert productions(game) == set()
    assert not productions(leaders(strongbox(fresh(), 0, "H"), 0, 12, 0, state=0))
    twice = Production(0, (0, 0, 2, *(0,) * 9), (0,))
    with pytest.raises(IllegalActionError):
        strongbox(fresh(), 0, "CCCC").play_command(Produce((twice, twice)))


def test_an_empty_set_is_not_a_production():
    """R057."""
    game = strongbox(fresh(), 0, "CC")
    assert DONE not in legal(game)
    with pytest.raises(IllegalActionError):
        game.play_command(Produce(()))
    assert not game.state["main_done"]
