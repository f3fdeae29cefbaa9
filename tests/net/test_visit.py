"""Visitors at servers that answer, stall, hang up and send invalid messages."""

import socket
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from catan_env.net.errors import RemoteProtocolError
from catan_env.net.framing import Connection, State
from catan_env.net.lines import LineCodec
from catan_env.net.present import Present
from catan_env.net.room import Garbled
from catan_env.net.spelling import JsonSpelling
from catan_env.net.visit import Visit, reconnect, visit


def end() -> Connection[Any]:
    return Connection(LineCodec(JsonSpelling(str)))


class Caller:
    """Records its calls; is over at "bye", and answers "two" with two messages."""

    def __init__(self) -> None:
        self.noted: list[Any] = []
        self.deadline: float | None = None
        self.is_over = self.is_done = False

    def opened(self, now: float) -> list[str]:
        self.noted.append("opened")
        self.is_over = False
        return ["hello"]

    def received(self, message: Any, now: float) -> Any:
        self.noted.append(message)
        self.is_over = message == "bye"
        self.is_done = self.is_over
        if message == "two":
            return (self.note(f"answer {k}") for k in range(2))
        return []

    def time(self, now: float) -> list[str]:
        self.noted.append(now)
        self.deadline = None
        return ["late"]

    def closed(self, now: float) -> None:
        self.noted.append("closed")

    def note(self, message: str) -> str:
        self.noted.append(message)
        return message


class Handshake(Connection[Any]):
    """An end that is open after the server's first message."""

    def __init__(self) -> None:
        super().__init__(LineCodec(JsonSpelling(str)))
        self.state = State.OPENING
        self._answer = b"knock"

    def answer(self) -> bytes:
        answer, self._answer = self._answer, b""
        return answer

    def receive(self, data: bytes) -> Any:
        self.state = State.OPEN if b"\n" in data else self.state
        return super().receive(data)

    def close(self) -> bytes:
        self.state = State.CLOSED
        return b"farewell"


def opened(caller: Caller, its_end: Connection[Any]) -> Visit:
    """A visit that has just begun."""
    line = Visit(its_end, caller)
    list(line.begin(0.0))
    caller.noted.clear()
    return line


def test_without_a_handshake_the_visitor_sends_first() -> None:
    caller = Caller()
    assert list(Visit(end(), caller).begin(0.0)) == [b'"hello"\n']


def test_the_visitor_sends_after_the_handshake_and_before_it_receives() -> None:
    caller = Caller()
    line = Visit(Handshake(), caller)
    assert list(line.begin(0.0)) == [b"knock"] and caller.noted == []
    assert list(line.receive(b'"wel', 0.0)) == [] and caller.noted == []
    assert list(line.receive(b'come"\n', 0.0)) == [b'"hello"\n']
    assert caller.noted == ["opened", "welcome"]
    assert line.close(1.0) == b"farewell" and caller.noted[-1] == "closed"
    assert line.is_over


def test_a_message_is_sent_before_the_next_one_is_computed() -> None:
    caller = Caller()
    pieces = opened(caller, end()).receive(b'"two"\n"more"\n', 0.0)
    assert next(pieces) == b'"answer 0"\n' and caller.noted == ["two", "answer 0"]
    assert list(pieces) == [b'"answer 1"\n'] and caller.noted[-1] == "more"


def test_a_visitor_that_is_over_receives_nothing_more() -> None:
    caller = Caller()
    line = opened(caller, end())
    assert list(line.receive(b'"bye"\n"more"\n', 0.0)) == []
    assert caller.noted == ["bye"] and line.is_over
    line.close(0.0)
    assert caller.noted == ["bye"], "it has ended the conversation itself"


def test_an_unreadable_message_is_garbled() -> None:
    caller = Caller()
    list(opened(caller, end()).receive(b"{\n", 0.0))
    assert isinstance(caller.noted[0], Garbled)


def test_nothing_is_sent_to_a_server_that_has_closed() -> None:
    its_end = end()
    line = opened(Caller(), its_end)
    its_end.close()
    assert list(line.receive(b'"two"\n', 0.0)) == [] and line.is_over


class Clock:
    """A clock that advances by a second per call."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def server(*scenes: Callable[[socket.socket], None]) -> Callable[[], socket.socket]:
    """Connections to a server that runs one scene per connection."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with listener:
            for scene in scenes:
                with listener.accept()[0] as wire:
                    scene(wire)

    Thread(target=run, daemon=True).start()
    return lambda: socket.create_connection(listener.getsockname())


def until(wire: socket.socket, text: bytes) -> None:
    data = b""
    while not data.endswith(text):
        data += wire.recv(1024)


def dismiss(wire: socket.socket) -> None:
    until(wire, b'"hello"\n')
    wire.sendall(b'"bye"\n')
    assert wire.recv(1024) == b""


def hang_up(wire: socket.socket) -> None:
    until(wire, b'"hello"\n')
    wire.sendall(b'"more"\n"ha')


def break_off(wire: socket.socket) -> None:
    until(wire, b'"hello"\n')
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def wait_for_late(wire: socket.socket) -> None:
    until(wire, b'"hello"\n"late"\n')
    wire.sendall(b'"bye"\n')
    assert wire.recv(1024) == b""


def flood(wire: socket.socket) -> None:
    wire.sendall(b"x" * 100_000)
    wire.recv(1)


def test_a_visit_ends_when_the_visitor_is_over() -> None:
    caller = Caller()
    visit(server(dismiss), end(), caller)
    assert caller.noted == ["opened", "bye"]


def test_a_visit_ends_when_the_server_closes() -> None:
    caller = Caller()
    visit(server(hang_up), end(), caller)
    assert caller.noted == ["opened", "more", "closed"]


def test_a_broken_connection_counts_as_closed() -> None:
    caller = Caller()
    visit(server(break_off), end(), caller)
    assert caller.noted == ["opened", "closed"]


def test_received_messages_are_handled_although_no_answer_can_be_sent() -> None:
    near, far = socket.socketpair()
    with far:
        far.sendall(b'"two"\n"two"\n')
    caller = Caller()
    visit(lambda: near, end(), caller)
    assert caller.noted[0] == "opened" and caller.noted[-1] == "closed"
    assert caller.noted.count("two") == 2


def test_the_deadline_follows_the_clock_that_is_passed_in() -> None:
    caller, clock = Caller(), Clock()
    caller.deadline = 2.0
    visit(server(wait_for_late), end(), caller, clock)
    assert caller.noted == ["opened", 3.0, "bye"]


def test_a_server_of_another_protocol_is_an_error() -> None:
    with pytest.raises(RemoteProtocolError, match="a line of more than"):
        visit(server(flood), end(), Caller())


def test_a_visitor_returns_until_it_is_done() -> None:
    caller, pauses = Caller(), []
    ends: list[Any] = []

    def make_end() -> Connection[Any]:
        ends.append(end())
        return ends[-1]

    connect = server(hang_up, break_off, dismiss)
    reconnect(connect, make_end, caller, lambda: pauses.append(len(caller.noted)))
    assert caller.noted == ["opened", "more", "closed", "opened", "closed", "opened", "bye"]
    assert pauses == [3, 5] and len(ends) == 3, "an incomplete message ends with its connection"


def test_thinking_time_counts_for_messages_that_were_read_together() -> None:
    seconds = 0.0
    present = Present(lambda: seconds)
    present.begin(10.0)
    seconds += 2.0
    present.begin(10.0)
    assert present.now == 12.0
    present.begin(12.5)
    assert present.now == 12.5
