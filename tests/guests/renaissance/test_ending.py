"""The end and the score, R080-R085, R109 and R110."""

from tests.guests.renaissance.drawn import (
    AWAY,
    END,
    buy,
    fresh,
    leaders,
    legal,
    market,
    pass_turn,
    play,
    refresh,
    shelves,
    slots,
    strongbox,
    take,
    tiles,
    top,
)

SIX = (1, 17, 33), (2, 18, 34), ()


def with_six(game, seat=0):
    return strongbox(top(slots(game, seat, *SIX), 0), seat, "HHHHHHHHHHCCCCSSSVVVVV")


def test_the_7th_card_starts_the_last_round():
    """R080: announced in the same action."""
    game = with_six(fresh(3))
    play(game, buy(game, 0, 2))
    assert game.state["last_round"] and not game.is_over


def test_the_last_round_lasts_until_the_turn_would_pass_to_seat_0():
    """R081."""
    game = with_six(fresh(3))
    play(game, buy(game, 0, 2), END)
    assert not game.is_over and game.turn_seat == 1
    pass_turn(game)
    assert game.turn_seat == 2
    pass_turn(game)
    assert game.is_over


def test_the_last_seat_of_four_ends_the_game_with_its_own_turn():
    """R082."""
    game = fresh(4)
    for _ in range(3):
        pass_turn(game)
    with_six(game, 3)
    play(game, buy(game, 0, 2), END)
    assert game.is_over


def test_a_seat_with_7_cards_may_buy_more():
    """R083: up to nine."""
    game = fresh(2)
    pass_turn(game)
    top(slots(game, 1, (1, 17, 33), (2, 18, 34), (3, 16)), 32)
    strongbox(game, 1, "HHHHHH")
    assert buy(game, 32, 2) in legal(game)
    play(game, buy(game, 32, 2))
    assert game.state["height"][1].sum() == 9


def test_the_score_counts_cards_track_tiles_leaders_and_goods():
    """R084: a point for each five goods, all containers together, rounded down."""
    game = leaders(slots(fresh(2), 0, (4,), (1, 17)), 0, 4, 8)
    game.state["faith"][0] = 13
    game.state["tile"][0] = (1, 2, 0)
    shelves(strongbox(game, 0, "CCCCCC"), 0, "C", "SS")
    assert game.points(0) == (2 + 1 + 5) + 6 + 2 + (3 + 5)
    game.state["last_round"] = 1
    market(game, ".... CSVH CSVF", "H")
    for _ in range(2):
        pass_turn(game)
    assert game.is_over and game.scores()[0] == game.points(0) + 9 // 5


def ended(*goods: str):
    """A game of two that ends with these goods and nothing else but equal points."""
    game = fresh(2)
    for seat, letters in enumerate(goods):
        strongbox(game, seat, letters)
    game.state["last_round"] = 1
    market(game, ".... CSVH CSVF", "H")
    pass_turn(game)
    market(game, ".... CSVH CSVF", "H")
    return pass_turn(game)


def test_a_tie_goes_to_more_goods_and_then_to_the_lower_seat():
    """R085."""
    assert ended("CC", "CCC").winner == 1
    assert ended("CCC", "CC").winner == 0
    assert ended("CCC", "SSS").winner == 0
    assert ended("CCCC", "CCCCC").winner == 1, "five goods are a point"


def test_others_discards_can_start_the_last_round_even_for_an_absent_seat():
    """R109."""
    game = market(fresh(3), "CSVH CSV. ..HF", ".")
    game.go_away(2)
    game.state["faith"][2] = 22
    game.state["reported"][:2] = 1
    take(game, 0, AWAY, AWAY, AWAY, AWAY)
    assert game.state["last_round"] and tiles(game, 2)[2] == 1


def test_a_report_in_the_last_turn_counts():
    """R110."""
    game = fresh(2)
    pass_turn(game)
    game.state["last_round"] = 1
    game.state["faith"][:2] = (7, 6)
    market(refresh(game), "C... CSVH CSVF", "H")
    take(game, 0, AWAY)
    play(game, END)
    assert game.is_over and game.winner == 0 and tiles(game, 0)[0] == 1 == tiles(game, 1)[0]
    assert game.scores() == [2 + 2, 2 + 2]
