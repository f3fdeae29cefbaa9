"""Rules 19 to 21 of docs/protocol.md: kicks, victory, absent agents."""

from catan_env import Action, Game
from catan_env.net.room import Send
from catan_env.protocols.catan_binary.follow import Follower
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    NOTHING,
    Begin,
    Build,
    Buildable,
    Card,
    End,
    Kick,
    Pass,
    Rob,
    RobResult,
    Roll,
    Setup,
    Trade,
    TradeReject,
    TradeSide,
    Turn,
)
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.places import TILE_POS, VERT_POS
from catan_env.protocols.catan_binary.room import CatanRoom
from catan_env.protocols.catan_binary.states import State
from tests.protocols.conversation import CLOSED, Conversation, to_all
from tests.protocols.rules.table import (
    BRICK,
    CITIES,
    GRAIN,
    MONOPOLY,
    OFFER,
    ORE,
    PLAYED_MONOPOLY,
    VICTORY,
    choice,
    kicked,
    open_turn,
    others,
    trade,
    trading,
)


def test_rule_19_the_current_turn_ends_when_a_trades_target_is_kicked():
    table = trading()
    table.say(0, OFFER)
    assert table.dies(2) == kicked(table, 2, next_seat=1)
    assert table.say(0, Pass(), OFFER) == []  # 17: the proposer's early messages are dropped
    assert table.wait(6) == to_all(Turn(3), (0, 1, 3))
    assert len(table.reasons) == 1


def test_rule_19_messages_sent_ahead_in_a_turn_ended_by_a_kick_are_dropped():
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
    """Neither by the server nor by a listening agent."""
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
    assert [kicked.reason for kicked in room.removals] == ["its process exited with status 4"]


def test_rule_21_the_first_reason_why_an_agent_does_not_play_is_logged():
    room = CatanRoom(Game(seats=2, seed=1, rules="tournament"), Settings())
    room.leave(1, "connected 16 times more", 0.0)
    room.leave(1, "its keeper is gone", 1.0)
    room.opened(7, 2.0)
    assert [kicked.reason for kicked in room.removals] == ["connected 16 times more"]


def test_rule_21_without_agents_there_is_no_winner():
    table = Conversation(absent=(0, 1, 2, 3))
    assert table.opening == [] and table.room.is_over and table.room.winner is None
    assert [kicked.seat for kicked in table.room.removals] == [0, 1, 2, 3]
    assert table.reasons == ["never connected"] * 4


def test_rule_21_only_one_comes_and_wins():
    table = Conversation(absent=(0, 1, 3))
    assert table.opening[-2:] == [(2, End(2)), (2, CLOSED)]


def test_rule_21_an_agent_that_dies_is_kicked_with_the_reason_in_the_log():
    table = open_turn()
    assert table.dies(0, "its process exited with status 1") == kicked(table)
    assert table.reasons == ["its process exited with status 1"]
