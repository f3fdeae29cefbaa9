"""The two kinds of connections of the table's server: pages with WebSockets, and scripts' calls.

A connection whose first line asks for a path below /api/ is a script's: one request of HTTP/1.1,
one answer in JSON, and the end. All others are left to `net.websocket`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

import msgspec

from catan_env.net.errors import LocalProtocolError
from catan_env.net.framing import End, State
from catan_env.net.spelling import unreadable
from catan_env.net.websocket import PROTECTION
from catan_env.web.calls import LONGEST_WAIT, MOST_HISTORY, Act, Call, History, Look, Reply

LONGEST_HEAD = 8192
"""Bytes of a request before its body."""
LONGEST_BODY = 4096
ONCE = ("host", "origin", "authorization", "content-length")
"""Headers that a request may not repeat."""
NEEDED = 12
"""Bytes that tell a script's request from others: the longest method's, and the path's start."""
_SCRIPT = re.compile(rb"[A-Z]{3,7} /api/")
_REQUEST = re.compile(r"([A-Z]{3,7}) (/api/[^ ?]*)(?:\?([^ ]*))? HTTP/1\.[01]")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*")
Welcome = Callable[[Mapping[str, str]], bool]


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a choice: the number or the text of an action, and the step it is meant for."""

    action: int | str
    step: int | None = None


class RefusedError(Exception):
    """A request that cannot be answered; the text is the reason."""

    def __init__(self, status: int, reason: str) -> None:
        self.status = status
        super().__init__(status, reason)

    def __str__(self) -> str:
        return str(self.args[1])


class TableEnd:
    """An `End` that is a page's or a script's, by its first bytes."""

    def __init__(self, page: End[Any], is_welcome: Welcome) -> None:
        self._page, self._is_welcome = page, is_welcome
        self._end: End[Any] | None = None
        self._first = b""

    @property
    def state(self) -> State:
        """The stage of the conversation."""
        return State.OPENING if self._end is None else self._end.state

    @property
    def asides(self) -> int:
        """The number of frames that completed no message."""
        return 0 if self._end is None else self._end.asides

    @property
    def is_amid_message(self) -> bool:
        """True if a message is incomplete."""
        return bool(self._first) if self._end is None else self._end.is_amid_message

    def receive(self, data: bytes) -> Iterator[Any]:
        """Return the messages that `data` completes."""
        if self._end is None:
            self._first += data
            if len(self._first) < NEEDED and b"\n" not in self._first:
                return iter(())
            is_script = _SCRIPT.match(self._first) is not None
            self._end = ScriptEnd(self._is_welcome) if is_script else self._page
            data = self._first
        return self._end.receive(data)

    def send(self, message: Any) -> bytes:
        """Return the bytes of a message."""
        if self._end is None:
            raise LocalProtocolError(f"{message!r} before the other side has asked")
        return self._end.send(message)

    def answer(self) -> bytes:
        """Return the transport's pending bytes."""
        return b"" if self._end is None else self._end.answer()

    def close(self) -> bytes:
        """Return the bytes that close the conversation."""
        return self._page.close() if self._end is None else self._end.close()


