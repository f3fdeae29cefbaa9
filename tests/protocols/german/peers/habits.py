"""Third-party servers, each with one peculiarity (marked *agent* on the page)."""

from collections import Counter
from itertools import cycle
from typing import Any

from tests.protocols.german.peers.board import CORNERS, EDGES, ENDS, HARBOURS, Board
from tests.protocols.german.peers.play import Play, cards_in, needs
from tests.protocols.german.peers.player import Player, full
from tests.protocols.german.peers.server import TAKEN, Said, Server

PAID = ("Kosten", "Ertrag")


class IdsFrom0(Server):
    """The first player is 0 (S3, S10)."""

    first_id = 0


class NineteenFields(Server):
    """The sea is omitted."""

    def map(self, board: Board) -> dict[str, Any]:
        said = super().map(board)
        land = [tile for tile in said["Felder"] if tile["Typ"] != "Meer"]
        return {**said, "Felder": land}


class NumberZero(Server):
    """Tiles without production have Zahl 0."""

    def map(self, board: Board) -> dict[str, Any]:
        said = super().map(board)
        return {**said, "Felder": [{"Zahl": 0, **tile} for tile in said["Felder"]]}


class LettersForSea(Server):
    """The sea has letters in 1.0 as well (T10)."""

    def map(self, board: Board) -> dict[str, Any]:
        said = super().map(board)
        for tile, letter in zip(said["Felder"][19:], "abcdefghijklmnopqr", strict=True):
            tile["Ort"] = letter
        return said


class HarboursElsewhere(Server):
    """Any edges of the coast have harbours."""

    def map(self, board: Board) -> dict[str, Any]:
        coast = [edge for edge in EDGES if any(letter.islower() for letter in edge)]
        free = [edge for edge in coast if all(corner in CORNERS for corner in ENDS[edge])]
        board.harbours = dict(zip(free[1::3], HARBOURS, strict=False))
        return super().map(board)


class MoreHarbours(Server):
    """Any number of them: here at every other edge of the coast."""

    def map(self, board: Board) -> dict[str, Any]:
        coast = [edge for edge in EDGES if any(letter.islower() for letter in edge)]
        free = [edge for edge in coast if all(corner in CORNERS for corner in ENDS[edge])]
        board.harbours = dict(zip(free[::2], cycle(HARBOURS), strict=False))
        return super().map(board)


class OrderByRolls(Server):
    """The highest rollers sit first (S)."""

    def order(self) -> list[Player]:
        rolls = {}
        for player in self.players:
            roll = self.chance.dice()
            self.tell_all("Würfelwurf", {"Spieler": player.id, "Wurf": self.roll(roll)})
            rolls[player.id] = sum(roll)
        return sorted(self.players, key=lambda player: -rolls[player.id])


class GreatestTradeRoad(Server):
    """Größte Handelsstraße (S10)."""

    def state(self, who: Player, hearer: Player) -> dict[str, Any]:
        names = {"Längste Handelsstraße": "Größte Handelsstraße"}
        return {names.get(key, key): value for key, value in super().state(who, hearer).items()}


class SwappedCards(Server):
    """Statusupdates have Monopol and Erfindung swapped (S10)."""

    def state(self, who: Player, hearer: Player) -> dict[str, Any]:
        state = super().state(who, hearer)
        names = {"Monopol": "Erfindung", "Erfindung": "Monopol"}
        if cards := state.get("Entwicklungskarten"):
            state["Entwicklungskarten"] = {names.get(kind, kind): n for kind, n in cards.items()}
        return state


class RepeatedStatus(Server):
    """Statusupdates of all players after every action, changed or not (S3)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        if not any(name == "Statusupdate" for name, _ in block):
            states = [self.state(player, hearer) for player in self.players]
            return block + [("Statusupdate", {"Spieler": state}) for state in states]
        return [said for said in block for _ in range(1 + (said[0] == "Statusupdate"))]


class YieldFirst(Server):
    """Ertrag before Kosten."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        return moved(block, PAID, sorted((s for s in block if s[0] in PAID), key=lambda s: s[0]))


