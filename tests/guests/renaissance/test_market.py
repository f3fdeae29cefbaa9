"""The market, R021-R029 and R101."""

import pytest

from tests.guests.renaissance.drawn import (
    AWAY,
    LINE,
    PLACE,
    WHITE,
    faith,
    fresh,
    leaders,
    legal,
    market,
    market_of,
    play,
    shelves,
    shelves_of,
    take,
    tiles,
)

ROWS = "CCHF SSV. HV.."


def test_a_row_gives_its_marbles_and_moves_one_towards_column_0():
    """R021."""
    game = take(market(fresh(), ROWS, "."), 0, AWAY, AWAY, AWAY)
    assert market_of(game) == ("CHF. SSV. HV..", "C")


def test_a_column_gives_its_marbles_and_moves_one_towards_row_0():
    """R022."""
    game = take(market(fresh(), ROWS, "F"), 4, AWAY, AWAY, AWAY)
    assert market_of(game) == ("CSHF SVV. HF..", "C")


def test_a_faith_marble_is_one_faith_immediately():
    """R023."""
    game = market(fresh(), ROWS, ".")
    assert LINE + 6 in legal(game)
    game.play(LINE + 6)
    assert faith(game) == [1, 0] and game.goods(0) == [0] * 4, "nothing to place: F . ."


def test_a_white_marble_gives_nothing_without_a_leader():
    """R024: there is nothing to discard either."""
    game = take(market(fresh(), ROWS, "."), 2, 0, 1)
    assert shelves_of(game, 0) == ["V", "H", ""] and faith(game) == [0, 0]


@pytest.mark.parametrize("held", [(8, 1), (1, 8)])
def test_one_white_leader_converts_white_marbles_next_to_any_other(held):
    """R025."""
    game = leaders(market(fresh(), ROWS, "."), 0, *held)
    game.play(LINE + 2)
    assert game.state["to_place"].tolist() == [0, 0, 3, 1]


def test_one_white_leader_converts_every_white_marble():
    """R025: even if the good must then be discarded."""
    game = leaders(market(fresh(), ROWS, "."), 0, 8, 0)
    shelves(game, 0, "C", "SS", "HHH")
    game.play(LINE + 2)
    assert faith(game) == [0, 4], "a servant, a shield and two servants of white marbles"


def test_with_two_white_leaders_each_white_marble_is_chosen():
    """R026."""
    game = leaders(market(fresh(), ROWS, "."), 0, 8, 9)
    game.play(LINE + 2)
    assert legal(game) == {WHITE, WHITE + 1} and game.phase == "white"
    play(game, WHITE + 1, WHITE)
    assert game.state["to_place"][2:4].tolist() == [2, 2]
    other = leaders(market(fresh(), ROWS, "."), 0, 8, 9)
    play(other, LINE + 2, WHITE, WHITE)
    assert other.state["to_place"][2:4].tolist() == [3, 1]


@pytest.mark.parametrize("state", [0, 2])
def test_a_white_leader_in_hand_or_discarded_has_no_effect(state):
    """R027."""
    game = leaders(market(fresh(), ROWS, "."), 0, 8, 9, state=state)
    game.play(LINE + 2)
    assert game.state["to_place"][:4].sum() == 2


def test_each_good_is_placed_or_discarded():
    """R028."""
    game = play(market(fresh(), ROWS, "."), LINE + 1)
    assert game.phase == "place" and legal(game) == {PLACE, PLACE + 1, PLACE + 2, PLACE + AWAY}
    play(game, PLACE + 1, PLACE + AWAY, PLACE + 2)
    assert shelves_of(game, 0) == ["", "S", "V"] and faith(game) == [0, 1]


def test_pieces_of_a_kind_are_placed_in_one_order_only():
    game = play(market(fresh(), ROWS, "."), LINE + 1, PLACE + AWAY)
    assert legal(game) == {PLACE, PLACE + 1, PLACE + 2, PLACE + AWAY}, "the second stone is away"
    assert int(game.state["kind"]) == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_discarded_good_is_a_faith_for_every_other_seat(seats):
    """R029."""
    game = take(market(fresh(seats), ROWS, "."), 1, AWAY)
    while game.phase == "place":
        game.play(PLACE + AWAY)
    assert faith(game) == [0] + [3] * (seats - 1)


def test_discarded_goods_move_the_cross_in_the_solo_game():
    """R029, R100: in the player's turn."""
    game = take(market(fresh(1), ROWS, "."), 2, AWAY, AWAY)
    assert int(game.state["cross"]) == 2 and faith(game) == [0] and not game.is_over


def test_reports_come_after_all_markers_of_the_market_action_have_moved():
    """R101: others by discards, then the player's own faith, then the report."""
    game = market(fresh(), "CC.F SSV. HV..", ".")
    game.state["faith"][:2] = (4, 6)
    game.play(LINE)
    play(game, PLACE + AWAY)
    assert faith(game) == [5, 8]
    assert tiles(game, 0)[0] == 1 and tiles(game, 1)[0] == 1, "the seat on 5 is in the section"
