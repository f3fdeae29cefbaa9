"""An `End` over WebSocket: the sans-IO half of the library `websockets` under our messages.

One message is one frame, text or binary, read by a spelling; ours are sent as text frames.
Handshakes, pongs and closing frames are the library's, and are returned by `answer`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Generic, NamedTuple

from websockets.client import ClientProtocol
from websockets.datastructures import Headers
from websockets.exceptions import InvalidURI
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Protocol
from websockets.protocol import State as Socket
from websockets.server import ServerProtocol
from websockets.uri import WebSocketURI, parse_uri

from catan_env.net.errors import LocalProtocolError, RemoteProtocolError
from catan_env.net.framing import State
from catan_env.net.room import Garbled
from catan_env.net.spelling import Message, Spelling

NORMAL = 1000
"""The code of a closing frame that ends a conversation without an error (RFC 6455, 7.4.1)."""
ALLOWED_ADDRESS = "allowed are WebSocket addresses, ws://HOST:PORT/"
SWITCHING = 101
"""The status of a successful handshake."""


ONCE = ("Host", "Origin")
"""Headers that a request may not repeat: two readers could each pick a different one."""
PROTECTION = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "frame-ancestors 'none'",
}
"""Headers of every answer: browsers guess no other type, and other sites cannot frame our page."""


class Page(NamedTuple):
    """The answer to an ordinary HTTP request for a path."""

    content_type: str
    body: bytes
    status: HTTPStatus = HTTPStatus.OK


class WebSocket(Generic[Message]):
    """The common part of `WebSocketServer` and `WebSocketClient`."""

    def __init__(self, protocol: Protocol, spelling: Spelling[Message]) -> None:
        self._protocol = protocol
        self._spelling = spelling
        self._payload = bytearray()
        self._is_fragment_due = False
        self.asides = 0

    @property
    def state(self) -> State:
        """The stage of the conversation."""
        if self._protocol.eof_sent or self._protocol.state in (Socket.CLOSING, Socket.CLOSED):
            return State.CLOSED
        return State.OPENING if self._protocol.state is Socket.CONNECTING else State.OPEN

    @property
    def is_amid_message(self) -> bool:
        """True if a frame, or a message of several frames, is incomplete."""
        return self._is_fragment_due or bool(self._protocol.reader.buffer)

    def send(self, message: Message) -> bytes:
        """Return the bytes of a text frame; LocalProtocolError before the handshake's end."""
        if self.state is not State.OPEN:
            raise LocalProtocolError(f"{message!r} over a WebSocket that is not open")
        self._protocol.send_text(self._spelling.encode(message))
        return self.answer()

    def receive(self, data: bytes) -> Iterator[Message | Garbled]:
        """Return the messages that `data` completes; RemoteProtocolError at invalid bytes."""
        self._protocol.receive_data(data)
        return self._messages()

    def answer(self) -> bytes:
        """Return the library's pending bytes: handshakes, pongs, the answer to a closing frame."""
        return b"".join(self._protocol.data_to_send())

    def close(self) -> bytes:
        """Return a closing frame, if one can be sent."""
        if self.state is State.OPEN:
            self._protocol.send_close(NORMAL)
        return self.answer()

    def _messages(self) -> Iterator[Message | Garbled]:
        for event in self._protocol.events_received():
            if not isinstance(event, Frame):
                self._open(event)
            elif self._completes_message(event):
                payload, self._payload = self._payload, bytearray()
                yield self._spelling.decode(payload)
            else:
                self.asides += 1
        error = self._protocol.handshake_exc or self._protocol.parser_exc
        if error is not None:
            raise RemoteProtocolError(f"not a WebSocket: {error}")

    def _completes_message(self, frame: Frame) -> bool:
        """Append the frame's data to the message, if it has any; True at the message's end."""
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return False
        self._payload += frame.data
        self._is_fragment_due = not frame.fin
        return frame.fin

    def _open(self, event: Any) -> None:
        """Handle a handshake's request or response."""


class WebSocketServer(WebSocket[Message]):
    """The server's side.

    An ordinary request for a path of `pages` gets that page, any other path status 404, and the
    connection ends; without `pages` every request must be a handshake. `origins` are the web sites
    whose pages may connect (None in it: programs that are not browsers); by default all may.
    `is_welcome` may reject a request by its headers (their names in any case) with status 403,
    before a page is looked up.
    """

    def __init__(
        self,
        spelling: Spelling[Message],
        pages: Mapping[str, Page] | None = None,
        origins: Sequence[Any] | None = None,
        is_welcome: Callable[[Mapping[str, str]], bool] | None = None,
    ) -> None:
        self._server = ServerProtocol(origins=origins, max_size=spelling.most_bytes)
        self._pages = pages
        self._is_welcome = is_welcome
        super().__init__(self._server, spelling)

    def _open(self, event: Request) -> None:
        response = self._answer_to(event)
        if response.status_code != SWITCHING:
            response.headers.update(PROTECTION)
        if method_of(event) == "HEAD":
            response.body = b""
        self._server.send_response(response)

    def _answer_to(self, request: Request) -> Response:
        headers = request.headers
        for name in ONCE:
            if len(headers.get_all(name)) > 1:
                return self._server.reject(400, f"More than one {name}.\n")
        if self._is_welcome is not None and not self._is_welcome(headers):
            return self._server.reject(403, "Not from here.\n")
        if self._pages is None or "Upgrade" in headers:
            return self._server.accept(request)
        if method_of(request) not in ("GET", "HEAD"):
            response = self._server.reject(405, "Only GET and HEAD.\n")
            response.headers["Allow"] = "GET, HEAD"
            return response
        page = self._pages.get(request.path.partition("?")[0])
        return self._server.reject(404, "Nothing here.\n") if page is None else as_response(page)


class WebSocketClient(WebSocket[Message]):
    """The client's side, connecting to an address such as "ws://127.0.0.1:4444/".

    Raises ValueError for an address of another form; TLS, "wss://", is not supported.
    """

    def __init__(self, address: str, spelling: Spelling[Message]) -> None:
        self._client = ClientProtocol(_uri_of(address), max_size=spelling.most_bytes)
        super().__init__(self._client, spelling)
        self._client.send_request(self._client.connect())


def _uri_of(address: str) -> WebSocketURI:
    try:
        uri = parse_uri(address)
    except (InvalidURI, ValueError):
        raise ValueError(f"{address!r}; {ALLOWED_ADDRESS}") from None
    if uri.secure:
        raise ValueError(f"{address!r}; {ALLOWED_ADDRESS}, without TLS")
    return uri


def method_of(request: Request) -> str:
    """Its HTTP method; `websockets` before 16 reads only GET."""
    return getattr(request, "method", "GET")


def as_response(page: Page) -> Response:
    """Return a page as an HTTP response."""
    headers = Headers(
        {
            "Content-Type": page.content_type,
            "Content-Length": str(len(page.body)),
            "Cache-Control": "no-cache",
            "Connection": "close",
        }
    )
    return Response(page.status, page.status.phrase, headers, page.body)
