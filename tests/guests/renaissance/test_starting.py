"""A server that compiles while it listens, and wrong arguments."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from catan_env.cli import main
from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.contest import play_one
from catan_env.guests.renaissance.messages.network import SILENCE
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import MOST_WAITING, RenaissanceRoom
from catan_env.guests.renaissance.server import serve_until_stopped, serve_while_compiling
from catan_env.net.room import Effect, Send
from catan_env.net.serve import listen


def starting(records: Records | None = None) -> RenaissanceRoom:
    room = RenaissanceRoom(records or Records(), seed=1, is_ready=False)
    for line in range(2):
        assert room.opened(line, 0.0) == [Send(line, m.ReqWelcome())]
    return room


def answers_of(room: RenaissanceRoom, now: float) -> list[Effect]:
    """The answers to the waiting commands, once the rules are compiled."""
    waiting = room.be_ready(now)
    return [effect for _ in range(waiting) for effect in room.obey_waiting(now)]


def test_commands_wait_until_the_rules_are_compiled() -> None:
    room = starting()
    assert room.received(0, m.ReqWelcome(), 1.0) == [Send(0, m.ResWelcome())]
    for line, message in ((0, m.ReqJoin("ann")), (1, m.ReqJoin("bob")), (0, m.ReqNewGame(2))):
        assert room.received(line, message, 1.0) == []
    assert room.received(0, m.ReqHeartbeat(), 2.0) == [Send(0, m.ResHeartbeat())]
    assert room.time(2.0 + SILENCE) == [Send(line, m.ReqHeartbeat()) for line in (1, 0)][::-1]
    said = [type(one.message) for one in answers_of(room, 20.0) if isinstance(one, Send)]
    assert said[:3] == [m.UpdateBookedSeats] * 3 and said.count(m.UpdateGame) == 2
    assert len(room.tables) == 1


def test_a_command_that_is_repeated_waits_once() -> None:
    room = starting()
    for _ in range(50):
        assert room.received(0, m.ReqJoin("ann"), 1.0) == []
    assert answers_of(room, 2.0) == [Send(0, m.UpdateBookedSeats(1, "ann"))]


def test_a_limited_number_of_commands_per_line_waits() -> None:
    room = starting()
    for number in range(MOST_WAITING):
        assert room.received(0, m.ReqJoin(f"ann {number}"), 1.0) == []
    (refusal,) = room.received(0, m.ReqJoin("zoe"), 1.0)
    assert isinstance(refusal, Send) and isinstance(refusal.message, m.ErrProtocol)
    assert room.received(1, m.ReqJoin("bob"), 1.0) == [], "another line may still wait"


def test_a_line_that_left_meanwhile_is_not_answered() -> None:
    room = starting()
    room.received(0, m.ReqJoin("ann"), 1.0)
    room.received(1, m.ReqJoin("bob"), 1.0)
    room.closed(0, "gone", 1.5)
    assert answers_of(room, 2.0) == [Send(1, m.UpdateBookedSeats(1, "bob"))]


def test_saved_games_are_loaded_when_the_rules_are_compiled() -> None:
    records = Records()
    records.begin(Game(1, seed=7), ["ann"])
    room = starting(records)
    assert records.count() == 1 and not room.tables
    room.received(0, m.ReqJoin("ann"), 1.0)
    said = [type(one.message) for one in answers_of(room, 2.0) if isinstance(one, Send)]
    assert m.UpdateGame in said and len(room.tables) == 1


def test_a_waiting_command_that_fails_delays_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    join = RenaissanceRoom._join

    def failing(self: Any, line: int, guest: Any, name: str, now: float) -> list[Effect]:
        if name == "mallory":
            raise ArithmeticError("a fault of the server")
        return join(self, line, guest, name, now)

    monkeypatch.setattr(RenaissanceRoom, "_join", failing)

    async def visit() -> tuple[bytes, list[Any]]:
        room = RenaissanceRoom(Records(), seed=1, is_ready=False)
        loop, faults = asyncio.get_running_loop(), []
        loop.set_exception_handler(lambda _, context: faults.append(context["exception"]))
        ready = loop.create_future()
        with listen("127.0.0.1", 0) as listener:
            serving = asyncio.ensure_future(serve_until_stopped(room, listener, ready))
            lines = []
            for name in (b"mallory", b"ann"):
                reader, writer = await asyncio.open_connection(*listener.getsockname()[:2])
                lines.append((reader, writer))
                writer.write(
                    b'{"type":"ReqJoin","nickname":"%s"}\n{"type":"ReqHeartbeat"}\n' % name
                )
                assert b"ResHeartbeat" in [await reader.readline() for _ in range(2)][1]
            ready.set_result(None)
            heard = await asyncio.wait_for(lines[1][0].readline(), 60.0)
            for _, writer in lines:
                writer.close()
            serving.cancel()
            await serving
        return heard, faults

    heard, faults = asyncio.run(visit())
    assert b'"UpdateBookedSeats"' in heard and len(faults) == 1


def test_a_server_answers_over_tcp_while_it_compiles() -> None:
    async def visit() -> list[str]:
        room = RenaissanceRoom(Records(), seed=1, is_ready=False)
        ready = asyncio.get_running_loop().create_future()
        with listen("127.0.0.1", 0) as listener:
            serving = asyncio.ensure_future(serve_until_stopped(room, listener, ready))
            reader, writer = await asyncio.open_connection(*listener.getsockname()[:2])
            writer.write(b'{"type":"ReqJoin","nickname":"ann"}\n{"type":"ReqHeartbeat"}\n')
            heard = [await reader.readline() for _ in range(2)]
            ready.set_result(None)
            heard.append(await reader.readline())
            writer.close()
            serving.cancel()
            await serving
        return [msgspec.json.decode(line)["type"] for line in heard]

    assert asyncio.run(visit()) == ["ReqWelcome", "ResHeartbeat", "UpdateBookedSeats"]


def test_a_server_whose_rules_do_not_compile_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> None:
        raise ArithmeticError("a fault of the compiler")

    monkeypatch.setattr("catan_env.guests.renaissance.server.ensure_ready", failing)
    room = RenaissanceRoom(Records(), seed=1, is_ready=False)
    with listen("127.0.0.1", 0) as listener, pytest.raises(ArithmeticError, match="the compiler"):
        asyncio.run(asyncio.wait_for(serve_while_compiling(room, listener), 60.0))


def test_a_server_whose_page_failed_ends_with_its_error() -> None:
    async def page() -> None:
        raise ArithmeticError("a fault of the page")

    async def visit() -> None:
        room = RenaissanceRoom(Records(), seed=1)
        with listen("127.0.0.1", 0) as listener:
            serving = asyncio.ensure_future(serve_until_stopped(room, listener, beside=page()))
            await asyncio.sleep(0.1)
            serving.cancel()
            await serving

    with pytest.raises(ArithmeticError, match="a fault of the page"):
        asyncio.run(visit())


def test_what_runs_beside_a_server_that_cannot_start_ends_before_its_error() -> None:
    ends: list[str] = []

    async def page() -> None:
        try:
            await asyncio.sleep(100.0)
        finally:
            ends.append("page")

    async def visit() -> None:
        room = RenaissanceRoom(Records(), seed=1)
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        loop.call_later(0.1, ready.set_exception, ArithmeticError("no compiler"))
        with listen("127.0.0.1", 0) as listener:
            try:
                await serve_until_stopped(room, listener, ready, page())
            finally:
                ends.append("server")

    with pytest.raises(ArithmeticError, match="no compiler"):
        asyncio.run(visit())
    assert ends == ["page", "server"]


@pytest.mark.parametrize(
    "url",
    [
        "nosuch://x",
        "x",
        "",
        "sqlite+nosuch://",
        "sqlite:////nosuch/folder/x.db",
        "nosuch://a:key@x",
        "postgresql://a:key@x:abc/y",
    ],
)
def test_an_unavailable_database_is_one_line(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["renaissance", "serve", "--port", "0", "--database", url]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1 and "cannot save games in" in error
    assert "key" not in error


def test_a_file_s_name_is_no_url_of_a_database(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["renaissance", "serve", "--port", "0", "--database", "games.db"]) == 2
    said = "cannot save games in 'games.db': it is not a URL, such as sqlite:///games.db"
    assert capsys.readouterr().err == f"catan-env renaissance: {said}\n"


def test_a_folder_is_not_a_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["renaissance", "serve", "--port", "0", "--database", f"sqlite:///{tmp_path}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("name", ["foo", "nosuch:Policy", "math:Nosuch", "nosuch.npz"])
def test_a_wrong_policy_is_refused_before_a_game_is_created(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=name.partition(":")[2] or name):
        play_one(["greedy", name], 0, 0, cards="no such cards")
    assert main(["renaissance", "play", "--policy", "random", "--policy", name]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1
