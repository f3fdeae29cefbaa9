"""Rules 16 to 18 of docs/protocol.md: results, clocks, illegal messages."""

import pytest

from catan_env import Action
from catan_env.game.geometry import EDGE_VERTICES
from catan_env.protocols.catan_binary.messages import (
    Begin,
    Build,
    Buildable,
    BuildResult,
    Card,
    DevCard,
    End,
    Kick,
    Pass,
    Play,
    Roll,
    RollResult,
    Turn,
)
from catan_env.protocols.catan_binary.places import EDGE_POS, VERT_POS
from tests.protocols.conversation import CLOSED, Conversation, to_all
from tests.protocols.rules.table import (
    BRICK,
    CITIES,
    GRAIN,
    HOUSES,
    KNIGHT,
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
    choice,
    kicked,
    open_turn,
    others,
    owing_rob,
    trade,
    with_card,
)


def test_rule_16_every_build_is_answered_and_only_the_builder_sees_the_card():
    table = open_turn(hands={0: {ORE: 1, WOOL: 1, GRAIN: 1}})
    table.fate(Action.buy_development_card(), MONOPOLY)
    bought = Build(0, Buildable.DEVELOPMENT_CARD)
    assert table.say(0, bought) == [
        *others(bought),
        (0, BuildResult(Buildable.DEVELOPMENT_CARD, DevCard.MONOPOLY)),
    ]


def test_rule_16_pieces_are_built_and_answered():
    table = open_turn(
        settlements={0: [8]},
        roads={0: [18, 29]},
        hands={0: {BRICK: 2, LUMBER: 2, WOOL: 1, GRAIN: 3, ORE: 3}},
    )
    for said in (
        Build(0, Buildable.CITY, vertpos=VERT_POS[8]),
        Build(0, Buildable.SETTLEMENT, vertpos=VERT_POS[sum(EDGE_VERTICES[29]) - 26]),
        Build(0, Buildable.ROAD, edgepos=EDGE_POS[13]),
    ):
        assert table.say(0, said) == [*others(said), (0, BuildResult(said.type))], table.reasons


@pytest.mark.parametrize("phase", ["roll", "main"])
def test_rule_17_time_out_in_the_open_part_of_a_turn_is_a_pass(phase):
    table = Conversation(phase=phase, settlements=HOUSES, settings={"timeout_secs": 2})
    assert table.wait(1.9) == []
    assert table.wait(0.2) == to_all(Turn(1))
    assert not table.reasons


def test_rule_17_at_a_time_out_victory_is_looked_at_and_an_owed_choice_decided():
    table = with_card(PLENTY, hands={})
    table.say(0, PLAYED_PLENTY)
    assert table.wait(6)[-4:] == to_all(Turn(1))
    assert table.game.hand(0) == (1, 1, 0, 0, 0)
    table = Conversation(phase="roll", cities={0: CITIES}, settlements={0: [0, 2]})
    assert table.wait(6)[:4] == to_all(End(0))


def test_rule_17_no_clock_runs_without_a_limit():
    table = open_turn(settings={"timeout_secs": 0})
    assert table.room.deadline is None
    assert table.wait(1e9) == []


def test_rule_17_time_out_while_rob_is_owed_is_a_kick():
    table = owing_rob()
    assert table.wait(6) == kicked(table)
    assert "timed out after 5 s owing MSG_ROB" in table.reasons[0]


def test_rule_17_time_out_during_a_message_is_a_kick():
    table = open_turn()
    assert table.wait(6, amid_message=(0,)) == kicked(table)
    assert "in the middle of a message" in table.reasons[0]
    table = open_turn()
    assert table.wait(6, amid_message=(1, 2)) == to_all(Turn(1))


def test_rule_17_messages_sent_too_late_are_dropped():
    table = open_turn(hands={0: {WOOL: 4}})
    table.wait(6)
    assert table.say(0, trade(0, 0, (Card.WOOL, 4), (Card.ORE, 1)), Pass(), Roll()) == []
    table.say(1, Roll())
    assert not table.reasons


