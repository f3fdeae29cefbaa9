"""The messages of all four versions: one struct each, and a table of their senders and versions.

The words of the wire protocol are only in this file and in `words.py`.
"""

from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

VERSIONS = ("0.1", "0.2", "0.3", "1.0")
VERSION_OF = {version: version for version in VERSIONS} | {"1": "1.0"}
"""By its text in a Hallo; a number may have lost its zero."""

Id = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""A player; servers count from 1, some from 0."""
Named = Annotated[int, Meta(ge=-1, le=2**31 - 1)]
"""A player; some servers send -1 if there is none."""
Count = Annotated[int, Meta(ge=0, le=1000)]
Balance = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
"""A count of cards that a player has; one server lets it fall below zero."""


class Point(Struct, frozen=True):
    """A field in 1.0: x is q + r, y is -r."""

    x: int
    y: int


Field = str | Point
Place = str | tuple[Field, ...]
"""An edge or a corner: the letters or points of the fields around it; some servers mix them."""


_CARD_NAMES = {
    "lumber": "Holz",
    "brick": "Lehm",
    "wool": "Wolle",
    "grain": "Getreide",
    "ore": "Erz",
    "unknown": "Unbekannt",
}


class Cards(Struct, frozen=True, omit_defaults=True, rename=_CARD_NAMES):
    """Resource cards by kind, or a number of unknown kinds; missing ones are 0."""

    lumber: Count | None = None
    brick: Count | None = None
    wool: Count | None = None
    grain: Count | None = None
    ore: Count | None = None
    unknown: Count | None = None


class Held(Cards, frozen=True, omit_defaults=True, rename=_CARD_NAMES):
    """The resource cards of a player."""

    lumber: Balance | None = None
    brick: Balance | None = None
    wool: Balance | None = None
    grain: Balance | None = None
    ore: Balance | None = None
    unknown: Balance | None = None


class HeldCards(Struct, frozen=True, omit_defaults=True, rename={
    "knight": "Ritter", "road_building": "Straßenbau", "monopoly": "Monopol",
    "year_of_plenty": "Erfindung", "victory_point": "Siegpunkt", "unknown": "Unbekannt",
}):  # fmt: skip
    """The development cards of a player by kind, or a number of unknown kinds."""

    knight: Balance | None = None
    road_building: Balance | None = None
    monopoly: Balance | None = None
    year_of_plenty: Balance | None = None
    victory_point: Balance | None = None
    unknown: Balance | None = None


COUNTS = (Cards, HeldCards)
"""Parts that would be wrong without one of their fields."""


class Tile(Struct, frozen=True, omit_defaults=True, rename={
    "place": "Ort", "terrain": "Typ", "token": "Zahl",
}):  # fmt: skip
    """A field of the map; desert and sea have no token, at some servers one below zero."""

    place: Field
    terrain: str
    token: Balance | None = None


class Harbour(Struct, frozen=True, rename={"place": "Ort", "kind": "Typ"}):
    """A harbour at an edge."""

    place: Place
    kind: str


class Piece(Struct, frozen=True, rename={"owner": "Eigentümer", "kind": "Typ", "place": "Ort"}):
    """A road, settlement or city of a player."""

    owner: Id
    kind: str
    place: Place


class Map(Struct, frozen=True, rename={
    "tiles": "Felder", "pieces": "Gebäude", "harbours": "Häfen", "robber": "Räuber",
}):  # fmt: skip
    """The board; other servers may leave out an empty list, and the robber on the desert."""

    tiles: tuple[Tile, ...]
    pieces: tuple[Piece, ...] = ()
    harbours: tuple[Harbour, ...] = ()
    robber: Field | None = None


class Player(Struct, frozen=True, omit_defaults=True, rename={
    "colour": "Farbe", "name": "Name", "status": "Status", "points": "Siegpunkte",
    "cards": "Rohstoffe", "knights": "Rittermacht",
    "development_cards": "Entwicklungskarten",
    "largest_army": "Größte Rittermacht", "longest_road": "Längste Handelsstraße",
    "longest_road_as_well": "Größte Handelsstraße",
}):  # fmt: skip
    """A player as a Statusupdate describes it."""

    id: Id
    colour: str | None = None
    name: str | None = None
    status: str | None = None
    points: int | None = None
    cards: Held | None = None
    knights: Count | None = None
    development_cards: HeldCards | None = None
    largest_army: bool | None = None
    longest_road: bool | None = None
    longest_road_as_well: bool | None = None
    """Some servers' name for the same."""


class Message(Struct, frozen=True, omit_defaults=True):
    """The body of a message."""


class Hello(Message, frozen=True, kw_only=True, rename={
    "version": "Version", "protocol": "Protokoll",
}):  # fmt: skip
    version: str = ""
    protocol: str


class ClientHello(Message, frozen=True, rename={"version": "Version"}):
    version: str = ""


