"""The agent's process at a server behind a real socket: it reconnects, and it ends."""

import socket
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from catan_env import Board
from catan_env.arena import jsettlers
from catan_env.arena.jsettlers import RobotSettings
from catan_env.cli import main
from catan_env.net import Connection
from catan_env.protocols.jsettlers import lobby, places
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.framing import FrameCodec
from tests.protocols.jsettlers.board import board_message
from tests.protocols.jsettlers.scripted import GAME

Scene = Callable[["Peer"], None]


class Peer:
    """The server's end of one connection."""

    def __init__(self, wire: socket.socket) -> None:
        self.wire = wire
        self._codec = FrameCodec(m.FROM_CLIENT)
        self._in = Connection(self._codec)
        self._out = FrameCodec(m.FROM_SERVER)
        self._heard: list[Any] = []

    def say(self, *messages: Any) -> None:
        self.wire.sendall(b"".join(map(self._out.encode, messages)))

    def hear(self) -> Any:
        while not self._heard:
            data = self.wire.recv(4096)
            if not data:
                return None
            self._heard += self._in.receive(data)
        return self._heard.pop(0)


def serve(scenes: list[Scene]) -> tuple[int, Thread]:
    """Accept one client after the other; return the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(30)

    def run() -> None:
        with listener:
            for scene in scenes:
                wire, _ = listener.accept()
                with wire:
                    wire.settimeout(30)
                    scene(Peer(wire))

    thread = Thread(target=run, daemon=True)
    thread.start()
    return listener.getsockname()[1], thread


def settings(port: int, **more: Any) -> RobotSettings:
    given = {
        "seed": 1,
        "name": "ours",
        "cookie": "key",
        "games": 1,
        "patience": 600.0,
        "wait": 30.0,
    }
    return RobotSettings("127.0.0.1", port, "random", **{**given, **more})


def hang_up(peer: Peer) -> None:
    assert isinstance(peer.hear(), lobby.Version) and isinstance(peer.hear(), lobby.ImARobot)
    peer.say(lobby.RobotAccepted(("",)))


def refuse(peer: Peer) -> None:
    peer.say(lobby.Refused(("no such cookie",)))
    peer.hear()


def seat(peer: Peer, game: str, *options: str) -> None:
    """Ask the agent to seat 0 of a game; it sits down there."""
    peer.say(lobby.AskedToJoin(game, 0, options), lobby.Joined(game))
    peer.say(lobby.Members(game, ("ours",)))
    assert peer.hear() == lobby.JoinGame("ours", "", "", game)
    assert peer.hear() == lobby.SitDown(game, "ours", 0, True)
    peer.say(lobby.SitDown(game, "ours", 0, True))


def begin(peer: Peer, game: str) -> None:
    """Begin a game in which the agent has placed its first settlement."""
    seat(peer, game)
    peer.say(*(lobby.SitDown(game, f"robot {s}", s, True) for s in (1, 2, 3)))
    peer.say(board_message(game, Board.beginner(), 0), m.Turn(game, 0, 5))
    assert isinstance(peer.hear(), m.PutPiece)


def win(peer: Peer, game: str) -> None:
    stats = m.GameStats(game, ("10", "2", "2", "2", *("true",) * 4))
    peer.say(m.GameState(game, 1000), stats)
    assert peer.hear() == lobby.LeaveGame("ours", "", game)


def play_out(peer: Peer) -> None:
    hang_up(peer)
    begin(peer, GAME)
    win(peer, GAME)
    assert peer.hear() is None


def offer_a_game_of_six(peer: Peer) -> None:
    hang_up(peer)
    seat(peer, "six", "PL=6")
    assert peer.hear() == lobby.LeaveGame("ours", "", "six")
    begin(peer, GAME)
    win(peer, GAME)
    assert peer.hear() is None


def take_the_seat_and_reset(peer: Peer) -> None:
    """End two games in ways that are neither a result nor a failure."""
    hang_up(peer)
    for lost in (lobby.StandUp("other"), lobby.ResetTable("other", (-1, 0))):
        begin(peer, "other")
        peer.say(lost)
        assert peer.hear() == lobby.LeaveGame("ours", "", "other")
    begin(peer, GAME)
    win(peer, GAME)
    assert peer.hear() is None


def play_two_at_once(peer: Peer) -> None:
    """Play two games: the first ends the run; the second is finished, a third is not started."""
    hang_up(peer)
    begin(peer, "first")
    begin(peer, "second")
    win(peer, "first")
    peer.say(lobby.AskedToJoin("third", 1, ()))
    peer.say(m.PutPiece("second", 0, 1, places.VERTICES[0]), m.GameState("second", 6))
    assert isinstance(peer.hear(), m.PutPiece)
    win(peer, "second")
    assert peer.hear() is None


def ask_into_a_game_under_way(peer: Peer) -> None:
    hang_up(peer)
    peer.say(lobby.AskedToJoin("old", 2, ()), lobby.Joined("old"))
    peer.say(board_message("old", Board.beginner(), 0), lobby.Members("old", ("ours",)))
    assert peer.hear() == lobby.JoinGame("ours", "", "", "old")
    assert peer.hear() == lobby.LeaveGame("ours", "", "old")
    assert peer.hear() is None, "a server asks another robot when we hang up"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsettlers, "WAITS", (0, 1))


@pytest.mark.usefixtures("quick")
def test_the_agent_reconnects_and_ends_after_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    port, thread = serve([hang_up, play_out])
    assert jsettlers.play(settings(port)) == 0
    thread.join(30)
    said = capsys.readouterr().err
    assert "the connection was closed; again in 0 s" in said
    assert f"{GAME}: seat 0, 0 turns, won" in said


@pytest.mark.usefixtures("quick")
def test_a_game_that_was_left_is_a_failure_and_not_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    port, thread = serve([offer_a_game_of_six])
    assert jsettlers.play(settings(port)) == 1
    thread.join(30)
    said = capsys.readouterr().err
    assert "six: left, a game for 6 seats" in said and f"{GAME}: seat 0, 0 turns, won" in said


@pytest.mark.usefixtures("quick")
def test_a_replaced_seat_and_a_reset_board_are_not_failures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    port, thread = serve([take_the_seat_and_reset])
    assert jsettlers.play(settings(port)) == 0
    thread.join(30)
    assert f"{GAME}: seat 0, 0 turns, won" in capsys.readouterr().err, "the run continued"


@pytest.mark.usefixtures("quick")
def test_games_in_progress_are_finished(capsys: pytest.CaptureFixture[str]) -> None:
    port, thread = serve([play_two_at_once])
    assert jsettlers.play(settings(port)) == 0
    thread.join(30)
    said = capsys.readouterr().err
    assert "first: seat 0" in said and "second: seat 0" in said
    assert "third: declined, no more games are started" in said


@pytest.mark.usefixtures("quick")
def test_a_declined_seat_is_handed_on_by_a_new_connection(
    capsys: pytest.CaptureFixture[str],
) -> None:
    port, thread = serve([ask_into_a_game_under_way, play_out])
    assert jsettlers.play(settings(port)) == 0
    thread.join(30)
    assert "old: declined, the game is under way" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "word"),
    [("name", "a,b"), ("name", "a|c"), ("name", "a\nb"), ("name", ""), ("cookie", "x,y"),
     ("table", "a,b"), ("table", "a "), ("name", " a"), ("options", "PL=4|RD=t")],
)  # fmt: skip
def test_text_that_no_message_can_contain_is_rejected_before_connecting(
    option: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"cookie": "key", option: word}
    words = [f"--{name}={value}" for name, value in given.items()]
    line = ["agent", "--protocol", "jsettlers", "--policy", "random", *words, "127.0.0.1", "1"]
    assert main(line) == 2
    said = capsys.readouterr().err
    named = (f"catan-env agent: --{option}", f"catan-env agent: argument --{option}")
    assert said.startswith(named) and said.count("\n") == 1


def test_a_refusal_ends_the_process() -> None:
    port, _ = serve([refuse])
    with pytest.raises(ValueError, match="no such cookie"):
        jsettlers.play(settings(port))


def test_a_refusal_of_a_name_that_was_admitted_before_is_waited_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(jsettlers.time, "sleep", waited.append)
    port, thread = serve([hang_up, refuse, refuse, play_out])
    assert jsettlers.play(settings(port)) == 0
    thread.join(30)
    assert waited == [1, 2, 4]
    assert "the server refuses: no such cookie; again in 4 s" in capsys.readouterr().err


def test_a_client_gives_up_if_no_server_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsettlers, "WAITS", (0, 0))
    with socket.socket() as bound:  # bound without listening, so no other program can listen
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        with pytest.raises(ValueError, match="is a server running there"):
            jsettlers.play(settings(port, cookie=None, table=GAME, wait=None))


def test_a_robot_gives_up_after_the_given_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(jsettlers.time, "sleep", waited.append)
    with socket.socket() as bound:  # bound without listening, so no other program can listen
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        with pytest.raises(ValueError, match="is a server running there"):
            jsettlers.play(settings(port, wait=20.0))
    assert waited == [1, 2, 4, 8]


def test_an_agent_needs_a_cookie_or_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["agent", "--protocol", "jsettlers", "--policy", "random", "127.0.0.1", "1"]
    assert main(command) == 2
    assert capsys.readouterr().err == (
        "catan-env agent: --protocol jsettlers needs --cookie, or --table to play as a client\n"
    )


def test_options_are_for_a_table_that_is_opened(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["agent", "--protocol", "jsettlers", "--policy", "random", "--table", "t"]
    assert main([*command, "--options", "VP=t12", "127.0.0.1", "1"]) == 2
    assert capsys.readouterr().err == (
        "catan-env agent: --options are for a table that is opened: --open\n"
    )
