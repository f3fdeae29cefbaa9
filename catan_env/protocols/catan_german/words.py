"""The wire's words for the game's numbers."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple, replace

from catan_env.core.constants import DevelopmentCard, Phase, Resource, Terrain
from catan_env.game.action import Counts
from catan_env.protocols.catan_german.messages import Balance, Cards, Held, HeldCards

OK = "OK"
COLOUR_TAKEN = "Farbe bereits vergeben"
COLOURS = ("Rot", "Orange", "Blau", "Weiß")

CHOOSING = "Spiel starten"
READY = "Wartet auf Spielbeginn"
PLACE_SETTLEMENT = "Dorf bauen"
PLACE_ROAD = "Straße bauen"
ROLL = "Würfeln"
DISCARD = "Karten wegen Räuber abgeben"
ROBBER = "Räuber versetzen"
MAIN = "Handeln oder Bauen"
WAIT = "Warten"
GONE = "Verbindung verloren"

PHASES = {
    PLACE_SETTLEMENT: Phase.PLACE_SETTLEMENT,
    PLACE_ROAD: Phase.PLACE_ROAD,
    ROLL: Phase.ROLL,
    DISCARD: Phase.DISCARD,
    ROBBER: Phase.ROBBER,
    MAIN: Phase.MAIN,
}
"""The decision of a seat with that status."""

ROAD, SETTLEMENT, CITY = "Straße", "Dorf", "Stadt"

TERRAINS = {
    Terrain.HILLS: "Hügelland",
    Terrain.FIELDS: "Ackerland",
    Terrain.FOREST: "Wald",
    Terrain.MOUNTAINS: "Gebirge",
    Terrain.PASTURE: "Weideland",
    Terrain.DESERT: "Wüste",
}
SEA = "Meer"

RESOURCES = {
    Resource.LUMBER: "Holz",
    Resource.BRICK: "Lehm",
    Resource.WOOL: "Wolle",
    Resource.GRAIN: "Getreide",
    Resource.ORE: "Erz",
}
HARBOUR = "Hafen"

CARDS = {
    DevelopmentCard.KNIGHT: "Ritter",
    DevelopmentCard.ROAD_BUILDING: "Straßenbau",
    DevelopmentCard.MONOPOLY: "Monopol",
    DevelopmentCard.YEAR_OF_PLENTY: "Erfindung",
    DevelopmentCard.VICTORY_POINT: "Siegpunkt",
}
UNKNOWN = "Unbekannt"

STATUS_OF = {phase: word for word, phase in PHASES.items()}
TERRAIN_OF = {word: terrain for terrain, word in TERRAINS.items()}
CARD_OF = {word: card for card, word in CARDS.items()}
_RESOURCE_OF = {word.casefold(): resource for resource, word in RESOURCES.items()}
_HARBOUR_OF: dict[str, Resource | None] = {
    f"{word} {HARBOUR}": resource for resource, word in RESOURCES.items()
} | {HARBOUR: None}


def to_cards(counts: Sequence[int]) -> Cards:
    """Cards by Resource on the wire; all five kinds are named.

    >>> to_cards((1, 0, 0, 0, 2))
    Cards(lumber=0, brick=1, wool=2, grain=0, ore=0, unknown=None)
    """
    brick, grain, lumber, ore, wool = counts
    return Cards(lumber, brick, wool, grain, ore)


def cards_with(kinds: Iterable[int]) -> Cards:
    """One card of each of these kinds, which may repeat."""
    counted = Counter(kinds)
    return to_cards([counted[kind] for kind in Resource])


def to_held(counts: Sequence[int]) -> Held:
    """A player's cards, by Resource; all five kinds are named."""
    brick, grain, lumber, ore, wool = counts
    return Held(lumber, brick, wool, grain, ore)


def hidden_cards(number: int) -> Cards:
    """A number of cards of unknown kinds."""
    return Cards(unknown=number)


def to_counts(cards: Cards) -> Counts:
    """The inverse of `to_cards`; unknown cards are left out.

    >>> to_counts(Held(lumber=2, grain=-1))
    (0, 0, 2, 0, 0)
    """
    said = (cards.brick, cards.grain, cards.lumber, cards.ore, cards.wool)
    a, b, c, d, e = (max(0, count or 0) for count in said)
    return a, b, c, d, e


def number_of(cards: Cards) -> int:
    """The number of cards, known or not."""
    return sum(to_counts(cards)) + max(0, cards.unknown or 0)


def resource_of(word: str) -> Resource | None:
    """The resource of that name in upper or lower case; None if there is none."""
    return _RESOURCE_OF.get(word.casefold())


def to_harbour(resource: Resource | None) -> str:
    """A harbour's kind; None is a harbour for all kinds."""
    return HARBOUR if resource is None else f"{RESOURCES[resource]} {HARBOUR}"


def harbour_of(word: str) -> Resource | None:
    """The inverse of `to_harbour`; ValueError for another word."""
    if word not in _HARBOUR_OF:
        raise ValueError(f"unknown kind of harbour {word!r}")
    return _HARBOUR_OF[word]


def to_held_cards(counts: Sequence[int]) -> HeldCards:
    """A player's development cards, by DevelopmentCard; all five kinds are named.

    >>> to_held_cards((2, 0, 0, 0, 1)).knight
    2
    """
    by_kind = dict(zip(DevelopmentCard, counts, strict=True))
    return HeldCards(*(by_kind[kind] for kind in CARDS))


def cards_of(said: HeldCards) -> Counts | None:
    """The inverse of `to_held_cards`; None if some are unknown."""
    if said.unknown:
        return None
    by_kind = dict(zip(CARDS, astuple(said), strict=False))
    a, b, c, d, e = (max(0, by_kind[kind] or 0) for kind in DevelopmentCard)
    return a, b, c, d, e


def with_kinds_counted(status: Any) -> Any:
    """A Statusupdate, parsed, with development cards of other kinds counted as unknown.

    >>> with_kinds_counted({"Spieler": {"Entwicklungskarten": {"Ritter": 1, "Bauer": 2}}})
    {'Spieler': {'Entwicklungskarten': {'Ritter': 1, 'Bauer': 2, 'Unbekannt': 2}}}
    """
    match status:
        case {"Spieler": {"Entwicklungskarten": dict(cards)} as player}:
            more = sum(_number(cards[kind]) for kind in cards.keys() - CARD_OF.keys() - {UNKNOWN})
            if more:
                cards = {**cards, UNKNOWN: more + _number(cards.get(UNKNOWN))}
                return {**status, "Spieler": {**player, "Entwicklungskarten": cards}}
    return status


def _number(said: Any) -> int:
    """A number of cards; 0 if it cannot be read."""
    try:
        return max(0, msgspec.convert(said, Balance, strict=False))
    except msgspec.ValidationError:
        return 0


def number_of_cards(said: HeldCards) -> int:
    """The number of development cards, known or not."""
    return sum(max(0, count or 0) for count in astuple(said))


def with_cards_swapped(said: HeldCards) -> HeldCards:
    """The cards with Monopol and Erfindung swapped, as one server sends them.

    >>> with_cards_swapped(HeldCards(knight=1, monopoly=2)) == HeldCards(1, year_of_plenty=2)
    True
    """
    return replace(said, monopoly=said.year_of_plenty, year_of_plenty=said.monopoly)
