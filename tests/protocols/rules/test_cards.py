"""Rules 10 to 12 of docs/protocol.md: the other development cards."""

import pytest

from catan_env import Action
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    NOTHING,
    Build,
    Buildable,
    BuildResult,
    Card,
    DevCard,
    Pass,
    Play,
    Roll,
    Trade,
    TradeAccept,
    TradeSide,
    Turn,
)
from catan_env.protocols.catan_binary.places import EDGE_POS
from catan_env.protocols.catan_binary.speech import to_messages
from tests.protocols.conversation import Conversation, to_all
from tests.protocols.rules.table import (
    BRICK,
    GRAIN,
    LUMBER,
    MONOPOLY,
    ORE,
    PLAYED_MONOPOLY,
    PLAYED_PLENTY,
    PLENTY,
    ROAD_BUILDING,
    VICTORY,
    WOOL,
    assert_kicks,
    before_roll,
    choice,
    open_turn,
    others,
    with_card,
)


@pytest.mark.parametrize("phase", ["roll", "main"])
def test_rule_10_the_next_two_roads_of_the_turn_are_free(phase):
    table = Conversation(
        phase=phase,
        settlements={0: [8]},
        cards={0: {ROAD_BUILDING: 1}},
        hands={0: {BRICK: 1, LUMBER: 1}},
    )
    play = Play(0, DevCard.ROAD_BUILDING)
    assert table.say(0, play) == others(play)
    for edge, bricks in ((13, 1), (17, 1)):
        road = Build(0, Buildable.ROAD, edgepos=EDGE_POS[edge])
        assert table.say(0, road) == [*others(road), (0, BuildResult(Buildable.ROAD))]
        assert table.game.hand(0)[BRICK] == bricks
    paid = Build(0, Buildable.ROAD, edgepos=EDGE_POS[18])
    if phase == "main":
        table.say(0, paid)
        assert table.game.hand(0)[BRICK] == 0
    else:
        assert_kicks(table, 0, [paid], "MSG_BUILD; expected are MSG_ROLL, MSG_PLAY")


def test_rule_10_other_actions_may_come_between_and_unused_roads_lapse():
    table = Conversation(phase="roll", settlements={0: [8]}, cards={0: {ROAD_BUILDING: 1}})
    table.say(0, Play(0, DevCard.ROAD_BUILDING))
    table.say(0, Build(0, Buildable.ROAD, edgepos=EDGE_POS[13]))
    table.fate(Action.roll(), 2)
    table.say(0, Roll())
    assert table.game.free_roads == 1
    table.say(0, Pass())
    assert table.game.free_roads == 0 and not table.reasons


@pytest.mark.parametrize("target", [0, NO_SEAT])
@pytest.mark.parametrize(
    ("asks", "taken"),
    [
        ([(2, Card.ORE)], (0, 0, 0, 2, 0)),
        ([(1, Card.ORE), (1, Card.BRICK)], (1, 0, 0, 1, 0)),
        ([(1, Card.ORE), (1, Card.ORE)], (0, 0, 0, 2, 0)),
    ],
)
def test_rule_11_a_year_of_plenty_is_chosen_by_trades_with_oneself(asks, taken, target):
    table = with_card(PLENTY)
    assert table.say(0, PLAYED_PLENTY) == others(PLAYED_PLENTY)
    for count, card in asks:
        said = choice(count, card, target)
        assert table.say(0, said) == [*others(said), *to_all(TradeAccept(0, 0))]
    assert table.game.hand(0) == taken
    assert table.game.played(0)[PLENTY] == 1


@pytest.mark.parametrize(
    ("asks", "hands", "because"),
    [
        ([(2, Card.ORE)], {1: {ORE: 18}}, "asks for 2 ORE; the bank has 1"),
        ([(1, Card.ORE), (1, Card.ORE)], {1: {ORE: 18}}, "asks for 1 ORE; the bank has 0"),
        ([(3, Card.ORE)], {}, "asks for 3 more cards after 0"),
        ([(0, Card.ORE)], {}, "asks for 0 more cards after 0"),
        ([(1, Card.ORE), (2, Card.WOOL)], {}, "asks for 2 more cards after 1"),
        ([(1, Card.ANY)], {}, "a card is ANY"),
    ],
)
def test_rule_11_a_year_of_plenty_that_cannot_be_had_is_a_kick(asks, hands, because):
    table = with_card(PLENTY, hands=hands)
    messages = [PLAYED_PLENTY, *(choice(count, card) for count, card in asks)]
    assert_kicks(table, 0, messages, because)


ALL_BUT_ONE_ORE = {
    1: {BRICK: 19, GRAIN: 19},
    2: {LUMBER: 19, WOOL: 19},
    3: {ORE: 18},
}


@pytest.mark.parametrize("count", [1, 2])
def test_rule_11_the_banks_last_card_is_taken_alone(count):
    table = with_card(PLENTY, hands=ALL_BUT_ONE_ORE)
    table.say(0, PLAYED_PLENTY, choice(count, Card.ORE))
    assert table.game.hand(0) == (0, 0, 0, 1, 0)
    table.say(0, Pass())
    assert not table.reasons


