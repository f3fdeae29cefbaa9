"""Rules 8 and 9 of docs/protocol.md: the robber."""

import pytest

from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    Card,
    DevCard,
    Play,
    Rob,
    RobResult,
)
from catan_env.protocols.catan_binary.places import TILE_POS
from tests.protocols.conversation import Conversation
from tests.protocols.rules.table import HOUSES, KNIGHT, ORE, assert_kicks, others, owing_rob


def test_rule_08_rob_is_relayed_and_its_result_goes_to_the_two_concerned():
    table = owing_rob(hands={1: {ORE: 1}})
    rob = Rob(TILE_POS[8], 1)
    result = RobResult(0, 1, Card.ORE)
    assert table.say(0, rob) == [*others(rob), (0, result), (1, result)]
    assert (table.game.robber, table.game.hand(0)[ORE]) == (8, 1)


def test_rule_08_a_seat_without_cards_may_be_robbed_of_nothing():
    table = owing_rob()
    assert table.say(0, Rob(TILE_POS[8], 1))[3:] == [
        (0, RobResult(0, 1, Card.ANY)),
        (1, RobResult(0, 1, Card.ANY)),
    ]


@pytest.mark.parametrize("nobody", [0, NO_SEAT])
def test_rule_08_at_a_tile_without_buildings_the_target_is_the_mover(nobody):
    table = owing_rob()
    assert table.say(0, Rob(TILE_POS[0], 3))[-1][1] == RobResult(0, 3, Card.ANY)
    table = owing_rob()
    rob = Rob(TILE_POS[16], nobody)
    assert table.say(0, rob) == [*others(rob), (0, RobResult(0, 0, Card.ANY))]


@pytest.mark.parametrize(
    ("rob", "because"),
    [
        (Rob(TILE_POS[9], 0), "cannot move the robber to tile 9"),  # its current tile
        (Rob(TILE_POS[8], 0), "cannot move the robber to tile 8 and rob no one"),
        (Rob(TILE_POS[8], 2), "cannot move the robber"),  # no building of seat 2
        (Rob(TILE_POS[16], 1), "cannot move the robber"),
        (Rob(TILE_POS[8], 4), "target_id is 4 among 4 players"),
        (Rob(type(TILE_POS[0])(0, -3), 0), "no tile of the board"),
    ],
)
def test_rule_08_the_robber_moves_to_another_tile_of_land_and_robs_who_builds_there(rob, because):
    assert_kicks(owing_rob(), 0, [rob], because)


@pytest.mark.parametrize("phase", ["roll", "main"])
def test_rule_09_a_knight_is_relayed_and_rob_follows_without_discards(phase):
    table = Conversation(
        phase=phase, settlements=HOUSES, cards={0: {KNIGHT: 1}}, hands={1: {ORE: 9}}
    )
    knight = Play(0, DevCard.KNIGHT)
    assert table.say(0, knight) == others(knight)
    assert table.game.hand_size(1) == 9
    table.say(0, Rob(TILE_POS[8], 1))
    assert table.game.hand_size(1) == 8
    assert table.game.phase.name.lower() == phase