class CostsAfterBuilding(Server):
    """Kosten after Bauvorgang (T10)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        if cause != "Bauen":
            return block
        both = ("Kosten", "Bauvorgang")
        return moved(block, both, sorted((s for s in block if s[0] in both), key=lambda s: s[0]))


class EffectFirst(Server):
    """Cards move before the robber's move or the trade is announced (S3, S10)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        causes = ("Räuber versetzt", "Ritter ausspielen", "Handel ausgeführt")
        both = (*causes, *PAID)
        if not any(name in causes for name, _ in block):
            return block
        return moved(block, both, sorted((s for s in block if s[0] in both), key=in_(causes)))


def in_(names: tuple[str, ...]) -> Any:
    """A sort key that puts messages of these names last."""
    return lambda said: said[0] in names


def moved(block: list[Said], names: tuple[str, ...], in_order: list[Said]) -> list[Said]:
    """Reorder the messages of these names within their own positions."""
    rest = iter(in_order)
    return [next(rest) if said[0] in names else said for said in block]


class NoOk(Server):
    """Nothing is confirmed in the game, and neither is Spieler (S10, T10)."""

    def confirm(self, who: Player, name: str) -> None:
        if name == "Spiel starten":
            super().confirm(who, name)


class HiddenCards(Server):
    """Of others' cards only the number is sent."""

    def shown(self, cards: dict[str, int], owner: Player, hearer: Player) -> dict[str, int]:
        return cards if owner is hearer else {"Unbekannt": sum(cards.values())}


class AllHidden(HiddenCards):
    """Not even the owner learns which cards come and go; Statusupdates show the hand."""

    def shown(self, cards: dict[str, int], owner: Player, hearer: Player) -> dict[str, int]:
        return {"Unbekannt": sum(cards.values())}

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        state = {"Spieler": self.state(hearer, hearer)}
        return block + [("Statusupdate", state)] * any(name in PAID for name, _ in block)


class SilentTheft(Server):
    """The theft of a card is not announced."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        is_theft = cause in ("Ritter ausspielen", "Räuber versetzen")
        return [said for said in block if not (is_theft and said[0] in PAID)]


class NoZeros(Server):
    """Kinds with 0 are omitted; nothing is {}."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        return [(name, without_zeros(body)) for name, body in block]


def without_zeros(said: Any) -> Any:
    """Zeros of cards are omitted at any depth."""
    if not isinstance(said, dict):
        return said
    kinds = full(Counter())
    return {k: without_zeros(v) for k, v in said.items() if k not in kinds or v}


class BothRefusals(Server):
    """A colour is refused twice in every version, with an exclamation mark (S3, S10)."""

    def colour_is_taken(self, who: Player) -> None:
        self.tell(who, "Fehler", {"Meldung": TAKEN + "!"})
        self.tell(who, "Serverantwort", TAKEN + "!")


class NamelessChat(Server):
    """The server itself sends chat messages."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        return [("Chatnachricht", {"Nachricht": "Moin"}), *block]


class RobberBesideKnight(Server):
    """Räuber versetzt in addition to Ritter ausspielen (S10)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        found: list[Said] = []
        for name, body in block:
            found.append((name, body))
            if name == "Ritter ausspielen":
                found.append(("Räuber versetzt", body))
        return found


class NoVictimNamed(Server):
    """Ziel is never sent."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        moves = ("Ritter ausspielen", "Räuber versetzt")
        return [
            (name, {k: v for k, v in body.items() if k != "Ziel"} if name in moves else body)
            for name, body in block
        ]


class WinnerMinus1(Server):
    """At the end without a winner the Sieger is -1 (S10)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        return [(n, {"Sieger": -1, **b} if n == "Spiel beendet" else b) for n, b in block]


class EndlessBank(Server):
    """The bank never runs out of cards (T10)."""

    class Game(Play):
        def cut(self, kind: str, due: list[Counter[str]]) -> None:
            pass

        def bank(self, kind: str) -> int:
            return 19

    play_kind = Game


class DiscardAtOnce(Server):
    """All players that owe cards are asked together (S, T)."""

    class Game(Play):
        def ask_for_cards(self, roller: Player) -> None:
            for player in self.owing:
                self.set_status(player, "Karten wegen Räuber abgeben")
            done = [p for p in self.seats if p not in self.owing and p is not roller]
            for player in [*done, roller]:
                if player not in self.owing:
                    is_next = player is roller and not self.owing
                    self.set_status(player, "Räuber versetzen" if is_next else "Warten")

    play_kind = Game


