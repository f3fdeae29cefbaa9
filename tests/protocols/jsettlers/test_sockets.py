"""The agent's process at a server behind a real socket: it comes back, and it goes."""

import argparse
import socket
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from catan_env.arena import jsettlers
from catan_env.net import Connection
from catan_env.protocols.jsettlers import lobby
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.framing import FrameCodec
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
    """Let one client after the other in; the port."""
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


def options(port: int, **more: Any) -> argparse.Namespace:
    given = {
        "host": "127.0.0.1", "port": port, "policy": "random", "seed": 1, "name": "ours",
        "cookie": "key", "games": 1, "table": None, "open": False, "options": None,
        "seat": None, "records": None, "log": None,
    }  # fmt: skip
    return argparse.Namespace(**{**given, **more})


def hang_up(peer: Peer) -> None:
    assert isinstance(peer.hear(), lobby.Version) and isinstance(peer.hear(), lobby.ImARobot)
    peer.say(lobby.RobotAccepted(("",)))


def refuse(peer: Peer) -> None:
    peer.say(lobby.Refused(("no such cookie",)))
    peer.hear()


def offer_a_game_of_six(peer: Peer) -> None:
    hang_up(peer)
    peer.say(
        lobby.AskedToJoin(GAME, 0, ("PL=6",)),
        lobby.Joined(GAME),
        lobby.SitDown(GAME, "ours", 0, True),
    )
    heard = []
    while (message := peer.hear()) is not None:
        heard.append(message)
    assert heard[-1] == lobby.LeaveGame("ours", "", GAME)


def test_the_agent_comes_back_and_goes_after_its_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jsettlers, "WAITS", (0,))
    port, thread = serve([hang_up, offer_a_game_of_six])
    assert jsettlers.play(options(port)) == 1, "a game that was left is not one that was played"
    thread.join(30)
    said = capsys.readouterr().err
    assert "the connection was closed; again in 0 s" in said
    assert "a game for 6 seats" in said


def test_a_refusal_ends_the_process() -> None:
    port, _ = serve([refuse])
    with pytest.raises(ValueError, match="no such cookie"):
        jsettlers.play(options(port))


def test_a_client_gives_up_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsettlers, "WAITS", (0, 0))
    with socket.socket() as bound:  # and nobody listens there, nor can anybody else
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        with pytest.raises(ValueError, match="is a server running there"):
            jsettlers.play(options(port, cookie=None, table=GAME))


def test_an_agent_needs_a_cookie_or_a_table() -> None:
    with pytest.raises(ValueError, match="needs --cookie, or --table"):
        jsettlers.play(options(1, cookie=None))
