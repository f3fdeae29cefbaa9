"""Messages at the wrong time, about the wrong place, or accidentally correct."""

from random import Random
from typing import Any

from tests.protocols.german.peers.board import CORNERS, EDGES, KINDS, LAND, to_place

BODILESS = ("Würfeln", "Zug beenden", "Entwicklungskarte kaufen", "Spiel starten")
SIDES = ("Angebot", "Nachfrage")
CARDS = {
    "Karten abgeben": ("Abgeben",),
    "Erfindung": ("Rohstoffe",),
    "Seehandel": SIDES,
    "Handel anbieten": SIDES,
}
TRADE = ("Handel annehmen", "Handel abbrechen", "Handel abschließen")
NAMES = (*BODILESS, *CARDS, *TRADE, "Bauen", "Räuber versetzen", "Ritter ausspielen",
         "Straßenbaukarte ausspielen", "Monopol", "Spieler", "Chatnachricht senden")  # fmt: skip


def anything(chance: Random, version: str) -> tuple[str, Any]:
    """A random message of a client: its name and its body."""
    name = chance.choice(NAMES)
    if name in CARDS:
        return name, {field: some_cards(chance) for field in CARDS[name]}
    if name in TRADE:
        return name, some_answer(chance, name, version)
    return name, some_body(chance, name, version)


def some_cards(chance: Random) -> dict[str, int]:
    """Of one kind or two."""
    kinds = chance.sample(KINDS, chance.choice((1, 1, 2)))
    return {kind: chance.choice((0, 1, 1, 2, 3, 4)) for kind in kinds}


def some_answer(chance: Random, name: str, version: str) -> dict[str, Any]:
    """An answer to an offer that may be open."""
    body: dict[str, Any] = {"Handel id": chance.randint(0, 9)}
    if name == "Handel abschließen":
        body["Mitspieler"] = chance.randint(1, 4)
    elif name == "Handel annehmen" and version == "1.0":
        body["Annehmen"] = chance.random() < 0.5
    return body


def some_body(chance: Random, name: str, version: str) -> dict[str, Any]:
    """Any other message."""
    place = {"Ort": to_place(version, chance.choice([*LAND, "a", "k"]))}
    edges = [to_place(version, chance.choice(EDGES)) for _ in range(2)]
    built = {"Dorf": CORNERS, "Stadt": CORNERS, "Straße": EDGES}
    typ = chance.choice(sorted(built))
    ziel = {"Ziel": chance.randint(1, 4)} if chance.random() < 0.5 else {}
    bodies: dict[str, dict[str, Any]] = {
        "Bauen": {"Typ": typ, "Ort": to_place(version, chance.choice(built[typ]))},
        "Räuber versetzen": place | ziel,
        "Ritter ausspielen": place | ziel,
        "Straßenbaukarte ausspielen": {"Straße 1": edges[0], "Straße 2": edges[1]},
        "Monopol": {"Rohstoff": chance.choice((*KINDS, "ERZ", "Gold"))},
        "Spieler": {"Name": "Anders", "Farbe": chance.choice(("Rot", "Blau", "Orange", "Weiß"))},
        "Chatnachricht senden": {"Nachricht": chance.choice(("Moin", "a\nb", "x" * 501))},
    }
    return bodies.get(name, {})
