"""An agent at a server: how it logs in, sits down, and leaves."""

import pytest

from catan_env import Board, Rules
from catan_env.net import RemoteProtocolError
from catan_env.protocols.jsettlers import lobby
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import CLOSED, Agent, RefusedError
from catan_env.protocols.jsettlers.opening import Agreement, UnplayableError
from tests.protocols.jsettlers.board import board_message, no_board
from tests.protocols.jsettlers.line import Line
from tests.protocols.jsettlers.scripted import GAME, Told, first_legal, unhurried
from tests.protocols.jsettlers.server import Server
from tests.protocols.jsettlers.test_games import random_policy
from tests.protocols.jsettlers.test_wire import frame

VERSION = lobby.Version(2700, "2.7.00", "catan_env", (";",))
LEAVE = lobby.LeaveGame("ours", "", GAME)


def robot(cookie: str | None = "key", **options: object) -> Line:
    return Line(Agent(unhurried(first_legal), "ours", cookie=cookie, **options))  # type: ignore[arg-type]


def test_a_robot_sends_its_cookie_and_its_class() -> None:
    line = robot()
    assert line.begin() == [VERSION, lobby.ImARobot("ours", "key", "catan_env")]
    assert not line.agent.is_in
    assert line.say(lobby.RobotAccepted(("",))) == []
    assert line.agent.is_in


@pytest.mark.parametrize("reason", [("wrong cookie",), ("the name is", "in use")])
def test_a_rejected_robot_names_the_reason(reason: tuple[str, ...]) -> None:
    line = robot()
    line.begin()
    with pytest.raises(RefusedError, match=reason[0]):
        line.say(lobby.Refused(reason))


def test_a_robot_that_returns_is_not_rejected_for_good() -> None:
    """The server may still hold the old connection, and with it the name."""
    line = robot()
    line.begin()
    line.say(lobby.RobotAccepted(("",)))
    line.agent.closed(10.0)
    for _ in range(2):
        back = Line(line.agent)
        back.begin()
        assert not back.agent.is_over
        assert back.say(lobby.Refused(("the name is", "in use"))) == []
        assert back.agent.is_over and not back.agent.is_done
        assert back.agent.refusal == "the server refuses: the name is,in use"
    back = Line(line.agent)
    assert len(back.begin()) == 2 and back.agent.refusal is None
    back.say(lobby.RobotAccepted(("",)))
    assert back.agent.is_in and not back.agent.is_over


def test_a_robot_that_is_sent_away_loses_its_games_and_returns() -> None:
    told = Told().place()
    told.say(lobby.RobotAccepted(("",)))
    assert told.say(lobby.Refused(("another connection has this name",))) == []
    (ended,) = told.line.agent.ended
    assert (ended.how, ended.reason) == (CLOSED, "the connection was closed")
    assert told.line.agent.is_over and not told.line.agent.is_done


def test_a_robot_is_seated_by_the_server() -> None:
    line = robot()
    line.begin()
    asked = lobby.AskedToJoin(GAME, 2, ("PL=4", "RD=f"))
    assert line.say(asked) == [lobby.JoinGame("ours", "", "", GAME)]
    assert line.say(lobby.Joined(GAME)) == []
    assert line.say(lobby.Members(GAME, ("ours",))) == [lobby.SitDown(GAME, "ours", 2, True)]


@pytest.mark.parametrize("number", [1, 600000])
def test_a_ping_is_echoed(number: int) -> None:
    line = robot()
    line.begin()
    assert line.say(lobby.Ping(number)) == [lobby.Ping(number)]


