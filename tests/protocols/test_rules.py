"""The rules by which PROTO.md's silences are settled, one by one (docs/protocol.md)."""

import pytest

from catan_env import Action, DevelopmentCard, Game, Phase, Resource, Rules
from catan_env.game.geometry import EDGE_VERTICES
from catan_env.net.room import Send
from catan_env.protocols.catan_binary.follow import Follower
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    NOTHING,
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
    Rob,
    RobResult,
    Roll,
    RollResult,
    Setup,
    Trade,
    TradeAccept,
    TradeReject,
    TradeSide,
    Turn,
)
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.places import EDGE_POS, TILE_POS, VERT_POS
from catan_env.protocols.catan_binary.room import CatanRoom
from catan_env.protocols.catan_binary.speech import to_messages
from catan_env.protocols.catan_binary.states import TRANSITIONS, State
from tests.protocols.conversation import CLOSED, Conversation, to_all

BRICK, GRAIN, LUMBER, ORE, WOOL = Resource
KNIGHT, ROAD_BUILDING, PLENTY, MONOPOLY, VICTORY = DevelopmentCard
PLAYED_PLENTY = Play(0, DevCard.YEAR_OF_PLENTY)
PLAYED_MONOPOLY = Play(0, DevCard.MONOPOLY)
HOUSES = {0: [8], 1: [35], 2: [31], 3: [5]}


def trade(player, target, offer, ask):
    return Trade(player, target, TradeSide(*offer), TradeSide(*ask))


def choice(count, card, target=0):
    return Trade(0, target, NOTHING, TradeSide(card, count))


def others(message, seat=0):
    return [(other, message) for other in range(4) if other != seat]


def kicked(table, seat=0, next_seat=1):
    """What a kick sends: the connection closed, MSG_KICK to the others, then MSG_TURN."""
    left = [other for other in range(4) if other != seat]
    return [(seat, CLOSED), *to_all(Kick(seat), left), *to_all(Turn(next_seat), left)]


def assert_kicks(table, seat, messages, because):
    sent = table.say(seat, *messages)
    assert sent[-7:] == kicked(table, seat, (seat + 1) % 4), sent
    assert because in table.reasons[-1]


def before_roll(**position):
    return Conversation(phase="roll", settlements=HOUSES, **position)


def open_turn(**position):
    position.setdefault("settlements", HOUSES)
    return Conversation(phase="main", **position)


# 1-4: the opening


def test_rule_01_setup_follows_begin_at_once_to_everyone_before_the_first_turn():
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


# 5-7: what everyone computes, and what is announced


def test_rule_05_production_is_not_announced():
    table = before_roll()
    table.fate(Action.roll(), 6)
    assert table.say(0, Roll()) == to_all(RollResult(6))
    assert table.game.hand(0)[BRICK] == 1


def roll_seven(table):
    table.fate(Action.roll(), 7)
    return table.say(0, Roll())


def test_rule_06_announcements_have_an_empty_side_and_are_accepted():
    table = before_roll(hands={2: {WOOL: 8}})
    loss = Trade(2, 2, TradeSide(Card.WOOL, 4), NOTHING)
    assert roll_seven(table)[4:] == [*to_all(loss), *to_all(TradeAccept(2, 2))]


@pytest.mark.parametrize("message", [TradeAccept(2, 2), TradeReject(2, 0), TradeAccept(2, 0)])
def test_rule_06_an_answer_that_is_not_awaited_is_dropped(message):
    table = open_turn(hands={0: {WOOL: 1}, 1: {ORE: 1}})
    assert table.say(2, message) == []
    assert table.say(0, TradeAccept(0, 0), TradeReject(0, 3)) == []
    table.say(0, trade(0, 1, (Card.WOOL, 1), (Card.ORE, 1)))
    assert table.say(2, message) == []
    assert table.say(1, TradeAccept(1, 3)) == []
    table.say(1, TradeAccept(1, 0))
    table.say(0, Pass())
    assert not table.reasons


def test_rule_06_the_literal_dialect_announces_nothing():
    table = before_roll(hands={2: {WOOL: 8}}, settings={"announced": False})
    assert roll_seven(table) == to_all(RollResult(7))
    assert table.game.hand(2)[WOOL] == 4


