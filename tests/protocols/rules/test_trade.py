"""Rules 13 to 15 of docs/protocol.md: trade."""

import pytest

from catan_env import Rules
from catan_env.core.constants import Phase
from catan_env.protocols.catan_binary.dealer import MOST_OFFERS
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    Build,
    Buildable,
    Card,
    DevCard,
    Pass,
    Play,
    Roll,
    TradeAccept,
    TradeReject,
    Turn,
)
from tests.protocols.conversation import to_all
from tests.protocols.rules.table import (
    BRICK,
    GRAIN,
    OFFER,
    ORE,
    WOOL,
    assert_kicks,
    kicked,
    open_turn,
    others,
    trade,
    trading,
)


@pytest.mark.parametrize("target", [0, NO_SEAT])
def test_rule_13_the_bank_accepts_at_a_ratio_owned(target):
    table = open_turn(hands={0: {WOOL: 8}})
    said = trade(0, target, (Card.WOOL, 8), (Card.ORE, 2))
    assert table.say(0, said) == [*others(said), *to_all(TradeAccept(0, 0))]
    assert table.game.hand(0) == (0, 0, 0, 2, 0)


@pytest.mark.parametrize("paid", [2, 3, 4])
def test_rule_13_every_ratio_owned_may_be_used(paid):
    houses = {0: [11, 0]}  # ore 2:1 and generic 3:1
    table = open_turn(settlements=houses, hands={0: {ORE: 4}})
    table.say(0, trade(0, 0, (Card.ORE, paid), (Card.WOOL, 1)))
    assert table.game.hand(0) == (0, 0, 0, 4 - paid, 1)


@pytest.mark.parametrize(
    ("offer", "ask", "because"),
    [
        ((Card.WOOL, 3), (Card.ORE, 1), "allowed rates are [4]"),
        ((Card.WOOL, 5), (Card.ORE, 1), "allowed rates are [4]"),
        ((Card.WOOL, 4), (Card.ORE, 0), "of 4 for 0 with the bank; allowed are [4] for each"),
        ((Card.WOOL, 5), (Card.ORE, 2), "of 5 for 2 with the bank"),
        ((Card.WOOL, 4), (Card.WOOL, 1), "the bank does not trade WOOL for itself"),
        ((Card.GRAIN, 4), (Card.ORE, 1), "the seat has 0"),
        ((Card.WOOL, 4), (Card.BRICK, 1), "the bank 0"),
        ((Card.WOOL, 4), (Card.ANY, 1), "a card is ANY"),
        ((Card.WOOL, 4), (Card.ANY, 0), "a card is ANY"),
        ((Card.ANY, 4), (Card.ORE, 1), "a card is ANY"),
    ],
)
def test_rule_13_any_other_trade_with_the_bank_is_a_kick(offer, ask, because):
    table = open_turn(hands={0: {WOOL: 9}, 1: {BRICK: 19}})
    assert_kicks(table, 0, [trade(0, 0, offer, ask)], because)
    assert table.game.hand(0) == (0, 0, 0, 0, 9)


def test_rule_14_hands_move_when_the_target_accepts():
    table = trading()
    assert table.say(0, OFFER) == others(OFFER)
    assert table.say(2, TradeAccept(2, 0)) == others(TradeAccept(2, 0), seat=2)
    assert (table.game.hand(0), table.game.hand(2)) == ((1, 2, 0, 0, 0), (1, 0, 0, 0, 0))


def test_rule_14_hands_stay_when_the_target_rejects():
    table = trading()
    table.say(0, OFFER)
    assert table.say(2, TradeReject(2, 0)) == others(TradeReject(2, 0), seat=2)
    assert (table.game.hand(0), table.game.hand(2)) == ((2, 0, 0, 0, 0), (0, 2, 0, 0, 0))


@pytest.mark.parametrize("answer", [TradeAccept, TradeReject])
def test_rule_14_an_answer_may_name_its_seats_in_the_order_of_the_offer(answer):
    """The text says only player_id and target_id; the relay has one order."""
    table = trading()
    table.say(0, OFFER)
    assert table.say(2, answer(0, 2)) == others(answer(2, 0), seat=2)
    assert table.game.hand(0)[BRICK] == (1 if answer is TradeAccept else 2)


@pytest.mark.parametrize("answer", [TradeAccept, TradeReject])
def test_rule_14_a_late_answer_in_the_order_of_the_offer_is_dropped_like_any(answer):
    table = trading(timeout_secs=5)
    table.say(0, OFFER)
    table.wait(5.1)
    assert table.say(2, answer(0, 2)) == [] and not table.reasons
    table.say(0, Pass())
    assert table.say(2, answer(0, 2)) == [] and not table.reasons