@pytest.mark.parametrize(
    "options",
    [("PL=6",), ("PLB=t",), ("SBL=t",), ("SC=SC_NSHO",), ("UB=t",), ("PL=3",), ("NEW=t5",),
     ("VP=t99",)],
)  # fmt: skip
def test_an_unsupported_game_is_left_once_seated(options: tuple[str, ...]) -> None:
    """Silence, or leaving earlier, would stall it."""
    line = robot()
    line.begin()
    assert line.say(lobby.AskedToJoin(GAME, 0, options)) == [lobby.JoinGame("ours", "", "", GAME)]
    line.say(lobby.Joined(GAME))
    assert line.say(lobby.Members(GAME, ("ours",))) == [lobby.SitDown(GAME, "ours", 0, True)]
    assert line.say(lobby.SitDown(GAME, "ours", 0, True)) == [LEAVE]
    assert line.agent.ended[0].how == "left" and not line.agent.players


def test_a_game_with_the_name_of_an_unsupported_one_is_played() -> None:
    line = robot()
    line.begin()
    sat = lobby.SitDown(GAME, "ours", 0, True)
    line.say(lobby.AskedToJoin(GAME, 0, ("PL=6",)), lobby.Members(GAME, ("ours",)))
    assert line.say(sat) == [LEAVE]
    line.say(lobby.AskedToJoin(GAME, 0, ("PL=4",)), lobby.Members(GAME, ("ours",)))
    assert line.say(sat) == [] and GAME in line.agent.players


@pytest.mark.parametrize("seat", [4, 5, -1])
def test_a_robot_that_is_asked_to_a_seat_beyond_the_fourth_declines(seat: int) -> None:
    line = robot()
    line.begin()
    assert line.say(lobby.AskedToJoin(GAME, seat, ("PL=6",))) == []
    assert line.agent.declined[GAME] == f"asked to sit at seat {seat} among 4"
    assert line.agent.is_over and not line.agent.is_done


def test_a_board_that_is_all_sea_is_not_laid_out() -> None:
    line = robot()
    line.begin()
    line.say(lobby.AskedToJoin(GAME, 0, ()), lobby.Joined(GAME), no_board(GAME))
    assert line.say(lobby.Members(GAME, ("ours",))) == [lobby.SitDown(GAME, "ours", 0, True)]


def test_a_table_without_another_player_is_left() -> None:
    told = Told()
    told.say(
        lobby.AskedToJoin(GAME, 0, ()), lobby.Joined(GAME), lobby.SitDown(GAME, "ours", 0, True)
    )
    told.say(board_message(GAME, Board.beginner(), 0))
    assert told.say(m.Turn(GAME, 0, 5)) == [LEAVE]


@pytest.mark.parametrize(
    ("message", "how"),
    [
        (lobby.StandUp(GAME), "taken"),
        (lobby.ResetTable(GAME, (0,)), "reset"),
        (lobby.DeleteGame(GAME), "deleted"),
    ],
)
def test_a_game_taken_from_us_is_left(message: object, how: str) -> None:
    told = Told().place()
    assert told.say(message) == [LEAVE]
    assert told.line.agent.ended[0].how == how
    again = told.say(lobby.AskedToJoin(GAME, 3, ()))
    assert again == [lobby.JoinGame("ours", "", "", GAME)]
    assert told.player.seat == 3


def test_a_lost_connection_loses_every_seat() -> None:
    told = Told().place()
    told.line.visit.close(told.line.now)
    assert [ended.how for ended in told.line.agent.ended] == ["closed"]


# Invalid frames, and impossible messages.


@pytest.mark.parametrize(
    "data",
    [b"\x00\x00", b"\x00\x03\xff\xfe\xfd", frame("hello"), frame("1026|t,x,15"), frame("1999|t"),
     frame("1026|nosuchgame,1,15"), frame("1041|t,1")],
)  # fmt: skip
def test_invalid_frames_are_ignored(data: bytes) -> None:
    told = Told().place()
    before = told.view.state_bytes()
    assert told.line.send(data) == []
    assert told.view.state_bytes() == before
    assert told.begin_turn(0) == [m.RollDice(GAME)]


