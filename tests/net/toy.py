"""A toy room, with its messages in three encodings: packed bytes, JSON lines, WebSocket.

A client that joins with a number may send numbers, which all clients receive, spectators too. A
name whose line is closed may be taken again, and receives how often it has sent. After `limit`
numbers the room is over.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from catan_env.net import Connection, RemoteProtocolError
from catan_env.net.lines import LineCodec
from catan_env.net.packed import U8, U32, Cursor, IncompleteError, read, to_bytes
from catan_env.net.room import Close, Effect, Garbled, Send
from catan_env.net.spelling import JsonSpelling
from catan_env.net.websocket import WebSocketClient, WebSocketServer


class Toy(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A message."""


class Join(Toy, frozen=True):
    name: int


class Say(Toy, frozen=True):
    number: int


class Welcome(Toy, frozen=True):
    name: int
    spoken: int


class Heard(Toy, frozen=True):
    name: int
    number: int


class Sorry(Toy, frozen=True):
    """The reply to an unreadable message."""


Message = Join | Say | Welcome | Heard | Sorry


class ToyRoom:
    """A `net.room.Room`; `log` contains the events of its lines."""

    def __init__(self, limit: int = 1 << 30, deadline: float | None = None) -> None:
        self.limit = limit
        self.deadline = deadline
        self.is_over = False
        self.log: list[tuple[str, int]] = []
        self.reasons: dict[int, str] = {}
        self.spoken: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.lines: set[int] = set()

    def hears(self, line: int) -> bool:
        return True

    def opened(self, line: int, now: float) -> list[Effect]:
        self.log.append(("opened", line))
        self.lines.add(line)
        return []

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        if isinstance(message, Garbled):
            return [Send(line, Sorry())]
        if isinstance(message, Join):
            return self._join(line, message.name)
        if line in self.names and isinstance(message, Say):
            return self._say(self.names[line], message.number)
        return [Close(line)]

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        self.log.append(("closed", line))
        self.reasons[line] = reason
        self.lines.discard(line)
        self.names.pop(line, None)
        return []

    def time(self, now: float, amid_message: Any = ()) -> list[Effect]:
        self.log += [("amid", line) for line in amid_message]
        self.is_over = self.deadline is not None and now >= self.deadline
        return []

    def _join(self, line: int, name: int) -> list[Effect]:
        if name in self.names.values():
            return [Close(line)]
        self.names[line] = name
        return [Send(line, Welcome(name, self.spoken.setdefault(name, 0)))]

    def _say(self, name: int, number: int) -> list[Effect]:
        self.spoken[name] += 1
        self.is_over = sum(self.spoken.values()) >= self.limit
        return [Send(line, Heard(name, number)) for line in sorted(self.lines)]


@dataclass(frozen=True)
class PackedJoin:
    name: U8


@dataclass(frozen=True)
class PackedSay:
    number: U32


@dataclass(frozen=True)
class PackedWelcome:
    name: U8
    spoken: U32


@dataclass(frozen=True)
class PackedHeard:
    name: U8
    number: U32


@dataclass(frozen=True)
class PackedSorry:
    pass


PACKED = {
    1: (Join, PackedJoin),
    2: (Say, PackedSay),
    3: (Welcome, PackedWelcome),
    4: (Heard, PackedHeard),
    5: (Sorry, PackedSorry),
}


class PackedCodec:
    """One byte for the kind, then the fields; an unknown kind is fatal."""

    def encode(self, message: Any) -> bytes:
        kind = next(kind for kind, (plain, _) in PACKED.items() if plain is type(message))
        return bytes([kind]) + to_bytes(PACKED[kind][1](*msgspec.structs.astuple(message)))

    def decode(self, data: bytearray) -> tuple[Any, int] | None:
        if data[0] not in PACKED:
            raise RemoteProtocolError(f"a message begins with {data[0]}")
        plain, layout = PACKED[data[0]]
        cursor = Cursor(data, 1, "big", {})
        try:
            return plain(*vars(read(layout, cursor)).values()), cursor.at
        except IncompleteError:
            return None


def packed() -> Connection:
    return Connection(PackedCodec())


def lines() -> Connection:
    return Connection(LineCodec(JsonSpelling(Message)))


def websocket_server() -> WebSocketServer:
    return WebSocketServer(JsonSpelling(Message))


def websocket_client() -> WebSocketClient:
    return WebSocketClient("ws://127.0.0.1/", JsonSpelling(Message))


PROTOCOLS = {
    "packed": (packed, packed),
    "lines": (lines, lines),
    "websocket": (websocket_server, websocket_client),
}
"""Factories of a server's and a client's ends."""