def test_rule_17_messages_sent_too_late_are_dropped_in_the_next_turn_as_well():
    """Its connection may be slower than the round of the others."""
    table = open_turn()
    for _ in (0, 1, 2, 3):
        table.wait(6)
    assert table.say(0, Pass(), trade(0, 1, (Card.BRICK, 1), (Card.ORE, 1))) == []
    assert table.say(0, Roll()) and not table.reasons


def test_rule_17_a_turn_that_it_ended_itself_forgives_nothing():
    table = open_turn()
    table.say(0, Pass())
    for _ in (1, 2, 3):
        table.wait(6)
    assert_kicks(table, 0, [Pass()], "MSG_PASS; expected are MSG_ROLL")


def test_rule_17_no_more_than_1000_messages_are_dropped_between_two_turns_of_a_seat():
    table = open_turn()
    for _ in (1, 2):
        table.wait(6)
        table.say(0, *[Pass()] * 1000)
        for _ in (1, 2, 3):
            table.wait(6)
        assert table.game.turn_seat == 0 and not table.reasons
    table.wait(6)
    table.say(0, *[Pass()] * 1001)
    assert table.wait(6) == kicked(table, 0, next_seat=2)
    assert table.reasons == ["sent 1000 unexpected messages"]


def test_rule_17_a_seat_that_is_not_awaited_and_speaks_is_kicked():
    table = open_turn()
    assert table.say(2, Roll()) == []
    assert table.say(0, Pass()) == [
        (2, CLOSED),
        *to_all(Kick(2), (0, 1, 3)),
        *to_all(Turn(1), (0, 1, 3)),
    ]
    assert "MSG_ROLL out of turn: seat 0 is awaited" in table.reasons[0]


@pytest.mark.parametrize(
    ("said", "because"),
    [
        (Build(0, Buildable.ROAD, edgepos=EDGE_POS[13]), "cannot build a road"),
        (Build(0, Buildable.CITY, vertpos=VERT_POS[30]), "cannot build a city"),
        (Build(0, Buildable.SETTLEMENT, vertpos=VERT_POS[9]), "cannot build a settlement"),
        (Build(0, Buildable.DEVELOPMENT_CARD), "cannot buy"),
        (Play(0, DevCard.KNIGHT), "cannot play a knight"),
        (Play(0, DevCard.ROAD_BUILDING), "cannot play road building"),
        (PLAYED_MONOPOLY, "MSG_PLAY of MONOPOLY"),
        (Roll(), "MSG_ROLL; expected are MSG_PASS, MSG_PLAY, MSG_BUILD, MSG_TRADE"),
        (Begin(0, 0, 0, 2, 0, 0, 0, 4), "MSG_BEGIN; expected are"),
        (RollResult(7), "MSG_ROLL_RESULT; expected are"),
    ],
)
def test_rule_18_well_formed_but_illegal_is_a_kick(said, because):
    assert_kicks(open_turn(), 0, [said], because)


def test_rule_18_a_second_card_in_a_turn_is_a_kick():
    table = open_turn(cards={0: {MONOPOLY: 1, ROAD_BUILDING: 1}})
    messages = [PLAYED_MONOPOLY, choice(0, Card.ORE), Play(0, DevCard.ROAD_BUILDING)]
    assert_kicks(table, 0, messages, "cannot play road building")


def test_rule_18_a_card_bought_this_turn_may_not_be_played():
    table = open_turn(cards={0: {KNIGHT: 1}}, new_cards={KNIGHT: 1})
    assert_kicks(table, 0, [Play(0, DevCard.KNIGHT)], "cannot play a knight")


def test_rule_18_an_empty_deck_sells_nothing():
    sold = {KNIGHT: 14, ROAD_BUILDING: 2, PLENTY: 2, MONOPOLY: 2, VICTORY: 5}
    table = open_turn(hands={0: {ORE: 1, WOOL: 1, GRAIN: 1}}, cards={1: sold})
    assert_kicks(table, 0, [Build(0, Buildable.DEVELOPMENT_CARD)], "cannot buy")