@pytest.mark.parametrize(
    "message",
    [
        m.Turn(GAME, 9, 15),
        m.DiceResult(GAME, 13),
        m.PutPiece(GAME, 0, 1, 9999),
        m.PutPiece(GAME, 0, 8, 39),
        m.MoveRobber(GAME, 0, 0x17),
        m.Robbery(GAME, 0, 7, "R", 6, 1),
        m.BankTraded(GAME, (1, 2)),
        m.AcceptOffer(GAME, 1, 2, (0,) * 10),
        m.Discarded(GAME, "q1", (0,) * 6),
        m.Element(GAME, -1, 100, 1, 1),
        m.Element(GAME, 1, 100, 15, 10**6),
        m.Elements(GAME, 0, 100, (1, 1000)),
        m.HandSize(GAME, 3, 10**6),
        m.HandSize(GAME, 3, -1),
        m.BankTraded(GAME, (1000, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)),
        m.AcceptOffer(GAME, 1, 0, (1000, 0, 0, 0, 0, 0, 1, 0, 0, 0)),
        m.Discarded(GAME, "p1", (0, 0, 0, 0, 0, 10**6)),
    ],
)
def test_an_impossible_message_ends_its_own_game_only(message: object) -> None:
    told = Told().place()
    told.say(lobby.AskedToJoin("other", 1, ()))
    told.begin_turn(0)
    assert told.say(message) == [LEAVE]
    assert told.line.agent.ended[0].how == "left"
    assert set(told.line.agent.players) == {"other"}


def test_a_game_that_begins_with_a_nonexistent_seat_is_left() -> None:
    told = Told().sit_down()
    assert told.say(m.Turn(GAME, -1, 5)) == [LEAVE]


def test_half_a_frame_waits_for_its_other_half() -> None:
    told = Told().place()
    data = frame("1026|t,0,15") + frame("1072|t,0")
    assert told.line.send(data[:-3]) == []
    assert told.line.send(data[-3:]) == [m.RollDice(GAME)]


# Several games, and other ways to a table.


def test_many_games_are_played_over_one_connection() -> None:
    line = Line(Agent(unhurried(random_policy(3)), "ours", cookie="key"))
    line.begin()
    servers = [
        Server(line, k, [random_policy(7 * k + s) for s in range(4)], k % 4, name=f"game {k}")
        for k in range(3)
    ]
    for server in servers:
        server.most_turns = 40
        server.seat_everybody()
    for _ in range(100_000):
        under_way = [server for server in servers if not server.is_over]
        if not under_way:
            break
        for server in under_way:
            asked = [s for s in servers if s._queue]
            foreign = [x for s in asked for x in s._queue if getattr(x, "game", s.name) != s.name]
            assert not foreign, "a message belongs to the game that asked"
            server.step()
    assert not any(server.refusals for server in servers)
    assert {ended.player.game for ended in line.agent.ended} == {f"game {k}" for k in range(3)}


def client(**options: object) -> Line:
    return robot(None, table=GAME, **options)


def test_a_client_opens_a_table_and_starts_the_game() -> None:
    line = client(opens=True, options=("PL=4", "RD=t"), seat=2)
    assert line.begin() == [VERSION, lobby.NewGame("ours", "", "", GAME, ("PL=4", "RD=t"))]
    assert line.say(lobby.GameOptions(GAME, -1, ("PL=4", "RD=t"))) == []
    assert line.say(lobby.Joined(GAME)) == []
    assert line.say(lobby.Members(GAME, ("ours",))) == [
        lobby.SitDown(GAME, "ours", 2, False),
        lobby.StartGame(GAME),
    ]
    assert line.agent.players[GAME].opening.agreement.desert_is_barred


@pytest.mark.parametrize("options", [("NT=1", "VP=t12"), ("PL",), ("VP=12",)])
def test_a_client_does_not_play_by_options_that_the_server_did_not_announce(
    options: tuple[str, ...],
) -> None:
    """One malformed option makes the server open the table without any, and without a refusal."""
    line = client(opens=True, options=options)
    line.begin()
    line.say(lobby.Joined(GAME))
    with pytest.raises(RefusedError, match=f"opened the table t without {','.join(options)}"):
        line.say(lobby.Members(GAME, ("ours",)))


