"""An agent's conclusions from silence, which a late message undoes."""

import pytest

from catan_env import Action, Phase
from catan_env.game.geometry import VERTEX_TILES
from catan_env.protocols.catan_binary.agent import GRACE, Agent
from catan_env.protocols.catan_binary.follow import MOST_ALTERNATIVES, Follower
from catan_env.protocols.catan_binary.messages import Card, Pass, Rob, RobResult, TradeAccept
from catan_env.protocols.catan_binary.pending import Awaited
from catan_env.protocols.catan_binary.places import TILE_POS
from catan_env.protocols.catan_binary.speech import to_messages
from tests.protocols.conversation import Conversation
from tests.protocols.rules.table import (
    BRICK,
    GRAIN,
    HOUSES,
    LUMBER,
    MONOPOLY,
    ORE,
    PLENTY,
    WOOL,
    before_roll,
    open_turn,
)

ROAD_BESIDE = 9


class Listener:
    """Seat 0's follower at a table whose messages to it arrive when the test lets them."""

    def __init__(
        self, table: Conversation, announced: bool | None = None, is_ours: bool = False
    ) -> None:
        self.table = table
        self.follower = Follower(announced, is_ours)
        self.follower.watch(table.game.view(0))
        self.late: list = []

    def say(self, action: Action) -> None:
        assert self.follower.is_asked
        messages = to_messages(self.follower.view, action)
        self.follower.say(action, messages)
        self.late += [m for seat, m in self.table.say(0, *messages) if seat == 0]

    def others_say(self, seat: int, action: Action) -> None:
        messages = to_messages(self.table.game, action)
        self.late += [m for to, m in self.table.say(seat, *messages) if to == 0]

    def arrive(self, count: int = 1000) -> None:
        arriving, self.late = self.late[:count], self.late[count:]
        for message in arriving:
            self.follower.hear(message)

    def go_without(self, what: Awaited) -> None:
        assert self.follower.awaited is what
        self.follower.hear_nothing()

    @property
    def is_exact(self) -> bool:
        return self.follower.view.state_bytes() == self.table.game.view(0).state_bytes()


def literal(**position):
    return {"settings": {"announced": False}, **position}


def test_a_late_answer_to_a_card_before_the_roll_and_then_a_seven_stop_no_one():
    table = before_roll(**literal(cards={0: {MONOPOLY: 1}}, hands={1: {WOOL: 9}, 2: {ORE: 2}}))
    listener = Listener(table)
    listener.say(Action.play_monopoly(WOOL))
    listener.go_without(Awaited.BANK)
    table.fate(Action.roll(), 7)
    listener.say(Action.roll())
    listener.arrive()
    while listener.follower.awaited is Awaited.LOSSES:
        listener.follower.hear_nothing()
    assert listener.follower.is_asked and listener.follower.view.phase == Phase.ROBBER
    listener.say(next(iter(table.game.legal_actions)))
    listener.arrive()
    assert listener.follower.is_asked and not table.reasons


def test_a_late_answer_to_a_choice_is_known_to_be_its_answer():
    listener = Listener(before_roll(**literal(cards={0: {PLENTY: 1}})))
    listener.say(Action.play_year_of_plenty(BRICK, ORE))
    listener.go_without(Awaited.BANK)
    assert listener.follower.view.hand(0) == (0, 0, 0, 0, 0)
    listener.table.fate(Action.roll(), 12)
    listener.say(Action.roll())
    listener.arrive()
    assert listener.follower.view.hand(0) == (1, 0, 0, 1, 0) and listener.is_exact


@pytest.mark.parametrize("arrives_first", range(7))
def test_discards_announced_late_are_followed(arrives_first):
    """Any number of the messages may come before the agent stops waiting."""
    table = before_roll(hands={0: {BRICK: 4, GRAIN: 4}, 1: {ORE: 8}, 2: {WOOL: 3}})
    listener = Listener(table)
    table.fate(Action.roll(), 7)
    listener.say(Action.roll())
    listener.arrive(1 + arrives_first)
    if listener.follower.awaited is Awaited.LOSSES:
        listener.follower.hear_nothing()
    assert listener.follower.is_asked
    listener.say(next(iter(table.game.legal_actions)))
    listener.arrive()
    assert listener.follower.is_asked and listener.is_exact


@pytest.mark.parametrize("arrives_first", range(4))
def test_what_a_seat_still_owes_to_a_seven_is_no_longer_in_its_hand(arrives_first):
    """The first of its discards have arrived, and nothing after them for a while."""
    hands = {0: {BRICK: 4, LUMBER: 4, ORE: 2}, 1: {ORE: 8}, 2: {WOOL: 3}}
    table = before_roll(hands=hands)
    listener = Listener(table)
    table.fate(Action.roll(), 7)
    listener.say(Action.roll())
    listener.arrive(2 + arrives_first)
    while listener.follower.awaited is Awaited.LOSSES:
        listener.follower.hear_nothing()
    assert sum(listener.follower.view.hand(0)) <= 5
    listener.say(next(iter(table.game.legal_actions)))
    listener.arrive()
    assert listener.follower.is_asked and listener.is_exact


