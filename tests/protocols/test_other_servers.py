"""An agent finishes its game at servers that send what the text allows and ours never does."""

from dataclasses import replace

import numpy as np
import pytest

from catan_env import Action, Game, Phase
from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_binary import room as rooms
from catan_env.protocols.catan_binary.agent import Agent
from catan_env.protocols.catan_binary.messages import (
    NOTHING,
    Card,
    DevCard,
    Kick,
    Pass,
    Play,
    Rob,
    RobResult,
    Roll,
    RollResult,
    Trade,
    TradeAccept,
    TradeReject,
    TradeSide,
    Turn,
)
from catan_env.protocols.catan_binary.opening import setup_message
from catan_env.protocols.catan_binary.places import TILE_POS
from tests.protocols.in_memory import Played, builder_policy, random_policy, tournament
from tests.protocols.rules.table import BRICK, GRAIN, ORE, WOOL, open_turn, owing_rob
from tests.protocols.test_parity import Compared

BRICK_1 = TradeSide(Card.BRICK, 1)
GRAIN_1 = TradeSide(Card.GRAIN, 1)
UNLAWFUL = {
    "more-than-19-asked": (BRICK_1, TradeSide(Card.GRAIN, 20)),
    "more-than-19-given": (TradeSide(Card.BRICK, 255), GRAIN_1),
    "any-asked": (BRICK_1, TradeSide(Card.ANY, 2)),
    "any-given": (TradeSide(Card.ANY, 1), GRAIN_1),
    "gift": (BRICK_1, NOTHING),
    "gift-for-0-grain": (BRICK_1, TradeSide(Card.GRAIN, 0)),
    "request": (NOTHING, GRAIN_1),
    "nothing-for-nothing": (NOTHING, NOTHING),
    "brick-for-brick": (BRICK_1, TradeSide(Card.BRICK, 2)),
}
"""Offers that rule 14 of docs/protocol.md excludes."""

ROB_NO_SEAT, END = Action.move_robber(16, None).index, Action.end_turn().index

unlawful = pytest.mark.parametrize(("offer", "ask"), UNLAWFUL.values(), ids=UNLAWFUL)


def listening(seat: int = 1, table=None, policy=None) -> Agent:
    """Seat 1's agent, or another's, in the turn of seat 0."""
    if table is None:
        table = open_turn(hands={0: {BRICK: 4}, 1: {GRAIN: 3}, 2: {GRAIN: 3, ORE: 1}})
    agent = Agent(policy or random_policy(1))
    agent.present.clock = lambda: 0.0
    agent.follower.watch(table.game.view(seat))
    return agent


def heard(agent: Agent, *messages) -> list:
    """Return the agent's answers to the messages."""
    return [answer for message in messages for answer in agent.received(message, 1.0)]


@unlawful
def test_an_offer_outside_the_rules_to_this_seat_is_refused(offer, ask):
    agent = listening()
    assert heard(agent, Trade(0, 1, offer, ask)) == [TradeReject(1, 0)]
    assert agent.follower.view.hand(1) == (0, 3, 0, 0, 0)
    assert heard(agent, Turn(1)) == [Roll()]


@unlawful
def test_an_offer_outside_the_rules_to_another_seat_may_be_rejected(offer, ask):
    agent = listening()
    before = agent.follower.view.state_bytes()
    assert heard(agent, Trade(0, 2, offer, ask), TradeReject(2, 0)) == []
    assert agent.follower.view.state_bytes() == before
    assert heard(agent, TradeAccept(2, 0)) == []
    assert agent.follower.view.state_bytes() == before
    assert heard(agent, Turn(1)) == [Roll()]


def test_cards_of_accepted_offers_outside_the_rules_change_hands():
    agent = listening()
    view, bank = agent.follower.view, agent.follower.view.bank
    heard(agent, Trade(0, 2, BRICK_1, NOTHING), TradeAccept(2, 0))
    assert (view.hand_size(0), view.hand_size(2)) == (3, 5)
    assert (view.known(0), view.known(2)) == ((0, 0, 0, 0, 0), (1, 0, 0, 0, 0))
    heard(agent, Trade(0, 2, NOTHING, GRAIN_1), TradeAccept(2, 0))
    assert (view.known(0), view.known(2)) == ((0, 1, 0, 0, 0), (1, 0, 0, 0, 0))
    heard(agent, Trade(0, 2, BRICK_1, TradeSide(Card.GRAIN, 20)), TradeAccept(2, 0))
    assert (view.hand_size(0), view.hand_size(2)) == (8, 0), "a seat gives what it has"
    assert view.bank == bank
    assert heard(agent, Turn(1)) == [Roll()]


def test_cards_of_unnamed_kinds_may_be_any_of_the_hand():
    agent = listening()
    view, bank = agent.follower.view, agent.follower.view.bank
    heard(agent, Trade(0, 2, TradeSide(Card.BRICK, 3), NOTHING), TradeAccept(2, 0))
    heard(agent, Trade(0, 2, BRICK_1, TradeSide(Card.ANY, 2)), TradeAccept(2, 0))
    assert (view.hand_size(0), view.hand_size(2)) == (2, 6)
    assert (view.known(0), view.known(2)) == ((0, 0, 0, 0, 0), (2, 0, 0, 0, 0))
    assert view.bank == bank and view.hand(1) == (0, 3, 0, 0, 0)


def test_a_gift_announces_nothing():
    """A server that announces nothing is not waited for because of it."""
    agent = listening()
    heard(agent, Trade(0, 2, BRICK_1, NOTHING), TradeReject(2, 0))
    assert agent.follower.account.announced is None