def test_a_client_plays_by_the_options_as_the_server_corrects_them() -> None:
    line = client(opens=True, options=("PL=3", "VP=t12"))
    line.begin()
    line.say(lobby.GameOptions(GAME, -1, ("PL=4", "VP=t12", "NT=t")), lobby.Joined(GAME))
    line.say(lobby.Members(GAME, ("ours",)))
    rules = line.agent.players[GAME].opening.agreement.rules
    assert (rules.points_to_win, rules.player_trade) == (12, False)


def test_a_client_joins_a_table_at_a_free_seat() -> None:
    line = client(seat=1)
    assert line.begin() == [VERSION, lobby.JoinGame("ours", "", "", GAME)]
    line.say(lobby.GameList(("other", "PL=6", GAME, "PL=4,NT=t")))
    line.say(
        lobby.Joined(GAME),
        lobby.SitDown(GAME, "Ann", 0, False),
        lobby.SitDown(GAME, "Bob", 1, False),
    )
    said = line.say(lobby.Members(GAME, ("Ann", "Bob", "ours")))
    assert said[0] == lobby.SitDown(GAME, "ours", 2, False)
    assert not line.agent.players[GAME].opening.agreement.rules.player_trade


def test_a_client_plays_with_the_persons_that_sat_down_before_it() -> None:
    line = client()
    line.begin()
    line.say(lobby.Joined(GAME), *(lobby.SitDown(GAME, f"p{s}", s, False) for s in range(3)))
    line.say(lobby.Members(GAME, ("p0", "p1", "p2", "ours")), lobby.SitDown(GAME, "ours", 3, False))
    line.say(board_message(GAME, Board.beginner(), 0))
    (placed,) = line.say(m.Turn(GAME, 3, 5))
    assert isinstance(placed, m.PutPiece)
    follower = line.agent.players[GAME].follower
    assert follower is not None and all(map(follower.view.is_playing, range(4)))
    assert not follower.tracked.differences


def test_a_client_does_not_play_at_a_seat_that_a_person_took_first() -> None:
    line = client(seat=1)
    line.begin()
    line.say(lobby.Joined(GAME), lobby.Members(GAME, ("Ann", "ours")))
    with pytest.raises(RefusedError, match="Ann sat down at seat 1 of the table t first"):
        line.say(lobby.SitDown(GAME, "Ann", 1, False))


def test_a_client_waits_for_a_seat_that_a_robot_leaves_for_it() -> None:
    line = client(seat=1)
    line.begin()
    line.say(lobby.Joined(GAME), lobby.Members(GAME, ("Ann", "ours")))
    line.say(lobby.SitDown(GAME, "robot 1", 1, True), lobby.LeaveGame("robot 1", "-", GAME))
    line.say(lobby.SitDown(GAME, "ours", 1, False))
    assert line.agent.is_in and line.agent.players[GAME].opening.names == {1: "ours"}


def test_a_client_leaves_a_game_under_way_without_waiting_for_a_seat() -> None:
    """The server gives no seat there, and its answer is a text for people."""
    line = client()
    line.begin()
    line.say(lobby.Joined(GAME), *(lobby.SitDown(GAME, f"p{s}", s, False) for s in range(3)))
    line.say(lobby.Members(GAME, ("p0", "p1", "p2", "ours")))
    assert line.say(m.Turn(GAME, 1, 15)) == [LEAVE]
    (ended,) = line.agent.ended
    assert (ended.how, ended.reason) == ("left", "the game is under way")


def test_an_older_server_is_only_for_robots() -> None:
    """Its messages to ordinary clients are not translated: the agent would sit and never move."""
    line = client()
    line.begin()
    with pytest.raises(RefusedError, match=r"version 1\.1\.13 only a robot can play"):
        line.say(lobby.Version(1113, "1.1.13", "build"))
    line = robot()
    line.begin()
    assert line.say(lobby.Version(1113, "1.1.13", "build")) == []


