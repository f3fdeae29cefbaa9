"""A server of the German protocol: lines, lobby, and the recipients of messages.

The game is in `play.py`. It sends exactly what the documentation says, so that our own server can
be compared with it byte for byte; the differences of other servers are the classes in `habits.py`.
"""

import json
import unicodedata
from collections import Counter
from typing import Any

from tests.protocols.german.peers.board import Board, to_place
from tests.protocols.german.peers.chance import Chance
from tests.protocols.german.peers.play import Play
from tests.protocols.german.peers.player import CARDS, Player, RefusedError, full

Said = tuple[str, Any]
"""A message: its name and its body."""

COLOURS = ("Rot", "Orange", "Blau", "Weiß")
TAKEN = "Farbe bereits vergeben"
GONE = "Verbindung verloren"
OK = ("Serverantwort", "OK")


def encoded(said: Said) -> bytes:
    """A line."""
    text = json.dumps(dict([said]), ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


class Reader:
    """Objects from a stream of bytes."""

    def __init__(self) -> None:
        self._text = ""
        self._bytes = b""

    def read(self, data: bytes) -> list[Said]:
        """The messages that are complete."""
        self._bytes += data
        try:
            self._text += self._bytes.decode()
        except UnicodeDecodeError:
            return []
        self._bytes = b""
        return list(self._whole())

    def _whole(self) -> Any:
        while self._text.strip():
            self._text = self._text.lstrip()
            try:
                found, end = json.JSONDecoder().raw_decode(self._text)
            except json.JSONDecodeError:
                return
            self._text = self._text[end:]
            ((name, body),) = found.items()
            yield unicodedata.normalize("NFC", name), body


class Server:
    """One table; line k is the k-th that came. `said` are the bytes for each line."""

    first_id = 1
    play_kind = Play

    def __init__(self, version: str, seats: int, chance: Chance, max_turns: int = 0) -> None:
        self.version, self.seats, self.chance = version, seats, chance
        self.players: list[Player] = []
        self.play = self.play_kind(self, max_turns)
        self.is_closed = False
        self.refused: list[tuple[str, Any, str]] = []
        """Refused messages with their reasons."""
        self._readers: dict[int, Reader] = {}
        self._block: dict[int, list[Said]] = {}

    @property
    def has_cards(self) -> bool:
        """True if there are development cards and awards."""
        return self.version in ("0.3", "1.0")

    def player(self, who: int) -> Player:
        """By id."""
        return next(player for player in self.players if player.id == who)

    # Received messages.

    def opened(self, line: int) -> dict[int, bytes]:
        """Handle a new connection."""
        self._readers[line] = Reader()
        hello = {"Version": "another server", "Protokoll": self.version}
        return {line: encoded(("Hallo", hello))}

    def received(self, line: int, data: bytes) -> dict[int, bytes]:
        """Handle a line's bytes; return the answers by line."""
        heard: dict[int, bytes] = {}
        for name, body in self._readers[line].read(data):
            for hearer, said in self.heard_of(self._act, line, name, body).items():
                heard[hearer] = heard.get(hearer, b"") + said
        return heard

    def heard_of(self, act: Any, line: int, name: str = "", body: Any = None) -> dict[int, bytes]:
        """The messages to each line about an action, in order."""
        self._block = {player.line: [] for player in self.players if player.status != GONE}
        act(line, name, body) if name else act(line)
        return {
            hearer: b"".join(map(encoded, self.ordered(name, block, self._at(hearer))))
            for hearer, block in self._block.items()
        }

    def _at(self, line: int) -> Player:
        return next(player for player in self.players if player.line == line)

    def _act(self, line: int, name: str, body: Any) -> None:
        if name == "Hallo":
            return self._welcome(line)
        who = self._at(line)
        try:
            self._do(who, name, body)
        except RefusedError as refused:
            self.refused.append((name, body, str(refused)))
            self.refuse(who, str(refused))

    def _do(self, who: Player, name: str, body: Any) -> None:
        lobby = {"Spieler": self.introduced, "Spiel starten": self.starts}
        if name == "Chatnachricht senden":
            self._chat(who, body["Nachricht"])
        elif name in lobby:
            lobby[name](who, body)
        else:
            self.play.act(who, name, body)

    # Sent messages.

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        """The messages to one line about one message, in order."""
        return block

    def tell(self, who: Player, name: str, body: Any) -> None:
        """Send to one line, if it is connected."""
        if who.line in self._block:
            self._block[who.line].append((name, body))

    def tell_all(self, name: str, body: Any) -> None:
        """Send to all."""
        for player in self.players:
            self.tell(player, name, body)

    def confirm(self, who: Player, name: str) -> None:
        """Send OK."""
        self.tell(who, *OK)

    def refuse(self, who: Player, reason: str) -> None:
        """Refuse a request."""
        self.tell(who, "Serverantwort", reason)

    def tell_cards(self, name: str, who: Player, cards: Counter[str], *known_to: Player) -> None:
        """Send Kosten or Ertrag with the kinds of cards, to these lines or to all."""
        for hearer in self.players:
            is_known = not known_to or hearer in known_to
            shown = full(cards) if is_known else {"Unbekannt": cards.total()}
            body = {"Spieler": who.id, "Rohstoffe": self.shown(shown, who, hearer)}
            self.tell(hearer, name, body)

    def shown(self, cards: dict[str, int], owner: Player, hearer: Player) -> dict[str, int]:
        """Cards that come or go, in the form of the wire."""
        return cards

    def update(self, who: Player) -> None:
        """Send a Statusupdate to all."""
        for hearer in self.players:
            self.tell(hearer, "Statusupdate", {"Spieler": self.state(who, hearer)})

    def state(self, who: Player, hearer: Player) -> dict[str, Any]:
        """A player as another one sees it."""
        is_own = who is hearer
        named = {"Farbe": who.colour, "Name": who.name} if who.colour else {}
        state: dict[str, Any] = {"id": who.id, **named, "Status": who.status}
        state["Siegpunkte"] = self.play.points(who) + is_own * who.cards["Siegpunkt"]
        state["Rohstoffe"] = full(who.hand) if is_own else {"Unbekannt": who.hand.total()}
        if self.has_cards:
            cards = full(who.cards, CARDS) if is_own else {"Unbekannt": who.cards.total()}
            state["Rittermacht"] = who.knights
            state["Entwicklungskarten"] = cards
            state["Größte Rittermacht"] = self.play.army is who
            state["Längste Handelsstraße"] = self.play.road is who
        return state

    # The lobby.

    def _welcome(self, line: int) -> None:
        taken = {player.id for player in self.players}
        free = next(n for n in range(self.first_id, self.first_id + 9) if n not in taken)
        who = Player(line, free)
        self._block[line] = []
        self.tell(who, "Willkommen", {"id": who.id})
        for other in self.players:
            self.tell(who, "Statusupdate", {"Spieler": self.state(other, who)})
        self.players = sorted([*self.players, who], key=lambda player: player.id)
        self.update(who)

    def introduced(self, who: Player, body: Any) -> None:
        """Spieler."""
        if who.status != "Spiel starten":
            raise RefusedError("Nicht mehr")
        if body["Farbe"] not in COLOURS:
            raise RefusedError("Diese Farbe gibt es nicht")
        who.name, who.colour = body["Name"], body["Farbe"]
        self.update(who)
        self.confirm(who, "Spieler")

    def starts(self, who: Player, body: Any) -> None:
        """Spiel starten."""
        if who.status == "Wartet auf Spielbeginn":
            return self.confirm(who, "Spiel starten")
        if who.status != "Spiel starten" or who.colour is None:
            raise RefusedError("Erst ein Name, bitte")
        waiting = [other for other in self.players if other.status == "Wartet auf Spielbeginn"]
        if who.colour in [other.colour for other in waiting]:
            return self.colour_is_taken(who)
        who.status = "Wartet auf Spielbeginn"
        self.update(who)
        self.confirm(who, "Spiel starten")
        if len(waiting) + 1 == self.seats:
            self.begin()

    def colour_is_taken(self, who: Player) -> None:
        """True if a waiting player has it."""
        self.tell(who, "Fehler", {"Meldung": TAKEN})
        if self.version != "1.0":
            self.tell(who, "Serverantwort", TAKEN)

    def begin(self) -> None:
        """Send the map, and determine the first player."""
        self.play.board = self.chance.board()
        self.tell_all("Spiel gestartet", {"Karte": self.map(self.play.board)})
        self.play.begin(self.order())

    def order(self) -> list[Player]:
        """Each rolls, those that tie for the highest again; the others follow by id."""
        leading = list(self.players)
        while len(leading) > 1:
            leading = self._best_of(leading)
        first = self.players.index(leading[0])
        return self.players[first:] + self.players[:first]

    def _best_of(self, rolling: list[Player]) -> list[Player]:
        rolls = {}
        for player in rolling:
            roll = self.chance.dice()
            self.tell_all("Würfelwurf", {"Spieler": player.id, "Wurf": self.roll(roll)})
            rolls[player.id] = sum(roll)
        return [player for player in rolling if rolls[player.id] == max(rolls.values())]

    def roll(self, dice: tuple[int, int]) -> Any:
        """Two dice, or their sum."""
        return list(dice) if self.has_cards else sum(dice)

    def map(self, board: Board) -> dict[str, Any]:
        """Karte: 37 fields, the land first."""
        land = [self.tile(letter, *board.fields[letter]) for letter in sorted(board.fields)]
        sea = [{"Ort": self.place(letter), "Typ": "Meer"} for letter in "abcdefghijklmnopqr"]
        harbours = [{"Ort": self.place(edge), "Typ": typ} for edge, typ in board.harbours.items()]
        return {
            "Felder": land + sea,
            "Gebäude": [],
            "Häfen": harbours,
            "Räuber": self.place(board.robber),
        }

    def tile(self, letter: str, typ: str, number: int) -> dict[str, Any]:
        """A field on land."""
        token = {"Zahl": number} if number else {}
        return {"Ort": self.place(letter), "Typ": typ, **token}

    def place(self, fields: Any) -> Any:
        """A place in this version's notation."""
        return to_place(self.version, fields)

    def _chat(self, who: Player, text: str) -> None:
        if len(text) > 500:
            raise RefusedError("Zu lang")
        self.tell(who, *OK)
        line = " ".join(text.splitlines())
        self.tell_all("Chatnachricht", {"Absender": who.id, "Nachricht": line})
