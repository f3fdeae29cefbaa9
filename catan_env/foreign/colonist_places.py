"""The places and cards of Colonist's replays, as ours."""

from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

from catan_env.core.constants import Resource, Terrain
from catan_env.foreign.boards import checked_board
from catan_env.foreign.colonist_messages import MapState
from catan_env.game import geometry
from catan_env.game.board import Harbour, Tile

RESOURCES = {
    1: Resource.LUMBER, 2: Resource.BRICK, 3: Resource.WOOL, 4: Resource.GRAIN, 5: Resource.ORE,
}  # fmt: skip


class Places:
    """The numbers of hexes, corners and edges in a replay, as ours."""

    def __init__(self, state: MapState) -> None:
        self.tile = {k: tile_at(at.x, at.y) for k, at in state.tile_hex_states.items()}
        self.vertex = {k: vertex_at(at.x, at.y, at.z) for k, at in state.tile_corner_states.items()}
        self.edge = {k: edge_at(at.x, at.y, at.z) for k, at in state.tile_edge_states.items()}
        kinds = (("hexes", self.tile, 19), ("corners", self.vertex, 54), ("edges", self.edge, 72))
        for noun, numbers, count in kinds:
            if len(numbers) != count or len(set(numbers.values())) != count:
                raise ValueError(f"the map does not have the {count} {noun} of the standard one")
        at = {self.tile[k]: each for k, each in state.tile_hex_states.items()}
        ports = [(edge_at(p.x, p.y, p.z), p.type) for p in state.port_edge_states.values()]
        self.board = checked_board(
            [Tile(terrain_of(at[k].type), at[k].dice_number) for k in range(19)],
            [
                Harbour(geometry.EDGE_VERTICES[edge], RESOURCES.get(kind - 1), 2 + (kind == 1))
                for edge, kind in ports
            ],
        )


def resource_of(kind: int | None) -> Resource:
    """The resource of a card's number; ValueError."""
    if kind not in RESOURCES:
        raise ValueError(f"{kind} is not a resource; expected 1..5")
    return RESOURCES[kind]


def listed(kinds: Sequence[int] | None, field: str) -> list[Resource]:
    """The resources of cards' numbers; ValueError if the field is missing."""
    if kinds is None:
        raise ValueError(f"{field} is missing")
    return [resource_of(kind) for kind in kinds]


def counted(kinds: Sequence[int]) -> tuple[int, ...]:
    """Cards' numbers as five counts by Resource."""
    counts = Counter(resource_of(kind) for kind in kinds)
    return tuple(counts[resource] for resource in Resource)


def terrain_of(kind: int) -> Terrain:
    """The terrain of a hex; ValueError."""
    return Terrain.DESERT if kind == 0 else Terrain(int(resource_of(kind)))


def tile_at(x: int, y: int) -> int:
    """The tile at axial (x, y); ValueError."""
    return geometry.TILE_NUMBERS[x, y] if (x, y) in geometry.TILE_NUMBERS else _missing("hex", x, y)


def vertex_at(x: int, y: int, z: int) -> int:
    """The vertex at the north (0) or south (1) of a hex; ValueError."""
    name = (x, y, "NS"[z])
    numbers = geometry.VERTEX_NUMBERS
    return numbers[name] if name in numbers else _missing("corner", x, y, z)


def edge_at(x: int, y: int, z: int) -> int:
    """The edge at the north-west (0), west (1) or south-west (2) of a hex; ValueError."""
    name = (x - 1, y + 1, "NE") if z == 2 else (x, y, ("NW", "W")[z])
    numbers = geometry.EDGE_NUMBERS
    return numbers[name] if name in numbers else _missing("edge", x, y, z)


def _missing(noun: str, *at: int) -> NoReturn:
    raise ValueError(f"the standard map has no {noun} at {at}")
