"""Every message of every version in its wire form: read and written, whole and in pieces.

`tests/golden/german.txt` contains them, "<" for a server's messages and ">" for a client's, and at
its end a whole game in 0.1 as one client receives it. "..." stands for more fields of a map.
"""

import json
from pathlib import Path
from unicodedata import normalize

import pytest

from catan_env.net import RemoteProtocolError
from catan_env.net.room import Garbled
from catan_env.protocols.catan_german.codec import MOST_BYTES, GermanCodec
from catan_env.protocols.catan_german.messages import (
    TABLE,
    VERSIONS,
    Answer,
    AnswerOffer,
    Build,
    Cards,
    ClientHello,
    Discard,
    Point,
    RollDice,
    said_by_clients,
    said_by_server,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "german.txt"


def examples() -> list[tuple[str, str, str]]:
    """Version, sender and line."""
    found, version = [], ""
    for line in GOLDEN.read_text().splitlines():
        if line.startswith("# "):
            version = line[2:].split()[0]
        else:
            found.append((version, line[0], line[2:].replace(",...", "")))
    return found


EXAMPLES = examples()


def codec_of(version: str, who: str) -> GermanCodec:
    """Reads the messages of a server (<) or a client (>) of that version."""
    return GermanCodec(said_by_server(version) if who == "<" else said_by_clients(version))


@pytest.mark.parametrize(("version", "who", "line"), EXAMPLES)
def test_each_example_is_read_and_written_unchanged(version: str, who: str, line: str) -> None:
    codec = codec_of(version, who)
    written = line.encode() + b"\n"
    message, size = codec.decode(bytearray(written))
    assert not isinstance(message, Garbled), message
    assert size == len(line.encode())
    assert codec.encode(message) == written


def test_the_examples_have_every_message_of_the_table() -> None:
    for version in VERSIONS:
        said = {(who, *json.loads(line)) for v, who, line in EXAMPLES if v in (version, "1.0")}
        for row in TABLE:
            if VERSIONS.index(row.since) <= VERSIONS.index(version):
                assert row.server is None or ("<", row.name) in said
                assert row.client is None or (">", row.name) in said


def read(codec: GermanCodec, data: bytes, piece: int) -> list[object]:
    """The messages in bytes that come in pieces."""
    buffer, found = bytearray(), []
    for at in range(0, len(data), piece):
        buffer += data[at : at + piece]
        while buffer and (decoded := codec.decode(buffer)) is not None:
            found.append(decoded[0])
            del buffer[: decoded[1]]
    return found


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("who", ["<", ">"])
@pytest.mark.parametrize("spelling", ["plain", "spaced", "escaped", "decomposed", "more", "close"])
def test_messages_are_read_in_every_spelling_and_byte_by_byte(
    version: str, who: str, spelling: str
) -> None:
    lines = [line for v, w, line in EXAMPLES if (v, w) == (version, who)]
    said = [codec_of(version, who).decode(bytearray(line.encode()))[0] for line in lines]
    data = b"".join(SPELLINGS[spelling](line) for line in lines)
    assert read(codec_of(version, who), data, len(data)) == said
    assert read(codec_of(version, who), data, 1) == said


def surplus(line: str) -> str:
    """Messages with unknown fields and one that is null."""
    ((name, body),) = json.loads(line).items()
    if isinstance(body, dict):
        body = {"Neu": {"x": [1, {}]}, **body, "Ende": None}
    return json.dumps({name: body}, ensure_ascii=False)


SPELLINGS = {
    "plain": lambda line: line.encode() + b"\n",
    "spaced": lambda line: b"\r\n\t " + json.dumps(json.loads(line), indent=3).encode() + b" \n",
    "escaped": lambda line: json.dumps(json.loads(line)).encode() + b"\n",
    "decomposed": lambda line: normalize("NFD", line).encode() + b"\n",
    "more": lambda line: surplus(line).encode() + b"\n",
    "close": lambda line: line.encode(),
}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"hallo\n", "a message is an object"),
        (b'"OK"\n', "a message is an object"),
        (b"{}", "one key"),
        (b'{"W\xc3\xbcrfeln":{},"Zug beenden":{}}', "one key"),
        (b'{"Nichts":{}}', "no message here is called 'Nichts'"),
        (b'{"Bauen":{"Typ":"Turm","Ort":"ABE"}}', "Typ"),
        (b'{"Bauen":{"Typ":"Dorf"}}', "missing required field `Ort`"),
        (b'{"Bauen":{"Typ":"Dorf","Ort":null}}', "missing required field `Ort`"),
        (b'{"Handel annehmen":{"Handel id":1.5}}', "Expected `int`"),
        (b'{"Handel annehmen":{"Handel id":true}}', "Expected `int`"),
        (b'{"Handel annehmen":{"Handel id":"one"}}', "Expected `int`"),
        (b'{"R\xc3\xa4uber versetzen":{"Ort":{"x":0,"y":0},"Ziel":"Ada"}}', "Ziel"),
        (b'{"Karten abgeben":{"Abgeben":{"Holz":-1}}}', "Holz"),
        (b'{"Zug beenden":[]}', "Expected `object`"),
        (b'{"Zug beenden":}', "malformed"),
        (rb'{"Chatnachricht senden":{"Nachricht":"\ud83d"}}', "half of a surrogate pair"),
        (b"{]", "malformed"),
        (b'{"a":' + b"[" * 40 + b"]" * 40 + b"}", "in each other"),
    ],
)
def test_an_invalid_message_is_reported_and_the_next_one_is_read(data: bytes, reason: str) -> None:
    garbled, message = read(codec_of("1.0", ">"), data + '{"Würfeln":{}}\n'.encode(), 7)
    assert isinstance(garbled, Garbled) and reason in garbled.reason
    assert message == RollDice()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"Handel annehmen":{"Handel id":1.0}}', AnswerOffer(1)),
        ('{"Handel annehmen":{"Handel id":"1"}}', AnswerOffer(1)),
        (
            '{"Bauen":{"Typ":"Dorf","Ort":[{"x":-2.0,"y":"2"},{"x":-2,"y":3},{"x":-3,"y":3}]}}',
            Build("Dorf", (Point(-2, 2), Point(-2, 3), Point(-3, 3))),
        ),
        ('{"Karten abgeben":{"Abgeben":{"Holz":"4","Erz":1.0}}}', Discard(Cards(lumber=4, ore=1))),
        ('{"Würfeln":null}', RollDice()),
        ('{"Hallo":{"Version":1.0}}', ClientHello("1.0")),
        ('{"Hallo":{"Version":[]}}', ClientHello()),
        ('{"Hallo":{}}', ClientHello()),
        ('{"Würfeln":{},"Zusatz":null}', RollDice()),
    ],
)
def test_whole_numbers_and_empty_messages_may_be_spelled_otherwise(
    line: str, message: object
) -> None:
    codec = codec_of("1.0", ">")
    assert read(codec, line.encode() + b"\n", 100) == read(codec, line.encode(), 1) == [message]