class NoTies(Server):
    """A road as long as the longest takes the card, and keeps it when cut (S10, T10)."""

    class Game(Play):
        def award_road(self) -> None:
            if not self.server.has_cards:
                return
            length = self.board.longest(self.current.id)
            if length >= 5 and length >= max(self.board.longest(p.id) for p in self.seats):
                self.hand_road_to(self.current)

    play_kind = Game


class OneOfTwoAlike(Server):
    """An invention of two equal cards gives one (S10)."""

    class Game(Play):
        def invented(self, who: Player, cards: Counter[str]) -> None:
            super().invented(who, Counter(dict.fromkeys(+cards, 1)))

    play_kind = Game


class CardsAfterRoll(Server):
    """Development cards may not be played before the roll (S10, T10)."""

    class Game(Play):
        may_play_in = ("Handeln oder Bauen",)

    play_kind = Game


class EmptyYields(Server):
    """An Ertrag for every seat after each roll, `{}` for those that get nothing (S10)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        if cause != "Würfeln" or not any(name == "Würfelwurf" for name, _ in block):
            return block
        got = {body["Spieler"] for name, body in block if name == "Ertrag"}
        empty = [("Ertrag", {"Spieler": p.id, "Rohstoffe": {}}) for p in self.players]
        at = next(k for k, (name, _) in enumerate(block) if name == "Würfelwurf") + 1
        missing = [said for said in empty if said[1]["Spieler"] not in got]
        costs = [("Kosten", {"Spieler": self.players[0].id, "Rohstoffe": full(Counter())})]
        return block[:at] + missing + costs + block[at:]


class WrongPartner(Server):
    """Answers to offers always name the first player (S10, when two answer simultaneously)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        if cause != "Handel annehmen":
            return block
        first = self.players[0].id
        names = {"Spieler": first, "Mitspieler": first}
        return [
            (n, {k: names.get(k, v) for k, v in b.items()} if n in ANSWERS else b) for n, b in block
        ]


ANSWERS = ("Handelsangebot angenommen",)


class KnightLast(Server):
    """Kosten, Ertrag and Räuber versetzt come before Ritter ausspielen, and no OK (S10)."""

    def confirm(self, who: Player, name: str) -> None:
        if name != "Ritter ausspielen":
            super().confirm(who, name)

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        if cause != "Ritter ausspielen" or not any(name == cause for name, _ in block):
            return block
        cards = [said for said in block if said[0] in PAID]
        knight = next(body for name, body in block if name == cause)
        rest = [said for said in block if said[0] not in (*PAID, cause)]
        return [*cards, ("Räuber versetzt", knight), (cause, knight), *rest]


class RobberAtOnce(Server):
    """The roller is asked for the robber before all have discarded, even itself (T10)."""

    class Game(Play):
        def ask_for_cards(self, roller: Player) -> None:
            for player in self.owing:
                player.status = "Karten wegen Räuber abgeben"
                self.server.update(player)
            self.set_status(roller, "Räuber versetzen")

        def _discard(self, who: Player, body: Any) -> None:
            needs(who in self.owing, "Nichts abzugeben")
            cards = cards_in(body["Abgeben"])
            needs(cards <= who.hand, "Nicht genug")
            who.hand -= cards
            self.server.tell_cards("Kosten", who, cards)
            self.owing.remove(who)
            if who is not self.current:
                self.set_status(who, "Warten")
            if not self.owing and self.current.status == "Räuber versetzen":
                self.set_status(self.current, "Handeln oder Bauen")

        def _move_robber(self, who: Player, body: Any) -> None:
            needs(who is self.current, "Nicht jetzt")
            victim = self._victim(who, body)
            self.rob(who, "Räuber versetzt", self._field(body), victim)
            if not self.owing:
                who.status = "Handeln oder Bauen"
                self.server.update(who)

    play_kind = Game


