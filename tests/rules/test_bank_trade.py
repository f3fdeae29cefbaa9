"""Trading with the bank (C109-C120)."""

from typing import Any

import pytest

from catan_env import Action, ActionKind, Board, Event, Game, IllegalActionError, Resource
from catan_env.game.board import Harbour
from tests.rules.drawn import (
    BOX,
    at,
    generic_harbour,
    hand,
    harbour_of,
    is_legal,
    minus,
    position,
    times,
)

PAIRS = [(give, get) for give in Resource for get in Resource if give != get]
HOME, OTHER_END = at(0, 0), at(0, 1)


def cards_of(resource: Resource, n: int) -> tuple[int, ...]:
    """`n` cards of one resource."""
    return tuple(n if r == resource else 0 for r in Resource)


def at_harbours(*harbours: Harbour, **facts: Any) -> Game:
    """A position on a board with only these harbours; seat 0 has settled the north-west coast."""
    board = Board(Board.beginner().tiles, harbours)
    return position(**{"board": board, "settlements": {0: [HOME, at(0, 3)]}, **facts})


def trades(game: Game) -> set[tuple[Resource, Resource]]:
    """The changes of the bank."""
    return {a.args[:2] for a in game.legal_actions if a.kind == ActionKind.BANK_TRADE}


@pytest.mark.parametrize(("give", "get"), PAIRS)
def test_four_equal_cards_buy_any_other(give: Resource, get: Resource) -> None:
    """C109: without a harbour."""
    game = at_harbours(hands={0: cards_of(give, 4)})
    assert trades(game) == {(give, other) for other in Resource if other != give}
    game.play(Action.bank_trade(give, get))
    assert game.hand(0) == cards_of(get, 1)
    assert game.bank == minus(BOX, cards_of(get, 1))
    assert trades(at_harbours(hands={0: cards_of(give, 3)})) == set()


@pytest.mark.parametrize("building", ["settlements", "cities"])
@pytest.mark.parametrize("end", [HOME, OTHER_END])
@pytest.mark.parametrize("give", Resource)
def test_a_generic_harbour_takes_three_equal_cards(give: Resource, end: int, building: str) -> None:
    """C110: of any resource, at either end."""
    harbour = generic_harbour(HOME, OTHER_END)
    pieces = {"settlements": {}, building: {0: [end]}}
    game = at_harbours(harbour, hands={0: cards_of(give, 3)}, **pieces)
    get = Resource((give + 2) % 5)
    assert trades(game) == {(give, other) for other in Resource if other != give}
    game.play(Action.bank_trade(give, get))
    assert game.hand(0) == cards_of(get, 1)
    assert trades(at_harbours(harbour, hands={0: cards_of(give, 2)}, **pieces)) == set()
    inland = {"settlements": {0: [at(2, 5)]}}
    assert trades(at_harbours(harbour, hands={0: cards_of(give, 3)}, **inland)) == set()


@pytest.mark.parametrize("end", [HOME, OTHER_END])
@pytest.mark.parametrize("give", Resource)
def test_the_harbour_of_a_resource_takes_two_cards_of_it(give: Resource, end: int) -> None:
    """C111."""
    harbour = harbour_of(give, HOME, OTHER_END)
    pieces = {"settlements": {0: [end]}}
    game = at_harbours(harbour, hands={0: cards_of(give, 2)}, **pieces)
    get = Resource((give + 3) % 5)
    game.play(Action.bank_trade(give, get))
    assert game.hand(0) == cards_of(get, 1)
    assert trades(at_harbours(harbour, hands={0: cards_of(give, 1)}, **pieces)) == set()


@pytest.mark.parametrize("given", [r for r in Resource if r != Resource.WOOL])
def test_the_harbour_of_a_resource_does_nothing_for_another(given: Resource) -> None:
    """C112: four cards, or three with a generic harbour besides."""
    wool = harbour_of(Resource.WOOL, HOME, OTHER_END)
    assert trades(at_harbours(wool, hands={0: cards_of(given, 3)})) == set()
    game = at_harbours(wool, hands={0: cards_of(given, 4)})
    game.play(Action.bank_trade(given, Resource.WOOL))
    assert game.hand(0) == hand(wool=1)
    both = (wool, generic_harbour(at(0, 3), at(0, 4)))
    assert trades(at_harbours(*both, hands={0: cards_of(given, 2)})) == set()
    game = at_harbours(*both, hands={0: cards_of(given, 3)})
    game.play(Action.bank_trade(given, Resource.WOOL))
    assert game.hand(0) == hand(wool=1)


def test_mixed_cards_buy_nothing() -> None:
    """C113."""
    assert trades(at_harbours(hands={0: (3, 3, 3, 3, 3)})) == set()
    generic = generic_harbour(HOME, OTHER_END)
    assert trades(at_harbours(generic, hands={0: (2, 2, 2, 2, 2)})) == set()


def test_a_resource_is_not_traded_for_itself() -> None:
    """C114."""
    for resource in Resource:
        with pytest.raises(ValueError, match="for itself"):
            Action.bank_trade(resource, resource)
    every = {a.args[:2] for a in map(Action.from_index, range(848)) if a.kind.name == "BANK_TRADE"}
    assert every == set(PAIRS)


