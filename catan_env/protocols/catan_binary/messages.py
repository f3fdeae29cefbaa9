"""The 16 messages of PROTO.md; the annotations are their layout (docs/protocol.md)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any

from catan_env.net.errors import LocalProtocolError, RemoteProtocolError
from catan_env.net.packed import I8, U8, U32, ByteOrder, Cursor, IncompleteError, Times, When
from catan_env.net.packed import read as read_layout
from catan_env.net.packed import write as write_layout

NO_SEAT = 0xFF
"""In MSG_END: no winner. As a target: the bank, or no seat to rob."""


class MsgType(IntEnum):
    """The first byte of a message."""

    BEGIN = 0
    SETUP = 1
    KICK = 2
    END = 3
    TURN = 10
    ROLL = 11
    ROLL_RESULT = 12
    PLAY = 13
    BUILD = 14
    BUILD_RESULT = 15
    TRADE = 16
    TRADE_ACCEPT = 17
    TRADE_REJECT = 18
    PASS = 19
    ROB = 20
    ROB_RESULT = 21


class EdgeSide(IntEnum):
    """The sides of its hex by which an edge is named."""

    W = 0
    NW = 1
    NE = 2


class VertexCorner(IntEnum):
    """The corners of its hex by which a vertex is named."""

    N = 0
    S = 1


class Card(IntEnum):
    """A resource card on the wire."""

    ANY = 0
    BRICK = 1
    GRAIN = 2
    LUMBER = 3
    ORE = 4
    WOOL = 5


class TileType(IntEnum):
    """A tile's terrain on the wire."""

    EMPTY = 0
    HILLS = 1
    FIELDS = 2
    FOREST = 3
    MOUNTAINS = 4
    PASTURE = 5
    DESERT = 6


class Buildable(IntEnum):
    """The things that MSG_BUILD builds or buys."""

    ROAD = 0
    SETTLEMENT = 1
    CITY = 2
    DEVELOPMENT_CARD = 3


class DevCard(IntEnum):
    """A development card on the wire."""

    KNIGHT = 0
    ROAD_BUILDING = 1
    YEAR_OF_PLENTY = 2
    MONOPOLY = 3
    VICTORY_POINT = 4


@dataclass(frozen=True)
class TilePos:
    """Axial coordinates: q to the east, r to the south-east."""

    q: I8
    r: I8


@dataclass(frozen=True)
class EdgePos:
    """A side of the hex at (q, r)."""

    q: I8
    r: I8
    e: EdgeSide


@dataclass(frozen=True)
class VertPos:
    """A corner of the hex at (q, r)."""

    q: I8
    r: I8
    v: VertexCorner


@dataclass(frozen=True)
class Cell:
    """A tile of the board; counter 0 if it has no number."""

    pos: TilePos
    type: TileType
    counter: U8


@dataclass(frozen=True)
class HarbourCell:
    """A harbour: `cost` of `resource` (ANY: of any kind) for one other."""

    vert1: VertPos
    vert2: VertPos
    resource: Card
    cost: U8


@dataclass(frozen=True)
class PlayerSetup:
    """A player's start; our server's hand is the yield of house2, padded with ANY."""

    id: U8
    house1: VertPos
    road1: EdgePos
    house2: VertPos
    road2: EdgePos
    starting_hand: Annotated[tuple[Card, ...], Times(3)]


@dataclass(frozen=True)
class TradeSide:
    """One side of a trade; `{ANY, 0}` is an empty one."""

    resource: Card
    count: U8


NOTHING = TradeSide(Card.ANY, 0)


@dataclass(frozen=True)
class Begin:
    """MSG_BEGIN: limits, the seat of the receiving agent, and the sizes of MSG_SETUP."""

    timeout_secs: U32
    thread_limit: U32
    memory_limit: U32
    board_radius: U8
    player_id: U8
    cell_count: U32
    harbour_count: U32
    player_count: U32


@dataclass(frozen=True)
class Setup:
    """MSG_SETUP: the board and the pieces on it."""

    cells: Annotated[tuple[Cell, ...], Times("cell_count")]
    harbours: Annotated[tuple[HarbourCell, ...], Times("harbour_count")]
    players: Annotated[tuple[PlayerSetup, ...], Times("player_count")]


@dataclass(frozen=True)
class Kick:
    """MSG_KICK: a seat has been removed."""

    kick_id: U8


@dataclass(frozen=True)
class End:
    """MSG_END: the winner, or NO_SEAT."""

    winner_id: U8


@dataclass(frozen=True)
class Turn:
    """MSG_TURN: the seat whose turn begins."""

    player_id: U8


@dataclass(frozen=True)
class Roll:
    """MSG_ROLL: a request for the dice."""


@dataclass(frozen=True)
class RollResult:
    """MSG_ROLL_RESULT: the sum of the dice."""

    roll: U8


@dataclass(frozen=True)
class Play:
    """MSG_PLAY: a development card is played."""

    player_id: U8
    card: DevCard


@dataclass(frozen=True)
class Build:
    """MSG_BUILD: a piece at a place, or a development card."""

    player_id: U8
    type: Buildable
    edgepos: Annotated[EdgePos | None, When("type", Buildable.ROAD)] = None
    vertpos: Annotated[VertPos | None, When("type", Buildable.SETTLEMENT, Buildable.CITY)] = None


@dataclass(frozen=True)
class BuildResult:
    """MSG_BUILD_RESULT: to the builder alone; the card if one was bought."""

    type: Buildable
    card: Annotated[DevCard | None, When("type", Buildable.DEVELOPMENT_CARD)] = None


