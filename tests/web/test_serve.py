"""The table's server: permitted connections, and its tolerance of misbehaving ones."""

import http.client
import socket
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from catan_env.net.address import is_here
from catan_env.web import serve
from catan_env.web.messages import Act, Said, Sit
from catan_env.web.serve import BOUNDS, MOST_BYTES
from tests.web.browser import served
from tests.web.tables import live_table

READ, WRITE = msgspec.json.Decoder(Said), msgspec.json.Encoder()
EVIL = "http://evil.example"
PATIENCE = 600
"""Seconds that an answer may take on a busy machine."""


def get(address: str, path: str = "/", **headers: str) -> tuple[int, str]:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def line_to(address: str, **options: Any) -> Any:
    place = address.replace("http", "ws")
    return connect(place, max_size=None, open_timeout=PATIENCE, **options)


def say(line: Any, message: Any) -> None:
    line.send(WRITE.encode(message).decode())


def heard(line: Any, seconds: float = PATIENCE) -> Any:
    return READ.decode(line.recv(timeout=seconds))


def sit(line: Any, secret: str) -> Any:
    say(line, Sit(secret))
    return heard(line)


def test_the_page_and_the_table_come_from_one_port() -> None:
    with served(live_table(1)) as address:
        status, page = get(address)
        assert status == 200 and "openPage" in page and "<!--" not in page
        with line_to(address) as line:
            assert type(sit(line, "ann")).__name__ == "Welcome"
            choices = heard(line)
            say(line, Act(choices.actions[0].index, choices.step))
            assert type(heard(line)).__name__ == "Step"


def test_other_sites_and_other_names_of_this_host_are_refused() -> None:
    with served(live_table(1)) as address:
        assert get(address, Host="evil.example")[0] == 403
        assert get(address, Host="evil.example:80")[0] == 403
        for name in ("Origin", "origin"):
            for origin in (EVIL, "null", "https://127.0.0.1"):
                with pytest.raises(InvalidStatus) as refused:
                    line_to(address, additional_headers={name: origin})
                assert refused.value.response.status_code == 403
        own = address.rstrip("/")
        assert get(address, Origin=own.upper())[0] == 200
        with line_to(address, additional_headers={"Origin": own}) as line:
            assert sit(line, "ann").seat == 0


@pytest.mark.parametrize(
    ("host", "port", "is_public", "is_own"),
    [
        ("127.0.0.1", 80, False, True),
        ("127.0.0.1:", 80, False, True),
        ("127.0.0.1", 8000, False, False),
        ("LOCALHOST:8000", 8000, False, True),
        ("[::1]:8000", 8000, False, True),
        ("[0:0::1]:8000", 8000, False, True),
        ("[::1]", 80, False, True),
        ("::1:8000", 8000, True, False),
        ("[::1", 80, True, False),
        ("[2001:db8::1]:8000", 8000, False, False),
        ("[2001:db8::1]:8000", 8000, True, True),
        ("192.168.1.7:8000", 8000, False, False),
        ("192.168.1.7:8000", 8000, True, True),
        ("evil.example:8000", 8000, True, False),
        ("localhost.evil.example:8000", 8000, True, False),
        ("127.0.0.1:8000@evil.example:8000", 8000, True, False),
        ("127.0.0.1:8000:8000", 8000, True, False),
        ("127.0.0.1:٨٠", 80, True, False),
        ("", 80, True, False),
    ],
)
def test_a_host_header_names_this_server_or_is_refused(host, port, is_public, is_own) -> None:
    assert is_here(host, port, is_public) is is_own


def test_a_table_is_served_at_an_ipv6_address() -> None:
    with served(live_table(1), host="::1") as address:
        assert address.startswith("http://[::1]:")
        assert get(address)[0] == 200
        with line_to(address, additional_headers={"Origin": address.rstrip("/")}) as line:
            assert sit(line, "ann").seat == 0


def test_silent_connections_do_not_lock_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "BOUNDS", replace(BOUNDS, lines_of_address=100))
    with served(live_table(1)) as address, line_to(address) as ann:
        sit(ann, "ann")
        choices = heard(ann)
        parts = urlsplit(address)
        place = parts.hostname or "", parts.port or 0
        silent = [socket.create_connection(place) for _ in range(140)]
        try:
            for _ in range(3):
                assert get(address)[0] == 200
            with line_to(address) as line:
                assert sit(line, "watch").seat is None
            say(ann, Act(choices.actions[0].index, choices.step))
            assert type(heard(ann)).__name__ == "Step"
        finally:
            for one in silent:
                one.close()


def test_hostile_lines_are_cut_and_the_table_plays_on() -> None:
    with served(live_table(1)) as address, line_to(address) as ann:
        sit(ann, "ann")
        choices = heard(ann)
        for frame in ("{", "[" * 3000, '{"type":"act","index":1e3}', "x" * (1 << 20), b"\xff\xfe"):
            with line_to(address) as line:
                with pytest.raises(ConnectionClosed):
                    line.send(frame)
                    while True:
                        line.recv(timeout=PATIENCE)
        with line_to(address) as line:
            line.send("y" * MOST_BYTES * 2)
            with pytest.raises(ConnectionClosed):
                line.recv(timeout=PATIENCE)
        flood = line_to(address)
        sit(flood, "watch")
        for _ in range(2000):
            flood.send('{"type":"undo","step":1}')
        say(ann, Act(choices.actions[0].index, choices.step))
        assert type(heard(ann)).__name__ == "Step"
        flood.socket.close()


def test_a_line_with_half_a_handshake_does_not_delay_others() -> None:
    with served(live_table(1)) as address:
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname or "", parts.port or 0)) as half:
            half.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
            with line_to(address) as line:
                assert sit(line, "watch").seat is None
