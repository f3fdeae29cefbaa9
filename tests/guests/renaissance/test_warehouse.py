"""Shelves, depots and the strongbox, R030-R040."""

import pytest

from catan_env.guests.renaissance.errors import IllegalActionError
from catan_env.guests.renaissance.native import doors
from tests.guests.renaissance.drawn import (
    AWAY,
    DONE,
    GAIN,
    LINE,
    PAY,
    PLACE,
    PRODUCE,
    SWAP,
    SWAPS,
    faith,
    fresh,
    leaders,
    legal,
    market,
    pay,
    play,
    refresh,
    shelves,
    shelves_of,
    strongbox,
    strongbox_of,
)

ROWS = "CCHF SSV. HV.."


def places(game) -> set[int]:
    """The places for the next good."""
    return {action - PLACE for action in legal(game)}


def depots(game, seat, *pieces):
    game.state["depot"][seat, : len(pieces)] = pieces
    return refresh(game)


def swap(a, b) -> int:
    return SWAP + SWAPS.index((a, b))


def test_a_shelf_takes_one_kind_and_one_two_or_three_pieces():
    """R030."""
    game = play(market(shelves(fresh(), 0, "", "S"), "CCCF SSV. HV..", "."), LINE)
    assert places(game) == {0, 2, AWAY}
    assert faith(play(game.copy(), PLACE)) == [1, 2], "two coins find no place"
    play(game, PLACE + 2, PLACE + 2, PLACE + 2)
    assert shelves_of(game, 0) == ["", "S", "CCC"]


def test_a_full_shelf_takes_no_more():
    """R030: a good without a place is discarded automatically."""
    game = play(market(shelves(fresh(), 0, "", "CC", ""), ROWS, "."), LINE)
    assert shelves_of(game, 0)[1] == "CC" and int(game.state["discarded"]) == 2
    assert places(game) == {0, 2, AWAY} and int(game.state["kind"]) == 3


def test_two_shelves_never_hold_the_same_kind():
    """R031."""
    game = play(market(shelves(fresh(), 0, "", "C", ""), ROWS, "."), LINE)
    assert places(game) == {1, AWAY}


def test_a_shelf_that_is_not_empty_takes_only_its_own_kind():
    """R032."""
    game = play(market(shelves(fresh(), 0, "V", "H", ""), ROWS, "."), LINE)
    assert places(game) == {2, AWAY}


def test_an_emptied_shelf_is_free_for_any_kind():
    """R033."""
    game = shelves(strongbox(fresh(), 0, "C"), 0, "S", "HH", "")
    play(game, PRODUCE, pay("C", 2), pay("S", 0), GAIN, DONE)
    assert shelves_of(game, 0)[0] == ""
    game.state["main_done"] = 0
    play(market(game, ROWS, "."), LINE)
    assert places(game) == {0, 2, AWAY}


def test_a_depot_takes_two_of_its_leaders_good_which_a_shelf_may_hold_too():
    """R034."""
    game = leaders(market(shelves(fresh(), 0, "", "C"), "CCCF SSV. HV..", "."), 0, 0, 7)
    play(game, LINE)
    assert places(game) == {1, 4, AWAY}
    play(game, PLACE + 4, PLACE + 4)
    assert game.state["depot"][0].tolist() == [0, 2] and shelves_of(game, 0)[1] == "C"
    assert not game.state["discarded"] and game.state["main_done"], "the third has one place left"


def test_a_depot_takes_no_other_good():
    """R034."""
    game = play(leaders(market(fresh(), ROWS, "."), 0, 0, 4), LINE)
    assert places(game) == {0, 1, 2, AWAY}


@pytest.mark.parametrize("state", [0, 2])
def test_the_depot_of_a_leader_that_is_not_active_does_not_exist(state):
    """R035."""
    game = leaders(market(fresh(), ROWS, "."), 0, 0, 7, state=state)
    game.play(LINE)
    assert places(game) == {0, 1, 2, AWAY}


def test_an_exchange_swaps_the_whole_contents_also_with_an_empty_place():
    """R036."""
    game = shelves(fresh(), 0, "C", "", "SS")
    play(game, swap(1, 2))
    assert shelves_of(game, 0) == ["C", "SS", ""]
    assert swap(0, 1) not in legal(game), "two stones do not fit on the shelf of one"
    play(game, swap(0, 2))
    assert shelves_of(game, 0) == ["", "SS", "C"]


def test_an_exchange_with_a_depot_obeys_both_places():
    """R036."""
    game = depots(leaders(shelves(fresh(), 0, "", "CC", "S"), 0, 0, 7), 0, 0, 1)
    assert swap(1, 4) in legal(game), "two coins against one"
    assert swap(2, 4) not in legal(game), "no stone in a depot of coins"
    assert swap(0, 4) not in legal(game), "a second shelf would hold coins"
    play(game, swap(1, 4))
    assert shelves_of(game, 0) == ["", "C", "S"] and game.state["depot"][0, 1] == 2


def test_part_of_a_shelf_is_not_moved():
    """R037: the exchange moves all pieces of both places."""
    game = depots(leaders(shelves(fresh(), 0, "", "", "CCC"), 0, 0, 7), 0, 0, 0)
    assert not {swap(2, 4), swap(0, 2), swap(1, 2)} & legal(game)


def test_market_goods_never_enter_the_strongbox_or_displace_stored_ones():
    """R038."""
    game = play(market(shelves(fresh(), 0, "H", "SS", "VVV"), ROWS, "."), LINE)
    assert shelves_of(game, 0) == ["H", "SS", "VVV"] and strongbox_of(game, 0) == ""
    assert int(game.state["faith"][1]) == 3


def test_the_strongbox_is_filled_by_production_and_emptied_by_payment():
    """R039."""
    game = strongbox(fresh(), 0, "CCSS")
    play(game, PRODUCE, pay("C", 2), pay("S", 2), GAIN + 3, DONE)
    assert strongbox_of(game, 0) == "CSH"


def test_there_is_no_exchange_with_the_strongbox():
    """R040: places are shelves and depots."""
    assert sorted({place for pair in SWAPS for place in pair}) == [0, 1, 2, 3, 4]
    game = strongbox(fresh(), 0, "CC")
    assert not legal(game) & set(range(SWAP, SWAP + 10))


def test_the_mask_offers_four_exchanges_per_turn():
    game = shelves(fresh(), 0, "C")
    for a, b in ((0, 1), (1, 2), (1, 2), (0, 1)):
        play(game, swap(a, b))
    assert not legal(game) & set(range(SWAP, SWAP + 10))
    assert doors.exchange_fits(game._states, 0, 0, 0, 1), "the rules have no limit"


def test_equal_contents_are_not_exchanged():
    assert not legal(fresh()) & set(range(SWAP, SWAP + 10))
    assert PAY not in legal(fresh())


@pytest.mark.parametrize("place", [5, 100, -1])
def test_only_places_of_goods_are_exchanged(place: int) -> None:
    game = shelves(fresh(), 0, "C")
    before = game.state.tobytes()
    for a, b in ((0, place), (place, 0), (place, place)):
        with pytest.raises(IllegalActionError, match=f"cannot exchange places {a} and {b}"):
            game.exchange(a, b)
    assert game.state.tobytes() == before


@pytest.mark.parametrize("places", [(0, 5), (5, 0), (-1, 1), (1, -1), (9, 9)])
def test_only_shelves_and_depots_are_exchanged(places):
    """R036."""
    game = shelves(fresh(), 0, "C", "SS")
    before = game.copy()
    with pytest.raises(IllegalActionError, match="cannot exchange places"):
        game.exchange(*places)
    assert game == before
