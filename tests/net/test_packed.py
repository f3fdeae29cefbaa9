"""A dataclass's annotations are its layout."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated

import pytest

from catan_env.net import Connection, LocalProtocolError, RemoteProtocolError
from catan_env.net.packed import I8, U8, U32, Times, When, from_bytes, to_bytes


class Kind(IntEnum):
    DULL = 0
    BRIGHT = 7


@dataclass(frozen=True)
class Point:
    q: I8
    r: I8


@dataclass(frozen=True)
class Thing:
    size: U32
    kind: Kind
    corners: Annotated[tuple[Point, ...], Times(2)]
    glow: Annotated[U8 | None, When("kind", Kind.BRIGHT)] = None


CORNERS = (Point(-1, 2), Point(127, -128))
DULL = Thing(1, Kind.DULL, CORNERS)
BRIGHT = Thing(0x01020304, Kind.BRIGHT, CORNERS, 9)


@pytest.mark.parametrize(
    ("thing", "order", "bytes_"),
    [
        (DULL, "big", "00 00 00 01  00  ff 02  7f 80"),
        (DULL, "little", "01 00 00 00  00  ff 02  7f 80"),
        (BRIGHT, "big", "01 02 03 04  07  ff 02  7f 80  09"),
        (BRIGHT, "little", "04 03 02 01  07  ff 02  7f 80  09"),
    ],
)
def test_bytes_are_packed_in_the_order_of_the_fields(thing, order, bytes_):
    assert to_bytes(thing, order) == bytes.fromhex(bytes_)
    assert from_bytes(Thing, bytes.fromhex(bytes_), order) == thing


def test_an_unknown_name_is_the_peers_error():
    with pytest.raises(RemoteProtocolError, match="kind is 3; allowed are DULL 0, BRIGHT 7"):
        from_bytes(Thing, bytes.fromhex("00 00 00 01 03"))


@pytest.mark.parametrize(
    ("thing", "complaint"),
    [
        (Thing(2**32, Kind.DULL, CORNERS), "size is 4294967296; allowed are 0..4294967295"),
        (Thing(0, Kind.DULL, (*CORNERS, Point(0, 0))), "corners has 3 items; allowed are 2"),
        (Thing(0, Kind.DULL, (Point(0, 200), Point(0, 0))), "r is 200; allowed are -128..127"),
        (Thing(0, Kind.DULL, CORNERS, 1), "glow is 1 with kind"),
        (Thing(0, Kind.BRIGHT, CORNERS), "glow is None with kind"),
    ],
)
def test_a_value_outside_the_layout_is_our_own_error(thing, complaint):
    with pytest.raises(LocalProtocolError, match=complaint):
        to_bytes(thing)


def test_an_annotation_that_is_not_a_layout_is_rejected():
    @dataclass(frozen=True)
    class Odd:
        what: str

    with pytest.raises(TypeError, match="the field 'what'"):
        to_bytes(Odd("x"))


class Pairs:
    """Messages of two bytes, the second one above the first."""

    def encode(self, message: tuple[int, int]) -> bytes:
        return bytes(message)

    def decode(self, data: bytearray) -> tuple[tuple[int, int], int] | None:
        if len(data) < 2:
            return None
        if data[0] > data[1]:
            raise RemoteProtocolError("falling")
        return (data[0], data[1]), 2


def test_a_connection_joins_pieces_into_whole_messages():
    connection = Connection(Pairs())
    assert connection.send((1, 2)) == b"\x01\x02"
    assert list(connection.receive(b"\x01")) == []
    assert connection.is_amid_message
    assert list(connection.receive(b"\x02\x03\x04\x05")) == [(1, 2), (3, 4)]
    assert connection.is_amid_message
    assert list(connection.receive(b"\x06")) == [(5, 6)]
    assert not connection.is_amid_message


def test_messages_before_a_bad_one_still_count():
    messages = Connection(Pairs()).receive(b"\x01\x02\x09\x01")
    assert next(messages) == (1, 2)
    with pytest.raises(RemoteProtocolError, match="falling"):
        next(messages)
