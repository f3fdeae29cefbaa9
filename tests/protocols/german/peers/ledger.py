"""A client's record of a game: anything inconsistent is a fault of the server."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.protocols.german.peers.board import GROWS, KINDS, Board, from_place
from tests.protocols.german.peers.play import PRICES
from tests.protocols.german.peers.player import CARDS

AWARDS = {"Größte Rittermacht": "army", "Längste Handelsstraße": "road"}


@dataclass
class Seen:
    """One player, by the messages received."""

    status: str = ""
    waits: bool = False
    cards: Counter[str] = field(default_factory=Counter)
    """Resources: by kind if they are the client's own, otherwise all as Unbekannt."""
    bought: Counter[str] = field(default_factory=Counter)
    knights: int = 0


class Ledger:
    """The table from one player's point of view."""

    board: Board

    def __init__(self) -> None:
        self.version = ""
        self.own = -1
        self.players: dict[int, Seen] = {}
        self.paid_out: Counter[str] = Counter()
        """Cards that the bank has given, by kind."""
        self.army: int | None = None
        self.road: int | None = None
        self.fresh: Counter[str] = Counter()
        """Cards bought this turn."""
        self.due: list[tuple[int, Counter[str]]] = []
        """Ertrag of a roll that is still to come."""
        self.ended: Any = None

    @property
    def me(self) -> Seen:
        """The client's own player."""
        return self.players[self.own]

    def hear(self, name: str, body: Any) -> None:
        """Apply a message of the server; AssertionError if it is impossible."""
        hearing = {
            "Willkommen": self._welcomed,
            "Statusupdate": self._updated,
            "Spiel gestartet": self._started,
            "Würfelwurf": self._rolled,
            "Ertrag": self._gained,
            "Kosten": self._paid,
            "Bauvorgang": self._built,
            "Räuber versetzt": self._robbed,
            "Ritter ausspielen": self._knight,
            "Straßenbaukarte ausspielen": self._played,
            "Monopol": self._played,
            "Erfindung": self._played,
            "Entwicklungskarte gekauft": self._bought,
        }
        if self.due:
            assert name == "Ertrag", (name, body, self.due)
        self._name = name
        if name in AWARDS:
            setattr(self, AWARDS[name], body.get("Spieler"))
        elif name == "Spiel beendet":
            self.ended = body
        elif name in hearing:
            hearing[name](body)

    def bank(self) -> Counter[str]:
        """The cards left in it."""
        return Counter({kind: 19 - self.paid_out[kind] for kind in KINDS})

    def points(self, who: int) -> int:
        """Public points."""
        return self.board.house_points(who) + 2 * (self.army == who) + 2 * (self.road == who)

    def _welcomed(self, body: Any) -> None:
        self.own = body["id"]

    def _updated(self, body: Any) -> None:
        said = body["Spieler"]
        seen = self.players.setdefault(said["id"], Seen())
        seen.status = said["Status"]
        if seen.status == "Wartet auf Spielbeginn":
            seen.waits = True
        if hasattr(self, "board"):
            self._check(said["id"], seen, said)
        if seen.status == "Würfeln":
            self.fresh.clear()

    def _check(self, who: int, seen: Seen, said: Any) -> None:
        own = who == self.own
        points = self.points(who) + own * seen.bought["Siegpunkt"]
        assert said["Siegpunkte"] == points, (said, points)
        assert set(said["Rohstoffe"]) == (set(KINDS) if own else {"Unbekannt"}), (said, self.own)
        assert +Counter(said["Rohstoffe"]) == +seen.cards, (said, seen)
        if self.version in ("0.3", "1.0"):
            self._check_cards(who, seen, said)

    def _check_cards(self, who: int, seen: Seen, said: Any) -> None:
        assert said["Rittermacht"] == seen.knights
        assert said["Größte Rittermacht"] == (self.army == who)
        assert said["Längste Handelsstraße"] == (self.road == who)
        kinds = set(CARDS) if who == self.own else {"Unbekannt"}
        assert set(said["Entwicklungskarten"]) == kinds
        assert +Counter(said["Entwicklungskarten"]) == +seen.bought, (said, seen)

    def _started(self, body: Any) -> None:
        map_ = body["Karte"]
        assert len(map_["Felder"]) == 37 and len(map_["Häfen"]) == 9 and map_["Gebäude"] == []
        places = {from_place(tile["Ort"]): tile for tile in map_["Felder"]}
        assert len(places) == 37
        land = {min(place): tile for place, tile in places.items() if tile["Typ"] != "Meer"}
        assert all(("Zahl" in tile) == (tile["Typ"] in GROWS) for tile in places.values())
        fields = {letter: (tile["Typ"], tile.get("Zahl", 0)) for letter, tile in land.items()}
        harbours = {from_place(harbour["Ort"]): harbour["Typ"] for harbour in map_["Häfen"]}
        self.board = Board(fields, harbours)
        assert from_place(map_["Räuber"]) == {self.board.robber}

    def _rolled(self, body: Any) -> None:
        roll = body["Wurf"]
        assert isinstance(roll, list) == (self.version in ("0.3", "1.0"))
        if self.players[body["Spieler"]].status == "Würfeln":
            self._expect(body["Spieler"], sum(roll) if isinstance(roll, list) else roll)

    def _expect(self, roller: int, roll: int) -> None:
        """The recipients and their cards, from the roller on, by id."""
        due = self.board.yields(roll) if roll != 7 else {}
        for kind in KINDS:
            asking = [cards for cards in due.values() if cards[kind]]
            left = self.bank()[kind]
            if sum(cards[kind] for cards in asking) > left:
                for cards in asking:
                    cards[kind] = left if len(asking) == 1 else 0
        ids = sorted(self.players)
        ids = ids[ids.index(roller) :] + ids[: ids.index(roller)]
        self.due = [(who, +due[who]) for who in ids if due.get(who, Counter()).total()]

    def _gained(self, body: Any) -> None:
        cards = Counter(body["Rohstoffe"])
        if self.due:
            assert (body["Spieler"], +cards) == self.due.pop(0)
        self._move(body, cards, 1)

    def _paid(self, body: Any) -> None:
        self._move(body, Counter(body["Rohstoffe"]), -1)

    def _move(self, body: Any, cards: Counter[str], sign: int) -> None:
        seen, is_own = self.players[body["Spieler"]], body["Spieler"] == self.own
        assert is_own is False or "Unbekannt" not in cards
        kinds = cards if is_own else Counter(Unbekannt=cards.total())
        for kind, number in kinds.items():
            seen.cards[kind] += sign * number
            assert seen.cards[kind] >= 0, body
        for kind in KINDS:
            self.paid_out[kind] += sign * cards[kind]

    def _built(self, body: Any) -> None:
        piece = body["Gebäude"]
        place, typ, who = from_place(piece["Ort"]), piece["Typ"], piece["Eigentümer"]
        if self.version == "0.1" and self.players[who].status == "Handeln oder Bauen":
            self._move({"Spieler": who}, PRICES[typ], -1)
        if typ == "Straße":
            assert place in self.board.edges_for(who)
            self.board.roads[place] = who
        else:
            allowed = self.board.towns_of(who) if typ == "Stadt" else self.board.free_corners()
            assert place in allowed
            self.board.houses[place] = (who, typ)

    def _robbed(self, body: Any) -> None:
        (field,) = from_place(body["Ort"])
        assert field in self.board.fields and field != self.board.robber
        victims = self.board.victims(body["Spieler"], field)
        assert body.get("Ziel") in (victims or {None})
        self.board.robber = field

    def _played(self, body: Any) -> None:
        cards = {"Straßenbaukarte ausspielen": "Straßenbau", "Ritter ausspielen": "Ritter"}
        card = cards.get(self._name, self._name) if body["Spieler"] == self.own else "Unbekannt"
        self.players[body["Spieler"]].bought[card] -= 1

    def _knight(self, body: Any) -> None:
        self._played(body)
        seen = self.players[body["Spieler"]]
        seen.knights += 1
        most = self.players[self.army].knights if self.army in self.players else 2
        may_win = self.points(body["Spieler"]) + 2 + seen.bought.total() >= 10
        has_won = from_place(body["Ort"]) == {self.board.robber} and seen.knights > most
        if not (may_win and has_won):  # after a winning knight the robber stays in place
            self._robbed(body)

    def _bought(self, body: Any) -> None:
        card, is_own = body["Entwicklungskarte"], body["Spieler"] == self.own
        assert card in (CARDS if is_own else ("Unbekannt",))
        self.players[body["Spieler"]].bought[card] += 1
        if is_own:
            self.fresh[card] += 1
