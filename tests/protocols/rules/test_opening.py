"""Rules 1 to 4 of docs/protocol.md: the opening."""

import pytest

from catan_env import Game, Phase, Rules
from catan_env.protocols.catan_binary.messages import (
    Begin,
    Pass,
    Rob,
    Roll,
    RollResult,
    Setup,
    Turn,
)
from catan_env.protocols.catan_binary.places import TILE_POS
from tests.protocols.conversation import Conversation, to_all


def test_rule_01_setup_follows_begin_immediately_to_all_before_the_first_turn():
    opening = Conversation().opening
    assert [(seat, type(message)) for seat, message in opening] == [
        (0, Begin), (0, Setup), (1, Begin), (1, Setup),
        (2, Begin), (2, Setup), (3, Begin), (3, Setup),
        (0, Turn), (1, Turn), (2, Turn), (3, Turn),
    ]  # fmt: skip
    assert [message.player_id for _, message in opening if isinstance(message, Begin)] == [
        0, 1, 2, 3,
    ]  # fmt: skip


@pytest.mark.parametrize("placement", ["pips", "random"])
def test_rule_02_the_server_places_and_the_second_house_yields(placement):
    game = Game(seats=4, seed=1, rules=Rules.tournament(placement))
    assert (game.turn, game.phase, game.turn_seat) == (1, Phase.ROLL, 0)
    assert all(len(game.settlements(seat)) == 2 and len(game.roads(seat)) == 2 for seat in range(4))


def test_rule_03_the_robber_starts_on_the_first_desert():
    table = Conversation()
    setup = next(message for _, message in table.opening if isinstance(message, Setup))
    desert = next(cell for cell in setup.cells if cell.type.name == "DESERT")
    assert TILE_POS[table.game.robber] == desert.pos
    assert [cell.pos for cell in setup.cells] == list(TILE_POS)  # land only


def test_rule_04_turns_go_by_ascending_id_and_a_roll_is_the_sum_of_two_dice():
    table = Conversation()
    seats, rolls = [], []
    for _ in range(8):
        seat = table.game.turn_seat
        seats.append(seat)
        sent = table.say(seat, Roll())
        rolls.append(sent[0][1].roll)
        assert sent[:4] == to_all(RollResult(sum(table.game.events[-1].outcome or (0, rolls[-1]))))
        if table.game.phase == Phase.ROBBER:
            rob_somewhere(table, seat)
        table.say(seat, Pass())
    assert seats == [0, 1, 2, 3] * 2
    assert all(2 <= roll <= 12 for roll in rolls)


def rob_somewhere(table, seat):
    action = next(iter(table.game.legal_actions))
    tile, victim = action.args
    table.say(seat, Rob(TILE_POS[tile], (seat + (victim or 0)) % 4))
