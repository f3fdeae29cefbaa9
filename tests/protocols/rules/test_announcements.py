"""Rules 5 to 7 of docs/protocol.md: what all agents compute, and what is announced."""

import pytest

from catan_env import Action, Phase
from catan_env.protocols.catan_binary.messages import (
    NOTHING,
    Card,
    DevCard,
    Pass,
    Play,
    Roll,
    RollResult,
    Trade,
    TradeAccept,
    TradeReject,
    TradeSide,
)
from tests.protocols.conversation import to_all
from tests.protocols.rules.table import (
    BRICK,
    GRAIN,
    LUMBER,
    ORE,
    WOOL,
    assert_kicks,
    before_roll,
    open_turn,
    trade,
)


def test_rule_05_production_is_not_announced():
    table = before_roll()
    table.fate(Action.roll(), 6)
    assert table.say(0, Roll()) == to_all(RollResult(6))
    assert table.game.hand(0)[BRICK] == 1


def roll_seven(table):
    table.fate(Action.roll(), 7)
    return table.say(0, Roll())


def test_rule_06_announcements_have_an_empty_side_and_are_accepted():
    table = before_roll(hands={2: {WOOL: 8}})
    loss = Trade(2, 2, TradeSide(Card.WOOL, 4), NOTHING)
    assert roll_seven(table)[4:] == [*to_all(loss), *to_all(TradeAccept(2, 2))]


@pytest.mark.parametrize("message", [TradeAccept(2, 2), TradeReject(2, 0), TradeAccept(2, 0)])
def test_rule_06_an_answer_that_is_not_awaited_is_dropped(message):
    table = open_turn(hands={0: {WOOL: 1}, 1: {ORE: 1}})
    assert table.say(2, message) == []
    assert table.say(0, TradeAccept(0, 0), TradeReject(0, 3)) == []
    table.say(0, trade(0, 1, (Card.WOOL, 1), (Card.ORE, 1)))
    assert table.say(2, message) == []
    assert table.say(1, TradeAccept(1, 3)) == []
    table.say(1, TradeAccept(1, 0))
    table.say(0, Pass())
    assert not table.reasons


def test_rule_06_the_literal_dialect_announces_nothing():
    table = before_roll(hands={2: {WOOL: 8}}, settings={"announced": False})
    assert roll_seven(table) == to_all(RollResult(7))
    assert table.game.hand(2)[WOOL] == 4


def test_rule_07_half_is_lost_by_the_fixed_rule_from_the_roller_onward():
    table = before_roll(
        hands={0: {BRICK: 3, GRAIN: 3, WOOL: 2}, 1: {ORE: 7}, 3: {ORE: 2, LUMBER: 7}}
    )
    sent = [message for seat, message in roll_seven(table) if seat == 3]
    assert sent == [
        RollResult(7),
        Trade(0, 0, TradeSide(Card.BRICK, 2), NOTHING),
        TradeAccept(0, 0),
        Trade(0, 0, TradeSide(Card.GRAIN, 2), NOTHING),
        TradeAccept(0, 0),
        Trade(3, 3, TradeSide(Card.LUMBER, 4), NOTHING),
        TradeAccept(3, 3),
    ]
    assert [table.game.hand(seat) for seat in (0, 1, 3)] == [
        (1, 1, 0, 0, 2),
        (0, 0, 0, 7, 0),
        (0, 0, 3, 2, 0),
    ]
    assert table.game.phase == Phase.ROBBER


@pytest.mark.parametrize("message", [Roll(), Pass(), Play(0, DevCard.KNIGHT)])
def test_rule_07_then_the_roller_sends_rob(message):
    table = before_roll()
    roll_seven(table)
    assert_kicks(table, 0, [message], "expected are MSG_ROB")