class NobodyIsMinus1(Server):
    """Ziel is -1 if no player is robbed (T10)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        moves = ("Ritter ausspielen", "Räuber versetzt")
        return [(name, {"Ziel": -1, **body} if name in moves else body) for name, body in block]


class ColoursOfAll(Server):
    """A colour is taken from Spieler on, which is neither confirmed nor announced (T10)."""

    def introduced(self, who: Player, body: Any) -> None:
        needs(who.status == "Spiel starten", "Nicht mehr")
        who.name, who.colour = body["Name"], body["Farbe"]

    def starts(self, who: Player, body: Any) -> None:
        if who.colour in [other.colour for other in self.players if other is not who]:
            return self.colour_is_taken(who)
        super().starts(who, body)


class PointFirst(Server):
    """A Statusupdate includes a bought Siegpunkt before it is announced (S10)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        own = (
            "Entwicklungskarte gekauft",
            {"Spieler": hearer.id, "Entwicklungskarte": "Siegpunkt"},
        )
        if own not in block:
            return block
        at = block.index(own)
        return [*block[:at], ("Statusupdate", {"Spieler": self.state(hearer, hearer)}), *block[at:]]


class MonopolyByPlayer(Server):
    """A Monopol is announced player by player: each one's Kosten, then that Ertrag (T10)."""

    def ordered(self, cause: str, block: list[Said], hearer: Player) -> list[Said]:
        if cause != "Monopol":
            return block
        found: list[Said] = []
        earned = next((body for name, body in block if name == "Ertrag"), {"Spieler": 0})
        for name, body in block:
            if name != "Ertrag":
                found.append((name, body))
            if name == "Kosten":
                found.append(("Ertrag", {**body, "Spieler": earned["Spieler"]}))
        return found


class KnightStays(Server):
    """A played knight stays in the hand, and may be played again (S10)."""

    class Game(Play):
        def _play_card(self, who: Player, card: str) -> None:
            super()._play_card(who, card)
            who.cards[card] += card == "Ritter"

    play_kind = Game


class OneRoadCloses(Server):
    """In 1.0 the line of a client that plays Straßenbau with one road is closed (S10)."""

    class Game(Play):
        def _build_roads(self, who: Player, body: Any) -> None:
            is_alone = self.server.version == "1.0" and body.get("Straße 2") is None
            super()._build_roads(who, body)
            assert not is_alone or self.total(who) >= 10, "the line is closed"

    play_kind = Game


class EndIsLost(Server):
    """Spiel beendet is not sent to players after one that has left (S10)."""


class Silent(Server):
    """Refusals are not sent: illegal requests have no answer (S10 in many places)."""

    def refuse(self, who: Player, reason: str) -> None:
        pass


class Lossy(Server):
    """One message in seven of a game is lost (S10, when two clients send simultaneously)."""

    heard = 0

    def _do(self, who: Player, name: str, body: Any) -> None:
        self.heard += bool(self.play.seats)
        if self.heard % 7 != 6:
            super()._do(who, name, body)


class SilentClients(Server):
    """Answers to offers never arrive."""

    def _do(self, who: Player, name: str, body: Any) -> None:
        if name != "Handel annehmen":
            super()._do(who, name, body)


HABITS: tuple[type[Server], ...] = (
    IdsFrom0,
    NineteenFields,
    NumberZero,
    LettersForSea,
    HarboursElsewhere,
    MoreHarbours,
    OrderByRolls,
    GreatestTradeRoad,
    SwappedCards,
    RepeatedStatus,
    YieldFirst,
    CostsAfterBuilding,
    EffectFirst,
    NoOk,
    HiddenCards,
    AllHidden,
    SilentTheft,
    NoZeros,
    BothRefusals,
    NamelessChat,
    RobberBesideKnight,
    NoVictimNamed,
    WinnerMinus1,
    EndlessBank,
    DiscardAtOnce,
    NoTies,
    OneOfTwoAlike,
    CardsAfterRoll,
    EmptyYields,
    WrongPartner,
    KnightLast,
    RobberAtOnce,
    NobodyIsMinus1,
    ColoursOfAll,
    PointFirst,
    MonopolyByPlayer,
    KnightStays,
    OneRoadCloses,
    EndIsLost,
    Silent,
    Lossy,
    SilentClients,
)
