"""The cards of a hand that all seats can count from public events (C062)."""

from catan_env import Action, Resource, Terrain
from tests.rules.drawn import board_of, corner, hand, position

FIELDS_4 = board_of({9: (Terrain.FIELDS, 4)})
HOUSES = {0: [corner(9, "N")], 1: [corner(9, "S")]}


def robbed(mine, known, victims, victims_known):
    """Seat 0 robs seat 1 at tile 9; the robber was elsewhere."""
    game = position(
        board=FIELDS_4, phase="robber", settlements={1: [corner(9, "S")]}, robber=0,
        hands={0: mine, 1: victims}, known={0: known, 1: victims_known},
    )  # fmt: skip
    game.play(Action.move_robber(9, 1))
    return game


def test_cards_from_the_bank_are_known() -> None:
    game = position(board=FIELDS_4, phase="roll", settlements=HOUSES)
    game.play(Action.roll(), outcome=(2, 2))
    assert game.known(0) == game.known(1) == hand(grain=1)


def test_all_that_several_cities_are_paid_is_known() -> None:
    cities = {0: [corner(9, name) for name in ("N", "SE", "SW")], 1: []}
    game = position(board=FIELDS_4, phase="roll", cities=cities, known={0: hand(ore=1)},
                    hands={0: hand(ore=2)})  # fmt: skip
    game.play(Action.roll(), outcome=(2, 2))
    assert game.hand(0) == hand(grain=6, ore=2)
    assert game.known(0) == hand(grain=6, ore=1)


def test_all_that_a_monopoly_brings_and_an_offer_gives_is_known() -> None:
    game = position(
        hands={0: hand(wool=1), 1: hand(ore=4, wool=1), 2: hand(ore=3)},
        cards={0: (0, 0, 0, 1, 0)},  # monopoly
    )
    game.play(Action.play_monopoly(Resource.ORE))
    assert game.known(0) == hand(ore=7)
    game.play(Action.offer(1, hand(ore=5), hand(wool=1)))
    game.play(Action.accept())
    assert (game.known(0), game.known(1)) == (hand(ore=2, wool=1), hand(ore=5))


def test_paid_or_discarded_cards_are_no_longer_known() -> None:
    game = position(hands={0: hand(ore=9)}, known={0: hand(ore=5)}, phase="discard")
    for left in (4, 3, 2, 1):
        game.play(Action.discard(Resource.ORE))
        assert game.known(0) == hand(ore=left)
    game = position(hands={0: hand(ore=4)}, known={0: hand(ore=4)})
    game.play(Action.bank_trade(Resource.ORE, Resource.WOOL))
    assert game.known(0) == hand(wool=1)


def test_a_card_given_up_beyond_those_known_was_one_of_the_others() -> None:
    game = position(hands={0: hand(ore=5)}, known={0: hand(ore=1)})
    game.play(Action.bank_trade(Resource.ORE, Resource.WOOL))
    assert game.known(0) == hand(wool=1)


def test_any_kind_may_have_been_stolen_from_a_mixed_hand() -> None:
    game = robbed(hand(), hand(), hand(ore=2, wool=1), hand(ore=2, wool=1))
    assert game.known(1) == hand(ore=1)
    assert game.known(0) == hand()


def test_a_card_stolen_from_a_hand_of_one_kind_is_known() -> None:
    game = robbed(hand(wool=1), hand(wool=1), hand(ore=3), hand(ore=3))
    assert game.known(1) == hand(ore=2)
    assert game.known(0) == hand(ore=1, wool=1)


def test_cards_that_change_hands_openly_are_known() -> None:
    game = position(hands={0: hand(ore=1), 1: hand(wool=2)})
    game.play(Action.offer(1, Resource.ORE, Resource.WOOL))
    game.play(Action.accept())
    assert (game.known(0), game.known(1)) == (hand(wool=1), hand(ore=1))


def test_an_offer_makes_no_card_known() -> None:
    """It proves that its cards are in hand (C127), but networks were trained without it."""
    game = position(hands={0: hand(ore=3), 1: hand(wool=1)}, known={0: hand(ore=1)})
    for answer in (Action.reject(), Action.accept()):
        game.play(Action.offer(1, hand(ore=2), hand(wool=1)))
        assert (game.known(0), game.known(1)) == (hand(ore=1), hand())
        game.play(answer)
    assert (game.known(0), game.known(1)) == (hand(wool=1), hand(ore=2))


def test_after_a_monopoly_all_of_that_kind_is_known() -> None:
    game = position(
        hands={0: hand(ore=1), 1: hand(ore=2, wool=1), 2: hand(ore=1)},
        cards={0: (0, 0, 0, 1, 0)},
    )
    game.play(Action.play_monopoly(Resource.ORE))
    assert game.known(0) == hand(ore=3)
    assert game.known(1) == game.known(2) == hand()
