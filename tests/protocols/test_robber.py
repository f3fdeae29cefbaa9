"""Results of the robber that are known in advance, and that other servers may not send."""

import pytest

from catan_env import Action
from catan_env.net import RemoteProtocolError
from catan_env.net.room import Send
from catan_env.protocols.catan_binary.messages import (
    Card,
    DevCard,
    Pass,
    Play,
    Rob,
    RobResult,
    Roll,
    RollResult,
    Turn,
)
from catan_env.protocols.catan_binary.pending import Awaited
from catan_env.protocols.catan_binary.places import TILE_POS
from catan_env.protocols.catan_binary.room import CatanRoom
from tests.protocols.in_memory import Played, tournament
from tests.protocols.rules.table import (
    BRICK,
    KNIGHT,
    ORE,
    WOOL,
    before_roll,
    owing_rob,
)
from tests.protocols.test_other_servers import heard, listening
from tests.protocols.test_parity import policies_of
from tests.protocols.test_silence import Listener

NOWHERE = Action.move_robber(16, None)
TILE_OF_1 = 8
ROB_1 = Action.move_robber(TILE_OF_1, 1)
EMPTY = pytest.mark.parametrize("action", [NOWHERE, ROB_1], ids=["no-seat", "an-empty-seat"])


def having_robbed(action: Action, is_ours: bool = False, **position) -> Listener:
    """Seat 0, whose robber has moved; the result is on its way."""
    position.setdefault("hands", {0: {BRICK: 4, WOOL: 1}})
    listener = Listener(owing_rob(**position), is_ours=is_ours)
    listener.say(action)
    return listener


@EMPTY
def test_a_result_that_is_known_in_advance_is_not_waited_for(action):
    listener = having_robbed(action)
    assert listener.follower.is_asked and listener.is_exact
    listener.say(Action.bank_trade(BRICK, ORE))
    listener.arrive()
    assert listener.follower.is_asked and listener.is_exact


@EMPTY
def test_our_server_always_sends_a_result(action):
    listener = having_robbed(action, is_ours=True)
    assert not listener.follower.is_asked
    listener.arrive()
    assert listener.follower.is_asked and listener.is_exact


def test_a_theft_from_a_seat_with_cards_is_waited_for():
    listener = having_robbed(ROB_1, hands={1: {ORE: 1}})
    assert not listener.follower.is_asked
    listener.arrive()
    assert listener.follower.is_asked and listener.is_exact


def test_a_theft_from_a_seat_that_may_have_cards_is_waited_for():
    listener = Listener(owing_rob(hands={0: {WOOL: 1}}))
    tracked = listener.follower.account._tracked
    tracked.bound_hand().limits.sizes[1] = {0, 1}
    listener.say(ROB_1)
    assert not listener.follower.is_asked
    listener.follower.hear(RobResult(0, 1, Card.ORE))
    assert listener.follower.is_asked and listener.follower.view.hand(0) == (0, 0, 0, 1, 1)


def test_a_theft_is_waited_for_once_hands_were_corrected():
    listener = Listener(owing_rob(hands={0: {WOOL: 1}}))
    listener.follower.account._tracked.differ("hand size")
    listener.say(ROB_1)
    assert not listener.follower.is_asked


def test_a_table_with_another_order_of_turns_has_the_same_hands():
    listener = Listener(owing_rob(hands={0: {WOOL: 1}}))
    listener.follower.account._tracked.differ("turn")
    listener.say(ROB_1)
    assert listener.follower.is_asked


@pytest.mark.parametrize("card", [Card.ANY, Card.ORE])
def test_a_late_card_of_a_seat_that_seemed_to_have_none_is_taken(card):
    listener = having_robbed(ROB_1)
    listener.follower.hear(RobResult(0, 1, card))
    assert listener.follower.is_asked
    gained = int(card == Card.ORE)
    assert listener.follower.view.hand(0) == (4, 0, 0, gained, 1)
    listener.follower.hear(RobResult(0, 1, Card.ANY))
    assert listener.follower.view.hand(0) == (4, 0, 0, gained, 1)


def test_a_late_result_does_not_refute_the_account_that_waits_for_the_bank():
    listener = having_robbed(ROB_1)
    listener.say(Action.bank_trade(BRICK, ORE))
    listener.go_without(Awaited.BANK)
    listener.arrive()
    assert listener.follower.is_asked and listener.is_exact


def test_a_card_of_a_seat_that_was_not_robbed_is_an_error():
    with pytest.raises(RemoteProtocolError, match="no robber has moved"):
        having_robbed(ROB_1).follower.hear(RobResult(0, 2, Card.ORE))
    listener = having_robbed(ROB_1)
    listener.follower.hear(Turn(1))
    with pytest.raises(RemoteProtocolError, match="no robber has moved"):
        listener.follower.hear(RobResult(0, 1, Card.ORE))


def test_a_knight_that_takes_nothing_before_the_roll_is_followed_by_the_roll():
    table = before_roll(cards={0: {KNIGHT: 1}})
    agent = listening(0, table, playing(Action.play_knight(), NOWHERE, Action.roll()))
    assert list(agent._play()) == [Play(0, DevCard.KNIGHT), Rob(TILE_POS[16], 0), Roll()]
    assert heard(agent, RollResult(12)) == [Pass()]
    heard(agent, Turn(1))
    assert agent.follower.view.knights(0) == 1 and agent.follower.view.robber == 16


def test_a_knight_that_came_too_late_was_not_played():
    """Time ran out before it: this seat has not passed, and its turn is over."""
    table = before_roll(cards={0: {KNIGHT: 1}})
    agent = listening(0, table, playing(Action.play_knight(), NOWHERE, Action.roll()))
    list(agent._play())
    heard(agent, Turn(1))
    assert agent.follower.view.knights(0) == 0 and agent.follower.view.robber != 16


def playing(*actions: Action):
    """A policy that plays these actions, then ends its turns."""
    left = list(actions)
    return lambda view: (left.pop(0) if left else Action.end_turn()).index


@pytest.mark.parametrize("held", [{}, {ORE: 1}])
def test_a_robbed_seat_without_cards_may_hear_no_result(held):
    table = owing_rob(hands={1: held})
    agent = listening(1, table)
    rob = Rob(TILE_POS[TILE_OF_1], 1)
    assert heard(agent, rob) == []
    if not held:
        heard(agent, *sent_to(1, table, rob))
        table.say(0, Pass())
        heard(agent, Turn(1))
    assert agent.follower.view.robber == (TILE_OF_1 if not held else table.game.robber)


def sent_to(seat: int, table, message) -> list:
    """Return no result of the robber: the table hears of it, the seat does not."""
    table.say(0, message)
    return []


class Sparing(CatanRoom):
    """A server that sends a result only where a card moved."""

    def received(self, line, message, now):
        effects = super().received(line, message, now)
        return [effect for effect in effects if not is_empty_result(effect)]


def is_empty_result(effect) -> bool:
    if not isinstance(effect, Send) or not isinstance(effect.message, RobResult):
        return False
    return effect.message.card == Card.ANY


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_at_a_server_that_sends_no_empty_results(seats):
    for seed in range(2):
        game = tournament(seats, 80 + seed, max_turns=300)
        room = Sparing(game.game, game.settings)
        policies = policies_of("mixed", seats, seed)
        Played(room, policies, is_ours=False).play()
        assert room.is_over and not room.removals
