"""Servers that are not up yet."""

import socket
from collections.abc import Callable

import pytest

from catan_env.net.connect import PAUSE, connect


class Clock:
    """A clock that advances only during `sleep`; `at` is called with each new time."""

    def __init__(self, at: Callable[[float], None] = lambda now: None) -> None:
        self.now = 0.0
        self._at = at

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds <= PAUSE
        self.now += max(seconds, 0.001)
        self._at(self.now)


def bound() -> socket.socket:
    """A socket that does not listen, so that no other program can either."""
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    return taken


def test_a_listening_server_is_reached_without_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        clock = Clock()
        host, port = server.getsockname()
        with connect(host, port, clock=clock, sleep=clock.sleep) as wire:
            assert wire.getpeername() == server.getsockname()
            assert wire.gettimeout() is None
            assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert clock.now == 0.0 and capsys.readouterr().err == ""


def test_a_server_that_comes_up_late_is_reached(capsys: pytest.CaptureFixture[str]) -> None:
    with bound() as taken:
        clock = Clock(lambda now: taken.listen() if now >= 20.0 else None)
        host, port = taken.getsockname()
        with connect(host, port, wait=30.0, clock=clock, sleep=clock.sleep) as wire:
            assert wire.getpeername() == taken.getsockname()
    assert 20.0 <= clock.now < 21.0
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "trying for 30 s" in said


def test_the_wait_for_a_server_ends() -> None:
    clock = Clock()
    with bound() as taken:
        host, port = taken.getsockname()
        with pytest.raises(ValueError, match=f"cannot connect to {host} {port}: .*running there"):
            connect(host, port, wait=7.0, clock=clock, sleep=clock.sleep)
    assert 7.0 <= clock.now < 8.0


def test_without_a_wait_there_is_one_attempt(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with bound() as taken:
        host, port = taken.getsockname()
        with pytest.raises(ValueError, match="is a server running there"):
            connect(host, port, wait=0.0, clock=clock, sleep=clock.sleep)
    assert clock.now == 0.0 and capsys.readouterr().err == ""


def test_an_unknown_host_is_not_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **how: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "create_connection", unknown)
    clock = Clock()
    with pytest.raises(ValueError, match="nowhere 4000: Name or service not known"):
        connect("nowhere", 4000, clock=clock, sleep=clock.sleep)
    assert clock.now == 0.0
