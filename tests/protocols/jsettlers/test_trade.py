"""Offers and the bank, message by message."""

import pytest

from catan_env import Action
from catan_env.core.constants import Phase
from catan_env.protocols.jsettlers import messages as m
from tests.protocols.jsettlers.scripted import (
    GAME,
    ONE_FOR_ONE,
    ORE,
    WOOL,
    Told,
    differences,
    kinds,
    offer,
    playing,
    rich,
)


def test_an_offer_to_us_is_decided_on_a_copy() -> None:
    told = Told().turn_of(1)
    told.give(ore=1)
    before = told.view.state_bytes()
    told.policy = playing(Action.accept())
    assert told.say(offer(1, 0, 2)) == [m.AcceptOffer(GAME, 0, 1)]
    assert told.view.state_bytes() == before
    told.say(m.AcceptOffer(GAME, 0, 1, ONE_FOR_ONE), m.ClearOffer(GAME, -1))
    assert told.view.hand(0) == (0, 0, 0, 0, 1)
    assert kinds(told)[-2:] == ["OFFER", "ACCEPT"]


@pytest.mark.parametrize(
    ("counts", "held"),
    [(ONE_FOR_ONE, 0), ((0,) * 5 + (0, 1, 0, 0, 0), 1), ((0, 1, 0, 0, 0, 0, 1, 0, 0, 0), 1)],
)
def test_an_offer_that_is_forbidden_or_unaffordable_is_refused(
    counts: tuple[int, ...], held: int
) -> None:
    told = Told().turn_of(1)
    told.give(ore=held)
    told.policy = playing(Action.accept())
    asked = m.MakeOffer(GAME, 1, True, False, False, False, counts)
    assert told.say(asked) == [m.RejectOffer(GAME, 0)]


def test_an_offer_to_others_is_not_answered_and_leaves_no_trace() -> None:
    told = Told().turn_of(1)
    before = told.view.state_bytes()
    assert told.say(offer(1, 2, 3), m.RejectOffer(GAME, 2), m.ClearOffer(GAME, 1)) == []
    assert told.view.state_bytes() == before


def test_a_late_answer_is_harmless() -> None:
    told = Told().turn_of(1)
    told.give(ore=1)
    told.policy = playing(Action.accept())
    told.say(offer(1, 0, 2))
    assert told.say(m.RejectOffer(GAME, 0, (1,))) == []
    assert told.player.refusals.lines == []


def test_offers_are_not_answered_if_trading_is_off() -> None:
    told = Told(options=("NT=t",)).turn_of(1)
    assert told.say(offer(1, 0)) == []


def offering() -> Told:
    """Let seat 0 offer a sheep for an ore to seat 2, as announced by the server."""
    told = Told().own_turn(wool=2)
    told.policy = playing(Action.offer(2, WOOL, ORE))
    assert told.roll() == [offer(0, 2)]
    assert told.say(offer(0, 2)) == []
    assert told.view.phase == Phase.ANSWER
    return told


def test_our_offer_is_accepted() -> None:
    told = offering()
    assert told.say(m.AcceptOffer(GAME, 2, 0, ONE_FOR_ONE)) == []
    assert told.say(m.ClearOffer(GAME, -1)) == [m.EndTurn(GAME)]
    assert told.view.hand(0) == (0, 0, 0, 1, 1)
    assert (told.player.statistics.offers, told.player.statistics.accepted) == (1, 1)


def test_the_turn_continues_a_second_after_a_trade_though_offers_are_not_cleared() -> None:
    told = offering()
    told.say(m.AcceptOffer(GAME, 2, 0, ONE_FOR_ONE))
    assert told.line.wait(0.9) == []
    assert told.line.wait(0.2) == [m.EndTurn(GAME)]


@pytest.mark.parametrize("answer", [m.RejectOffer(GAME, 2), offer(2, 0)])
def test_a_refused_offer_is_withdrawn_and_the_turn_continues(answer: object) -> None:
    """A counter-offer is refused, and counts as a refusal."""
    told = offering()
    said = told.say(answer)
    assert said[-1] == m.ClearOffer(GAME, 0)
    assert said[:-1] == ([m.RejectOffer(GAME, 0)] if isinstance(answer, m.MakeOffer) else [])
    assert told.view.phase == Phase.ANSWER
    assert told.say(m.ClearOffer(GAME, 0)) == [m.EndTurn(GAME)]
    assert kinds(told)[-1] == "REJECT"


def test_another_seats_refusal_is_not_our_partners() -> None:
    assert offering().say(m.RejectOffer(GAME, 3)) == []


def test_a_counter_offer_that_another_seat_withdraws_is_not_ours() -> None:
    told = offering()
    assert told.say(m.ClearOffer(GAME, 3)) == []
    assert told.view.phase == Phase.ANSWER


def test_an_unanswered_offer_is_withdrawn() -> None:
    told = offering()
    assert told.line.wait(5.9) == []
    assert told.line.wait(0.2) == [m.ClearOffer(GAME, 0)]


def test_an_acceptance_that_crosses_the_withdrawal_counts() -> None:
    told = offering()
    told.say(m.RejectOffer(GAME, 2))
    told.say(m.AcceptOffer(GAME, 2, 0, ONE_FOR_ONE))
    assert told.say(m.ClearOffer(GAME, -1)) == [m.EndTurn(GAME)]
    assert told.view.hand(0) == (0, 0, 0, 1, 1)