@pytest.mark.parametrize(
    ("said", "because"),
    [
        (trade(0, 2, (Card.BRICK, 0), (Card.GRAIN, 1)), "at least one"),
        (trade(0, 2, (Card.BRICK, 1), (Card.GRAIN, 0)), "at least one"),
        (trade(0, 2, (Card.BRICK, 1), (Card.BRICK, 2)), "both sides"),
        (trade(0, 2, (Card.BRICK, 3), (Card.GRAIN, 1)), "holds only 2 brick"),
        (trade(0, 2, (Card.BRICK, 200), (Card.GRAIN, 1)), "a count of 200 cards"),
        (trade(0, 2, (Card.ANY, 0), (Card.GRAIN, 1)), "a card is ANY"),
        (trade(0, 4, (Card.BRICK, 1), (Card.GRAIN, 1)), "target_id is 4 among 4 players"),
    ],
)
def test_rule_14_an_offer_has_different_resources_and_at_least_one_of_each(said, because):
    assert_kicks(trading(), 0, [said], because)


@pytest.mark.parametrize("asked", [20, 127, 128, 255])
def test_rule_14_an_offer_that_asks_for_more_than_19_cards_is_rejected_to_its_proposer_alone(asked):
    table = trading(timeout_secs=5)
    said = trade(0, 2, (Card.BRICK, 1), (Card.GRAIN, asked))
    assert table.say(0, said) == [(0, TradeReject(2, 0))]
    assert table.wait(4) == []
    assert table.say(0, OFFER) == others(OFFER)
    table.say(2, TradeAccept(2, 0))
    assert (table.game.hand(0), table.game.hand(2)) == ((1, 2, 0, 0, 0), (1, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("said", "because"),
    [
        (trade(0, 2, (Card.BRICK, 3), (Card.GRAIN, 20)), "holds only 2 brick"),
        (trade(0, 2, (Card.BRICK, 1), (Card.BRICK, 20)), "both sides"),
        (trade(0, 2, (Card.BRICK, 0), (Card.GRAIN, 20)), "at least one"),
        (trade(0, 2, (Card.BRICK, 1), (Card.ANY, 20)), "a card is ANY"),
        (trade(0, 4, (Card.BRICK, 1), (Card.GRAIN, 20)), "target_id is 4 among 4 players"),
    ],
)
def test_rule_14_an_offer_for_more_than_19_cards_is_otherwise_like_any(said, because):
    assert_kicks(trading(), 0, [said], because)


@pytest.mark.parametrize("is_mute", [False, True])
def test_rule_14_more_than_100_offers_in_a_turn_are_a_kick(is_mute):
    table = trading(timeout_secs=5)
    for number in range(MOST_OFFERS):
        table.say(0, OFFER)
        if is_mute and number < 2:
            table.wait(5.1)
        elif not is_mute:
            table.say(2, TradeReject(2, 0))
    assert table.game.phase == Phase.MAIN and not table.reasons
    assert_kicks(table, 0, [OFFER], "more than 100 offers in a turn")


def test_rule_14_offers_that_no_hand_can_pay_are_counted_with_the_others():
    table = trading()
    too_many = trade(0, 2, (Card.BRICK, 1), (Card.GRAIN, 20))
    table.say(0, *[too_many] * (MOST_OFFERS - 1))
    table.say(0, OFFER)
    table.say(2, TradeReject(2, 0))
    assert_kicks(table, 0, [too_many], "more than 100 offers in a turn")


def test_rule_14_offers_of_earlier_turns_do_not_count():
    table = open_turn(hands={0: {BRICK: 2}, 1: {BRICK: 2}, 2: {GRAIN: 2}})
    for _ in range(MOST_OFFERS):
        table.say(0, OFFER)
        table.say(2, TradeReject(2, 0))
    table.say(0, Pass())
    table.say(1, Roll())
    assert table.game.phase == Phase.MAIN
    offer = trade(1, 2, (Card.BRICK, 1), (Card.GRAIN, 2))
    assert table.say(1, offer) == others(offer, seat=1)


def test_rule_14_a_policy_of_this_package_makes_fewer_offers():
    assert Rules.tournament().offers_per_turn < MOST_OFFERS


def test_rule_14_a_target_that_accepts_and_cannot_pay_is_kicked():
    table = open_turn(hands={0: {BRICK: 1}})
    table.say(0, OFFER)
    assert table.say(2, TradeAccept(2, 0)) == kicked(table, 2, next_seat=1)
    assert "cannot accept the offer" in table.reasons[0]
    assert table.game.hand(0)[BRICK] == 1


def test_rule_14_in_the_literal_dialect_a_target_that_cannot_pay_has_rejected():
    """It need not know its hand there. It hears the rejection, since it counts on the trade."""
    table = open_turn(hands={0: {BRICK: 1}, 2: {GRAIN: 1}}, settings={"announced": False})
    table.say(0, OFFER)
    assert table.say(2, TradeAccept(2, 0)) == to_all(TradeReject(2, 0))
    assert (table.game.hand(0), table.game.hand(2)) == ((1, 0, 0, 0, 0), (0, 1, 0, 0, 0))
    assert table.say(0, Pass()) == to_all(Turn(1))


def test_rule_14_in_the_literal_dialect_a_target_that_can_pay_has_accepted():
    table = trading(announced=False)
    table.say(0, OFFER)
    assert table.say(2, TradeAccept(0, 2)) == others(TradeAccept(2, 0), seat=2)
    assert table.game.hand(2) == (1, 0, 0, 0, 0)


def test_rule_14_a_target_that_answers_something_else_is_kicked():
    table = trading()
    table.say(0, OFFER)
    assert table.say(2, Roll()) == kicked(table, 2, next_seat=1)
    assert "expected are MSG_TRADE_ACCEPT, MSG_TRADE_REJECT" in table.reasons[0]


def test_rule_14_the_target_has_a_fresh_clock_while_the_proposers_is_paused():
    table = trading(timeout_secs=5)
    assert table.wait(3) == []
    table.say(0, OFFER)
    assert table.wait(4) == []
    table.say(2, TradeReject(2, 0))
    assert table.wait(1.5) == []
    assert table.wait(1) == to_all(Turn(1))


def test_rule_14_out_of_time_the_target_has_rejected():
    table = trading(timeout_secs=5)
    table.say(0, OFFER)
    assert table.wait(5.1) == to_all(TradeReject(2, 0))
    assert table.game.hand(0)[BRICK] == 2
    assert table.say(2, TradeAccept(2, 0)) == []
    assert table.say(0, Pass()) == to_all(Turn(1))


def test_rule_14_a_target_that_has_let_two_offers_run_out_is_not_waited_for():
    table = trading(timeout_secs=5)
    for _ in range(2):
        assert table.say(0, OFFER) == others(OFFER)
        assert table.wait(5.1) == to_all(TradeReject(2, 0))
    assert table.say(0, OFFER) == [*others(OFFER), *to_all(TradeReject(2, 0))]
    assert table.room.timeouts == [0, 0, 2, 0]
    assert table.say(2, TradeReject(2, 0)) == []
    assert table.say(0, OFFER) == others(OFFER)


def test_rule_14_offers_of_a_turn_wait_for_ten_clocks_together_at_most():
    table = trading(timeout_secs=5)
    for _ in range(13):
        table.say(0, OFFER)
        assert table.wait(4) == []
        table.say(2, TradeReject(2, 0))
    assert table.say(0, OFFER) == [*others(OFFER), *to_all(TradeReject(2, 0))]
    assert table.room.timeouts == [0, 0, 0, 0]
    table.say(0, Pass())
    assert not table.room._clock.has_waited_enough


def test_rule_14_messages_sent_ahead_by_the_proposer_wait_for_the_answer():
    table = trading()
    table.say(0, OFFER)
    assert table.say(0, Pass()) == []
    assert table.say(2, TradeReject(2, 0)) == [
        *others(TradeReject(2, 0), seat=2),
        *to_all(Turn(1)),
    ]


def test_rule_14_a_proposer_does_not_send_ahead_without_end():
    table = trading()
    table.say(0, OFFER, *[Pass()] * 64)
    assert not table.reasons
    sent = table.say(0, Pass())
    assert sent == [*to_all(TradeReject(2, 0)), *kicked(table)]
    assert "sent 64 messages ahead" in table.reasons[0]


@pytest.mark.parametrize(
    "said",
    [
        Build(1, Buildable.DEVELOPMENT_CARD),
        Play(2, DevCard.KNIGHT),
        trade(3, 0, (Card.BRICK, 1), (Card.GRAIN, 1)),
        TradeAccept(2, 1),
    ],
)
def test_rule_15_an_agent_speaks_only_for_itself(said):
    assert_kicks(open_turn(), 0, [said], "says it is from seat")
