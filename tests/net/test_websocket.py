"""WebSocket without sockets: client and server joined in memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from catan_env.net import LocalProtocolError, RemoteProtocolError
from catan_env.net.framing import State
from catan_env.net.room import Garbled
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import Page, WebSocketClient, WebSocketServer
from tests.net.toy import Join, Message, Say, Sorry, Welcome, websocket_client, websocket_server

SPELLING = JsonSpelling(Message, most_bytes=64)


def joined():
    """Return a client and a server after the handshake."""
    client, server = websocket_client(), WebSocketServer(SPELLING)
    assert list(server.receive(client.answer())) == []
    assert list(client.receive(server.answer())) == []
    return client, server


def frame(opcode, data, fin=True) -> bytes:
    """Return a frame as a client sends it."""
    return Frame(opcode, data, fin).serialize(mask=True)


def test_a_handshake_opens_both_sides():
    client, server = websocket_client(), websocket_server()
    assert client.state is server.state is State.OPENING
    for byte in client.answer():
        assert server.state is State.OPENING and server.answer() == b""
        assert list(server.receive(bytes([byte]))) == []
    assert server.state is State.OPEN
    for byte in server.answer():
        assert client.state is State.OPENING
        assert list(client.receive(bytes([byte]))) == []
    assert client.state is State.OPEN


def test_messages_cross_in_both_directions_one_per_frame():
    client, server = joined()
    said = client.send(Join(3)) + client.send(Say(4))
    assert list(server.receive(said)) == [Join(3), Say(4)]
    assert list(client.receive(server.send(Welcome(3, 0)))) == [Welcome(3, 0)]


def test_frames_may_come_byte_by_byte():
    client, server = joined()
    said = client.send(Join(3)) + client.send(Say(4))
    assert [m for byte in said for m in server.receive(bytes([byte]))] == [Join(3), Say(4)]


def test_nothing_is_sent_before_the_handshake_or_after_the_end():
    with pytest.raises(LocalProtocolError, match="not open"):
        websocket_server().send(Sorry())
    client, _ = joined()
    client.close()
    with pytest.raises(LocalProtocolError, match="not open"):
        client.send(Join(1))


def test_a_message_may_come_in_fragments_with_a_ping_between():
    _, server = joined()
    said = SPELLING.encode(Join(3))
    pieces = [
        frame(Opcode.TEXT, said[:5], fin=False),
        frame(Opcode.PING, b"are you there"),
        frame(Opcode.CONT, b"", fin=False),
        frame(Opcode.CONT, said[5:]),
    ]
    assert [list(server.receive(piece)) for piece in pieces[:3]] == [[], [], []]
    assert server.is_amid_message
    assert list(server.receive(pieces[3])) == [Join(3)] and not server.is_amid_message
    assert server.answer() == Frame(Opcode.PONG, b"are you there").serialize(mask=False)


def test_every_frame_that_completes_no_message_is_counted():
    client, server = joined()
    said = SPELLING.encode(Join(3))
    parts = frame(Opcode.TEXT, said, fin=False) + frame(Opcode.CONT, b"", fin=False)
    assert list(server.receive(parts + frame(Opcode.PING, b"") + frame(Opcode.PONG, b""))) == []
    assert server.asides == 4
    assert list(server.receive(frame(Opcode.CONT, b"") + client.send(Say(4)))) == [Join(3), Say(4)]
    assert server.asides == 4


def test_a_binary_frame_is_read_like_text():
    _, server = joined()
    assert list(server.receive(frame(Opcode.BINARY, b'{"type":"Sorry"}'))) == [Sorry()]


def test_the_message_after_a_garbled_one_is_read():
    client, server = joined()
    garbled, said = server.receive(frame(Opcode.TEXT, b"\xff{") + client.send(Join(1)))
    assert garbled == Garbled("not UTF-8: invalid start byte at byte 0") and said == Join(1)


def test_a_close_is_answered_and_ends_both_sides():
    client, server = joined()
    said = client.send(Join(1)) + client.close()
    assert list(server.receive(said)) == [Join(1)] and server.state is State.CLOSED
    assert list(client.receive(server.answer())) == [] and client.state is State.CLOSED
    assert server.close() == b""


@pytest.mark.parametrize(
    "said",
    [
        frame(Opcode.TEXT, b"x" * 65),
        frame(Opcode.TEXT, b"x" * 40, fin=False) + frame(Opcode.CONT, b"x" * 40),
        Frame(Opcode.TEXT, b"{}").serialize(mask=False),
        frame(Opcode.CONT, b"x"),
        frame(Opcode.TEXT, b"x", fin=False) + frame(Opcode.TEXT, b"x"),
        b"\xff" * 100,
    ],
    ids=["too long", "too long in parts", "no mask", "no beginning", "no end", "rubbish"],
)
def test_invalid_frames_end_the_conversation(said):
    client, server = joined()
    with pytest.raises(RemoteProtocolError, match="not a WebSocket"):
        list(server.receive(said))
    assert server.state is State.CLOSED
    list(client.receive(server.answer()))
    assert client.state is State.CLOSED


@pytest.mark.parametrize(
    "said",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"POST / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: " + b"x" * 9000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n",
        b"x" * 10_000,
    ],
)
def test_an_invalid_handshake_ends_the_conversation(said):
    server = websocket_server()
    with pytest.raises(RemoteProtocolError):
        list(server.receive(said))
    assert server.state is State.CLOSED


PAGES = {"/": Page("text/html", b"<p>hello")}


def answered(request: bytes, **options) -> bytes:
    """Return the answer of a server with one page to an HTTP request, after which it closes."""
    server = WebSocketServer(SPELLING, PAGES, **options)
    assert list(server.receive(request)) == []
    assert server.state is State.CLOSED
    return server.answer()


def test_an_ordinary_request_gets_a_page():
    said = answered(b"GET /?a=b HTTP/1.1\r\nHost: a\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 200 OK\r\n") and said.endswith(b"\r\n\r\n<p>hello")
    assert b"\r\nContent-Length: 8\r\n" in said


def test_head_gets_the_same_as_get_without_the_body():
    got = answered(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    head = answered(b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert head + b"<p>hello" == got
    missing = answered(b"HEAD /other HTTP/1.1\r\nHost: a\r\n\r\n")
    assert missing.startswith(b"HTTP/1.1 404 ") and missing.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    ("request_line", "status"),
    [(b"GET /other", b"404"), (b"POST /", b"405"), (b"DELETE /other", b"405")],
)
def test_a_missing_page_or_method_has_the_right_status(request_line, status):
    said = answered(request_line + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 " + status)
    assert (b"\r\nAllow: GET, HEAD\r\n" in said) == (status == b"405")


def test_a_server_without_pages_asks_for_a_websocket():
    server = WebSocketServer(SPELLING)
    with pytest.raises(RemoteProtocolError):
        list(server.receive(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    assert server.answer().startswith(b"HTTP/1.1 426 ")


@pytest.mark.parametrize("header", ["Host", "host", "Origin", "oRIGIN"])
def test_a_header_used_for_decisions_may_not_be_repeated(header):
    twice = f"Host: a\r\nOrigin: http://a\r\n{header}: a\r\n"
    said = answered(f"GET / HTTP/1.1\r\n{twice}\r\n".encode(), is_welcome=lambda _: True)
    assert said.startswith(b"HTTP/1.1 400 ") and b"<p>" not in said


@pytest.mark.parametrize("spelled", ["Origin", "origin", "ORIGIN"])
def test_header_names_may_be_written_in_any_case(spelled):
    asked = []
    request = f"GET / HTTP/1.1\r\nhOST: a\r\n{spelled}: http://b\r\n\r\n".encode()
    said = answered(request, is_welcome=lambda h: asked.append((h.get("Host"), h.get("Origin"))))
    assert said.startswith(b"HTTP/1.1 403 ") and asked == [("a", "http://b")]


def test_no_page_is_made_for_a_rejected_request():
    class Made(dict):
        def get(self, path, default=None):
            raise AssertionError("a page was made")

    server = WebSocketServer(SPELLING, Made(), is_welcome=lambda headers: "Host" in headers)
    list(server.receive(b"GET / HTTP/1.1\r\n\r\n"))
    assert server.answer().startswith(b"HTTP/1.1 403 ")
    server = WebSocketServer(SPELLING, Made())
    assert list(server.receive(websocket_client().answer())) == []
    assert server.state is State.OPEN


@pytest.mark.parametrize("path", ["/", "/other"])
def test_browsers_must_not_guess_types_or_frame_the_page(path):
    said = answered(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    assert b"\r\nX-Content-Type-Options: nosniff\r\n" in said
    assert b"\r\nContent-Security-Policy: frame-ancestors 'none'\r\n" in said


@pytest.mark.parametrize("origins", [["http://ours"], [None]])
def test_pages_of_other_sites_may_be_rejected(origins):
    server = WebSocketServer(SPELLING, origins=origins)
    request = websocket_client().answer()
    foreign = request.replace(b"\r\n\r\n", b"\r\nOrigin: http://theirs\r\n\r\n")
    with pytest.raises(RemoteProtocolError, match="Origin"):
        list(server.receive(foreign))
    assert b"403" in server.answer()


def test_a_client_names_the_reason_of_its_rejection():
    client = WebSocketClient("ws://127.0.0.1:4444/any", SPELLING)
    with pytest.raises(RemoteProtocolError, match="503"):
        list(client.receive(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"))


@given(st.lists(st.binary(max_size=200), max_size=5))
def test_any_bytes_are_messages_or_an_error(pieces):
    for server in (websocket_server(), joined()[1]):
        try:
            for piece in pieces:
                assert all(isinstance(m, Message | Garbled) for m in server.receive(piece))
        except RemoteProtocolError:
            assert server.state is State.CLOSED
