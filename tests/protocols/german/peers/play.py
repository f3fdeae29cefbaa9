"""The game at the other server: the effect of each client's message, and the announcements."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.protocols.german.peers.board import KINDS, Board, Edge, from_place
from tests.protocols.german.peers.player import Player, RefusedError, full

PRICES = {
    "Straße": Counter(Holz=1, Lehm=1),
    "Dorf": Counter(Holz=1, Lehm=1, Wolle=1, Getreide=1),
    "Stadt": Counter(Getreide=2, Erz=3),
    "Karte": Counter(Wolle=1, Getreide=1, Erz=1),
}
PILE = {"Ritter": 14, "Straßenbau": 2, "Monopol": 2, "Erfindung": 2, "Siegpunkt": 5}
TURN = ("Würfeln", "Handeln oder Bauen")
SINCE_02 = {"Karten abgeben", "Räuber versetzen", "Seehandel", "Handel anbieten",
            "Handel annehmen", "Handel abbrechen", "Handel abschließen"}  # fmt: skip
SINCE_03 = {"Entwicklungskarte kaufen", "Ritter ausspielen", "Straßenbaukarte ausspielen",
            "Monopol", "Erfindung"}  # fmt: skip
TRADE = {"Handel annehmen", "Handel abbrechen", "Handel abschließen"}


@dataclass
class Offer:
    """The open offer."""

    id: int
    by: Player
    give: Counter[str]
    want: Counter[str]
    answers: dict[int, bool] = field(default_factory=dict)


def cards_in(said: Any) -> Counter[str]:
    """Resources named by a client."""
    counts = Counter({kind: said.get(kind) or 0 for kind in KINDS})
    if min(counts.values()) < 0 or said.get("Unbekannt"):
        raise RefusedError("Das sind keine Rohstoffe")
    return counts


def needs(condition: Any, reason: str) -> None:
    """Refuse unless this holds."""
    if not condition:
        raise RefusedError(reason)


class Play:
    """The state of the game."""

    board: Board
    may_play_in = TURN
    """Statuses in which a development card may be played."""

    def __init__(self, server: Any, max_turns: int) -> None:
        self.server = server
        self.turn = 0
        self.army: Player | None = None
        self.road: Player | None = None
        self.winner: Player | None = None
        self.pile = Counter(PILE)
        self._max_turns = max_turns
        self.seats: list[Player] = []
        self._to_place: list[Player] = []
        self._village: Any = None
        self.owing: list[Player] = []
        self.has_played_card = False
        """This turn."""
        self._offer: Offer | None = None
        self._offers = 0
        self._name = ""

    @property
    def current(self) -> Player:
        """The id of the player on turn."""
        return self.seats[self.turn % len(self.seats)]

    def act(self, who: Player, name: str, body: Any) -> None:
        """Execute a message; RefusedError if it changes nothing."""
        version = self.server.version
        needs(self.seats, "Das Spiel hat noch nicht begonnen")
        needs(version != "0.1" or name not in SINCE_02, "Das gibt es noch nicht")
        needs(self.server.has_cards or name not in SINCE_03, "Das gibt es noch nicht")
        self._name = name
        getattr(self, DOING[name].__name__)(who, body)
        if not self._to_place and not self.server.is_closed:
            self._look_for_winner()

    def _ok(self, who: Player) -> None:
        """Confirm an executed request, and withdraw an offer that it supersedes."""
        self.server.confirm(who, self._name)
        if self._offer is not None and self._offer.by is who and self._name not in TRADE:
            self._withdraw(who)

    # The turn.

    def begin(self, seats: list[Player]) -> None:
        """Ask the first of `seats` to place a village."""
        self.seats = seats
        self._to_place = seats + seats[::-1]
        for player in seats:
            player.status = "Warten"
        for player in seats[1:]:
            self.server.update(player)
        self._status(seats[0], "Dorf bauen")

    def _status(self, who: Player, status: str) -> None:
        """Ask `who` to decide; the others wait."""
        for player in self.seats:
            if player is not who:
                self.set_status(player, "Warten")
        self.set_status(who, status)

    def set_status(self, who: Player, status: str) -> None:
        """Send a status that has changed."""
        if who.status != status:
            who.status = status
            self.server.update(who)

    def _roll(self, who: Player, body: Any) -> None:
        needs(who.status == "Würfeln", "Nicht jetzt")
        self._ok(who)
        dice = self.server.chance.dice()
        self.server.tell_all("Würfelwurf", {"Spieler": who.id, "Wurf": self.server.roll(dice)})
        if sum(dice) != 7:
            self._produce(sum(dice))
        elif self.server.version != "0.1":
            self.owing = [player for player in self._from(who) if player.hand.total() > 7]
            return self.ask_for_cards(who)
        self._status(who, "Handeln oder Bauen")

    def _from(self, who: Player) -> list[Player]:
        at = self.seats.index(who)
        return self.seats[at:] + self.seats[:at]

    def _produce(self, roll: int) -> None:
        due = self.board.yields(roll)
        for kind in KINDS:
            self.cut(kind, [cards for cards in due.values() if cards[kind]])
        for player in self._from(self.current):
            if due.get(player.id, Counter()).total():
                player.hand += due[player.id]
                self.server.tell_cards("Ertrag", player, due[player.id])

    def cut(self, kind: str, due: list[Counter[str]]) -> None:
        """If the bank cannot pay all, it pays none; a single player gets what is left."""
        left = self.bank(kind)
        if sum(cards[kind] for cards in due) > left:
            for cards in due:
                cards[kind] = left if len(due) == 1 else 0

    def bank(self, kind: str) -> int:
        """The cards left in the bank."""
        return 19 - sum(player.hand[kind] for player in self.seats)

    def _end_turn(self, who: Player, body: Any) -> None:
        needs(who.status == "Handeln oder Bauen", "Nicht jetzt")
        self._ok(who)
        who.fresh.clear()
        self.has_played_card = False
        self.turn += 1
        self._status(self.current, "Würfeln")
        if self.turn == self._max_turns and self.total(self.current) < 10:
            self._end({"Nachricht": "Zugzahl erreicht"})

    def _look_for_winner(self) -> None:
        who = self.current
        if self.total(who) >= 10:
            self.winner = who
            self._end({"Nachricht": f"{who.name} hat gewonnen", "Sieger": who.id})

    def _end(self, body: Any) -> None:
        self.server.is_closed = True
        if self.server.version != "0.1":
            self.server.tell_all("Spiel beendet", body)

    # Points.

    def points(self, who: Player) -> int:
        """Public points."""
        if not self.seats:
            return 0
        return self.board.house_points(who.id) + 2 * (self.army is who) + 2 * (self.road is who)

    def total(self, who: Player) -> int:
        """Points including the hidden ones."""
        return self.points(who) + who.cards["Siegpunkt"]

    def _award_army(self, who: Player) -> None:
        most = self.army.knights if self.army else 2
        if self.army is not who and who.knights > most:
            self.army = who
            self.server.tell_all("Größte Rittermacht", {"Spieler": who.id})

    def award_road(self) -> None:
        """The current owner under the rulebook."""
        if not self.server.has_cards:
            return
        lengths = {player.id: self.board.longest(player.id) for player in self.seats}
        most = max(lengths.values())
        best = [player for player in self.seats if lengths[player.id] == most >= 5]
        if self.road not in best:
            holder = best[0] if len(best) == 1 else None
            self.hand_road_to(holder)

    def hand_road_to(self, holder: Player | None) -> None:
        """Announce the owner if it has changed."""
        if holder is not self.road:
            self.road = holder
            body = {"Spieler": holder.id} if holder else {}
            self.server.tell_all("Längste Handelsstraße", body)

    # Building.

    def _build(self, who: Player, body: Any) -> None:
        typ, place = body["Typ"], from_place(body["Ort"])
        if who.status in ("Dorf bauen", "Straße bauen"):
            needs(who.status.startswith(typ), "Nicht das")
            return self._found(who, place) if typ == "Dorf" else self._first_road(who, place)
        needs(who.status == "Handeln oder Bauen", "Nicht jetzt")
        needs(self.board.pieces_left(who.id, typ), "Nichts mehr da")
        needs(place in self._places(who, typ), "Dort darf nicht gebaut werden")
        self._pay(who, typ)
        self.put(who, typ, place)
        if typ != "Stadt":
            self.award_road()
        if self.server.version == "0.1":
            self.server.update(who)

    def _places(self, who: Player, typ: str) -> Any:
        board = self.board
        places = {"Straße": board.edges_for, "Dorf": board.corners_for, "Stadt": board.towns_of}
        return places[typ](who.id)

    def _pay(self, who: Player, what: str) -> None:
        price = PRICES[what]
        needs(who.hand >= price, "Zu teuer")
        self._ok(who)
        who.hand -= price
        if self.server.version != "0.1":
            self.server.tell_cards("Kosten", who, price)

    def put(self, who: Player, typ: str, place: frozenset[str]) -> None:
        """Build a piece on the board."""
        if typ == "Straße":
            self.board.roads[place] = who.id
        else:
            self.board.houses[place] = (who.id, typ)
        piece = {"Eigentümer": who.id, "Typ": typ, "Ort": self.server.place(place)}
        self.server.tell_all("Bauvorgang", {"Gebäude": piece})

    def _found(self, who: Player, corner: frozenset[str]) -> None:
        needs(corner in self.board.free_corners(), "Dort darf nicht gebaut werden")
        self._ok(who)
        self.put(who, "Dorf", corner)
        self._village = corner
        if len(self.board.towns_of(who.id)) == 2:
            grown = [self.board.grown(field) for field in corner if field in self.board.fields]
            cards = Counter(kind for kind in grown if kind)
            who.hand += cards
            if cards:
                self.server.tell_cards("Ertrag", who, cards)
        self._status(who, "Straße bauen")

    def _first_road(self, who: Player, edge: Edge) -> None:
        needs(edge in self.board.edges_for(who.id) and edge < self._village, "Dort nicht")
        self._ok(who)
        self.put(who, "Straße", edge)
        self._to_place.pop(0)
        if self._to_place:
            self._status(self._to_place[0], "Dorf bauen")
        else:
            self._status(self.current, "Würfeln")

    # Seven, robber, knight.

    def ask_for_cards(self, roller: Player) -> None:
        """Ask the next player who owes cards, or for the robber."""
        if self.owing:
            self._status(self.owing[0], "Karten wegen Räuber abgeben")
        else:
            self._status(roller, "Räuber versetzen")

    def _discard(self, who: Player, body: Any) -> None:
        needs(who.status == "Karten wegen Räuber abgeben", "Nicht jetzt")
        cards = cards_in(body["Abgeben"])
        needs(cards <= who.hand and cards.total() == who.hand.total() // 2, "Falsche Zahl")
        self._ok(who)
        who.hand -= cards
        self.server.tell_cards("Kosten", who, cards)
        self.owing.remove(who)
        self.ask_for_cards(self.current)

    def _move_robber(self, who: Player, body: Any) -> None:
        needs(who.status == "Räuber versetzen", "Nicht jetzt")
        victim = self._victim(who, body)
        self._ok(who)
        self.rob(who, "Räuber versetzt", self._field(body), victim)
        self._status(who, "Handeln oder Bauen")

    def _field(self, body: Any) -> str:
        (field,) = from_place(body["Ort"])
        return field

    def _victim(self, who: Player, body: Any) -> Player | None:
        """The robbed player."""
        field, named = self._field(body), body.get("Ziel")
        needs(field in self.board.fields and field != self.board.robber, "Nicht dorthin")
        victims = self.board.victims(who.id, field)
        if named is not None:
            needs(named in victims, "Dort nicht zu bestehlen")
            return self.server.player(named)
        near = [player for player in self._from(who) if player.id in victims]
        return max(near, key=lambda player: player.hand.total(), default=None)

    def rob(self, who: Player, name: str, field: str, victim: Player | None) -> None:
        """Move the robber, and steal a card."""
        self.board.robber = field
        named = {"Ziel": victim.id} if victim else {}
        self.server.tell_all(name, {"Spieler": who.id, "Ort": self.server.place(field), **named})
        if victim and victim.hand.total():
            card = Counter([self.server.chance.stolen(victim.hand)])
            victim.hand -= card
            who.hand += card
            self.server.tell_cards("Kosten", victim, card, who, victim)
            self.server.tell_cards("Ertrag", who, card, who, victim)

    def _knight(self, who: Player, body: Any) -> None:
        self._has_card(who, "Ritter")
        wins = self._would_win(who)
        victim = None if wins else self._victim(who, body)
        self._play_card(who, "Ritter")
        who.knights += 1
        if wins:
            place = self.server.place(self.board.robber)
            self.server.tell_all("Ritter ausspielen", {"Spieler": who.id, "Ort": place})
        else:
            self.rob(who, "Ritter ausspielen", self._field(body), victim)
        self._award_army(who)

    def _would_win(self, who: Player) -> bool:
        most = self.army.knights if self.army else 2
        return self.army is not who and who.knights + 1 > most and self.total(who) + 2 >= 10

    # Cards.

    def _buy(self, who: Player, body: Any) -> None:
        needs(who.status == "Handeln oder Bauen", "Nicht jetzt")
        needs(self.pile.total(), "Keine mehr da")
        self._pay(who, "Karte")
        card = self.server.chance.bought(self.pile)
        self.pile[card] -= 1
        who.cards[card] += 1
        who.fresh[card] += 1
        for hearer in self.server.players:
            shown = card if hearer is who else "Unbekannt"
            body = {"Spieler": who.id, "Entwicklungskarte": shown}
            self.server.tell(hearer, "Entwicklungskarte gekauft", body)

    def _has_card(self, who: Player, card: str) -> None:
        needs(who.status in self.may_play_in, "Nicht jetzt")
        needs(not self.has_played_card, "Nur eine im Zug")
        needs(who.cards[card] > who.fresh[card], "Keine solche Karte")

    def _play_card(self, who: Player, card: str) -> None:
        self._ok(who)
        who.cards[card] -= 1
        self.has_played_card = True

    def _build_roads(self, who: Player, body: Any) -> None:
        self._has_card(who, "Straßenbau")
        edges = [from_place(body[key]) for key in ("Straße 1", "Straße 2") if body.get(key)]
        edges = self._checked(who, edges)
        self._play_card(who, "Straßenbau")
        names = {f"Straße {k}": self.server.place(edge) for k, edge in enumerate(edges, 1)}
        self.server.tell_all("Straßenbaukarte ausspielen", {"Spieler": who.id, **names})
        for edge in edges:
            self.put(who, "Straße", edge)
            self.award_road()

    def _checked(self, who: Player, edges: list[Edge]) -> list[Edge]:
        """Build the roads of the card: the second only if the first has not won."""
        left = self.board.pieces_left(who.id, "Straße")
        needs(edges and left and edges[0] in self.board.edges_for(who.id), "Dort nicht")
        self.board.roads[edges[0]] = who.id
        then = self.board.edges_for(who.id) if left > 1 else []
        del self.board.roads[edges[0]]
        if self._first_wins(who, edges[0]):
            return edges[:1]
        needs(len(edges) == 1 + bool(then), "Eine Straße zu viel oder zu wenig")
        needs(edges[1:] == [] or edges[1] in then, "Dort nicht")
        return edges

    def _first_wins(self, who: Player, edge: Edge) -> bool:
        if self.road is who or self.total(who) + 2 < 10:
            return False
        others = [self.board.longest(player.id) for player in self.seats if player is not who]
        self.board.roads[edge] = who.id
        length = self.board.longest(who.id)
        del self.board.roads[edge]
        return length >= 5 and length > max(others)

    def _monopoly(self, who: Player, body: Any) -> None:
        self._has_card(who, "Monopol")
        kinds = [kind for kind in KINDS if kind.casefold() == body["Rohstoff"].casefold()]
        needs(kinds, "Kein Rohstoff")
        self._play_card(who, "Monopol")
        self.server.tell_all("Monopol", {"Spieler": who.id, "Rohstoff": kinds[0]})
        got = Counter({kinds[0]: 0})
        for other in self._from(who)[1:]:
            if other.hand[kinds[0]]:
                cards = Counter({kinds[0]: other.hand[kinds[0]]})
                other.hand -= cards
                got += cards
                self.server.tell_cards("Kosten", other, cards)
        who.hand += got
        self.server.tell_cards("Ertrag", who, got)

    def _invention(self, who: Player, body: Any) -> None:
        self._has_card(who, "Erfindung")
        cards = cards_in(body["Rohstoffe"])
        left = Counter({kind: self.bank(kind) for kind in KINDS})
        needs(cards <= left and cards.total() == min(2, left.total()), "Diese Karten nicht")
        self._play_card(who, "Erfindung")
        self.server.tell_all("Erfindung", {"Spieler": who.id, "Rohstoffe": full(cards)})
        self.invented(who, cards)

    def invented(self, who: Player, cards: Counter[str]) -> None:
        """Let the bank pay."""
        who.hand += cards
        self.server.tell_cards("Ertrag", who, cards)

    # Trade.

    def _sea_trade(self, who: Player, body: Any) -> None:
        needs(who.status == "Handeln oder Bauen", "Nicht jetzt")
        give, want = cards_in(body["Angebot"]), cards_in(body["Nachfrage"])
        kinds = [[kind for kind in KINDS if cards[kind]] for cards in (give, want)]
        needs(len(kinds[0]) == len(kinds[1]) == 1 and kinds[0] != kinds[1], "Eines gegen eines")
        rate = self.board.rates(who.id)[kinds[0][0]]
        needs(give.total() == rate * want.total() and give <= who.hand, "Nicht so")
        needs(want.total() <= self.bank(kinds[1][0]), "Die Bank hat nicht genug")
        self._ok(who)
        self.swap(who, give, want)

    def swap(self, who: Player, give: Counter[str], want: Counter[str]) -> None:
        """Trade with the bank."""
        who.hand -= give
        who.hand += want
        self.server.tell_cards("Kosten", who, give)
        self.server.tell_cards("Ertrag", who, want)

    def _propose(self, who: Player, body: Any) -> None:
        needs(who.status == "Handeln oder Bauen", "Nicht jetzt")
        give, want = cards_in(body["Angebot"]), cards_in(body["Nachfrage"])
        needs(give.total() and want.total() and not give & want, "Kein Tausch")
        needs(give <= who.hand, "Nicht genug")
        self._ok(who)
        self._offers += 1
        self._offer = Offer(self._offers, who, give, want)
        body = {"Angebot": full(give), "Nachfrage": full(want)}
        offer = {"Spieler": who.id, "Handel id": self._offers, **body}
        self.server.tell_all("Handelsangebot", offer)

    def _open(self, body: Any) -> Offer:
        if self._offer is None or body["Handel id"] != self._offer.id:
            raise RefusedError("Dieses Angebot gibt es nicht")
        return self._offer

    def _answer(self, who: Player, body: Any) -> None:
        offer = self._open(body)
        accepts = body.get("Annehmen", True)
        needs(who is not offer.by and who.id not in offer.answers, "Keine Antwort erwartet")
        needs(not accepts or who.hand >= offer.want, "Nicht genug")
        self._ok(who)
        offer.answers[who.id] = accepts
        if self.server.version == "1.0":
            named = {"Mitspieler": who.id, "Handel id": offer.id, "Annehmen": accepts}
        else:
            named = {"Spieler": who.id, "Handel id": offer.id}
        self.server.tell_all("Handelsangebot angenommen", named)

    def _cancel(self, who: Player, body: Any) -> None:
        offer = self._open(body)
        if who is not offer.by:
            needs(self.server.version != "1.0", "Das ist nicht Ihr Angebot")
            needs(who.id not in offer.answers, "Keine Antwort erwartet")
            self._ok(who)
            offer.answers[who.id] = False
            return self._withdrawn_by(who, offer)
        self._ok(who)
        self._withdraw(who)

    def _withdraw(self, who: Player) -> None:
        assert self._offer is not None
        self._withdrawn_by(who, self._offer)
        self._offer = None

    def _withdrawn_by(self, who: Player, offer: Offer) -> None:
        body = {"Spieler": who.id, "Handel id": offer.id}
        self.server.tell_all("Handelsangebot abgebrochen", body)

    def _conclude(self, who: Player, body: Any) -> None:
        offer, partner = self._open(body), body["Mitspieler"]
        needs(who is offer.by and offer.answers.get(partner), "Nicht angenommen")
        self._ok(who)
        self._offer = None
        self.exchange(who, self.server.player(partner), offer)

    def exchange(self, who: Player, partner: Player, offer: Offer) -> None:
        """Exchange the cards of a trade."""
        who.hand = who.hand - offer.give + offer.want
        partner.hand = partner.hand - offer.want + offer.give
        self.server.tell_all("Handel ausgeführt", {"Spieler": who.id, "Mitspieler": partner.id})
        self.server.tell_cards("Kosten", who, offer.give)
        self.server.tell_cards("Kosten", partner, offer.want)
        self.server.tell_cards("Ertrag", who, offer.want)
        self.server.tell_cards("Ertrag", partner, offer.give)


DOING: dict[str, Callable[[Play, Player, Any], None]] = {
    "Würfeln": Play._roll,
    "Zug beenden": Play._end_turn,
    "Bauen": Play._build,
    "Karten abgeben": Play._discard,
    "Räuber versetzen": Play._move_robber,
    "Seehandel": Play._sea_trade,
    "Handel anbieten": Play._propose,
    "Handel annehmen": Play._answer,
    "Handel abbrechen": Play._cancel,
    "Handel abschließen": Play._conclude,
    "Entwicklungskarte kaufen": Play._buy,
    "Ritter ausspielen": Play._knight,
    "Straßenbaukarte ausspielen": Play._build_roads,
    "Monopol": Play._monopoly,
    "Erfindung": Play._invention,
}
