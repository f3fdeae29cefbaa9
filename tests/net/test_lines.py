"""One message per line: whole, byte by byte, several at a time, too long, unreadable."""

import pytest

from catan_env.net import Connection, LocalProtocolError, RemoteProtocolError
from catan_env.net.lines import LineCodec
from catan_env.net.room import Garbled
from catan_env.net.spelling import JsonSpelling
from tests.net.toy import Join, Message, Say, Sorry

TABLE = [
    (Join(3), b'{"type":"Join","name":3}\n'),
    (Say(12), b'{"type":"Say","number":12}\n'),
    (Sorry(), b'{"type":"Sorry"}\n'),
]


def connection(most_bytes: int = 64) -> Connection:
    return Connection(LineCodec(JsonSpelling(Message, most_bytes)))


@pytest.mark.parametrize(("message", "said"), TABLE)
def test_a_message_is_a_line(message, said):
    assert connection().send(message) == said
    assert list(connection().receive(said)) == [message]
    assert list(connection().receive(said.replace(b"\n", b"\r\n"))) == [message]


def test_lines_may_come_byte_by_byte_or_all_together():
    said = b"".join(said for _, said in TABLE)
    in_pieces = connection()
    heard = [message for byte in said for message in in_pieces.receive(bytes([byte]))]
    assert heard == list(connection().receive(said)) == [message for message, _ in TABLE]


def test_a_line_without_its_end_is_incomplete():
    end = connection()
    assert list(end.receive(b'{"type":"Sor')) == [] and end.is_amid_message
    assert list(end.receive(b'ry"}\n')) == [Sorry()] and not end.is_amid_message


def test_an_empty_line_is_garbled():
    first, second, third, *others = connection().receive(b'\n\r\n  \n{"type":"Sorry"}\n')
    assert all(isinstance(line, Garbled) for line in (first, second, third))
    assert others == [Sorry()]


def test_the_line_after_a_garbled_one_is_read():
    heard = list(connection().receive(b'{"type":"So\n{"type":"Sorry"}\n'))
    assert isinstance(heard[0], Garbled) and heard[1:] == [Sorry()]


@pytest.mark.parametrize("said", [b"x" * 65, b"x" * 65 + b"\n", b'{"type":"Sorry"}\n' + b"y" * 65])
def test_a_line_that_is_too_long_ends_the_conversation(said):
    with pytest.raises(
        RemoteProtocolError, match=r"a line of more than 64 bytes; it begins b'[xy]"
    ):
        list(connection().receive(said))
    assert isinstance(*connection().receive(b"x" * 64 + b"\n"), Garbled)


class Shouting:
    """A spelling that produces messages of several lines."""

    most_bytes = 64

    def encode(self, message):
        return b"one\ntwo"

    def decode(self, data):
        return data


def test_a_message_of_two_lines_is_not_sent():
    with pytest.raises(LocalProtocolError, match="more than one line"):
        Connection(LineCodec(Shouting())).send("one")