def test_rule_07_half_is_lost_by_the_fixed_rule_from_the_roller_onward():
    table = before_roll(
        hands={0: {BRICK: 3, GRAIN: 3, WOOL: 2}, 1: {ORE: 7}, 3: {ORE: 2, LUMBER: 7}}
    )
    sent = [message for seat, message in roll_seven(table) if seat == 3]
    assert sent == [
        RollResult(7),
        Trade(0, 0, TradeSide(Card.BRICK, 2), NOTHING),
        TradeAccept(0, 0),
        Trade(0, 0, TradeSide(Card.GRAIN, 2), NOTHING),
        TradeAccept(0, 0),
        Trade(3, 3, TradeSide(Card.LUMBER, 4), NOTHING),
        TradeAccept(3, 3),
    ]
    assert [table.game.hand(seat) for seat in (0, 1, 3)] == [
        (1, 1, 0, 0, 2),
        (0, 0, 0, 7, 0),
        (0, 0, 3, 2, 0),
    ]
    assert table.game.phase == Phase.ROBBER


@pytest.mark.parametrize("message", [Roll(), Pass(), Play(0, DevCard.KNIGHT)])
def test_rule_07_then_the_roller_sends_rob(message):
    table = before_roll()
    roll_seven(table)
    assert_kicks(table, 0, [message], "expected are MSG_ROB")


# 8-9: the robber


def owing_rob(**position):
    position.setdefault("settlements", HOUSES)
    return Conversation(phase="robber", **position)


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
def test_rule_08_where_nobody_builds_the_target_is_the_mover(nobody):
    table = owing_rob()
    assert table.say(0, Rob(TILE_POS[0], 3))[-1][1] == RobResult(0, 3, Card.ANY)
    table = owing_rob()
    rob = Rob(TILE_POS[16], nobody)
    assert table.say(0, rob) == [*others(rob), (0, RobResult(0, 0, Card.ANY))]