class Welcome(Message, frozen=True):
    id: Id


class Answer(Message, frozen=True):
    """Serverantwort: a text, not an object."""

    text: str


class Failure(Message, frozen=True, rename={"text": "Meldung"}):
    text: str


class SendChat(Message, frozen=True, rename={"text": "Nachricht"}):
    text: str


class Chat(Message, frozen=True, kw_only=True, rename={"sender": "Absender", "text": "Nachricht"}):
    sender: Id | None = None
    text: str


class Introduce(Message, frozen=True, rename={"name": "Name", "colour": "Farbe"}):
    """A player's name and colour; an absent one has not changed."""

    name: str | None = None
    colour: Literal["Rot", "Orange", "Blau", "Weiß"] | None = None


class StartGame(Message, frozen=True):
    pass


class GameStarted(Message, frozen=True, rename={"map": "Karte"}):
    map: Map


class StatusUpdate(Message, frozen=True, rename={"player": "Spieler"}):
    player: Player


class RollDice(Message, frozen=True):
    pass


class Rolled(Message, frozen=True, rename={"player": "Spieler", "dice": "Wurf"}):
    """Until 0.2 the sum."""

    player: Id
    dice: int | tuple[int, int]


class Yield(Message, frozen=True, rename={"player": "Spieler", "cards": "Rohstoffe"}):
    player: Id
    cards: Cards


class Costs(Message, frozen=True, rename={"player": "Spieler", "cards": "Rohstoffe"}):
    player: Id
    cards: Cards


class Build(Message, frozen=True, rename={"kind": "Typ", "place": "Ort"}):
    kind: Literal["Straße", "Dorf", "Stadt"]
    place: Place


class Built(Message, frozen=True, rename={"piece": "Gebäude"}):
    piece: Piece


class EndTurn(Message, frozen=True):
    pass


class Discard(Message, frozen=True, rename={"cards": "Abgeben"}):
    cards: Cards


class MoveRobber(Message, frozen=True, rename={"place": "Ort", "victim": "Ziel"}):
    place: Field
    victim: Id | None = None


class RobberMoved(Message, frozen=True, rename={
    "player": "Spieler", "place": "Ort", "victim": "Ziel",
}):  # fmt: skip
    player: Id
    place: Field
    victim: Named | None = None


class SeaTrade(Message, frozen=True, rename={"give": "Angebot", "get": "Nachfrage"}):
    give: Cards
    get: Cards


class Offer(Message, frozen=True, rename={"give": "Angebot", "get": "Nachfrage"}):
    give: Cards
    get: Cards


class Offered(Message, frozen=True, rename={
    "player": "Spieler", "trade": "Handel id", "give": "Angebot", "get": "Nachfrage",
}):  # fmt: skip
    player: Id
    trade: int
    give: Cards
    get: Cards


class AnswerOffer(Message, frozen=True, rename={"trade": "Handel id", "accepts": "Annehmen"}):
    """From 1.0 on it may also be a refusal."""

    trade: int
    accepts: bool | None = None


class OfferAnswered(
    Message,
    frozen=True,
    kw_only=True,
    rename={
        "player": "Spieler",
        "partner": "Mitspieler",
        "trade": "Handel id",
        "accepts": "Annehmen",
    },
):
    """Until 0.3 of a Spieler who accepts, in 1.0 of a Mitspieler who accepts or not."""

    player: Id | None = None
    partner: Id | None = None
    trade: int
    accepts: bool | None = None


class CancelOffer(Message, frozen=True, rename={"trade": "Handel id"}):
    trade: int


class OfferCancelled(Message, frozen=True, rename={"player": "Spieler", "trade": "Handel id"}):
    player: Id
    trade: int


class Conclude(Message, frozen=True, rename={"trade": "Handel id", "partner": "Mitspieler"}):
    trade: int
    partner: Id


class Concluded(Message, frozen=True, rename={"player": "Spieler", "partner": "Mitspieler"}):
    player: Id
    partner: Id


class GameOver(Message, frozen=True, rename={"text": "Nachricht", "winner": "Sieger"}):
    text: str | None = None
    winner: Annotated[int, Meta(ge=-1, le=2**31 - 1)] | None = None


class BuyCard(Message, frozen=True):
    pass


class CardBought(Message, frozen=True, rename={
    "player": "Spieler", "card": "Entwicklungskarte",
}):  # fmt: skip
    player: Id
    card: str | None = None


class PlayKnight(Message, frozen=True, rename={"place": "Ort", "victim": "Ziel"}):
    place: Field
    victim: Id | None = None


class KnightPlayed(Message, frozen=True, rename={
    "player": "Spieler", "place": "Ort", "victim": "Ziel",
}):  # fmt: skip
    player: Id
    place: Field
    victim: Named | None = None