def test_rule_11_a_monopoly_is_named_by_a_trade_with_oneself_and_losses_are_announced():
    table = with_card(MONOPOLY, hands={1: {WOOL: 2}, 3: {WOOL: 1, ORE: 4}})
    assert table.say(0, PLAYED_MONOPOLY) == others(PLAYED_MONOPOLY)
    named = choice(0, Card.WOOL)
    assert table.say(0, named) == [
        *others(named),
        *to_all(TradeAccept(0, 0)),
        *to_all(Trade(1, 0, TradeSide(Card.WOOL, 2), NOTHING)),
        *to_all(TradeAccept(0, 1)),
        *to_all(Trade(3, 0, TradeSide(Card.WOOL, 1), NOTHING)),
        *to_all(TradeAccept(0, 3)),
    ]
    assert table.game.hand(0) == (0, 0, 0, 0, 3)


def test_rule_11_a_monopoly_that_asks_for_a_number_is_a_kick():
    table = with_card(MONOPOLY)
    assert_kicks(table, 0, [PLAYED_MONOPOLY, choice(1, Card.WOOL)], "asks for 1 cards")


def test_rule_11_a_choice_that_is_not_owed_is_a_kick():
    assert_kicks(open_turn(), 0, [choice(2, Card.WOOL)], "no choice is owed")


def test_rule_11_the_server_decides_a_year_of_plenty_that_is_not_chosen():
    """The two different resources fewest in hand that the bank has, the lowest first."""
    hands = {0: {GRAIN: 1, ORE: 1, WOOL: 1}, 1: {BRICK: 19}}
    table = with_card(PLENTY, hands=hands)
    sent = table.say(0, PLAYED_PLENTY, Pass())
    first, second = choice(1, Card.GRAIN), choice(1, Card.LUMBER)
    assert sent == [
        *others(PLAYED_PLENTY),
        *to_all(first), *to_all(TradeAccept(0, 0)),
        *to_all(second), *to_all(TradeAccept(0, 0)),
        *to_all(Turn(1)),
    ]  # fmt: skip
    assert table.game.hand(0) == (0, 2, 1, 1, 1)


def test_rule_11_the_server_decides_the_second_card_that_is_not_chosen():
    table = with_card(PLENTY)
    table.say(0, PLAYED_PLENTY, choice(1, Card.BRICK))
    assert table.say(0, Pass()) == [
        *to_all(choice(1, Card.GRAIN)),
        *to_all(TradeAccept(0, 0)),
        *to_all(Turn(1)),
    ]
    assert table.game.hand(0) == (1, 1, 0, 0, 0)


def test_rule_11_the_server_names_the_others_most_numerous_resource():
    table = with_card(MONOPOLY, hands={0: {ORE: 9}, 1: {WOOL: 2}, 2: {GRAIN: 1}, 3: {GRAIN: 1}})
    sent = table.say(0, PLAYED_MONOPOLY, Pass())
    assert sent[3:11] == [*to_all(choice(0, Card.GRAIN)), *to_all(TradeAccept(0, 0))]
    assert table.game.hand(0)[GRAIN] == 2


def test_rule_11_an_owed_choice_is_decided_before_its_replacement():
    """Also before the roll, and if a kick comes instead."""
    table = before_roll(cards={0: {PLENTY: 1}})
    table.say(0, PLAYED_PLENTY, Roll())
    assert table.game.hand_size(0) >= 2 and not table.reasons
    table = with_card(PLENTY)
    assert_kicks(table, 0, [PLAYED_PLENTY, Roll()], "MSG_ROLL; expected are MSG_PASS")
    assert table.game.hand(0) == (1, 1, 0, 0, 0)


def test_rule_11_in_the_literal_dialect_a_choice_counts_but_is_not_relayed():
    table = with_card(PLENTY, settings={"announced": False})
    assert table.say(0, PLAYED_PLENTY, choice(2, Card.ORE)) == [
        *others(PLAYED_PLENTY),
        (0, TradeAccept(0, 0)),
    ]
    assert table.game.hand(0)[ORE] == 2
    table = with_card(MONOPOLY, hands={1: {WOOL: 2}}, settings={"announced": False})
    assert table.say(0, PLAYED_MONOPOLY, Pass()) == [*others(PLAYED_MONOPOLY), *to_all(Turn(1))]
    assert table.game.hand(0)[WOOL] == 2


def test_rule_11_an_agent_names_two_cards_of_a_kind_together():
    """It can then take the bank's last card, which ends the choice."""
    view = with_card(PLENTY, hands={}).game.view(0)
    messages = to_messages(view, Action.play_year_of_plenty(ORE, ORE))
    assert messages == [PLAYED_PLENTY, choice(2, Card.ORE)]
    messages = to_messages(view, Action.play_year_of_plenty(ORE, WOOL))
    assert messages == [PLAYED_PLENTY, choice(1, Card.ORE), choice(1, Card.WOOL)]


def test_rule_12_victory_point_cards_are_never_played():
    table = with_card(VICTORY)
    assert_kicks(table, 0, [Play(0, DevCard.VICTORY_POINT)], "never played")
