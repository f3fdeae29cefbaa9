"""The server and the agent as processes; hostile clients do not disturb others."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("websockets")
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.server import serve

from tests.guests.hanabi.test_promise import OPENING

COMMAND = [sys.executable, "-m", "catan_env", "hanabi"]
PATIENCE = 600
"""Seconds that an answer may take on a busy machine."""


@contextlib.contextmanager
def server_process(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and its address."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", *options], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    found = re.search(r"ws://\S+", process.stdout.readline())
    assert found is not None
    try:
        yield process, found[0]
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()


@contextlib.contextmanager
def server(*options: str) -> Iterator[str]:
    """The address of a server in a separate process."""
    with server_process(*options) as (_, address):
        yield address


def agents(address: str, policy: str, count: int) -> list[str]:
    """The final output of that many agents."""
    processes = []
    for number in range(count):
        processes.append(
            subprocess.Popen(
                [
                    *COMMAND,
                    "agent",
                    "--policy",
                    policy,
                    "--name",
                    f"p{number}",
                    "--start-when",
                    str(count),
                    address,
                ],
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ},
            )
        )
    return [process.communicate(timeout=PATIENCE)[0].strip() for process in processes]


@pytest.mark.parametrize(
    "dialect",
    [
        "spec",
        *(pytest.param(name, marks=pytest.mark.nightly) for name in ("implemented", "strict")),
    ],
)
def test_agents_play_a_whole_game(dialect: str) -> None:
    with server("--dialect", dialect, "--seed", "4") as address:
        said = agents(address, "iggi", 3)
    assert len(set(said)) == 1 and re.fullmatch(r"score \d+", said[0])


def test_a_server_that_is_stopped_closes_its_connections() -> None:
    with server_process() as (process, address), connect(address) as client:
        client.send('{"msg_type": "CONNECTION_REQUEST", "name": "cat"}')
        assert "names" in client.recv(timeout=PATIENCE)
        process.terminate()
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1000
        assert process.wait(PATIENCE) == 143


def test_a_refused_agent_prints_the_reason_in_one_line() -> None:
    with server() as address, connect(address) as early:
        early.send('{"msg_type": "CONNECTION_REQUEST", "name": "cat"}')
        early.send('{"msg_type": "GAME_START_REQUEST"}')
        assert "names" in early.recv(timeout=PATIENCE)
        assert "game_state" in early.recv(timeout=PATIENCE)
        late = [*COMMAND, "agent", "--policy", "piers", address]
        agent = subprocess.run(late, capture_output=True, text=True, timeout=PATIENCE)
    assert agent.returncode == 1
    assert agent.stderr == (
        "catan-env hanabi agent: the server refused us: "
        "Connection refused because the game has already started.\n"
    )


@contextlib.contextmanager
def odd_server(*responses: dict[str, Any]) -> Iterator[str]:
    """The address of a server that sends these to a client that asks to join, and then leaves."""

    def answer(wire: Any) -> None:
        wire.recv()
        for response in responses:
            wire.send(json.dumps(response))

    with serve(answer, "127.0.0.1", 0) as listener:
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{listener.socket.getsockname()[1]}/"
        listener.shutdown()
        thread.join()


def errors_at(address: str) -> list[str]:
    """The lines that an agent prints on standard error at a server that does not let it play."""
    agent = subprocess.run(
        [*COMMAND, "agent", "--policy", "piers", "--name", "ann", address],
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert agent.returncode == 1
    return agent.stderr.splitlines()


def test_text_of_a_server_reaches_no_terminal_unfiltered() -> None:
    refusal = {"msg_type": "ERROR_RESPONSE", "explanation": "no\x1b]0;owned\x07\nand no"}
    for times in (1, 3):
        with odd_server(*[refusal] * times) as address:
            assert errors_at(address) == [
                "catan-env hanabi agent: the server refused us: no?]0;owned? and no"
            ]


def test_responses_that_cannot_be_read_are_reported_once() -> None:
    joined = {"msg_type": "CONNECTION_RESPONSE", "names": ["ann", "ben"]}
    over = {"msg_type": "GAME_OVER_RESPONSE", "score": "8\x1b"}
    with odd_server(joined, over, over) as address:
        assert errors_at(address) == [
            "a response of the server cannot be read: Expected `int`, got `str` - at `$.score`",
            "catan-env hanabi agent: the server closed the connection before the end",
        ]


def test_an_agent_ends_with_the_reason_at_a_start_that_cannot_be_read() -> None:
    joined = {"msg_type": "CONNECTION_RESPONSE", "names": ["ann", "ben"]}
    begun = {"msg_type": "GAME_START_RESPONSE", "game_state": {"hint_tokens": "8\x1b"}}
    with odd_server(joined, begun) as address:
        assert errors_at(address) == [
            "catan-env hanabi agent: GAME_START_RESPONSE cannot be read: Expected `int`, got "
            "`str` - at `$.game_state.hint_tokens`",
        ]


def error_of(wire: Any, data: str | bytes) -> str:
    wire.send(data)
    return str(wire.recv(timeout=PATIENCE))


def test_hostile_clients_do_not_disturb_others() -> None:
    join = '{"msg_type": "CONNECTION_REQUEST", "name": "%s"}'
    with server() as address, connect(address) as ann, connect(address) as ben:
        assert "names" in error_of(ann, join % "ann") and "names" in ben.recv(timeout=PATIENCE)
        with connect(address) as bad:
            assert "could not be read as a String" in error_of(bad, b"\xff\xff")
            assert "type of the message" in error_of(bad, "{" * 5000)
            assert "type of the message" in error_of(bad, '{"msg_type": "' + "x" * 60_000 + '"}')
            assert "not yet connected" in error_of(bad, b'{"msg_type": "GAME_START_REQUEST"}')
            bad.send("x" * (1 << 16) + "x")
            with pytest.raises(ConnectionClosed) as closing:
                bad.recv(timeout=PATIENCE)
            assert closing.value.rcvd is not None and closing.value.rcvd.code == 1009
        host, port = re.findall(r"//([\d.]+):(\d+)/", address)[0]
        with socket.create_connection((host, int(port))) as half:
            half.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nUpgr")
        with socket.create_connection((host, int(port))) as half:
            half.sendall(OPENING + b"\x81\xfe\x10")  # the beginning of a frame's length
        with connect(address) as passing:
            assert "cyd" in error_of(passing, join % "cyd")
            assert "cyd" in ann.recv(timeout=PATIENCE) and "cyd" in ben.recv(timeout=PATIENCE)
        assert "cyd" not in ann.recv(timeout=PATIENCE) and "cyd" not in ben.recv(timeout=PATIENCE)
        with connect(address) as flood:
            for _ in range(2000):
                flood.send("nothing")
        assert "already connected" in error_of(ann, join % "ann")
        assert "names" in error_of(ben, join % "ben") and "names" in ann.recv(timeout=PATIENCE)
        assert "game_state" in error_of(ben, '{"msg_type": "GAME_START_REQUEST"}')
        assert "game_state" in ann.recv(timeout=PATIENCE)
        ann.close()
        assert "GAME_OVER_RESPONSE" in ben.recv(timeout=PATIENCE)
