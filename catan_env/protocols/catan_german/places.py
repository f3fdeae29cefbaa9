"""Fields, edges and corners by their names: letters until 0.3, x and y in 1.0.

```
   a b c d          rows r = -3 .. 3; capitals are land, in the order of the tiles' numbers
  e A B C f
 g D E F G h        1.0: x = q + r, y = -r
i H I J K L j
 k M N O P l
  m Q R S n
   o p q r
```

The picture in the text of 0.1 is lost, and the only edge of the sea that it names is fG. So a
server may also have the sea's letters in a ring, clockwise from a.
"""

from collections.abc import Sequence

from catan_env.game.action import Action
from catan_env.game.geometry import EDGE_NAMES, TILE_COORDS, VERTEX_NAMES
from catan_env.protocols.catan_german.messages import Field, Piece, Place, Point
from catan_env.protocols.catan_german.words import CITY, ROAD

Hex = tuple[int, int]
"""q and r."""

_ROWS = ((0, "abcd"), (-1, "eABCf"), (-2, "gDEFGh"), (-3, "iHIJKLj"), (-3, "kMNOPl"),
         (-3, "mQRSn"), (-3, "opqr"))  # fmt: skip
LETTERS: dict[Hex, str] = {
    (first + k, row - 3): letter
    for row, (first, letters) in enumerate(_ROWS)
    for k, letter in enumerate(letters)
}
"""By hex."""
HEXES = {letter: at for at, letter in LETTERS.items()}
NOWHERE = (99, 99)
SEA = sorted(letter for letter in HEXES if letter.islower())
_CLOCKWISE = "abcdfhjlnrqpomkige"
"""The letters of the sea in rows, around the land."""
RING = HEXES | {letter: HEXES[at] for letter, at in zip(SEA, _CLOCKWISE, strict=True)}
"""The hexes by letter if the sea's are in a ring."""

_BESIDE = {"W": ((0, 0), (-1, 0)), "NW": ((0, 0), (0, -1)), "NE": ((0, 0), (1, -1))}
_AROUND = {"N": ((0, 0), (0, -1), (1, -1)), "S": ((0, 0), (0, 1), (-1, 1))}


def _hexes(q: int, r: int, steps: tuple[Hex, ...]) -> tuple[Hex, ...]:
    around = ((q + dq, r + dr) for dq, dr in steps)
    return tuple(sorted(around, key=lambda at: LETTERS[at]))


TILE_HEXES = tuple(TILE_COORDS)
EDGE_HEXES = tuple(_hexes(q, r, _BESIDE[side]) for q, r, side in EDGE_NAMES)
"""By edge: the two fields next to it, in the order of the wire."""
VERTEX_HEXES = tuple(_hexes(q, r, _AROUND[corner]) for q, r, corner in VERTEX_NAMES)
"""By vertex: the three fields around it."""

_TILES = {frozenset([at]): tile for tile, at in enumerate(TILE_HEXES)}
_EDGES = {frozenset(hexes): edge for edge, hexes in enumerate(EDGE_HEXES)}
_VERTICES = {frozenset(hexes): vertex for vertex, hexes in enumerate(VERTEX_HEXES)}


class Places:
    """One version's names of the places; `hexes` are those of the letters.

    >>> Places("0.3").edge(0), Places("1.0").field(9)
    ('Ab', Point(x=0, y=0))
    >>> [Places(v).tile_at(name) for v, name in (("0.1", "S"), ("1.0", Point(2, -2)))]
    [18, 18]
    """

    def __init__(self, version: str, hexes: dict[str, Hex] = HEXES) -> None:
        self._version, self._hexes = version, hexes
        self._has_points = version == "1.0"
        self._letters = LETTERS if hexes is HEXES else {at: name for name, at in hexes.items()}

    def fitting(self, edges: Sequence[Place]) -> "Places":
        """These names; with the sea in a ring if only that has all these edges."""
        ring = Places(self._version, RING)
        has_all = all(ring.has_edge(edge) for edge in edges)
        return ring if has_all and not all(self.has_edge(edge) for edge in edges) else self

    def field(self, tile: int) -> Field:
        """The name of a tile."""
        return self.field_of(TILE_HEXES[tile])

    def field_of(self, at: Hex) -> Field:
        """The name of any hex, land or sea."""
        return _point(at) if self._has_points else self._letters[at]

    def edge(self, edge: int) -> Place:
        """The name of an edge."""
        return self._place(EDGE_HEXES[edge])

    def corner(self, vertex: int) -> Place:
        """The name of a vertex."""
        return self._place(VERTEX_HEXES[vertex])

    def built_on(self, piece: str, number: int) -> Place:
        """The name of a road's edge, or of a building's vertex."""
        return self.edge(number) if piece == ROAD else self.corner(number)

    def action_of(self, piece: Piece) -> Action:
        """The action that builds a piece; ValueError for a place that does not exist."""
        if piece.kind == ROAD:
            return Action.road(self.edge_at(piece.place))
        vertex = self.vertex_at(piece.place)
        return Action.city(vertex) if piece.kind == CITY else Action.settlement(vertex)

    def _place(self, hexes: tuple[Hex, ...]) -> Place:
        if self._has_points:
            return tuple(map(_point, hexes))
        return "".join(sorted(self._letters[at] for at in hexes))

    def is_ours(self, place: Field | Place) -> bool:
        """True if this version uses this kind of name."""
        parts = place if isinstance(place, tuple) else (place,)
        return all(isinstance(part, Point) == self._has_points for part in parts)

    def check(self, place: Field | Place) -> None:
        """ValueError for a place that names a field more than once."""
        fields = (place,) if isinstance(place, Point) else place
        if len(set(fields)) < len(fields):
            raise _unknown(place)

    def has_edge(self, place: Place) -> bool:
        """True if this is the name of an edge."""
        return self._named(place) in _EDGES

    def tile_at(self, field: Field) -> int:
        """The tile of that name, in any version; ValueError for sea or an unknown name."""
        return _found(_TILES.get(self._named(field)), field)

    def edge_at(self, place: Place) -> int:
        """The edge of that name; ValueError if there is none."""
        return _found(_EDGES.get(self._named(place)), place)

    def vertex_at(self, place: Place) -> int:
        """The vertex of that name; ValueError if there is none."""
        return _found(_VERTICES.get(self._named(place)), place)

    def _named(self, place: Field | Place) -> frozenset[Hex]:
        """The hexes of a name, in any order; empty for an invalid name."""
        fields = (place,) if isinstance(place, Point) else place
        return frozenset(map(self._hex_of, fields))

    def _hex_of(self, field: Field) -> Hex:
        if isinstance(field, str):
            return self._hexes.get(field, NOWHERE)
        return field.x + field.y, -field.y


def _point(at: Hex) -> Point:
    q, r = at
    return Point(q + r, -r)


def _found(number: int | None, place: Field | Place) -> int:
    if number is None:
        raise _unknown(place)
    return number


def _unknown(place: Field | Place) -> ValueError:
    said = place if isinstance(place, str) else _said(place)
    return ValueError(f"Ort unbekannt: {said}"[:80])


def _said(place: Point | tuple[Field, ...]) -> str:
    fields = (place,) if isinstance(place, Point) else place
    return " ".join(f if isinstance(f, str) else f"({f.x}, {f.y})" for f in fields)
