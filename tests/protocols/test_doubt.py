"""The certain knowledge of a seat at a table where cards moved that no message named."""

import pytest

from catan_env import Action, Board, Event, Game
from catan_env.protocols.catan_binary.idle_turns import MOST_IDLE_TURNS
from catan_env.protocols.catan_binary.inferred_view import InferredView
from catan_env.protocols.catan_binary.messages import Card, Pass, TradeSide
from tests.protocols.rules.table import BRICK, GRAIN, MONOPOLY, ORE, WOOL, open_turn
from tests.protocols.test_silence import Listener

HOUSES = {0: [8], 1: [35], 2: [31]}


def doubting(**position) -> InferredView:
    """The view of seat 0, which keeps account of the hands that it may hold."""
    game = Game.from_position(seats=3, board=Board.beginner(), settlements=HOUSES, **position)
    tracked = InferredView(game.view(0))
    tracked.bound_hand()
    return tracked


def test_a_gift_may_spare_its_giver_the_seven_so_the_bank_may_have_got_nothing():
    tracked = doubting(phase="main", turn_seat=1, hands={1: {ORE: 10}})
    tracked.hand_over(1, 2, TradeSide(Card.ORE, 4))
    tracked.apply(Event(1, Action.end_turn()))
    tracked.apply(Event(2, Action.roll(), (3, 4)))
    assert tracked.view.bank[ORE] == 9
    assert 6 in tracked.bounds.limits.sizes[1] and 4 in tracked.bounds.limits.sizes[2]


def test_the_guess_of_a_discard_makes_no_card_of_what_is_left_known():
    tracked = doubting(phase="roll", turn_seat=1, hands={1: {ORE: 4, WOOL: 4}})
    tracked.view._array[0]["known"][1] = (0, 0, 0, 4, 4)
    tracked.discards_by_rule = False
    tracked.apply(Event(1, Action.roll(), (3, 4)))
    tracked.assume_discards()
    assert tracked.view.hand_size(1) == 4 and tracked.view.known(1) == (0, 0, 0, 0, 0)


def test_a_discard_that_is_announced_leaves_every_possible_hand():
    hands = {0: {BRICK: 6, GRAIN: 4}, 1: {ORE: 8}, 2: {ORE: 2, WOOL: 2}}
    tracked = doubting(phase="roll", turn_seat=1, hands=hands)
    tracked.bounds.hands.add((6, 3, 0, 0, 1))
    tracked.apply(Event(1, Action.roll(), (3, 4)))
    for seat, cards in ((1, [ORE] * 4), (0, [BRICK] * 4 + [GRAIN])):
        for card in cards:
            tracked.apply(Event(seat, Action.discard(card)))
    assert tracked.bounds.hands == {(2, 3, 0, 0, 0), (2, 2, 0, 0, 1)}
    assert tracked.view.hand(0) == (2, 2, 0, 0, 0)
    assert tracked.bounds.limits.sizes == [{5}, {4}, {4}] and tracked.view.bank[ORE] == 13


def test_a_seven_may_take_of_the_cards_of_which_a_seat_is_not_sure():
    tracked = doubting(phase="roll", turn_seat=1, hands={0: {BRICK: 6}})
    tracked.bounds.hands.add((6, 4, 0, 0, 0))
    tracked.apply(Event(1, Action.roll(), (3, 4)))
    assert tracked.bounds.hands == {(6, 0, 0, 0, 0), (2, 3, 0, 0, 0)}
    assert tracked.view.hand(0) == (2, 0, 0, 0, 0)


def test_the_likely_hand_discards_by_the_rule_at_any_server():
    tracked = doubting(phase="roll", turn_seat=1, hands={0: {BRICK: 6, GRAIN: 4}})
    tracked.discards_by_rule = False
    tracked.apply(Event(1, Action.roll(), (3, 4)))
    tracked.assume_discards()
    assert tracked.likely.hands == {(2, 3, 0, 0, 0)}
    assert len(tracked.bounds.hands) > 1


@pytest.mark.parametrize("announces", [False, True])
def test_a_seat_that_can_spend_nothing_is_patient_where_movements_are_announced(announces):
    hand = {BRICK: 4, GRAIN: 5, WOOL: 3}
    listener = Listener(open_turn(cards={0: {MONOPOLY: 1}}, hands={0: hand, 2: {ORE: 1}}))
    account = listener.follower.account
    account._tracked.bound_hand().lose_one_kind()
    account.view.recount((0,) * 5, account.view.bank)
    if announces:
        listener.say(Action.play_monopoly(ORE))
        listener.arrive()
    for _ in range(MOST_IDLE_TURNS):
        assert not any(account.view.hand(0))
        account.say(Action.end_turn(), [Pass()])
    assert any(account.view.hand(0)) is not announces
