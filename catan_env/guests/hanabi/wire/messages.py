"""The messages, one struct each, and their decoding.

A request that cannot be decoded is also a message, because the server's answer depends on how far
decoding got: `NotText`, `NoType` or `BadPayload`.
"""

from typing import Annotated, Any

import msgspec

from catan_env.net.spelling import JsonSpelling, reason_of, unreadable

COLOURS = ("RED", "YELLOW", "GREEN", "WHITE", "BLUE")
"""The words for colours, by Colour."""
NUMBERS = ("ONE", "TWO", "THREE", "FOUR", "FIVE")
"""The words for numbers, by number - 1."""
MOST_BYTES = 1 << 16
LONGEST_NAME = 64

Number = Annotated[int, msgspec.Meta(ge=0)]
Digits = Annotated[str, msgspec.Meta(pattern="^[0-9]{1,18}$")]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]


def colour_of(word: str) -> int:
    """A colour by its word; ValueError for an unknown one."""
    return _place_of(word, COLOURS)


def number_of(word: str) -> int:
    """A number by its word; ValueError for an unknown one."""
    return _place_of(word, NUMBERS) + 1


def _place_of(word: str, words: tuple[str, ...]) -> int:
    if word not in words:
        raise ValueError(f"{word!r} is none of {', '.join(words)}")
    return words.index(word)


class Said(msgspec.Struct, tag_field="msg_type"):
    """Any message: its type comes first, unknown fields are ignored.

    Fields that may be null are sent, and may be absent from what is received.
    """


class ConnectionRequest(Said, tag="CONNECTION_REQUEST"):
    """Join the game."""

    name: str


class GameStartRequest(Said, tag="GAME_START_REQUEST"):
    """Begin."""


class HintColorRequest(Said, tag="HINT_COLOR_REQUEST"):
    """Hint a colour."""

    target_player: str
    color: str


class HintNumberRequest(Said, tag="HINT_NUMBER_REQUEST"):
    """Hint a number."""

    target_player: str
    number: str


class DiscardCardRequest(Said, tag="DISCARD_CARD_REQUEST"):
    """Discard a card."""

    discarded_card_id: Number | Digits


class PlayCardRequest(Said, tag="PLAY_CARD_REQUEST"):
    """Play a card."""

    played_card_id: Number | Digits


Request = (
    ConnectionRequest
    | GameStartRequest
    | HintColorRequest
    | HintNumberRequest
    | DiscardCardRequest
    | PlayCardRequest
)
ActionRequest = HintColorRequest | HintNumberRequest | DiscardCardRequest | PlayCardRequest


class NotText(msgspec.Struct, frozen=True):
    """Bytes that are not UTF-8."""

    details: str = ""


class NoType(msgspec.Struct, frozen=True):
    """Text without a known type."""


class BadPayload(msgspec.Struct, frozen=True):
    """A request of a known type with a missing or wrong field."""

    is_connection: bool
    details: str


class WireCard(msgspec.Struct, frozen=True):
    """A card; a strict server hides it with nulls."""

    id: int
    color: str | None = None
    number: str | None = None


class WireKnowledge(msgspec.Struct, frozen=True):
    """The knowledge of a card."""

    knows_color: bool
    knows_number: bool
    knows_color_not: list[str] | None = None
    knows_number_not: list[str] | None = None


class HeldCard(msgspec.Struct, frozen=True):
    """A card in a hand."""

    card: WireCard
    knowledge: WireKnowledge


class WirePlayer(msgspec.Struct, frozen=True):
    """A player with the hand."""

    name: str
    cards: list[HeldCard]


class GameState(msgspec.Struct, frozen=True):
    """Everything on the table; an untouched colour is absent, or null."""

    hint_tokens: int
    hint_tokens_max: int
    err_tokens: int
    played_cards: dict[str, str | None]
    players: list[WirePlayer]
    deck: list[Any]
    """Its cards, of which a client reads the number alone."""
    discarded_cards: list[WireCard]
    next_player: str
    turns_left: int | None = None


class ConnectionResponse(Said, tag="CONNECTION_RESPONSE"):
    """The names of the players that have joined."""

    names: list[str]


class GameStartResponse(Said, tag="GAME_START_RESPONSE"):
    """The game begins."""

    game_state: GameState