def test_no_offer_is_made_when_time_is_short() -> None:
    told = Told().own_turn(wool=2)
    told.line.now += 5.5
    told.policy = playing(Action.offer(2, WOOL, ORE))
    assert told.roll() == [m.EndTurn(GAME)]


def test_an_accepted_counter_offer_is_seen_from_the_active_seats_side() -> None:
    told = Told().turn_of(1)
    told.say(offer(3, 1))
    told.say(m.AcceptOffer(GAME, 1, 3, ONE_FOR_ONE), m.ClearOffer(GAME, -1))
    made = told.player.follower.tracked.happened[-2].action  # type: ignore[union-attr]
    assert made == Action.offer(2, ORE, WOOL)


def bank(give: dict[int, int], get: dict[int, int], seat: int) -> m.BankTraded:
    sides = [tuple(side.get(code, 0) for code in range(1, 6)) for side in (give, get)]
    return m.BankTraded(GAME, (*sides[0], *sides[1], seat))


def test_after_a_bank_trade_the_turn_continues() -> None:
    """Seat 0 has built at a harbour where three cards are enough."""
    told = Told().own_turn(wool=3)
    told.policy = playing(Action.bank_trade(WOOL, ORE))
    assert told.roll() == [m.BankTrade(GAME, (0, 0, 3, 0, 0, 0, 1, 0, 0, 0))]
    assert told.say(bank({3: 3}, {2: 1}, 0)) == [m.EndTurn(GAME)]
    assert told.view.hand(0) == (0, 0, 0, 1, 0)


def test_a_trade_of_several_cards_is_several_trades() -> None:
    told = Told().turn_of(1)
    rich(told, s1=9)
    told.say(bank({3: 8}, {2: 1, 1: 1}, 1))
    assert kinds(told)[-2:] == ["BANK_TRADE", "BANK_TRADE"] and told.view.hand_size(1) == 3


@pytest.mark.parametrize(
    ("give", "get"), [({2: 1}, {3: 4}), ({3: 4}, {3: 1}), ({3: 4, 1: 4}, {2: 2})]
)
def test_trades_unknown_to_our_rules_move_the_cards_as_announced(
    give: dict[int, int], get: dict[int, int]
) -> None:
    told = Told().turn_of(1)
    rich(told, s1=9)
    told.say(bank(give, get, 1))
    size = 9 - sum(give.values()) + sum(get.values())
    assert told.view.hand_size(1) == size and differences(told)["bank trade"] == 1


def test_the_game_is_left_if_the_bank_gives_or_takes_more_cards_than_there_can_be() -> None:
    told = Told().turn_of(1)
    told.say(bank({3: 10**15}, {2: 1}, 1))
    (ended,) = told.line.agent.ended
    assert ended.how == "left" and "allowed are 0..127 of a kind" in ended.reason


def test_our_offer_that_is_announced_in_the_next_turn_leaves_no_trace() -> None:
    """The server ended the turn while the offer was on its way."""
    told = Told().own_turn(wool=2)
    before, differed = told.view.state_bytes(), differences(told)
    assert told.say(offer(0, 2)) == []
    assert told.view.state_bytes() == before and differences(told) == differed


MANY = pytest.mark.parametrize(
    "counts", [(0, 0, 20, 0, 0, 0, 1, 0, 0, 0), (0, 0, 1, 0, 0, 0, 20, 0, 0, 0)]
)
"""Trades of more cards of a kind than the booklet's bank has; this server's never runs out."""


@MANY
def test_an_offer_of_more_cards_than_an_action_can_name_is_refused(counts: tuple[int, ...]) -> None:
    told = Told().turn_of(1)
    told.give(ore=40)
    told.policy = playing(Action.accept())
    asked = m.MakeOffer(GAME, 1, True, False, False, False, counts)
    assert told.say(asked) == [m.RejectOffer(GAME, 0)]


@MANY
@pytest.mark.parametrize(("maker", "taker"), [(1, 2), (3, 1)])
def test_a_trade_of_as_many_between_others_moves_the_cards_as_announced(
    counts: tuple[int, ...], maker: int, taker: int
) -> None:
    told = Told().turn_of(1)
    rich(told, s1=30, s2=30, s3=30)
    told.say(m.MakeOffer(GAME, maker, *(seat == taker for seat in range(4)), counts))
    told.say(m.AcceptOffer(GAME, taker, maker, counts), m.ClearOffer(GAME, -1))
    paid = sum(counts[:5]) - sum(counts[5:])
    assert told.view.hand_size(maker) == 30 - paid and told.view.hand_size(taker) == 30 + paid
    assert differences(told)["trade"] == 1 and not told.line.agent.ended
    assert told.view.offer is None and sum(told.view.bank) >= 0


def test_our_own_offer_of_as_many_leaves_no_trace() -> None:
    told = Told().own_turn(wool=2)
    told.roll()
    before = told.view.state_bytes()
    many = (0, 0, 20, 0, 0, 0, 1, 0, 0, 0)
    told.say(m.MakeOffer(GAME, 0, False, True, False, False, many))
    assert told.view.state_bytes() == before and not told.line.agent.ended