class PlayRoads(Message, frozen=True, rename={"first": "Straße 1", "second": "Straße 2"}):
    first: Place
    second: Place | None = None


class RoadsPlayed(Message, frozen=True, rename={
    "player": "Spieler", "first": "Straße 1", "second": "Straße 2",
}):  # fmt: skip
    player: Id
    first: Place
    second: Place | None = None


class PlayMonopoly(Message, frozen=True, rename={"resource": "Rohstoff"}):
    resource: str


class MonopolyPlayed(Message, frozen=True, rename={"player": "Spieler", "resource": "Rohstoff"}):
    player: Id
    resource: str


class PlayPlenty(Message, frozen=True, rename={"cards": "Rohstoffe"}):
    cards: Cards


class PlentyPlayed(Message, frozen=True, rename={"player": "Spieler", "cards": "Rohstoffe"}):
    player: Id
    cards: Cards


class LongestRoad(Message, frozen=True, rename={"player": "Spieler"}):
    """Held by none if no player is named."""

    player: Id | None = None


class LargestArmy(Message, frozen=True, rename={"player": "Spieler"}):
    player: Id | None = None


class Row(NamedTuple):
    """A message of the table: its name on the wire, and since when each side sends it."""

    name: str
    server: type[Message] | None
    client: type[Message] | None
    since: str


TABLE = (
    Row("Hallo", Hello, ClientHello, "0.1"),
    Row("Willkommen", Welcome, None, "0.1"),
    Row("Serverantwort", Answer, None, "0.1"),
    Row("Fehler", Failure, None, "0.1"),
    Row("Chatnachricht senden", None, SendChat, "0.1"),
    Row("Chatnachricht", Chat, None, "0.1"),
    Row("Spieler", None, Introduce, "0.1"),
    Row("Spiel starten", None, StartGame, "0.1"),
    Row("Spiel gestartet", GameStarted, None, "0.1"),
    Row("Statusupdate", StatusUpdate, None, "0.1"),
    Row("Würfeln", None, RollDice, "0.1"),
    Row("Würfelwurf", Rolled, None, "0.1"),
    Row("Ertrag", Yield, None, "0.1"),
    Row("Kosten", Costs, None, "0.2"),
    Row("Bauen", None, Build, "0.1"),
    Row("Bauvorgang", Built, None, "0.1"),
    Row("Zug beenden", None, EndTurn, "0.1"),
    Row("Karten abgeben", None, Discard, "0.2"),
    Row("Räuber versetzen", None, MoveRobber, "0.2"),
    Row("Räuber versetzt", RobberMoved, None, "0.2"),
    Row("Seehandel", None, SeaTrade, "0.2"),
    Row("Handel anbieten", None, Offer, "0.2"),
    Row("Handelsangebot", Offered, None, "0.2"),
    Row("Handel annehmen", None, AnswerOffer, "0.2"),
    Row("Handelsangebot angenommen", OfferAnswered, None, "0.2"),
    Row("Handel abbrechen", None, CancelOffer, "0.2"),
    Row("Handelsangebot abgebrochen", OfferCancelled, None, "0.2"),
    Row("Handel abschließen", None, Conclude, "0.2"),
    Row("Handel ausgeführt", Concluded, None, "0.2"),
    Row("Spiel beendet", GameOver, None, "0.2"),
    Row("Entwicklungskarte kaufen", None, BuyCard, "0.3"),
    Row("Entwicklungskarte gekauft", CardBought, None, "0.3"),
    Row("Ritter ausspielen", KnightPlayed, PlayKnight, "0.3"),
    Row("Straßenbaukarte ausspielen", RoadsPlayed, PlayRoads, "0.3"),
    Row("Monopol", MonopolyPlayed, PlayMonopoly, "0.3"),
    Row("Erfindung", PlentyPlayed, PlayPlenty, "0.3"),
    Row("Längste Handelsstraße", LongestRoad, None, "0.3"),
    Row("Größte Rittermacht", LargestArmy, None, "0.3"),
)

NAMES: dict[type[Message], str] = {
    kind: row.name for row in TABLE for kind in (row.server, row.client) if kind is not None
}
"""The name of a message on the wire."""


def said_by_server(version: str | None = None) -> dict[str, type[Message]]:
    """The messages that a server of this version sends, by name; of all versions without one."""
    return {r.name: r.server for r in TABLE if r.server and _is_in(r.since, version)}


def said_by_clients(version: str | None = None) -> dict[str, type[Message]]:
    """The messages that clients of this version send, by name."""
    return {r.name: r.client for r in TABLE if r.client and _is_in(r.since, version)}


def _is_in(since: str, version: str | None) -> bool:
    return version is None or VERSIONS.index(since) <= VERSIONS.index(version)


def body_of(message: Message) -> Any:
    """The body under the message's name."""
    return message.text if isinstance(message, Answer) else message