@dataclass(frozen=True)
class Trade:
    """MSG_TRADE: an offer to a seat, a trade with the bank, a choice, or an announcement."""

    player_id: U8
    target_id: U8
    offer: TradeSide
    ask: TradeSide


@dataclass(frozen=True)
class TradeAccept:
    """MSG_TRADE_ACCEPT: `player_id` accepts the proposal of `target_id`."""

    player_id: U8
    target_id: U8


@dataclass(frozen=True)
class TradeReject:
    """MSG_TRADE_REJECT: `player_id` rejects the proposal of `target_id`."""

    player_id: U8
    target_id: U8


@dataclass(frozen=True)
class Pass:
    """MSG_PASS: the turn is over."""


@dataclass(frozen=True)
class Rob:
    """MSG_ROB: the robber's new tile and its victim."""

    tilepos: TilePos
    target_id: U8


@dataclass(frozen=True)
class RobResult:
    """MSG_ROB_RESULT: to the thief and the victim; ANY if nothing was stolen."""

    player_id: U8
    target_id: U8
    card: Card


LAYOUTS: dict[MsgType, type] = {
    MsgType.BEGIN: Begin,
    MsgType.SETUP: Setup,
    MsgType.KICK: Kick,
    MsgType.END: End,
    MsgType.TURN: Turn,
    MsgType.ROLL: Roll,
    MsgType.ROLL_RESULT: RollResult,
    MsgType.PLAY: Play,
    MsgType.BUILD: Build,
    MsgType.BUILD_RESULT: BuildResult,
    MsgType.TRADE: Trade,
    MsgType.TRADE_ACCEPT: TradeAccept,
    MsgType.TRADE_REJECT: TradeReject,
    MsgType.PASS: Pass,
    MsgType.ROB: Rob,
    MsgType.ROB_RESULT: RobResult,
}
TYPES = {layout: kind for kind, layout in LAYOUTS.items()}

Message = (
    Begin
    | Setup
    | Kick
    | End
    | Turn
    | Roll
    | RollResult
    | Play
    | Build
    | BuildResult
    | Trade
    | TradeAccept
    | TradeReject
    | Pass
    | Rob
    | RobResult
)

MOST = {"cell_count": 1024, "harbour_count": 1024, "player_count": 255}
"""Upper limits on the sizes in MSG_BEGIN, so that no agent has to wait for gigabytes."""


def name_of(message: Message | type) -> str:
    """Return the name of a message in PROTO.md: 'MSG_TRADE'."""
    layout = message if isinstance(message, type) else type(message)
    return f"MSG_{TYPES[layout].name}"


class BinaryCodec:
    """Messages to bytes and back, as a `net.framing.Codec`.

    With `order` None the byte order is detected from MSG_BEGIN: player_count is 1..255 in only one.

    >>> codec = BinaryCodec()
    >>> trade = Trade(0, 3, TradeSide(Card.BRICK, 1), TradeSide(Card.GRAIN, 1))
    >>> codec.encode(trade).hex(" ")
    '10 00 03 01 01 02 01'
    >>> codec.decode(bytearray.fromhex("10 00 03 01 01 02 01 0b"))[1]
    7
    """

    def __init__(self, order: ByteOrder | None = "big") -> None:
        self.order = order
        self._begin: Begin | None = None

    def encode(self, message: Message) -> bytes:
        """Return the bytes of a message; raises LocalProtocolError."""
        out = bytearray([_type_of(message)])
        write_layout(out, "<" if self.order == "little" else ">", message)
        return bytes(out)

    def decode(self, data: bytearray) -> tuple[Message, int] | None:
        """Return the first message and its size, or None if it is incomplete."""
        if not data:
            return None
        layout = self._layout_of(data[0])
        counts = {} if layout is not Setup else self._counts()
        cursor = Cursor(data, 1, self.order or "big", counts)
        try:
            message: Message = read_layout(layout, cursor)
            if isinstance(message, Begin):
                message = self._begun(message, data)
        except IncompleteError:
            return None
        except RemoteProtocolError as error:
            raise RemoteProtocolError(f"{name_of(layout)}: {error}") from None
        return message, cursor.at

    def _layout_of(self, kind: int) -> type:
        try:
            return LAYOUTS[MsgType(kind)]
        except ValueError:
            known = ", ".join(str(int(known)) for known in MsgType)
            raise RemoteProtocolError(
                f"a message begins with {kind}; the types of messages are {known}"
            ) from None

    def _counts(self) -> dict[str, int]:
        if self._begin is None:
            raise RemoteProtocolError("MSG_SETUP came before MSG_BEGIN, which gives its length")
        return {name: getattr(self._begin, name) for name in MOST}

    def _begun(self, begin: Begin, data: bytearray) -> Begin:
        if self.order is None:
            self.order = "big" if 1 <= begin.player_count <= 255 else "little"
            if self.order == "little":
                begin = read_layout(Begin, Cursor(data, 1, "little", {}))
        for name, most in MOST.items():
            if getattr(begin, name) > most:
                raise RemoteProtocolError(
                    f"{name} is {getattr(begin, name)}; allowed are up to {most}"
                )
        self._begin = begin
        return begin


def _type_of(message: Any) -> MsgType:
    try:
        return TYPES[type(message)]
    except KeyError:
        raise LocalProtocolError(f"{message!r} is not a message of this protocol") from None
