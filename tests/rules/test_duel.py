"""The duel preset: two seats that do not trade with each other."""

from dataclasses import replace

import pytest

from catan_env import Action, ActionKind, Game, IllegalActionError, Phase, Resource, Rules
from tests.rules.drawn import at, hand, is_legal, legal_kinds, position


def test_a_duel_is_the_base_game_without_trade_between_seats() -> None:
    assert Rules.duel() == replace(Rules.base(), name="duel", player_trade=False)
    assert Rules.base().player_trade


@pytest.mark.parametrize("seats", [3, 4])
def test_a_duel_has_two_seats(seats: int) -> None:
    with pytest.raises(ValueError, match="a duel has 2 seats"):
        Game(seats=seats, rules="duel")
    with pytest.raises(ValueError, match="a duel has 2 seats"):
        position(seats=seats, rules="duel")
    assert Game(seats=2, rules="duel").rules == Rules.duel()


def test_nothing_is_offered_in_a_duel() -> None:
    """C121: neither by index nor by Action."""
    facts = {"seats": 2, "hands": {0: hand(ore=4), 1: hand(wool=4)}}
    game = position(rules="duel", **facts)
    assert not any(action.kind == ActionKind.OFFER for action in game.legal_actions)
    assert not is_legal(game, Action.offer(1, Resource.ORE, Resource.WOOL))
    with pytest.raises(IllegalActionError, match="no trade between seats"):
        game.play(Action.offer(1, {Resource.ORE: 4}, Resource.WOOL))
    assert is_legal(position(rules="base", **facts), Action.offer(1, Resource.ORE, Resource.WOOL))


def test_the_bank_trades_in_a_duel() -> None:
    """C109."""
    game = position(seats=2, rules="duel", hands={0: hand(ore=4)})
    assert legal_kinds(game) == {"END_TURN", "BANK_TRADE"}
    game.play(Action.bank_trade(Resource.ORE, Resource.WOOL))
    assert game.hand(0) == hand(wool=1)


def test_the_seats_of_a_duel_place_discard_and_win_as_in_the_base_game() -> None:
    """C023, C068, C187."""
    game = Game(seats=2, rules="duel", board="beginner")
    assert (game.seat, game.phase, len(game.legal_actions)) == (0, Phase.PLACE_SETTLEMENT, 54)
    game = position(seats=2, rules="duel", hands={1: hand(ore=4, wool=4)}, phase="roll")
    game.play(Action.roll(), outcome=(3, 4))
    assert (game.seat, game.phase) == (1, Phase.DISCARD)
    assert legal_kinds(game) == {"DISCARD"} and len(game.legal_actions) == 2
    game = position(
        seats=2,
        rules="duel",
        cities={0: [at(0, 1), at(0, 3), at(0, 5), at(1, 1)]},
        played={0: (2, 0, 0, 0, 0)},
        cards={0: (1, 0, 0, 0, 0)},
    )
    assert game.play(Action.play_knight()).winner == 0
