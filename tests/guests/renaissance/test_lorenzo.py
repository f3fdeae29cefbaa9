"""The solo game, R090-R100."""

from collections import Counter

import pytest

from catan_env.guests.renaissance import LORENZO, Game
from tests.guests.renaissance.drawn import (
    AWAY,
    END,
    LINE,
    buy,
    faith,
    fresh,
    market,
    pass_turn,
    play,
    refresh,
    slots,
    strongbox,
    take,
    tiles,
    top,
)

BLUE, GREEN = 0, 1
SHUFFLE, TWO, BLUE_TOKEN = 0, 1, 3


def solo(*tokens: int, seed: int = 1) -> Game:
    """A solo game whose next tokens are these; the white row gives nothing."""
    game = market(fresh(1, seed), ".... CSVH CSVF", "H")
    rest = [token for token in range(7) if token not in tokens]
    game.state["token"] = [*tokens, *rest]
    return refresh(game)


def left(game, colour) -> list[int]:
    return game.state["left"][colour].tolist()


def test_the_solo_game_begins_with_nothing_and_shuffled_tokens():
    """R090."""
    orders = Counter()
    for seed in range(200):
        game = Game(1, seed)
        assert sorted(game.state["token"].tolist()) == list(range(7))
        assert faith(game) == [0] and not game.state["cross"] and not game.goods(0) != [0] * 4
        orders[int(game.state["token"][0])] += 1
        assert not game.state["token_out"].any() and game.state["last_token"] == -1
    assert set(orders) == set(range(7))


def test_tokens_discard_two_of_a_colour_or_move_the_cross():
    """R091, R092: one after each of the player's turns."""
    game = pass_turn(solo(TWO, BLUE_TOKEN, SHUFFLE))
    assert int(game.state["cross"]) == 2 and left(game, BLUE) == [4, 4, 4]
    assert game.turn_seat == 0 and game.events[-1].token == TWO
    market(game, ".... CSVH CSVF", "H")
    pass_turn(game)
    assert int(game.state["cross"]) == 2 and left(game, BLUE) == [2, 4, 4]
    market(game, ".... CSVH CSVF", "H")
    pass_turn(game)
    assert int(game.state["cross"]) == 3


def test_a_token_stays_out_until_the_shuffle_which_includes_itself():
    """R093, R095."""
    game = pass_turn(solo(TWO, BLUE_TOKEN, SHUFFLE))
    assert game.state["token_out"].tolist() == [0, 1, 0, 0, 0, 0, 0]
    for _ in range(2):
        market(game, ".... CSVH CSVF", "H")
        pass_turn(game)
    assert not game.state["token_out"].any() and not game.state["drawn"]
    assert sorted(game.state["token"].tolist()) == list(range(7))
    assert int(game.state["last_token"]) == SHUFFLE


def test_two_cards_go_from_the_lowest_level_that_has_any():
    """R094: one after the other, in ascending order."""
    game = solo(BLUE_TOKEN)
    game.state["left"][BLUE] = (1, 4, 4)
    pass_turn(game)
    assert left(game, BLUE) == [0, 3, 4] and game.state["top"][BLUE, 0] == -1


def test_the_cross_calls_for_a_report_right_after_the_token():
    """R096."""
    game = solo(TWO)
    game.state["cross"], game.state["faith"][0] = 7, 5
    pass_turn(game)
    assert tiles(game, 0) == [1, 0, 0]


@pytest.mark.parametrize("cross", [22, 23])
def test_lorenzo_wins_with_the_cross_on_24(cross):
    """R097."""
    game = solo(TWO)
    game.state["cross"] = cross
    pass_turn(game)
    assert game.is_over and game.winner == LORENZO


def test_lorenzo_wins_when_a_colour_is_gone():
    """R097: in all its three stacks."""
    game = solo(BLUE_TOKEN)
    game.state["left"][BLUE] = (0, 1, 1)
    pass_turn(game)
    assert game.winner == LORENZO
    other = solo(BLUE_TOKEN)
    other.state["left"][BLUE] = (0, 1, 2)
    assert not pass_turn(other).is_over


def test_lorenzo_wins_by_a_colour_whose_last_card_the_player_took():
    """R097: either side may have taken it."""
    game = strongbox(top(solo(TWO), 0), 0, "HH")
    game.state["left"][GREEN] = (1, 0, 0)
    play(game, buy(game, 0, 0))
    assert not game.is_over
    assert play(game, END).winner == LORENZO


def test_the_7th_card_wins_for_the_player_after_the_token():
    """R098."""
    game = strongbox(top(slots(solo(TWO), 0, (1, 17, 33), (2, 18, 34)), 0), 0, "HH")
    play(game, buy(game, 0, 2))
    assert not game.is_over
    play(game, END)
    assert (game.winner, game.scores()) == (0, [31])


def test_the_players_marker_on_24_wins_in_this_or_an_earlier_turn():
    """R098: an earlier one, when the player left before the token."""
    game = solo(TWO)
    game.state["faith"][0] = 24
    take(game, 0)
    game.go_away(0)
    game.come_back(0)
    assert not game.is_over
    assert pass_turn(game).winner == 0


def test_lorenzo_wins_when_both_are_at_their_goal():
    """R099."""
    game = solo(TWO)
    game.state["faith"][0], game.state["cross"] = 24, 22
    assert pass_turn(game).winner == LORENZO


def test_the_cross_moved_to_24_by_discards_wins_after_the_token_only():
    """R100."""
    game = solo(BLUE_TOKEN)
    game.state["cross"] = 22
    take(game, 1, AWAY, AWAY, AWAY, AWAY)
    assert int(game.state["cross"]) == 24 and not game.is_over and game.phase == "main"
    assert play(game, END).winner == LORENZO
    assert LINE == 6