@pytest.mark.parametrize(
    ("rob", "because"),
    [
        (Rob(TILE_POS[9], 0), "cannot move the robber to tile 9"),  # where it stands
        (Rob(TILE_POS[8], 0), "cannot move the robber to tile 8 and rob nobody"),
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


# 10-12: the other cards


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


def with_card(card, **position):
    return open_turn(cards={0: {card: 1}}, **position)


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
    """The two different resources scarcest in hand that the bank has, the lowest first."""
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


def test_rule_11_the_server_names_what_others_hold_most_of():
    table = with_card(MONOPOLY, hands={0: {ORE: 9}, 1: {WOOL: 2}, 2: {GRAIN: 1}, 3: {GRAIN: 1}})
    sent = table.say(0, PLAYED_MONOPOLY, Pass())
    assert sent[3:11] == [*to_all(choice(0, Card.GRAIN)), *to_all(TradeAccept(0, 0))]
    assert table.game.hand(0)[GRAIN] == 2


def test_rule_11_an_owed_choice_is_decided_before_what_comes_instead():
    """Also before the roll, and when what comes instead is a kick."""
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


def test_rule_11_an_agent_names_two_cards_of_a_kind_at_once():
    """So it can take the bank's last card, which ends the choice."""
    view = with_card(PLENTY, hands={}).game.view(0)
    messages = to_messages(view, Action.play_year_of_plenty(ORE, ORE))
    assert messages == [PLAYED_PLENTY, choice(2, Card.ORE)]
    messages = to_messages(view, Action.play_year_of_plenty(ORE, WOOL))
    assert messages == [PLAYED_PLENTY, choice(1, Card.ORE), choice(1, Card.WOOL)]


def test_rule_12_victory_point_cards_are_never_played():
    table = with_card(VICTORY)
    assert_kicks(table, 0, [Play(0, DevCard.VICTORY_POINT)], "never played")


# 13-15: trade


@pytest.mark.parametrize("target", [0, NO_SEAT])
def test_rule_13_the_bank_accepts_at_a_ratio_owned(target):
    table = open_turn(hands={0: {WOOL: 8}})
    said = trade(0, target, (Card.WOOL, 8), (Card.ORE, 2))
    assert table.say(0, said) == [*others(said), *to_all(TradeAccept(0, 0))]
    assert table.game.hand(0) == (0, 0, 0, 2, 0)


@pytest.mark.parametrize("paid", [2, 3, 4])
def test_rule_13_every_ratio_owned_may_be_used(paid):
    houses = {0: [11, 0]}  # ore 2:1 and generic 3:1
    table = open_turn(settlements=houses, hands={0: {ORE: 4}})
    table.say(0, trade(0, 0, (Card.ORE, paid), (Card.WOOL, 1)))
    assert table.game.hand(0) == (0, 0, 0, 4 - paid, 1)


@pytest.mark.parametrize(
    ("offer", "ask", "because"),
    [
        ((Card.WOOL, 3), (Card.ORE, 1), "allowed rates are [4]"),
        ((Card.WOOL, 5), (Card.ORE, 1), "allowed rates are [4]"),
        ((Card.WOOL, 4), (Card.ORE, 0), "of 4 for 0 with the bank; allowed are [4] for each"),
        ((Card.WOOL, 5), (Card.ORE, 2), "of 5 for 2 with the bank"),
        ((Card.WOOL, 4), (Card.WOOL, 1), "the bank takes no WOOL for the same"),
        ((Card.GRAIN, 4), (Card.ORE, 1), "the seat has 0"),
        ((Card.WOOL, 4), (Card.BRICK, 1), "the bank 0"),
        ((Card.WOOL, 4), (Card.ANY, 1), "a card is ANY"),
        ((Card.WOOL, 4), (Card.ANY, 0), "a card is ANY"),
        ((Card.ANY, 4), (Card.ORE, 1), "a card is ANY"),
    ],
)
def test_rule_13_any_other_trade_with_the_bank_is_a_kick(offer, ask, because):
    table = open_turn(hands={0: {WOOL: 9}, 1: {BRICK: 19}})
    assert_kicks(table, 0, [trade(0, 0, offer, ask)], because)
    assert table.game.hand(0) == (0, 0, 0, 0, 9)


OFFER = trade(0, 2, (Card.BRICK, 1), (Card.GRAIN, 2))


def trading(**settings):
    return open_turn(hands={0: {BRICK: 2}, 2: {GRAIN: 2}}, settings=settings)


def test_rule_14_hands_move_when_the_target_accepts():
    table = trading()
    assert table.say(0, OFFER) == others(OFFER)
    assert table.say(2, TradeAccept(2, 0)) == others(TradeAccept(2, 0), seat=2)
    assert (table.game.hand(0), table.game.hand(2)) == ((1, 2, 0, 0, 0), (1, 0, 0, 0, 0))


def test_rule_14_hands_stay_when_the_target_rejects():
    table = trading()
    table.say(0, OFFER)
    assert table.say(2, TradeReject(2, 0)) == others(TradeReject(2, 0), seat=2)
    assert (table.game.hand(0), table.game.hand(2)) == ((2, 0, 0, 0, 0), (0, 2, 0, 0, 0))


@pytest.mark.parametrize(
    ("said", "because"),
    [
        (trade(0, 2, (Card.BRICK, 0), (Card.GRAIN, 1)), "at least one"),
        (trade(0, 2, (Card.BRICK, 1), (Card.GRAIN, 0)), "at least one"),
        (trade(0, 2, (Card.BRICK, 1), (Card.BRICK, 2)), "both sides"),
        (trade(0, 2, (Card.BRICK, 3), (Card.GRAIN, 1)), "holds only 2 brick"),
        (trade(0, 2, (Card.BRICK, 200), (Card.GRAIN, 1)), "a count of 200 cards"),
        (trade(0, 2, (Card.ANY, 0), (Card.GRAIN, 1)), "a card is ANY"),
        (trade(0, 4, (Card.BRICK, 1), (Card.GRAIN, 1)), "target_id is 4 among 4 players"),
    ],
)
def test_rule_14_an_offer_has_different_resources_and_at_least_one_of_each(said, because):
    assert_kicks(trading(), 0, [said], because)


def test_rule_14_a_target_that_accepts_and_cannot_pay_is_kicked():
    table = open_turn(hands={0: {BRICK: 1}})
    table.say(0, OFFER)
    assert table.say(2, TradeAccept(2, 0)) == kicked(table, 2, next_seat=1)
    assert "cannot accept the offer" in table.reasons[0]
    assert table.game.hand(0)[BRICK] == 1


def test_rule_14_a_target_that_answers_something_else_is_kicked():
    table = trading()
    table.say(0, OFFER)
    assert table.say(2, Roll()) == kicked(table, 2, next_seat=1)
    assert "expected are MSG_TRADE_ACCEPT, MSG_TRADE_REJECT" in table.reasons[0]


def test_rule_14_the_target_has_a_fresh_clock_while_the_proposers_stands_still():
    table = trading(timeout_secs=5)
    assert table.wait(3) == []
    table.say(0, OFFER)
    assert table.wait(4) == []
    table.say(2, TradeReject(2, 0))
    assert table.wait(1.5) == []
    assert table.wait(1) == to_all(Turn(1))


def test_rule_14_out_of_time_the_target_has_rejected():
    table = trading(timeout_secs=5)
    table.say(0, OFFER)
    assert table.wait(5.1) == to_all(TradeReject(2, 0))
    assert table.game.hand(0)[BRICK] == 2
    assert table.say(2, TradeAccept(2, 0)) == []
    assert table.say(0, Pass()) == to_all(Turn(1))


def test_rule_14_a_target_that_has_let_two_offers_run_out_is_not_waited_for():
    table = trading(timeout_secs=5)
    for _ in range(2):
        assert table.say(0, OFFER) == others(OFFER)
        assert table.wait(5.1) == to_all(TradeReject(2, 0))
    assert table.say(0, OFFER) == [*others(OFFER), *to_all(TradeReject(2, 0))]
    assert table.room.timeouts == [0, 0, 2, 0]
    assert table.say(2, TradeReject(2, 0)) == []
    assert table.say(0, OFFER) == others(OFFER)


def test_rule_14_offers_of_a_turn_wait_for_ten_clocks_together_at_most():
    table = trading(timeout_secs=5)
    for _ in range(13):
        table.say(0, OFFER)
        assert table.wait(4) == []
        table.say(2, TradeReject(2, 0))
    assert table.say(0, OFFER) == [*others(OFFER), *to_all(TradeReject(2, 0))]
    assert table.room.timeouts == [0, 0, 0, 0]
    table.say(0, Pass())
    assert not table.room._clock.has_waited_enough


def test_rule_14_what_the_proposer_sends_ahead_waits_for_the_answer():
    table = trading()
    table.say(0, OFFER)
    assert table.say(0, Pass()) == []
    assert table.say(2, TradeReject(2, 0)) == [
        *others(TradeReject(2, 0), seat=2),
        *to_all(Turn(1)),
    ]


def test_rule_14_a_proposer_does_not_send_ahead_without_end():
    table = trading()
    table.say(0, OFFER, *[Pass()] * 64)
    assert not table.reasons
    sent = table.say(0, Pass())
    assert sent == [*to_all(TradeReject(2, 0)), *kicked(table)]
    assert "sent 64 messages ahead" in table.reasons[0]


@pytest.mark.parametrize(
    "said",
    [
        Build(1, Buildable.DEVELOPMENT_CARD),
        Play(2, DevCard.KNIGHT),
        trade(3, 0, (Card.BRICK, 1), (Card.GRAIN, 1)),
        TradeAccept(2, 1),
    ],
)
def test_rule_15_an_agent_speaks_only_for_itself(said):
    assert_kicks(open_turn(), 0, [said], "says it is from seat")


# 16-18: results, clocks, illegal messages


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


CITIES = [8, 35, 31, 47]


def test_rule_17_no_clock_runs_without_a_limit():
    table = open_turn(settings={"timeout_secs": 0})
    assert table.room.deadline is None
    assert table.wait(1e9) == []


def test_rule_17_time_out_while_rob_is_owed_is_a_kick():
    table = owing_rob()
    assert table.wait(6) == kicked(table)
    assert "timed out after 5 s owing MSG_ROB" in table.reasons[0]


def test_rule_17_time_out_amid_a_message_is_a_kick():
    table = open_turn()
    assert table.wait(6, amid_message=(0,)) == kicked(table)
    assert "amid a message" in table.reasons[0]
    table = open_turn()
    assert table.wait(6, amid_message=(1, 2)) == to_all(Turn(1))


def test_rule_17_what_was_sent_too_late_is_dropped():
    table = open_turn(hands={0: {WOOL: 4}})
    table.wait(6)
    assert table.say(0, trade(0, 0, (Card.WOOL, 4), (Card.ORE, 1)), Pass(), Roll()) == []
    table.say(1, Roll())
    assert not table.reasons


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
    assert table.reasons == ["sent 1000 messages that nobody awaited"]


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


# 19-21: kicks, victory, processes


def test_rule_19_the_current_turn_ends_when_a_trades_target_is_kicked():
    table = trading()
    table.say(0, OFFER)
    assert table.dies(2) == kicked(table, 2, next_seat=1)
    assert table.say(0, Pass(), OFFER) == []  # 17: what the proposer sent meanwhile is dropped
    assert table.wait(6) == to_all(Turn(3), (0, 1, 3))
    assert len(table.reasons) == 1


def test_rule_19_what_was_sent_ahead_in_a_turn_that_a_kick_ended_is_not_heard_in_the_next():
    table = open_turn(hands={0: {BRICK: 2}, 1: {GRAIN: 1}, 2: {GRAIN: 2}})
    table.say(0, OFFER, Pass())
    table.dies(2)
    table.fate(Action.roll(), 2)
    table.say(1, Roll(), trade(1, 3, (Card.GRAIN, 1), (Card.BRICK, 1)))
    assert table.say(3, TradeReject(3, 1)) == to_all(TradeReject(3, 1), (0, 1))
    assert table.game.turn_seat == 1


def test_rule_19_a_seat_that_is_not_waited_for_is_kicked_when_the_turn_has_ended():
    table = trading()
    assert table.dies(3) == []
    assert table.dies(1) == []
    assert table.say(0, OFFER)[0] == (1, OFFER)
    table.say(2, TradeReject(2, 0))
    assert table.say(0, Pass()) == [
        (1, CLOSED), (0, Kick(1)), (2, Kick(1)), (3, Kick(1)),
        (3, CLOSED), (0, Kick(3)), (2, Kick(3)),
        (0, Turn(2)), (2, Turn(2)),
    ]  # fmt: skip


def test_rule_19_a_kicked_seat_still_produces_discards_is_robbed_and_monopolised():
    table = open_turn(hands={2: {ORE: 9}}, cards={0: {MONOPOLY: 1}})
    table.dies(2)
    table.say(0, Pass())
    for seat in (1, 3):
        table.wait(6)
        assert table.game.turn_seat == {1: 3, 3: 0}[seat]
    table.fate(Action.roll(), 7)
    sent = table.say(0, Roll())
    assert (0, Trade(2, 2, TradeSide(Card.ORE, 4), NOTHING)) in sent
    sent = table.say(0, Rob(TILE_POS[11], 2))
    assert sent[-1] == (0, RobResult(0, 2, Card.ORE))
    table.say(0, PLAYED_MONOPOLY, choice(0, Card.ORE))
    assert table.game.hand(0)[ORE] == 5 and table.game.hand_size(2) == 0


def test_rule_19_offers_to_a_kicked_seat_are_rejected_by_the_server():
    table = trading()
    table.dies(2)
    assert table.say(0, OFFER) == [*others(OFFER), *to_all(TradeReject(2, 0))]
    table.say(0, Pass())
    for _ in (1, 3):
        table.wait(6)
    assert table.game.turn_seat == 0
    table.fate(Action.roll(), 2)
    table.say(0, Roll())
    seats = (0, 1, 3)
    assert table.say(0, OFFER) == [
        (1, OFFER), (3, OFFER), *to_all(TradeReject(2, 0), seats),
    ]  # fmt: skip


def test_rule_19_the_last_agent_left_wins():
    table = open_turn()
    table.dies(2)
    table.dies(3)
    assert table.dies(0)[-2:] == [(1, End(1)), (1, CLOSED)]
    assert (table.room.winner, table.room.state) == (1, State.DEINIT)


def test_rule_19_the_turn_limit_ends_the_game_without_a_winner():
    table = Conversation(phase="main", turn=500, settings={"max_turns": 500})
    assert table.say(0, Pass()) == [*to_all(End(NO_SEAT)), *to_all(CLOSED)]
    assert table.room.winner is None
    table = Conversation(phase="main", turn=500, settings={"max_turns": 0})
    assert table.say(0, Pass()) == to_all(Turn(1))


def test_rule_20_victory_is_looked_at_only_when_the_current_player_passes():
    table = open_turn(
        settlements={0: [0, 2]},
        cities={0: CITIES[:3]},
        cards={0: {VICTORY: 1}},
        hands={0: {ORE: 3, GRAIN: 2}},
    )
    assert table.game.points(0) == 9
    table.say(0, Build(0, Buildable.CITY, vertpos=VERT_POS[0]))
    assert table.game.points(0) == 10 and not table.room.is_over
    assert table.say(0, Pass()) == [*to_all(End(0)), *to_all(CLOSED)]
    assert table.room.winner == 0


def test_rule_20_victory_is_not_looked_at_where_the_kick_of_a_trades_target_ends_the_turn():
    """Neither by the server nor by an agent that listens."""
    table = open_turn(
        cities={0: CITIES},
        settlements={0: [0, 2]},
        hands={0: {BRICK: 2}, 2: {GRAIN: 2}},
    )
    listener = Follower(announced=True)
    listener.watch(table.game.view(1))
    for seat, message in table.say(0, OFFER) + table.dies(2):
        if seat == 1:
            listener.hear(message)
    assert not table.room.is_over and table.game.turn_seat == 1
    assert listener.view.state_bytes() == table.game.view(1).state_bytes()


def test_rule_20_ten_points_do_not_win_on_anothers_pass():
    table = open_turn(cities={1: CITIES}, settlements={1: [0, 2]})
    assert table.say(0, Pass()) == to_all(Turn(1))


def test_rule_21_a_seat_that_never_connects_is_kicked_after_setup():
    opening = Conversation(absent=(0, 2)).opening
    assert opening[4:] == [
        (1, Kick(0)), (3, Kick(0)), (1, Kick(2)), (3, Kick(2)), (1, Turn(1)), (3, Turn(1)),
    ]  # fmt: skip
    assert [type(message) for _, message in opening[:4]] == [Begin, Setup, Begin, Setup]
    assert {message.player_count for _, message in opening[:4:2]} == {4}


def test_rule_21_an_agent_that_dies_before_the_game_is_kicked_after_setup_too():
    room = CatanRoom(Game(seats=2, seed=1, rules="tournament"), Settings())
    room.opened(7, 0.0)
    effects = room.leave(1, "its process exited with status 4", 0.0)
    kinds = [type(effect.message) for effect in effects if isinstance(effect, Send)]
    assert kinds == [Begin, Setup, Kick, End]
    assert [kicked.reason for kicked in room.kicks] == ["its process exited with status 4"]


def test_rule_21_nobody_comes_and_nobody_wins():
    table = Conversation(absent=(0, 1, 2, 3))
    assert table.opening == [] and table.room.is_over and table.room.winner is None
    assert [kicked.seat for kicked in table.room.kicks] == [0, 1, 2, 3]
    assert table.reasons == ["never connected"] * 4


def test_rule_21_only_one_comes_and_wins():
    table = Conversation(absent=(0, 1, 3))
    assert table.opening[-2:] == [(2, End(2)), (2, CLOSED)]


def test_rule_21_an_agent_that_dies_is_kicked_with_the_reason_in_the_log():
    table = open_turn()
    assert table.dies(0, "its process exited with status 1") == kicked(table)
    assert table.reasons == ["its process exited with status 1"]


# the machine itself


def test_the_states_are_those_of_the_server_flow():
    assert [state.name for state in TRANSITIONS] == [
        "INIT", "ACCEPT", "BEGIN", "TURN", "PASS", "KICK", "END", "DEINIT",
    ]  # fmt: skip
    reached = {State.INIT}
    while (more := {after for state in reached for after in TRANSITIONS[state]} - reached) > set():
        reached |= more
    assert reached == set(State)


def test_how_long_decisions_took_is_noted():
    table = open_turn()
    table.now += 1.25
    table.say(0, Pass())
    table.now += 0.5
    table.say(1, Roll())
    assert table.room.decision_times == [[1.25], [0.5], [], []]


def test_what_a_proposer_waited_for_an_answer_is_not_its_own_decision():
    table = trading(timeout_secs=5)
    table.say(0, OFFER)
    table.wait(6)
    table.now += 0.5
    table.say(0, Pass())
    assert table.room.decision_times == [[0.0, 0.5], [], [], []]