@pytest.mark.parametrize("arrives_first", range(5))
def test_a_hand_of_which_a_seven_leaves_more_than_seven_loses_no_more(arrives_first):
    """Its own discards have arrived in part or in whole, a rival's have not."""
    hands = {0: {BRICK: 9, LUMBER: 8}, 1: {ORE: 8}, 2: {WOOL: 3}}
    table = before_roll(hands=hands)
    listener = Listener(table, announced=True)
    table.fate(Action.roll(), 7)
    listener.say(Action.roll())
    listener.arrive(1 + arrives_first)
    while listener.follower.awaited is Awaited.LOSSES:
        listener.follower.hear_nothing()
    assert listener.follower.view.hand(0) == table.game.hand(0) and sum(table.game.hand(0)) == 9


@pytest.mark.parametrize(
    ("announced", "is_ours", "sure"),
    [
        (None, True, (2, 3, 0, 0, 0)),
        (False, True, (2, 3, 0, 0, 0)),
        (False, False, (2, 3, 0, 0, 0)),
        (None, False, (1, 0, 0, 0, 0)),
    ],
    ids=["ours", "ours-dialect-given", "dialect-given", "finds-out"],
)
def test_discards_that_are_not_announced_are_by_the_rule_where_the_dialect_is_known(
    announced, is_ours, sure
):
    """Another server may take any cards: only what is left in any case is certain."""
    table = before_roll(**literal(hands={0: {BRICK: 6, GRAIN: 4}, 1: {WOOL: 3}}))
    listener = Listener(table, announced, is_ours)
    table.fate(Action.roll(), 7)
    listener.say(Action.roll())
    listener.arrive()
    if listener.follower.awaited is Awaited.LOSSES:
        listener.follower.hear_nothing()
    assert listener.follower.view.hand(0) == sure
    assert table.game.hand(0) == (2, 3, 0, 0, 0)


def test_what_is_stolen_later_shows_what_was_not_discarded():
    table = before_roll(**literal(turn_seat=1, hands={0: {BRICK: 7, GRAIN: 1}}))
    listener = Listener(table)
    table.fate(Action.roll(), 7)
    listener.others_say(1, Action.roll())
    listener.arrive()
    tile = VERTEX_TILES[HOUSES[0][0]][0]
    listener.follower.hear(Rob(TILE_POS[tile], 0))
    assert listener.follower.view.hand(0) == (3, 0, 0, 0, 0)
    listener.follower.hear(RobResult(1, 0, Card.GRAIN))
    assert listener.follower.view.hand(0) == (3, 0, 0, 0, 0)
    assert listener.follower.account._tracked.bounds.hands == {(3, 0, 0, 0, 0)}


def test_a_dialect_that_was_given_is_taken_back_by_an_announcement():
    table = before_roll(hands={1: {ORE: 8}, 2: {WOOL: 3}})
    listener = Listener(table, announced=False)
    table.fate(Action.roll(), 7)
    listener.say(Action.roll())
    listener.arrive(1)
    listener.say(next(iter(table.game.legal_actions)))
    listener.arrive()
    assert listener.follower.is_asked and listener.is_exact
    assert listener.follower.account.announced


def test_losses_to_a_monopoly_announced_late_are_followed():
    table = open_turn(
        cards={0: {MONOPOLY: 1}}, hands={1: {WOOL: 2}, 2: {WOOL: 1, ORE: 3}, 3: {GRAIN: 1}}
    )
    listener = Listener(table)
    listener.say(Action.play_monopoly(WOOL))
    listener.arrive(1)
    listener.go_without(Awaited.LOSSES)
    listener.arrive(1)
    assert listener.follower.is_asked
    listener.arrive()
    assert listener.is_exact and listener.follower.view.hand(0)[WOOL] == 3


@pytest.mark.parametrize("announced", [True, False])
def test_a_trade_with_the_bank_answered_late_is_known_to_be_made(announced):
    table = open_turn(hands={0: {BRICK: 8}}, settings={"announced": announced})
    listener = Listener(table)
    listener.say(Action.bank_trade(BRICK, ORE))
    listener.go_without(Awaited.BANK)
    listener.say(Action.bank_trade(BRICK, WOOL))
    listener.arrive(1)
    assert listener.follower.view.hand(0)[BRICK] == 0
    listener.arrive()
    assert listener.is_exact and listener.follower.view.hand(0) == (0, 0, 0, 1, 1)


def test_an_answer_to_a_later_trade_shows_that_no_losses_are_announced():
    position = {"cards": {0: {MONOPOLY: 1}}, "hands": {0: {BRICK: 4}, 1: {WOOL: 2}}}
    listener = Listener(open_turn(**literal(**position)))
    listener.say(Action.play_monopoly(WOOL))
    listener.arrive()
    listener.go_without(Awaited.LOSSES)
    listener.say(Action.bank_trade(BRICK, ORE))
    listener.arrive()
    assert len(listener.follower._alternatives) == 1
    assert listener.follower.view.hand(0) == listener.table.game.hand(0)