def sizes(agent: Agent) -> dict[str, int]:
    """The number of entries in each of the agent's collections."""
    return {k: len(v) for k, v in vars(agent).items() if isinstance(v, dict | set | list)}


def test_games_of_others_leave_nothing_behind() -> None:
    """A robot stays for weeks, and hears of every game that is opened at its server."""
    line = robot()
    line.begin()
    before = sizes(line.agent)
    for game in ("one", "two"):
        line.say(lobby.GameOptions(game, -1, ("PL=4",)), lobby.GameList((game, "PL=4")))
        line.say(lobby.AskedToJoin(game, 7, ("PL=4",)))
        assert game in line.agent.declined
        line.say(lobby.DeleteGame(game))
    assert sizes(line.agent) == before


def test_a_game_that_was_played_leaves_nothing_behind() -> None:
    told = Told()
    before = sizes(told.line.agent)
    told.place().say(lobby.StandUp(GAME))
    told.line.agent.ended.clear()
    assert sizes(told.line.agent) == before


def test_nothing_of_a_lost_connection_is_left_when_the_agent_returns() -> None:
    told = Told()
    before = sizes(told.line.agent)
    told.place().say(lobby.AskedToJoin("six", 1, ("PL=6",)), lobby.AskedToJoin("seventh", 7, ()))
    told.line.visit.close(told.line.now)
    told.line.agent.ended.clear()
    Line(told.line.agent).begin()
    assert sizes(told.line.agent) == before


def test_a_client_is_rejected_by_a_status() -> None:
    line = client()
    line.begin()
    assert line.say(lobby.Status(0, ("welcome",))) == []
    with pytest.raises(RefusedError, match="no such game"):
        line.say(lobby.Status(2, ("no such game",)))


def test_a_refused_request_during_a_game_does_not_end_it() -> None:
    line = client(seat=1)
    line.begin()
    line.say(lobby.Joined(GAME), lobby.Members(GAME, ("Ann", "ours")))
    line.say(lobby.SitDown(GAME, "ours", 1, False))
    assert line.say(lobby.Status(4, ("not now",))) == [] and GAME in line.agent.players


def test_a_client_leaves_if_every_seat_is_taken() -> None:
    line = client()
    line.begin()
    line.say(lobby.Joined(GAME), *(lobby.SitDown(GAME, f"p{s}", s, False) for s in range(4)))
    with pytest.raises(RemoteProtocolError, match="no free seat"):
        line.say(lobby.Members(GAME, ()))


def test_a_client_that_returns_sees_which_seats_are_free_by_then() -> None:
    line = client()
    line.begin()
    line.say(lobby.Joined(GAME), *(lobby.SitDown(GAME, f"p{s}", s, False) for s in range(4)))
    line.agent.closed(10.0)
    back = Line(line.agent)
    back.begin()
    back.say(lobby.Joined(GAME), lobby.SitDown(GAME, "p0", 0, False))
    said = back.say(lobby.Members(GAME, ("p0", "ours")))
    assert said[0] == lobby.SitDown(GAME, "ours", 1, False)


def test_an_agent_needs_a_cookie_or_a_table() -> None:
    with pytest.raises(ValueError, match="needs the name of a table"):
        Agent(unhurried(first_legal))


def test_options_are_rules() -> None:
    assert Agreement(("PL=4", "BC=t4", "N7=t3", "N7C=f", "UBL=t7")).rules == Rules.jsettlers()
    assert not Agreement(("NT=t",)).rules.player_trade
    assert Agreement(("VP=t12",)).rules.points_to_win == 12
    assert Agreement(("VP=f10", "SC=f")).rules == Rules.jsettlers()
    assert Agreement(("CN=t", "FO=t", "LB=t", "RG=t")).rules == Rules.jsettlers(), "Stac's"
    with pytest.raises(UnplayableError, match="SBL"):
        Agreement(("SBL=t",))
