"""All messages of PROTO.md, byte for byte: whole, one byte at a time, and followed by others."""

import pytest

from catan_env.net import Connection, LocalProtocolError, RemoteProtocolError
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    NOTHING,
    Begin,
    BinaryCodec,
    Build,
    Buildable,
    BuildResult,
    Card,
    Cell,
    DevCard,
    EdgePos,
    EdgeSide,
    End,
    HarbourCell,
    Kick,
    MsgType,
    Pass,
    Play,
    PlayerSetup,
    Rob,
    RobResult,
    Roll,
    RollResult,
    Setup,
    TilePos,
    TileType,
    Trade,
    TradeAccept,
    TradeReject,
    TradeSide,
    Turn,
    VertexCorner,
    VertPos,
    name_of,
)

BEGIN = Begin(5, 1, 512, 2, 3, 2, 1, 1)
SETUP = Setup(
    (Cell(TilePos(0, -2), TileType.HILLS, 6), Cell(TilePos(1, -2), TileType.DESERT, 0)),
    (HarbourCell(VertPos(0, -2, VertexCorner.N), VertPos(0, -3, VertexCorner.S), Card.ANY, 3),),
    (
        PlayerSetup(
            0,
            VertPos(0, 0, VertexCorner.N),
            EdgePos(0, 0, EdgeSide.NE),
            VertPos(-1, 2, VertexCorner.S),
            EdgePos(-1, 3, EdgeSide.NW),
            (Card.WOOL, Card.ORE, Card.ANY),
        ),
    ),
)

# MSG_TRADE, MSG_BUILD and MSG_ROB are the examples of the protocol's page.
TABLE = [
    (Kick(2), "02 02"),
    (End(1), "03 01"),
    (End(NO_SEAT), "03 ff"),
    (Turn(3), "0a 03"),
    (Roll(), "0b"),
    (RollResult(12), "0c 0c"),
    (Play(1, DevCard.MONOPOLY), "0d 01 03"),
    (Build(2, Buildable.ROAD, edgepos=EdgePos(-1, -2, EdgeSide.NW)), "0e 02 00 ff fe 01"),
    (Build(2, Buildable.SETTLEMENT, vertpos=VertPos(1, -2, VertexCorner.S)), "0e 02 01 01 fe 01"),
    (Build(2, Buildable.CITY, vertpos=VertPos(1, 0, VertexCorner.N)), "0e 02 02 01 00 00"),
    (Build(2, Buildable.DEVELOPMENT_CARD), "0e 02 03"),
    (BuildResult(Buildable.CITY), "0f 02"),
    (BuildResult(Buildable.DEVELOPMENT_CARD, DevCard.VICTORY_POINT), "0f 03 04"),
    (Trade(0, 3, TradeSide(Card.BRICK, 1), TradeSide(Card.GRAIN, 1)), "10 00 03 01 01 02 01"),
    (Trade(1, NO_SEAT, NOTHING, TradeSide(Card.WOOL, 2)), "10 01 ff 00 00 05 02"),
    (TradeAccept(3, 0), "11 03 00"),
    (TradeReject(3, 0), "12 03 00"),
    (Pass(), "13"),
    (Rob(TilePos(-2, 1), 2), "14 fe 01 02"),
    (RobResult(0, 2, Card.ORE), "15 00 02 04"),
]
BEGIN_BIG = "00 00000005 00000001 00000200 02 03 00000002 00000001 00000001"
BEGIN_LITTLE = "00 05000000 01000000 00020000 02 03 02000000 01000000 01000000"
SETUP_BYTES = (
    "01  00 fe 01 06  01 fe 06 00  00 fe 00  00 fd 01  00 03"
    "  00  00 00 00  00 00 02  ff 02 01  ff 03 01  05 04 00"
)


def conversation(order):
    begin = BEGIN_BIG if order == "big" else BEGIN_LITTLE
    return [(BEGIN, begin), (SETUP, SETUP_BYTES), *TABLE]


def test_the_table_holds_every_type_of_message():
    assert {name_of(message) for message, _ in conversation("big")} == {
        f"MSG_{kind.name}" for kind in MsgType
    }


@pytest.mark.parametrize("order", ["big", "little"])
def test_each_message_has_its_bytes(order):
    codec = BinaryCodec(order)
    for message, spelled in conversation(order):
        assert codec.encode(message) == bytes.fromhex(spelled), message
        assert codec.decode(bytearray.fromhex(spelled)) == (message, len(bytes.fromhex(spelled)))


@pytest.mark.parametrize("order", ["big", "little"])
def test_messages_come_out_of_single_bytes(order):
    table = conversation(order)
    connection = Connection(BinaryCodec(order))
    for message, spelled in table:
        *head, last = bytes.fromhex(spelled)
        assert [m for byte in head for m in connection.receive(bytes([byte]))] == []
        assert connection.is_amid_message == bool(head)
        assert list(connection.receive(bytes([last]))) == [message]


@pytest.mark.parametrize("order", ["big", "little"])
def test_bytes_after_a_message_belong_to_the_next(order):
    codec = BinaryCodec(order)
    for message, spelled in conversation(order):
        whole = bytes.fromhex(spelled)
        for trailing in (b"\x0b", b"\xff" * 9, whole):
            assert codec.decode(bytearray(whole + trailing)) == (message, len(whole))


def test_all_messages_in_one_piece():
    table = conversation("big")
    joined = b"".join(bytes.fromhex(spelled) for _, spelled in table)
    assert list(Connection(BinaryCodec()).receive(joined)) == [message for message, _ in table]


@pytest.mark.parametrize(("order", "spelled"), [("big", BEGIN_BIG), ("little", BEGIN_LITTLE)])
def test_an_agent_detects_the_byte_order(order, spelled):
    codec = BinaryCodec(order=None)
    assert codec.decode(bytearray.fromhex(spelled)) == (BEGIN, 27)
    assert codec.order == order


@pytest.mark.parametrize(
    ("spelled", "complaint"),
    [
        ("04", "a message begins with 4; the types of messages are 0, 1, 2, 3, 10, 11"),
        ("ff", "a message begins with 255"),
        ("0d 01 05", "MSG_PLAY: card is 5; allowed are KNIGHT 0, ROAD_BUILDING 1"),
        ("0e 02 04", "MSG_BUILD: type is 4; allowed are ROAD 0, SETTLEMENT 1"),
        ("0e 02 00 00 00 03", "MSG_BUILD: e is 3; allowed are W 0, NW 1, NE 2"),
        ("0e 02 01 00 00 02", "MSG_BUILD: v is 2; allowed are N 0, S 1"),
        ("10 00 01 06", "MSG_TRADE: resource is 6; allowed are ANY 0, BRICK 1"),
        ("15 00 01 ff", "MSG_ROB_RESULT: card is 255"),
        ("01", "MSG_SETUP came before MSG_BEGIN"),
        ("00 00000000 00000000 00000000 02 00 7fffffff 00000000 00000002", "cell_count is 2147483"),
        ("00 00000000 00000000 00000000 02 00 00000013 00000009 00000100", "player_count is 256"),
    ],
)
def test_an_unknown_value_is_the_peers_error(spelled, complaint):
    with pytest.raises(RemoteProtocolError, match=complaint):
        BinaryCodec().decode(bytearray.fromhex(spelled))


def test_an_object_that_is_not_a_message_is_our_own_error():
    with pytest.raises(LocalProtocolError, match="'hello' is not a message"):
        BinaryCodec().encode("hello")
