"""Answers as other servers send them: in the offer's order, or from a bank that refuses."""

import pytest

from catan_env import Action
from catan_env.protocols.catan_binary.agent import Agent
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    NOTHING,
    Card,
    Pass,
    RollResult,
    Trade,
    TradeAccept,
    TradeReject,
    TradeSide,
    Turn,
)
from catan_env.protocols.catan_binary.pending import Awaited
from tests.protocols.in_memory import Played, tournament
from tests.protocols.rules.table import BRICK, GRAIN, ORE, PLENTY, WOOL, open_turn
from tests.protocols.test_other_servers import heard, listening
from tests.protocols.test_parity import Compared, policies_of
from tests.protocols.test_silence import Listener

BRICK_1, GRAIN_1 = TradeSide(Card.BRICK, 1), TradeSide(Card.GRAIN, 1)
BRICK_4, ORE_1 = TradeSide(Card.BRICK, 4), TradeSide(Card.ORE, 1)
BANK_TRADE = Action.bank_trade(BRICK, ORE)

answers = pytest.mark.parametrize("answer", [TradeAccept, TradeReject])


def offering() -> Listener:
    """Seat 0, which has offered a brick to seat 2 for a grain."""
    listener = Listener(open_turn(hands={0: {BRICK: 1}, 1: {WOOL: 1}, 2: {GRAIN: 1}}))
    listener.say(Action.offer(2, {BRICK: 1}, {GRAIN: 1}))
    return listener


@answers
def test_the_answer_to_ones_own_offer_may_name_its_seats_in_the_order_of_the_offer(answer):
    listener = offering()
    listener.table.say(2, answer(2, 0))
    listener.follower.hear(answer(0, 2))
    assert listener.follower.is_asked and listener.is_exact


@answers
def test_the_answer_to_anothers_offer_may_name_its_seats_in_the_order_of_the_offer(answer):
    table = open_turn(hands={0: {BRICK: 1}, 1: {WOOL: 1}, 2: {GRAIN: 1}})
    agent = listening(table=table)
    offer = Trade(0, 2, BRICK_1, GRAIN_1)
    table.say(0, offer)
    table.say(2, answer(2, 0))
    heard(agent, offer, answer(0, 2))
    assert agent.follower.view.state_bytes() == table.game.view(1).state_bytes()


def test_an_offer_outside_the_rules_may_be_accepted_in_that_order():
    agent = listening()
    heard(agent, Trade(0, 2, BRICK_1, NOTHING), TradeAccept(0, 2))
    assert (agent.follower.view.hand_size(0), agent.follower.view.hand_size(2)) == (3, 5)


@pytest.mark.parametrize("ids", [(1, 0), (0, 1)])
def test_the_server_may_reject_in_this_seats_name_in_either_order(ids):
    table = open_turn(hands={0: {BRICK: 1}, 1: {GRAIN: 1}})
    agent = listening(table=table, policy=lambda view: Action.accept().index)
    offer = Trade(0, 1, BRICK_1, GRAIN_1)
    assert heard(agent, offer) == [TradeAccept(1, 0)]
    heard(agent, TradeReject(*ids))
    table.say(0, offer)
    table.say(1, TradeReject(1, 0))
    assert agent.follower.view.state_bytes() == table.game.view(1).state_bytes()


def test_losses_may_be_accepted_in_the_order_of_their_announcement():
    table = open_turn(cards={0: {3: 1}}, hands={1: {WOOL: 2}, 2: {WOOL: 1, ORE: 3}})
    listener = Listener(table)
    listener.say(Action.play_monopoly(WOOL))
    for message in listener.late:
        is_answer = isinstance(message, TradeAccept)
        mirrored = TradeAccept(message.target_id, message.player_id) if is_answer else message
        listener.follower.hear(mirrored)
    assert listener.follower.is_asked and listener.is_exact


class Mirrored(Played):
    """A game whose server relays answers in the order of the offer."""

    def _pass_on(self, seat, replies) -> None:
        super()._pass_on(seat, replies)
        effects = list(self._effects)
        self._effects.clear()
        self._effects.extend(map(mirrored, effects))


def mirrored(effect):
    message = getattr(effect, "message", None)
    if isinstance(message, TradeAccept | TradeReject) and message.player_id != message.target_id:
        ids = sorted((message.player_id, message.target_id))
        return effect._replace(message=type(message)(*ids))
    return effect


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_of_answers_in_any_order_are_followed_exactly(seats):
    room = tournament(seats, 9100 + seats)
    policies = policies_of("mixed", seats, seats)
    compared = [Compared(room.game, seat, policy) for seat, policy in enumerate(policies)]
    Mirrored(room, compared).play()
    assert room.is_over and not room.removals


def trading_with_bank(**settings) -> Listener:
    listener = Listener(open_turn(hands={0: {BRICK: 4}}, settings=settings))
    listener.say(BANK_TRADE)
    return listener


def test_the_bank_may_reject_a_trade():
    listener = trading_with_bank()
    before = listener.follower.view.hand(0)
    listener.follower.hear(TradeReject(0, 0))
    assert listener.follower.is_asked and listener.follower.view.hand(0) == before
    assert not listener.follower.account.trades


def test_a_late_rejection_by_the_bank_is_one():
    listener = trading_with_bank()
    listener.go_without(Awaited.BANK)
    assert listener.follower.view.hand(0) == (0, 0, 0, 0, 0)
    listener.follower.hear(TradeReject(0, 0))
    assert listener.follower.is_asked and listener.follower.view.hand(0) == (4, 0, 0, 0, 0)
    assert len(listener.follower._alternatives) == 1


@pytest.mark.parametrize("target", [0, NO_SEAT])
def test_the_bank_may_reject_another_seats_trade(target):
    agent = listening(table=open_turn(hands={0: {BRICK: 8}}))
    trade = Trade(0, target, BRICK_4, ORE_1)
    heard(agent, trade, TradeReject(0, 0), Trade(0, target, BRICK_4, GRAIN_1), TradeAccept(0, 0))
    view = agent.follower.view
    assert (view.hand_size(0), view.known(0)) == (5, (0, 1, 0, 0, 0))
    heard(agent, Turn(1), RollResult(12))


def test_a_choice_that_the_bank_rejects_may_have_been_made():
    listener = Listener(open_turn(cards={0: {PLENTY: 1}}, hands={0: {WOOL: 1}}))
    listener.say(Action.play_year_of_plenty(BRICK, ORE))
    listener.follower.hear(TradeReject(0, 0))
    assert listener.follower.view.hand(0) == (0, 0, 0, 0, 1)
    while listener.follower.awaited is not None:
        listener.follower.hear_nothing()
    assert listener.follower.is_asked


def test_a_seat_whose_trade_the_bank_rejects_trades_no_more_in_that_turn():
    """It would ask for the same again and again: its policy sees the same hand."""
    table = open_turn(hands={0: {BRICK: 4}})
    agent = Agent(lambda view: BANK_TRADE.index)
    agent.present.clock = lambda: 0.0
    agent.follower.watch(table.game.view(0))
    assert list(agent._play()) == [Trade(0, 0, BRICK_4, ORE_1)]
    assert heard(agent, TradeReject(0, 0)) == [Pass()]
    assert not heard(agent, Turn(1)) and not agent.follower.account.is_refused_by_bank