def test_an_answer_to_a_choice_given_up_refutes_no_account_that_gave_it_up():
    position = {
        "cards": {0: {MONOPOLY: 1}},
        "hands": {0: {WOOL: 1, GRAIN: 1, ORE: 1}, 1: {LUMBER: 2}},
    }
    listener = Listener(open_turn(**literal(**position)))
    listener.say(Action.play_monopoly(LUMBER))
    listener.go_without(Awaited.BANK)
    listener.say(Action.buy_development_card())
    listener.go_without(Awaited.BUILD)
    listener.arrive()
    assert not listener.table.reasons
    assert sum(listener.follower.view.cards(0)) == 1


def test_an_offer_without_an_answer_counts_as_refused_until_it_is_accepted():
    table = open_turn(hands={0: {BRICK: 2, WOOL: 4}, 2: {GRAIN: 1}})
    listener = Listener(table)
    listener.say(Action.offer(2, {BRICK: 2}, {GRAIN: 1}))
    listener.go_without(Awaited.PARTNER)
    assert listener.follower.view.hand(0) == (0, 0, 0, 0, 4)
    listener.say(Action.bank_trade(WOOL, ORE))
    listener.others_say(2, Action.accept())
    listener.arrive()
    assert listener.is_exact and listener.follower.view.hand(0) == (0, 1, 0, 1, 0)


def test_a_late_refusal_of_an_offer_is_a_refusal():
    listener = Listener(open_turn(hands={0: {BRICK: 2}, 2: {GRAIN: 1}}))
    listener.say(Action.offer(2, {BRICK: 2}, {GRAIN: 1}))
    listener.go_without(Awaited.PARTNER)
    listener.others_say(2, Action.reject())
    listener.arrive()
    assert listener.is_exact and listener.follower.view.hand(0)[BRICK] == 2


def test_only_an_announcement_proves_that_an_unanswered_trade_came_too_late():
    """The trade came too late, or the bank made it and does not answer; announcing servers do."""
    table = open_turn(hands={0: {BRICK: 4}, 1: {GRAIN: 8}}, settings={"timeout_secs": 5})
    listener = Listener(table)
    listener.late += [m for seat, m in table.wait(1000.0) if seat == 0]
    action = Action.bank_trade(BRICK, ORE)
    listener.follower.say(action, to_messages(listener.follower.view, action))
    listener.go_without(Awaited.BANK)
    listener.arrive()
    assert listener.follower.view.hand(0) == (0, 0, 0, 0, 0)
    table.fate(Action.roll(), 7)
    listener.others_say(1, Action.roll())
    listener.arrive()
    assert listener.follower.view.hand(0) == (4, 0, 0, 0, 0)


def test_conclusions_that_can_be_undone_are_limited():
    listener = Listener(open_turn(hands={0: {BRICK: 19, WOOL: 19}}))
    for _ in range(4):
        for card in (BRICK, WOOL):
            listener.say(Action.bank_trade(card, ORE))
            listener.go_without(Awaited.BANK)
    assert len(listener.follower._alternatives) == MOST_ALTERNATIVES
    listener.arrive()
    assert listener.follower.is_asked


def decided_by(
    table: Conversation, action: Action, patience: float = 3.0, now: float = 0.0
) -> Agent:
    """An agent that has sent `action` at a table, and has received nothing since."""
    agent = Agent(lambda view: action.index, patience=patience)
    agent.present.clock = lambda: now
    agent.present.begin(now)
    agent.follower.watch(table.game.view(0))
    list(agent._play())
    return agent


def test_an_agents_wait_depends_on_what_it_knows():
    table = open_turn(hands={0: {BRICK: 4}, 2: {GRAIN: 1}})
    agent = decided_by(table, Action.bank_trade(BRICK, ORE))
    assert agent.deadline == GRACE
    agent.follower.account.announced = True
    assert agent.deadline == 3.0
    assert decided_by(table, Action.offer(2, {BRICK: 2}, {GRAIN: 1}), patience=7.0).deadline == 7.0
    assert decided_by(table, Action.offer(2, {BRICK: 2}, {GRAIN: 1}), now=100.0).deadline == 103.0
    assert decided_by(before_roll(), Action.roll()).deadline is None
    assert decided_by(table, Action.offer(2, {BRICK: 2}, {GRAIN: 1}), patience=0.0).deadline is None


def test_a_build_without_a_result_is_followed_by_the_end_of_the_turn():
    table = open_turn(hands={0: {BRICK: 2, LUMBER: 2}}, roads={0: [ROAD_BESIDE]})
    action = next(a for a in table.game.view(0).legal_actions if a.kind.name == "ROAD")
    agent = decided_by(table, action)
    assert agent.deadline == 3.0
    assert list(agent.time(2.9)) == [] and list(agent.time(3.0)) == [Pass()]
    assert agent.deadline is None


def test_an_answer_without_a_request_is_ignored():
    listener = Listener(open_turn())
    listener.follower.hear(TradeAccept(0, 0))
    assert listener.follower.is_asked and listener.is_exact