def test_a_later_offer_replaces_one_outside_the_rules():
    agent = listening()
    offer = Trade(0, 2, BRICK_1, GRAIN_1)
    heard(agent, Trade(0, 2, BRICK_1, NOTHING), offer, TradeAccept(2, 0))
    assert agent.follower.view.hand_size(2) == 4


def test_a_seat_that_is_not_on_turn_makes_no_offer():
    with pytest.raises(RemoteProtocolError, match="seat 2; it is the turn of seat 0"):
        heard(listening(), Trade(2, 1, BRICK_1, GRAIN_1))


def test_an_offer_outside_the_rules_is_made_to_a_seat_of_the_table():
    with pytest.raises(RemoteProtocolError, match="target_id is 4 among 4 players"):
        heard(listening(), Trade(0, 4, BRICK_1, NOTHING))


@pytest.mark.parametrize("trade", [Trade(4, 4, BRICK_1, GRAIN_1), Trade(4, 4, BRICK_1, NOTHING)])
def test_a_seat_of_the_table_trades_with_the_bank(trade):
    """Refused when it is heard: a silent server's trades are taken as done."""
    with pytest.raises(RemoteProtocolError, match="player_id is 4 among 4 players"):
        heard(listening(), trade)


def test_the_target_of_an_offer_outside_the_rules_may_be_kicked():
    agent = listening()
    heard(agent, Trade(0, 2, BRICK_1, NOTHING), Kick(2))
    assert heard(agent, Turn(1)) == [Roll()]


@pytest.mark.parametrize("is_accepted", [True, False])
def test_offers_within_the_rules_are_followed_exactly(is_accepted):
    table = open_turn(hands={0: {BRICK: 4}, 1: {GRAIN: 3}, 2: {WOOL: 3}})
    agent = listening(table=table)
    answer = (TradeAccept if is_accepted else TradeReject)(2, 0)
    offer = Trade(0, 2, BRICK_1, TradeSide(Card.WOOL, 1))
    heard(agent, offer, answer)
    table.say(0, offer)
    table.say(2, answer)
    assert agent.follower.view.state_bytes() == table.game.view(1).state_bytes()


def test_another_seat_may_show_a_victory_point_card():
    """Ours never plays one (12); it counts unseen either way."""
    agent = listening()
    before = agent.follower.view.state_bytes()
    assert heard(agent, Play(0, DevCard.VICTORY_POINT)) == []
    assert agent.follower.view.state_bytes() == before
    assert heard(agent, Turn(1)) == [Roll()]


@pytest.mark.parametrize("card", [Card.ANY, Card.ORE, Card.WOOL], ids=lambda card: card.name)
@pytest.mark.parametrize("times", [1, 2])
def test_a_seat_that_robs_no_other_may_be_sent_one_of_its_own_cards(card, times):
    """The text's server draws a card of the target, the robber itself, and sends it to both."""
    table = owing_rob(hands={0: {ORE: 2}})
    agent = listening(0, table, lambda view: ROB_NO_SEAT if view.phase == Phase.ROBBER else END)
    assert list(agent._play()) == [Rob(TILE_POS[16], 0), Pass()]
    assert heard(agent, *[RobResult(0, 0, card)] * times) == []
    assert agent.follower.view.hand(0) == (0, 0, 0, 2, 0)
    heard(agent, Turn(1), RollResult(12), Turn(2))
    assert agent.follower.view.turn_seat == 2


@pytest.mark.parametrize("concerned", [(0, 2), (0, 0)])
def test_the_result_of_a_robbers_move_may_be_public(concerned):
    table = owing_rob(hands={2: {ORE: 1}})
    agent = listening(1, table)
    rob = Rob(TILE_POS[0], concerned[1])
    heard(agent, rob, RobResult(*concerned, Card.ORE))
    assert heard(agent, Turn(1)) == [Roll()]


@pytest.mark.parametrize("held", [{}, {GRAIN: 2}, {ORE: 1, GRAIN: 1}])
@pytest.mark.parametrize("card", [Card.ANY, Card.ORE])
def test_a_theft_of_a_card_that_a_seat_does_not_hold_is_followed(held, card):
    """The text deals from no bank and discards nothing: such a server counts hands otherwise."""
    agent = listening(1, owing_rob(hands={1: held}))
    heard(agent, Rob(TILE_POS[8], 1), RobResult(0, 1, card))
    assert heard(agent, Turn(1)) == [Roll()]
    assert card == Card.ANY or not agent.follower.view.hand(1)[ORE]


def deal(game: Game, seat: int, cards: tuple[int, ...]) -> None:
    """Replace a hand at the start of a game."""
    state = game._array[0]
    state["bank"] += state["hand"][seat] - np.array(cards, np.int8)
    state["hand"][seat] = state["known"][seat] = cards
    state["hand_size"][seat] = sum(cards)


def test_a_game_of_other_starting_hands_is_followed_exactly(monkeypatch):
    room = tournament(3, 5)
    setup = setup_message(room.game)
    dealt = [(0, 0, 0, 3, 0), (1, 0, 0, 0, 1), (0, 0, 0, 0, 0)]
    hands = [(Card.ORE,) * 3, (Card.WOOL, Card.ANY, Card.BRICK), (Card.ANY,) * 3]
    for seat, cards in enumerate(dealt):
        deal(room.game, seat, cards)
    players = tuple(
        replace(player, starting_hand=hand)
        for player, hand in zip(setup.players, hands, strict=True)
    )
    monkeypatch.setattr(rooms, "setup_message", lambda game: replace(setup, players=players))
    policies = [Compared(room.game, seat, builder_policy(seat)) for seat in range(3)]
    Played(room, policies).play()
    assert room.is_over and not room.removals
    assert all(policy.decisions for policy in policies)
