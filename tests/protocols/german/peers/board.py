"""The board in letters: permitted places, production, and the length of roads.

```
   a b c d
  e A B C f
 g D E F G h
i H I J K L j
 k M N O P l
  m Q R S n
   o p q r
```
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

ROWS = ("abcd", "eABCf", "gDEFGh", "iHIJKLj", "kMNOPl", "mQRSn", "opqr")
FIRST_Q = (0, -1, -2, -3, -3, -3, -3)
AXIAL = {
    letter: (first + k, row - 3)
    for row, (letters, first) in enumerate(zip(ROWS, FIRST_Q, strict=True))
    for k, letter in enumerate(letters)
}
LAND = [letter for letter in AXIAL if letter.isupper()]
STEPS = {(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)}

Edge = frozenset[str]
Corner = frozenset[str]


def touch(a: str, b: str) -> bool:
    """True if two fields are adjacent."""
    (q, r), (s, t) = AXIAL[a], AXIAL[b]
    return (s - q, t - r) in STEPS


EDGES = [
    frozenset(pair)
    for pair in combinations(AXIAL, 2)
    if touch(*pair) and any(letter.isupper() for letter in pair)
]
CORNERS = [
    frozenset(three)
    for three in combinations(AXIAL, 3)
    if all(touch(a, b) for a, b in combinations(three, 2))
    and any(letter.isupper() for letter in three)
]
ENDS = {edge: [corner for corner in CORNERS if edge < corner] for edge in EDGES}
EDGES_AT = {corner: [edge for edge in EDGES if edge < corner] for corner in CORNERS}
NEXT_TO = {
    corner: [end for edge in EDGES_AT[corner] for end in ENDS[edge] if end != corner]
    for corner in CORNERS
}

KINDS = ("Holz", "Lehm", "Wolle", "Getreide", "Erz")
GROWS = {
    "Wald": "Holz",
    "Hügelland": "Lehm",
    "Weideland": "Wolle",
    "Ackerland": "Getreide",
    "Gebirge": "Erz",
}
TERRAIN = ["Wald", "Weideland", "Ackerland"] * 4 + ["Hügelland", "Gebirge"] * 3 + ["Wüste"]
TOKENS = [2, 12, *[3, 4, 5, 6, 8, 9, 10, 11] * 2]
HARBOURS = [f"{kind} Hafen" for kind in KINDS] + ["Hafen"] * 4
HARBOUR_EDGES = ("Aa", "Bc", "Gf", "Lj", "Pn", "Sq", "Qp", "Mk", "Dg")
PIECES = {"Straße": 15, "Dorf": 5, "Stadt": 4}


class Board:
    """The public state of the board. Players are named by their ids."""

    def __init__(self, fields: dict[str, tuple[str, int]], harbours: dict[Edge, str]) -> None:
        self.fields = fields
        self.harbours = harbours
        self.robber = next(letter for letter, (typ, _) in fields.items() if typ == "Wüste")
        self.houses: dict[Corner, tuple[int, str]] = {}
        self.roads: dict[Edge, int] = {}

    @classmethod
    def shuffled(cls, chance: Random) -> "Board":
        """The box's fields, numbers and harbours, in a new random order."""
        terrain, tokens, kinds = list(TERRAIN), list(TOKENS), list(HARBOURS)
        for pile in (terrain, tokens, kinds):
            chance.shuffle(pile)
        fields = {
            letter: (typ, 0 if typ == "Wüste" else tokens.pop())
            for letter, typ in zip(LAND, terrain, strict=True)
        }
        places = map(frozenset, HARBOUR_EDGES)
        return cls(fields, dict(zip(places, kinds, strict=True)))

    def house_points(self, who: int) -> int:
        """Points for the buildings of `who`."""
        return sum(1 + (typ == "Stadt") for owner, typ in self.houses.values() if owner == who)

    def pieces_left(self, who: int, typ: str) -> int:
        """The number of these that `who` has not built."""
        built = list(self.roads.values()) if typ == "Straße" else []
        built += [owner for owner, house in self.houses.values() if house == typ]
        return PIECES[typ] - built.count(who)

    def owner(self, corner: Corner) -> int | None:
        """The owner of the house there."""
        return self.houses[corner][0] if corner in self.houses else None

    def free_corners(self) -> list[Corner]:
        """True if neither this corner nor a neighbour has a house."""
        return [
            corner
            for corner in CORNERS
            if not any(near in self.houses for near in (corner, *NEXT_TO[corner]))
        ]

    def corners_for(self, who: int) -> list[Corner]:
        """Free corners that a road of `who` reaches."""
        return [
            corner
            for corner in self.free_corners()
            if any(self.roads.get(edge) == who for edge in EDGES_AT[corner])
        ]

    def edges_for(self, who: int) -> list[Edge]:
        """Free edges at a house of `who`, or at a road that no other's house ends."""
        return [
            edge
            for edge in EDGES
            if edge not in self.roads and any(self.leads_on(who, corner) for corner in ENDS[edge])
        ]

    def leads_on(self, who: int, corner: Corner) -> bool:
        """True if `who` may continue from that corner."""
        owner = self.owner(corner)
        if owner is not None:
            return owner == who
        return any(self.roads.get(edge) == who for edge in EDGES_AT[corner])

    def towns_of(self, who: int) -> list[Corner]:
        """The villages that could become cities."""
        return [corner for corner, house in self.houses.items() if house == (who, "Dorf")]

    def grown(self, field: str) -> str | None:
        """The kind of card that a field produces."""
        return GROWS.get(self.fields[field][0])

    def yields(self, roll: int) -> dict[int, Counter[str]]:
        """Each player's cards for a roll, if the bank were endless."""
        found: dict[int, Counter[str]] = {}
        for corner, (owner, typ) in self.houses.items():
            for field in corner & set(LAND):
                kind = self.grown(field)
                if kind and self.fields[field][1] == roll and field != self.robber:
                    found.setdefault(owner, Counter())[kind] += 1 + (typ == "Stadt")
        return found

    def rates(self, who: int) -> dict[str, int]:
        """The number of cards of a kind that `who` gives overseas for one card."""
        own = {
            typ
            for edge, typ in self.harbours.items()
            if any(self.owner(corner) == who for corner in ENDS[edge])
        }
        usual = 3 if "Hafen" in own else 4
        return {kind: 2 if f"{kind} Hafen" in own else usual for kind in KINDS}

    def victims(self, who: int, field: str) -> set[int]:
        """The others with a house at a field."""
        return {owner for corner, (owner, _) in self.houses.items() if field in corner} - {who}

    def longest(self, who: int) -> int:
        """Length of the longest road of `who`."""
        own = {edge for edge, owner in self.roads.items() if owner == who}
        return max((len(way) for edge in own for way in self._ways(who, own, edge)), default=0)

    def _ways(self, who: int, own: set[Edge], edge: Edge) -> Iterator[set[Edge]]:
        for corner in ENDS[edge]:
            yield from self._onward(who, own, {edge}, corner)

    def _onward(
        self, who: int, own: set[Edge], way: set[Edge], corner: Corner
    ) -> Iterator[set[Edge]]:
        yield way
        if self.owner(corner) not in (None, who):
            return
        for edge in EDGES_AT[corner]:
            if edge in own and edge not in way:
                (end,) = (end for end in ENDS[edge] if end != corner)
                yield from self._onward(who, own, way | {edge}, end)


def to_place(version: str, fields: frozenset[str] | str) -> Any:
    """A place in that version's notation."""
    letters = sorted(fields)
    if version != "1.0":
        return "".join(letters)
    points = [{"x": q + r, "y": -r} for q, r in (AXIAL[letter] for letter in letters)]
    return points[0] if isinstance(fields, str) else points


def from_place(place: Any) -> frozenset[str]:
    """The fields that a place names; a single field is a set of one."""
    if isinstance(place, str):
        return frozenset(place)
    points = [place] if isinstance(place, dict) else place
    letters = {(q + r, -r): letter for letter, (q, r) in AXIAL.items()}
    return frozenset(letters[point["x"], point["y"]] for point in points)
