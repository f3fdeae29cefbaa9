"""The order of a turn (C038-C046)."""

from typing import Any

import pytest

from catan_env import Action, Board, DevelopmentCard, Game, Phase, Resource
from tests.rules.drawn import (
    BOX,
    CARD,
    CITY,
    EMPTY,
    ROAD,
    SETTLEMENT,
    along,
    at,
    generic_harbour,
    hand,
    is_legal,
    legal_kinds,
    minus,
    plus,
    position,
    times,
)

RICH = times(15, (1, 1, 1, 1, 1))
BUILD = {
    "road": Action.road(along(2, 2, 3)[0]),
    "settlement": Action.settlement(at(2, 2)),
    "city": Action.city(at(2, 0)),
    "card": Action.buy_development_card(),
}
TRADE = {
    "bank": Action.bank_trade(Resource.ORE, Resource.WOOL),
    "seat": Action.offer(1, Resource.ORE, Resource.WOOL),
}
PLAY = {
    DevelopmentCard.KNIGHT: Action.play_knight(),
    DevelopmentCard.ROAD_BUILDING: Action.play_road_building(),
    DevelopmentCard.YEAR_OF_PLENTY: Action.play_year_of_plenty(Resource.ORE, Resource.WOOL),
    DevelopmentCard.MONOPOLY: Action.play_monopoly(Resource.ORE),
}


def rich_position(**facts: Any) -> Game:
    """Seat 0 can pay for everything, and has a place for it."""
    return position(
        **{
            "settlements": {0: [at(2, 0)]},
            "roads": {0: along(2, 0, 2)},
            "hands": {0: RICH, 1: hand(wool=2)},
            **facts,
        }
    )


def test_a_turn_begins_with_the_roll() -> None:
    """C038: trading and building come after it."""
    game = rich_position(phase="roll")
    assert list(game.legal_actions) == [Action.roll()]
    game.play(Action.roll(), outcome=(1, 1))
    assert game.phase == Phase.MAIN
    assert legal_kinds(game) == {
        "END_TURN",
        "BUY_DEVELOPMENT_CARD",
        "BANK_TRADE",
        "SETTLEMENT",
        "CITY",
        "ROAD",
        "OFFER",
    }


def test_the_dice_make_the_number() -> None:
    """C038: the roll is the sum of two dice, with all pairs of faces equally likely."""
    game, pairs = position(phase="roll"), []
    for _ in range(3600):
        pairs.append(game.play(Action.roll()).outcome)
        while game.phase != Phase.ROLL:
            game.play(next(iter(game.legal_actions)))
    assert {die for pair in pairs for die in pair} == {1, 2, 3, 4, 5, 6}
    counts = [pairs.count((a, b)) for a in range(1, 7) for b in range(1, 7)]
    # Chi-square with 35 degrees of freedom: above 76 in one case of ten thousand.
    assert sum((n - 100) ** 2 / 100 for n in counts) < 76
    game = rich_position(phase="roll", hands={})
    game.play(Action.roll(), outcome=(6, 3))
    assert game.roll == 9 and game.rolled


def test_trading_and_building_alternate_freely() -> None:
    """C039: the combined phase, in any order and any number of times."""
    game = rich_position()
    for action in (
        BUILD["road"],
        TRADE["bank"],
        BUILD["settlement"],
        TRADE["seat"],
        Action.accept(),
        BUILD["card"],
        TRADE["bank"],
        BUILD["city"],
        TRADE["seat"],
    ):
        assert is_legal(game, action), action
        game.play(action)


def test_a_harbour_may_be_used_on_the_turn_it_is_settled() -> None:
    """C040."""
    board = Board(Board.beginner().tiles, (generic_harbour(at(2, 1), at(2, 2)),))
    game = rich_position(board=board, hands={0: plus(SETTLEMENT, hand(ore=3))})
    assert not is_legal(game, TRADE["bank"])
    game.play(BUILD["settlement"])
    assert is_legal(game, TRADE["bank"])
    game.play(TRADE["bank"])
    assert game.hand(0) == hand(wool=1)


@pytest.mark.parametrize("what", BUILD)
def test_nothing_is_built_before_the_roll(what: str) -> None:
    """C041."""
    assert not is_legal(rich_position(phase="roll"), BUILD[what])
    assert is_legal(rich_position(phase="main"), BUILD[what])


@pytest.mark.parametrize("whom", TRADE)
def test_nothing_is_traded_before_the_roll(whom: str) -> None:
    """C042."""
    assert not is_legal(rich_position(phase="roll"), TRADE[whom])
    assert is_legal(rich_position(phase="main"), TRADE[whom])


def test_a_turn_does_not_end_before_the_roll() -> None:
    """C043."""
    game = rich_position(phase="roll")
    assert not is_legal(game, Action.end_turn())
    game.play(Action.roll(), outcome=(1, 1))
    assert is_legal(game, Action.end_turn())


def test_the_dice_are_rolled_once_a_turn() -> None:
    """C044."""
    game = rich_position(phase="roll")
    game.play(Action.roll(), outcome=(1, 1))
    assert not is_legal(game, Action.roll())
    game.play(BUILD["road"])
    assert not is_legal(game, Action.roll())
    game.play(Action.end_turn())
    assert (game.seat, game.turn, game.roll) == (1, 2, 0)
    assert is_legal(game, Action.roll())


@pytest.mark.parametrize("kind", PLAY)
def test_one_development_card_may_be_played_before_the_roll(kind: DevelopmentCard) -> None:
    """C045: any kind, but only one; then the dice are rolled."""
    game = rich_position(phase="roll", cards={0: (2, 2, 2, 2, 0)})
    assert is_legal(game, PLAY[kind])
    game.play(PLAY[kind])
    while game.phase != Phase.ROLL:
        game.play(next(iter(game.legal_actions)))
    assert list(game.legal_actions) == [Action.roll()]
    game.play(Action.roll(), outcome=(1, 1))
    assert legal_kinds(game).isdisjoint(action.kind.name for action in PLAY.values())


def test_a_turn_may_hold_many_purchases() -> None:
    """C046: as long as cards and pieces last."""
    prices = plus(times(2, ROAD), times(2, SETTLEMENT), CITY, times(3, CARD))
    game = rich_position(hands={0: prices})
    roads = along(2, 2, 4)
    for action in (
        BUILD["card"],
        BUILD["road"],
        BUILD["settlement"],
        Action.road(roads[1]),
        BUILD["city"],
        BUILD["card"],
        Action.settlement(at(2, 4)),
        BUILD["card"],
    ):
        game.play(action)
    assert game.hand(0) == EMPTY and game.bank == BOX
    assert game.card_count(0) == 3
    assert game.settlements(0) == tuple(sorted((at(2, 2), at(2, 4))))
    assert game.cities(0) == (at(2, 0),)
    assert game.pieces(0) == minus((15, 5, 4), (4, 2, 1))
    assert list(game.legal_actions) == [Action.end_turn()]
