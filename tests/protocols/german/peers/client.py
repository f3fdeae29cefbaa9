"""A client of the German protocol: it plays anything the rules allow, and must never be refused."""

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tests.protocols.german.peers.board import EDGES_AT, KINDS, to_place
from tests.protocols.german.peers.ledger import Ledger
from tests.protocols.german.peers.play import PRICES
from tests.protocols.german.peers.player import full
from tests.protocols.german.peers.server import COLOURS, OK, TAKEN, Reader

Awaited = tuple[str, int | None]
"""A message that must come, and the player it must name."""
Say = tuple[str, Any]

GONE = ("Dieses Angebot gibt es nicht", "Du bist nicht gefragt")
"""The refusal of an answer that crossed the end of the offer."""

PLAYED_UP = ("Monopol", "Erfindung", "Straßenbaukarte ausspielen")
"""Cards that are discarded once played; knights stay."""


class Client:
    """One player. `receive` returns its answer; an AssertionError is the server's fault."""

    def __init__(self, name: str, seed: int) -> None:
        self.ledger = Ledger()
        self.heard: Counter[str] = Counter()
        self._name = name
        self._chance = Random(seed)
        self._reader = Reader()
        self._colours = list(COLOURS)
        self._awaited: list[Awaited] = []
        self._has_played_card = False
        self._village: Any = None
        self._asked: dict[int, Any] = {}
        """Unanswered offers of others, by their ids."""
        self._answers: list[int] = []
        """Offers whose answers the server has not confirmed, by their ids."""
        self._over: set[int] = set()
        """Offers that can no longer be answered."""
        self._offer: tuple[int, dict[int, bool]] | None = None
        self._offered = 0
        self._out: list[bytes] = []

    def receive(self, data: bytes) -> bytes:
        """Handle a message; return the answer."""
        for name, body in self._reader.read(data):
            self._hear(name, body)
        if self.ledger.ended is None:
            self._act()
        said, self._out = b"".join(self._out), []
        return said

    def written(self, said: Say) -> bytes:
        """A message in this client's form."""
        return json.dumps(dict([said]), ensure_ascii=False).encode() + b"\n"

    # Received messages.

    def _hear(self, name: str, body: Any) -> None:
        self.heard[name] += 1
        self.ledger.hear(name, body)
        if name == "Hallo":
            self.ledger.version = body["Protokoll"]
            self._say("Hallo", {"Version": "another client"})
        elif name == "Willkommen":
            self._introduce()
        elif name in ("Fehler", "Serverantwort"):
            self._answered(name, body)
        elif name.startswith("Handel"):
            self._trade(name, body)
        self._strike(name, body)

    def _strike(self, name: str, body: Any) -> None:
        """Remove a message from the expected ones."""
        who = body.get("Spieler") if isinstance(body, dict) else None
        if name == "Bauvorgang":
            who = body["Gebäude"]["Eigentümer"]
        if name == "Statusupdate":
            who = who["id"]
        if self._awaited and self._awaited[0] == (name, who):
            del self._awaited[0]

    def _answered(self, name: str, body: Any) -> None:
        if body == {"Meldung": TAKEN}:
            self._awaited = [(n, w) for n, w in self._awaited if n != "Serverantwort"]
            if self.ledger.version != "1.0":
                self._awaited.append(("Serverantwort", None))
            self._introduce()
        else:
            assert self._awaited[0][0] == "Serverantwort", self._awaited
            answered = self._answers.pop(0) if self._answers else None
            crossed = answered in self._over and body in GONE
            assert (name, body) == OK or body == TAKEN or crossed, (body, self.ledger.me)

    def _introduce(self) -> None:
        """A name and a colour, and immediately the request to start."""
        colour = self._colours.pop(0)
        self._say("Spieler", {"Name": self._name, "Farbe": colour}, ("Serverantwort", None))
        self._say("Spiel starten", {}, ("Serverantwort", None))

    def _say(self, name: str, body: Any, *awaited: Awaited) -> None:
        self._out.append(self.written((name, body)))
        self._awaited += awaited

    def _do(self, name: str, body: Any, *effects: str) -> None:
        """An action of the game: first OK, then these messages that name this client."""
        own = [(effect, self.ledger.own) for effect in effects]
        self._say(name, body, ("Serverantwort", None), *own)

    # Trade.

    def _trade(self, name: str, body: Any) -> None:
        own, id_ = self.ledger.own, body.get("Handel id")
        if name == "Handelsangebot" and body["Spieler"] != own:
            self._asked[id_] = body
        elif name == "Handelsangebot":
            self._offer = (id_, {})
        elif name == "Handelsangebot angenommen":
            who = body.get("Mitspieler", body.get("Spieler"))
            self._taken(who, id_, body.get("Annehmen", True))
        elif name == "Handelsangebot abgebrochen":
            self._abandoned(body["Spieler"], id_)
        elif name == "Handel ausgeführt":
            self._over.update(map(abs, self._asked))
            self._asked.clear()

    def _taken(self, who: int, id_: int, accepts: bool) -> None:
        if self._offer and self._offer[0] == id_:
            self._offer[1][who] = accepts
        elif who == self.ledger.own:
            self._over.add(id_)

    def _abandoned(self, who: int, id_: int) -> None:
        offer = self._asked.get(id_) or self._asked.get(-id_)
        if offer and who in (offer["Spieler"], self.ledger.own):
            self._over.add(id_)
        if id_ in self._asked and self._asked[id_]["Spieler"] == who:
            del self._asked[id_]
        elif self._offer and self._offer[0] == id_:
            self._offer[1][who] = False

    def _answer_offers(self) -> None:
        for id_, offer in list(self._asked.items()):
            can = self._has(Counter(offer["Nachfrage"]))
            accepts = can and self._chance.random() < 0.5
            del self._asked[id_]
            self._asked[-id_] = offer
            self._answers.append(id_)
            if self.ledger.version == "1.0":
                self._say("Handel annehmen", {"Handel id": id_, "Annehmen": accepts})
            else:
                name = "Handel annehmen" if accepts else "Handel abbrechen"
                self._say(name, {"Handel id": id_})
            self._awaited.append(("Serverantwort", None))

    def _settle(self) -> None:
        """Once all have answered, trade with one that accepts, or not at all."""
        assert self._offer is not None
        id_, answers = self._offer
        if not self.has_enough(len(answers)):
            return
        willing = [who for who, accepts in answers.items() if accepts]
        self._offer = None
        if willing:
            partner = self._chance.choice(willing)
            body = {"Handel id": id_, "Mitspieler": partner}
            self._do("Handel abschließen", body, "Handel ausgeführt", "Kosten", "Ertrag")
        else:
            self._do("Handel abbrechen", {"Handel id": id_}, "Handelsangebot abgebrochen")

    def has_enough(self, answers: int) -> bool:
        """True if it closes its offer after that many answers."""
        return answers == len(self.ledger.players) - 1

    # Its own actions.

    def _act(self) -> None:
        if self._awaited or self.ledger.own not in self.ledger.players:
            return
        self._asked = {id_: offer for id_, offer in self._asked.items() if id_ > 0}
        if self._asked:
            return self._answer_offers()
        if self._offer:
            return self._settle()
        acting: dict[str, Callable[[], None]] = {
            "Dorf bauen": self._found,
            "Straße bauen": self._first_road,
            "Würfeln": self._begin_turn,
            "Karten wegen Räuber abgeben": self._discard,
            "Räuber versetzen": self._move_robber,
            "Handeln oder Bauen": self._go_on,
        }
        if self.ledger.me.status in acting:
            acting[self.ledger.me.status]()

    def _place(self, fields: Any) -> Any:
        place = to_place(self.ledger.version, fields)
        return self._chance.sample(place, len(place)) if isinstance(place, list) else place[::-1]

    def _build(self, typ: str, places: Any, *effects: str) -> None:
        place = self._chance.choice(sorted(places, key=sorted))
        self._village = place
        self._do("Bauen", {"Typ": typ, "Ort": self._place(place)}, *effects)

    def _found(self) -> None:
        self._build("Dorf", self.ledger.board.free_corners(), "Bauvorgang", "Statusupdate")

    def _first_road(self) -> None:
        roads = self.ledger.board.roads
        free = [edge for edge in EDGES_AT[self._village] if edge not in roads]
        self._build("Straße", free, "Bauvorgang", "Statusupdate")

    def _begin_turn(self) -> None:
        if not self._play_card(0.3):
            self._do("Würfeln", {}, "Würfelwurf", "Statusupdate")

    def _discard(self) -> None:
        hand = sorted(self.ledger.me.cards.elements())
        cards = Counter(self._chance.sample(hand, len(hand) // 2))
        self._do("Karten abgeben", {"Abgeben": dict(cards)}, "Kosten", "Statusupdate")

    def _move_robber(self) -> None:
        self._do("Räuber versetzen", self._robbery(), "Räuber versetzt", "Statusupdate")

    def _robbery(self) -> dict[str, Any]:
        board = self.ledger.board
        field = self._chance.choice([f for f in sorted(board.fields) if f != board.robber])
        victims = sorted(board.victims(self.ledger.own, field))
        named = {"Ziel": self._chance.choice(victims)} if victims else {}
        return {"Ort": to_place(self.ledger.version, field), **named}

    def _has(self, price: Counter[str]) -> bool:
        return all(self.ledger.me.cards[kind] >= n for kind, n in price.items())

    def _go_on(self) -> None:
        """The first possible action, or the end of the turn."""
        things = [self._city, self._settlement, lambda: self._play_card(0.8), self._buy]
        things += [self._road, self._sea_trade, self._propose]
        if not any(thing() for thing in things):
            self._offered = 0
            self._has_played_card = False
            self._do("Zug beenden", {}, "Statusupdate")

    def _city(self) -> bool:
        return self._build_if_possible("Stadt", self.ledger.board.towns_of(self.ledger.own))

    def _settlement(self) -> bool:
        return self._build_if_possible("Dorf", self.ledger.board.corners_for(self.ledger.own))

    def _road(self) -> bool:
        if self.ledger.board.corners_for(self.ledger.own) and self._chance.random() < 0.8:
            return False
        return self._build_if_possible("Straße", self.ledger.board.edges_for(self.ledger.own))

    def _build_if_possible(self, typ: str, places: Any) -> bool:
        can = places and self._has(PRICES[typ])
        if not can or not self.ledger.board.pieces_left(self.ledger.own, typ):
            return False
        is_last = ("Statusupdate",) if self.ledger.version == "0.1" else ()
        self._build(typ, places, "Bauvorgang", *is_last)
        return True

    def _buy(self) -> bool:
        bought = sum(seen.bought.total() + seen.knights for seen in self.ledger.players.values())
        can = self.ledger.version in ("0.3", "1.0") and self._has(PRICES["Karte"])
        if not can or bought + self._spent >= 25:
            return False
        self._do("Entwicklungskarte kaufen", {}, "Kosten", "Entwicklungskarte gekauft")
        return True

    @property
    def _spent(self) -> int:
        """Cards other than knights that all players have played."""
        return sum(self.heard[name] for name in PLAYED_UP)

    def _sea_trade(self) -> bool:
        rates = self.ledger.board.rates(self.ledger.own)
        many = [kind for kind in KINDS if self.ledger.me.cards[kind] > rates[kind]]
        scarce = [kind for kind in KINDS if self.ledger.me.cards[kind] == 0]
        scarce = [kind for kind in scarce if self.ledger.bank()[kind]]
        if self.ledger.version == "0.1" or not many or not scarce:
            return False
        give, want = many[0], self._chance.choice(scarce)
        body = {"Angebot": full(Counter({give: rates[give]})), "Nachfrage": {want: 1}}
        self._do("Seehandel", body, "Kosten", "Ertrag")
        return True

    def _propose(self) -> bool:
        many = [kind for kind in KINDS if self.ledger.me.cards[kind] > 1]
        scarce = [kind for kind in KINDS if self.ledger.me.cards[kind] == 0]
        if self.ledger.version == "0.1" or self._offered > 1 or not many or not scarce:
            return False
        self._offered += 1
        cards = {"Angebot": {many[0]: 1}, "Nachfrage": {self._chance.choice(scarce): 1}}
        self._do("Handel anbieten", cards, "Handelsangebot")
        return True

    # Cards.

    def _play_card(self, chance: float) -> bool:
        """One of the cards not bought this turn."""
        seen = self.ledger.me
        old = [card for card, n in seen.bought.items() if n > self.ledger.fresh[card]]
        playable = [card for card in sorted(old) if card in PLAYING]
        if self._has_played_card or not playable or self._chance.random() > chance:
            return False
        self._has_played_card = PLAYING[self._chance.choice(playable)](self)
        return self._has_played_card

    def _knight(self) -> bool:
        body = self._robbery()
        robbed = self.ledger.players.get(body.get("Ziel", -1))
        theft = ("Kosten", "Ertrag") if robbed and robbed.cards.total() else ()
        own = [("Ritter ausspielen", self.ledger.own)]
        own += [("Kosten", body["Ziel"]), ("Ertrag", self.ledger.own)] if theft else []
        self._say("Ritter ausspielen", body, ("Serverantwort", None), *own)
        return True

    def _roads(self) -> bool:
        board, own = self.ledger.board, self.ledger.own
        left, first = board.pieces_left(own, "Straße"), board.edges_for(own)
        if not left or not first:
            return False
        edge = self._chance.choice(first)
        board.roads[edge] = own
        then = board.edges_for(own) if left > 1 else []
        del board.roads[edge]
        body = {"Straße 1": self._place(edge)}
        if then:
            body["Straße 2"] = self._place(self._chance.choice(then))
        effects = ["Bauvorgang"] * len(body)
        self._do("Straßenbaukarte ausspielen", body, "Straßenbaukarte ausspielen", *effects)
        return True

    def _monopoly(self) -> bool:
        kind = self.spelled(self._chance.choice(KINDS))
        self._do("Monopol", {"Rohstoff": kind}, "Monopol", "Ertrag")
        return True

    def spelled(self, kind: str) -> str:
        """The kind of a monopoly in this client's form."""
        return kind

    def _invention(self) -> bool:
        bank = self.ledger.bank()
        cards = Counter(self._chance.sample(sorted(bank.elements()), min(2, bank.total())))
        self._do("Erfindung", {"Rohstoffe": dict(cards)}, "Erfindung", "Ertrag")
        return True


PLAYING: dict[str, Callable[[Client], bool]] = {
    "Ritter": Client._knight,
    "Straßenbau": Client._roads,
    "Monopol": Client._monopoly,
    "Erfindung": Client._invention,
}
"""Choose the details of a card; False if it cannot be played."""