class ScriptEnd:
    """An `End` of one request and one answer."""

    asides = 0

    def __init__(self, is_welcome: Welcome) -> None:
        self.state = State.OPENING
        self._is_welcome = is_welcome
        self._received = b""
        self._pending = b""

    @property
    def is_amid_message(self) -> bool:
        """True if the request is incomplete."""
        return self.state is State.OPENING and bool(self._received)

    def receive(self, data: bytes) -> Iterator[Call]:
        """Return the call if `data` completes it; a wrong request is answered at once."""
        if self.state is not State.OPENING:
            return
        self._received += data
        try:
            call = self._call()
        except RefusedError as error:
            self._pending = as_bytes(Reply(error.status, {"error": str(error)}))
            self.state = State.CLOSED
            return
        if call is not None:
            self.state = State.OPEN
            yield call

    def send(self, message: Reply) -> bytes:
        """Return the bytes of the answer."""
        self.state = State.CLOSED
        return as_bytes(message)

    def answer(self) -> bytes:
        """Return the answer to a wrong request."""
        pending, self._pending = self._pending, b""
        return pending

    def close(self) -> bytes:
        """Return nothing: the stream just ends."""
        self.state = State.CLOSED
        return b""

    def _call(self) -> Call | None:
        """The complete call; None if more bytes are needed."""
        head, found, body = self._received.partition(b"\r\n\r\n")
        if len(head) > LONGEST_HEAD:
            raise RefusedError(431, f"the request's head has more than {LONGEST_HEAD} bytes")
        if not found:
            return None
        first, headers = parsed(head)
        if not self._is_welcome({name.title(): value for name, value in headers.items()}):
            raise RefusedError(403, "requests from other sites are refused")
        method, path, query = first
        if "transfer-encoding" in headers:
            raise RefusedError(501, "send a Content-Length, and the body as it is")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 10):
            raise RefusedError(400, "Content-Length is not a number")
        if int(length) > LONGEST_BODY:
            raise RefusedError(413, f"the body has more than {LONGEST_BODY} bytes")
        if len(body) < int(length):
            return None
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise RefusedError(401, "send the header Authorization: Bearer SECRET, from the link")
        return call_of(method, path, query, body[: int(length)], secret.strip())


def parsed(head: bytes) -> tuple[tuple[str, str, str], dict[str, str]]:
    """The method, path and query of a request, and its headers by their names in lower case."""
    first, *lines = head.decode("latin-1").split("\r\n")
    request = _REQUEST.fullmatch(first)
    if request is None:
        raise RefusedError(400, "the first line is not a request of HTTP/1.1")
    headers: dict[str, str] = {}
    for line in lines:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise RefusedError(400, "a header is damaged")
        name = found[1].lower()
        if name in headers and name in ONCE:
            raise RefusedError(400, f"more than one {name}")
        headers[name] = found[2]
    return (request[1], request[2], request[3] or ""), headers


def call_of(method: str, path: str, query: str, body: bytes, secret: str) -> Call:
    """The call that a request makes; RefusedError."""
    wanted = {"/api/state": "GET", "/api/history": "GET", "/api/act": "POST"}.get(path)
    if wanted is None:
        raise RefusedError(404, "there are /api/state, /api/history and /api/act")
    if method != wanted:
        raise RefusedError(405, f"{path} takes {wanted}")
    if path == "/api/act":
        reason = unreadable(body)
        try:
            said = msgspec.json.decode(body, type=Body)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise RefusedError(400, f"the body: {reason or error}") from None
        return Call(secret, Act(said.action, said.step))
    fields = parse_qs(query, keep_blank_values=True)
    allowed = ("wait", "after") if path == "/api/state" else ("last",)
    for name in fields:
        if name not in allowed:
            unknown = f"unknown parameter {name[:20]!r}"
            raise RefusedError(400, f"{unknown}; {path} takes {', '.join(allowed)}")
    if path == "/api/history":
        return Call(secret, History(number(fields, "last", MOST_HISTORY) or 20))
    wait = number(fields, "wait", LONGEST_WAIT) or 0
    return Call(secret, Look(wait, number(fields, "after", 1_000_000)))


def number(fields: Mapping[str, list[str]], name: str, most: int) -> int | None:
    """A whole number of the query, at most `most`; None if it is missing."""
    if name not in fields:
        return None
    text = fields[name][-1]
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) > most:
        raise RefusedError(400, f"{name} is {text[:20]!r}; allowed are 0 to {most}")
    return int(text)


def as_bytes(reply: Reply) -> bytes:
    """An answer as HTTP."""
    body = msgspec.json.encode(reply.body)
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "Connection": "close",
        **PROTECTION,
    }
    if reply.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    lines = [f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