def test_the_bank_does_not_give_cards_it_does_not_have() -> None:
    """C115."""
    all_wool = {0: hand(ore=8), 1: cards_of(Resource.WOOL, 19)}
    game = at_harbours(hands=all_wool)
    assert not is_legal(game, Action.bank_trade(Resource.ORE, Resource.WOOL))
    assert not is_legal(game, Action.bank_trade(Resource.ORE, Resource.WOOL, rate=4))
    assert trades(game) == {(Resource.ORE, get) for get in (0, 1, 2)}
    one_left = {0: hand(ore=8), 1: cards_of(Resource.WOOL, 18)}
    game = at_harbours(hands=one_left)
    game.play(Action.bank_trade(Resource.ORE, Resource.WOOL))
    assert not is_legal(game, Action.bank_trade(Resource.ORE, Resource.WOOL))


def test_trades_may_follow_each_other() -> None:
    """C116."""
    game = at_harbours(hands={0: times(4, (1, 1, 1, 0, 0))})
    for give in (Resource.BRICK, Resource.GRAIN, Resource.LUMBER):
        game.play(Action.bank_trade(give, Resource.ORE))
    assert game.hand(0) == hand(ore=3)
    game = at_harbours(hands={0: hand(wool=16)})
    for _ in range(4):
        game.play(Action.bank_trade(Resource.WOOL, Resource.BRICK))
    game.play(Action.bank_trade(Resource.BRICK, Resource.LUMBER))
    assert game.hand(0) == hand(lumber=1)


def test_the_bank_trades_with_the_seat_on_turn_only() -> None:
    """C117: not while a seat answers an offer, nor while it discards."""
    trade = Action.bank_trade(Resource.WOOL, Resource.BRICK)
    cards = {0: hand(ore=1), 1: hand(wool=9)}
    answering = at_harbours(hands=cards, phase="answer", offer=(1, Resource.ORE, Resource.WOOL))
    assert answering.seat == 1
    assert not is_legal(answering, trade)
    discarding = at_harbours(hands=cards, phase="discard")
    assert discarding.seat == 1
    assert not is_legal(discarding, trade)
    assert is_legal(at_harbours(hands=cards, turn_seat=1), trade)


@pytest.mark.parametrize(
    "harbour", [generic_harbour(HOME, OTHER_END), harbour_of(Resource.ORE, HOME, OTHER_END)]
)
def test_another_seats_harbour_gives_no_right(harbour: Harbour) -> None:
    """C118."""
    game = at_harbours(harbour, settlements={1: [HOME]}, hands={0: hand(ore=3)})
    assert trades(game) == set()
    assert game.trade_rates(0) == (4, 4, 4, 4, 4)
    assert trades(at_harbours(harbour, hands={0: hand(ore=3)})) != set()


def test_no_other_rate_than_an_owned_one_is_traded_at() -> None:
    """C119: neither more cards nor fewer."""
    for rate in (-1, 0, 1, 2, 3, 5, 6, 8):
        game = at_harbours(hands={0: hand(ore=9)})
        assert not is_legal(game, Action.bank_trade(Resource.ORE, Resource.WOOL, rate=rate))
    harbour = harbour_of(Resource.ORE, HOME, OTHER_END)
    for rate in (1, 3, 5):
        game = at_harbours(harbour, hands={0: hand(ore=9)})
        assert not is_legal(game, Action.bank_trade(Resource.ORE, Resource.WOOL, rate=rate))


def test_the_best_of_several_rates_is_used_unless_another_is_named() -> None:
    """C120: two at the ore harbour, three at the generic one, four anywhere."""
    harbours = (
        harbour_of(Resource.ORE, HOME, OTHER_END),
        generic_harbour(at(0, 3), at(0, 4)),
    )
    start = at_harbours(*harbours, hands={0: hand(ore=4)})
    assert start.trade_rates(0) == (3, 3, 3, 2, 3)
    for rate, paid in ((None, 2), (2, 2), (3, 3), (4, 4)):
        game = start.copy()
        trade = Action.bank_trade(Resource.ORE, Resource.WOOL, rate=rate)
        assert is_legal(game, trade)
        game.play(trade)
        assert game.hand(0) == hand(ore=4 - paid, wool=1)
        assert game.bank == minus(BOX, game.hand(0))
    index = Action.bank_trade(Resource.ORE, Resource.WOOL).index
    start.play(index)
    assert start.hand(0) == hand(ore=2, wool=1)


def test_a_view_follows_a_trade_at_a_harbour_that_is_dearer_than_the_bank() -> None:
    """A board may have harbours of any rate; rates above all of its own cannot come."""
    harbour = Harbour((HOME, OTHER_END), None, 6)
    game = at_harbours(harbour, hands={0: hand(ore=6)})
    view = game.view(1)
    dearer = Event(0, Action.bank_trade(Resource.ORE, Resource.WOOL, rate=7))
    with pytest.raises(IllegalActionError, match=r"a rate of 7; allowed are 1\.\.6"):
        view.apply(dearer)
    view.apply(game.play(Action.bank_trade(Resource.ORE, Resource.WOOL, rate=6)))
    assert view == game.view(1)
    assert game.hand(0) == hand(wool=1)