class HintColorResponse(Said, tag="HINT_COLOR_RESPONSE"):
    """A colour was hinted."""

    hinting_player: str
    target_player: str
    hinted_color: str
    game_state: GameState


class HintNumberResponse(Said, tag="HINT_NUMBER_RESPONSE"):
    """A number was hinted."""

    hinting_player: str
    target_player: str
    hinted_number: str
    game_state: GameState


class DiscardCardResponse(Said, tag="DISCARD_CARD_RESPONSE", kw_only=True):
    """A card was discarded."""

    discarding_player: str
    discarded_card: WireCard
    drawn_card: WireCard | None = None
    game_state: GameState


class PlayCardResponse(Said, tag="PLAY_CARD_RESPONSE", kw_only=True):
    """A card was played."""

    playing_player: str
    played_card: WireCard
    drawn_card: WireCard | None = None
    success: bool
    game_state: GameState


class GameOverResponse(Said, tag="GAME_OVER_RESPONSE"):
    """The end."""

    score: int


class ErrorResponse(Said, tag="ERROR_RESPONSE"):
    """A request was refused; some servers give no reason, or in another field."""

    explanation: str = ""
    err_details: str | None = None


Response = (
    ConnectionResponse
    | GameStartResponse
    | HintColorResponse
    | HintNumberResponse
    | DiscardCardResponse
    | PlayCardResponse
    | GameOverResponse
    | ErrorResponse
)
ActionResponse = HintColorResponse | HintNumberResponse | DiscardCardResponse | PlayCardResponse


class _Typed(msgspec.Struct):
    msg_type: str


class ServerSpelling:
    """The server's codec: decodes requests and encodes responses.

    `takes_digits`: an id may be a string of digits. `short_names`: a name has 1 to 64
    characters.

    >>> ServerSpelling().decode(b'{"msg_type": "PLAY_CARD_REQUEST", "played_card_id": 3}')
    PlayCardRequest(played_card_id=3)
    >>> ServerSpelling().decode(b'{"msg_type": "PLAY"}')
    NoType()
    """

    most_bytes = MOST_BYTES

    def __init__(self, takes_digits: bool = False, short_names: bool = True) -> None:
        self._takes_digits, self._short_names = takes_digits, short_names
        self._typed = msgspec.json.Decoder(_Typed)
        self._requests = {kind.__struct_config__.tag: kind for kind in Request.__args__}
        self._encoder = msgspec.json.Encoder()

    def encode(self, message: Any) -> bytes:
        """The response as one line."""
        return self._encoder.encode(message)

    def decode(self, data: bytes | bytearray) -> Any:
        """A request, or a message that tells how far decoding got."""
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return NotText(str(error))
        try:
            name = "" if unreadable(data) else self._typed.decode(data).msg_type
        except msgspec.DecodeError:
            return NoType()
        kind = self._requests.get(name)
        return NoType() if kind is None else self._payload(kind, data)

    def _payload(self, kind: Any, data: bytes | bytearray) -> Any:
        try:
            request = msgspec.json.decode(data, type=kind)
        except msgspec.DecodeError as error:
            reason = reason_of(error, data)
            if not self._takes_digits:
                reason = reason.replace("int | str", "int")
            return BadPayload(kind is ConnectionRequest, reason)
        fault = self._fault(request)
        return request if fault is None else BadPayload(kind is ConnectionRequest, fault)

    def _fault(self, request: Any) -> str | None:
        """The reason why a field is invalid, beyond its type, or None."""
        match request:
            case ConnectionRequest(name) if self._short_names:
                if not 1 <= len(name) <= LONGEST_NAME:
                    return f"name has {len(name)} characters; allowed are 1 to {LONGEST_NAME}"
            case HintColorRequest(_, color) if color not in COLOURS:
                return f"color is {color!r}; allowed are {', '.join(COLOURS)}"
            case HintNumberRequest(_, number) if number not in NUMBERS:
                return f"number is {number!r}; allowed are {', '.join(NUMBERS)}"
            case DiscardCardRequest(given) | PlayCardRequest(given):
                if isinstance(given, str) and not self._takes_digits:
                    return "a card's id is an integer, not a string"
        return None


def client_spelling() -> JsonSpelling[Any]:
    """The client's codec: decodes responses and encodes requests; ignores unknown fields."""
    return JsonSpelling(Response, most_bytes=1 << 20, tag="msg_type")