def test_a_message_of_a_later_version_is_invalid() -> None:
    garbled, _ = codec_of("0.1", ">").decode(bytearray(b'{"Seehandel":{}}'))
    assert isinstance(garbled, Garbled)


@pytest.mark.parametrize(
    "data", [b'{"Spieler":{"Name":"\xff"}}', b"\xc3\x28\n", b'{"\xed\xa0\x80":1}']
)
def test_bytes_that_are_not_utf_8_close_the_connection(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError, match="no UTF-8"):
        codec_of("1.0", ">").decode(bytearray(data))


@pytest.mark.parametrize("start", [b"", b'{"Hallo":"', b'{"Hallo":{'])
def test_64_kib_without_an_end_close_the_connection(start: bytes) -> None:
    codec, buffer = codec_of("1.0", ">"), bytearray()
    with pytest.raises(RemoteProtocolError, match="65536 bytes"):
        for _ in range(66):
            buffer += start + b"x" * 1024
            start = b""
            assert codec.decode(buffer) is None
    text = "x" * (MOST_BYTES - 100)
    line = json.dumps({"Chatnachricht senden": {"Nachricht": text}}).encode()
    assert codec_of("1.0", ">").decode(bytearray(line))[0].text == text


def test_a_server_answers_with_text() -> None:
    assert GermanCodec(said_by_server()).decode(bytearray(b'{"Serverantwort":"OK"}'))[0] == Answer(
        "OK"
    )
