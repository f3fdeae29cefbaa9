"""The handshake, heartbeats, names, and the waiting list."""

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.messages.network import SILENCE
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import LONGEST_NAME
from catan_env.net.room import Garbled
from tests.guests.renaissance.conversation import Conversation, begun


def test_the_handshake_is_symmetric_and_nothing_waits_for_it() -> None:
    talk = Conversation()
    talk.open(0)
    assert talk.heard == {0: [m.ReqWelcome()]}
    assert talk.say(0, m.ReqWelcome()) == [m.ResWelcome()]
    assert talk.say(0, m.ResWelcome()) == []
    assert talk.say(0, m.ReqHeartbeat()) == [m.ResHeartbeat()]


def test_a_silent_line_gets_a_heartbeat_request_and_is_then_closed() -> None:
    talk = Conversation()
    talk.open(0, 1)
    talk.now = 5.0
    talk.say(1, m.ResHeartbeat())
    assert talk.room.deadline == SILENCE
    talk.do(talk.room.time(SILENCE))
    assert talk.heard == {0: [m.ReqHeartbeat()]}
    talk.now = 20.0
    talk.say(1, m.ResWelcome())
    talk.do(talk.room.time(2 * SILENCE))
    assert talk.closed == [0]
    assert talk.room.deadline == 20.0 + SILENCE


def test_a_late_heartbeat_request_still_leaves_the_full_time() -> None:
    talk = Conversation()
    talk.open(0)
    talk.do(talk.room.time(3 * SILENCE))
    assert talk.heard == {0: [m.ReqHeartbeat()]} and talk.closed == []
    assert talk.room.deadline == 4 * SILENCE
    talk.do(talk.room.time(4 * SILENCE))
    assert talk.closed == [0]


def test_an_undecodable_line_is_answered_and_the_connection_stays() -> None:
    talk = Conversation()
    talk.open(0)
    assert talk.say(0, Garbled("no JSON")) == [m.ErrProtocol("no JSON")]
    assert talk.closed == []


def test_a_goodbye_is_answered_and_closes() -> None:
    talk = Conversation()
    talk.join("a", "b")
    assert talk.say(0, m.ReqQuit()) == [m.ResQuit()]
    assert talk.say(0, m.ReqJoin("x")) == [], "deaf but for network messages"
    assert talk.say(0, m.ReqHeartbeat()) == [m.ResHeartbeat()]
    assert talk.say(0, m.ReqGoodbye()) == [m.ResGoodbye()] and talk.closed == [0]
    talk.say(1, m.ResGoodbye())
    assert talk.closed == [1]
    assert not talk.room._guests and not talk.room._waiting


def test_names_are_unique_not_blank_and_set_once() -> None:
    talk = Conversation()
    talk.open(0, 1)
    assert talk.say(0, m.ReqEndTurn()) == [m.ErrNickname("NOT_SET")]
    assert talk.say(0, m.ReqNewGame(2)) == [m.ErrNickname("NOT_SET")]
    assert talk.say(0, m.ReqJoin("  ")) == [m.ErrNickname("NOT_SET")]
    assert talk.say(0, m.ReqJoin("ann")) == [m.UpdateBookedSeats(1, "ann")]
    assert talk.say(0, m.ReqJoin("eve")) == [m.ErrNickname("ALREADY_SET")]
    assert talk.say(1, m.ReqJoin("ann")) == [m.ErrNickname("TAKEN")]
    assert talk.say(0, m.ReqEndTurn()) == [m.ErrNickname("NOT_IN_GAME")]


def test_a_name_has_at_most_64_characters() -> None:
    """Every event of its player would repeat it to the others."""
    talk = Conversation()
    talk.open(0)
    longest = "é" * LONGEST_NAME
    assert LONGEST_NAME == 64
    assert talk.say(0, m.ReqJoin(longest + "é")) == [m.ErrNickname("TOO_LONG")]
    assert talk.say(0, m.ReqJoin(longest)) == [m.UpdateBookedSeats(1, longest)]


def test_a_player_of_a_saved_game_returns_by_a_longer_name() -> None:
    records, name = Records(), "x" * (LONGEST_NAME + 1)
    records.begin(Game(1, seed=7), [name])
    talk = Conversation(records)
    talk.open(0)
    assert isinstance(talk.say(0, m.ReqJoin(name))[1], m.UpdateGame)


def test_the_first_waiting_client_prepares_the_game() -> None:
    talk = Conversation()
    talk.join("a", "b")
    assert talk.heard == {line: [m.UpdateBookedSeats(2, "a")] for line in (0, 1)}
    assert talk.say(1, m.ReqNewGame(2)) == [m.ErrNewGame(False)]
    for count in (0, 5, -1):
        assert talk.say(0, m.ReqNewGame(count)) == [m.ErrNewGame(True)]
    assert talk.say(0, m.ReqNewGame(3)) == [m.UpdateJoinGame(3)]
    assert talk.heard[1] == [m.UpdateJoinGame(3)]
    talk.open(2)
    answers = talk.say(2, m.ReqJoin("c"))
    assert answers[:2] == [m.UpdateBookedSeats(3, "a"), m.UpdateJoinGame(3)]
    assert isinstance(answers[2], m.UpdateGame) and len(talk.room.tables) == 1
    assert isinstance(talk.heard[0][-1], m.UpdateGame)


def test_a_count_stays_when_the_first_leaves_and_the_next_may_change_it() -> None:
    talk = Conversation()
    talk.join("a", "b")
    talk.say(0, m.ReqNewGame(3))
    talk.say(0, m.ReqQuit())
    assert 1 not in talk.heard, "who waits hears nothing"
    assert talk.say(1, m.ReqNewGame(1))[0] == m.UpdateJoinGame(1)
    assert len(talk.room.tables) == 1


def test_clients_still_waiting_are_notified_when_a_game_begins() -> None:
    talk = Conversation()
    talk.join("a", "b", "c")
    talk.say(0, m.ReqNewGame(2))
    assert talk.heard[2] == [m.UpdateBookedSeats(1, "c")]


def test_update_game_shows_its_players_hand_and_hides_the_others() -> None:
    talk = begun(3)
    for seat in range(3):
        sent = next(one for one in talk.heard[talk.line_of(seat)] if isinstance(one, m.UpdateGame))
        for player in sent.players:
            own = talk.table.names.index(player.nickname) == seat
            assert len(player.leadersHand) == (4 if own else 0)
            assert player.leadersHandCount == 4
        assert sent.currentPlayer == sent.inkwellPlayer == sent.players[0].nickname
        assert [tuple(player.setup.initialResources for player in sent.players)] == [(0, 1, 1)]
        assert sent.actionTokens is None and len(sent.productions) == 3 + 48 + 4
