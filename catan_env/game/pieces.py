"""Pieces on the board of a position: their places, owners and harbours."""

from collections.abc import Iterable, Mapping

from catan_env.core.board import HALF, SMALL_EDGES, SMALL_VERTICES
from catan_env.core.constants import (
    CITIES,
    CITY_PIECE,
    EDGES,
    ROAD_PIECE,
    ROADS,
    SEA,
    SEATS,
    SETTLEMENT_PIECE,
    SETTLEMENTS,
    VERTICES,
    Resource,
)
from catan_env.game import geometry
from catan_env.game.board import Board, Harbour
from catan_env.game.position import States
from catan_env.kernel.bits import word_of
from catan_env.kernel.numbers import whole

Places = Mapping[int, Iterable[int]]
"""Vertices or edges by seat."""
BySeat = list[tuple[int, ...]]


def put_pieces(
    states: States, settlements: Places | None, cities: Places | None, roads: Places | None
) -> None:
    """Place all pieces; ValueError if two conflict or a stock is exceeded."""
    seats = int(states["seats"][0])
    towns, grown, laid = (_by_seat(places, seats) for places in (settlements, cities, roads))
    owner = _owners("vertex", [(*s, *c) for s, c in zip(towns, grown, strict=True)], VERTICES)
    edges = _owners("edge", laid, EDGES)
    _refuse_neighbours(owner)
    _refuse_sea(states, owner, edges)
    states["built"] = word_of(list(owner))
    near = {v for v in range(VERTICES) if {v, *geometry.VERTEX_NEIGHBOURS[v]} & set(owner)}
    vertices_at_sea, edges_at_sea = _at_sea(states)
    states["blocked"] = word_of(sorted(near | vertices_at_sea))
    states["laid"] = _edge_words(sorted({*edges, *edges_at_sea}))
    for seat in range(seats):
        _put_seat(states, seat, towns[seat], grown[seat], laid[seat])


def put_harbours(states: States, board: Board) -> None:
    """Give each building at a harbour its trade rate, if the bank trades at all."""
    for harbour in board.harbours if states["bank_trade"][0] else ():
        mark = word_of(harbour.vertices)
        for seat in range(SEATS):
            if int(states["settlements"][0, seat] | states["cities"][0, seat]) & mark:
                _lower_rates(states["rates"][0, seat], harbour)


def _edge_words(edges: Iterable[int]) -> tuple[int, int]:
    """Return a set of edges as the engine's two words."""
    edges = list(edges)
    return word_of([e for e in edges if e < HALF]), word_of([e - HALF for e in edges if e >= HALF])


def _by_seat(places: Places | None, seats: int) -> BySeat:
    places = places or {}
    for seat in places:
        whole("seat", seat, 0, seats - 1)
    return [tuple(places.get(seat, ())) for seat in range(seats)]


def _owners(noun: str, places: BySeat, limit: int) -> dict[int, int]:
    owner: dict[int, int] = {}
    for seat, numbers in enumerate(places):
        for number in numbers:
            whole(noun, number, 0, limit - 1)
            if number in owner:
                raise ValueError(
                    f"{noun} {number} is occupied twice, by seats {owner[number]} and {seat}"
                )
            owner[number] = seat
    return owner


def _refuse_neighbours(owner: Mapping[int, int]) -> None:
    for vertex, seat in owner.items():
        for other in geometry.VERTEX_NEIGHBOURS[vertex]:
            if other in owner:
                raise ValueError(
                    f"vertices {vertex} and {other} are neighbours and both built on, by seats "
                    f"{seat} and {owner[other]} (C097)"
                )


def _at_sea(states: States) -> tuple[set[int], set[int]]:
    """Return the vertices and edges that are not on land."""
    if states["terrain"][0, 0] != SEA:
        return set(), set()
    return set(range(VERTICES)) - SMALL_VERTICES, set(range(EDGES)) - SMALL_EDGES


def _refuse_sea(states: States, owner: Mapping[int, int], edges: Mapping[int, int]) -> None:
    for noun, pieces, sea in zip(("vertex", "edge"), (owner, edges), _at_sea(states), strict=True):
        for number in sorted(sea & set(pieces)):
            raise ValueError(f"{noun} {number}, of seat {pieces[number]}, is at sea (C219)")


def _put_seat(
    states: States,
    seat: int,
    settlements: tuple[int, ...],
    cities: tuple[int, ...],
    roads: tuple[int, ...],
) -> None:
    stock = {"roads": ROADS, "settlements": SETTLEMENTS, "cities": CITIES}
    for (noun, limit), pieces in zip(stock.items(), (roads, settlements, cities), strict=True):
        if len(pieces) > limit:
            raise ValueError(f"seat {seat} has {len(pieces)} {noun}; there are {limit} (C003)")
    states["settlements"][:, seat] = word_of(settlements)
    states["cities"][:, seat] = word_of(cities)
    states["roads"][:, seat] = _edge_words(roads)
    states["pieces"][:, seat, ROAD_PIECE] -= len(roads)
    states["pieces"][:, seat, SETTLEMENT_PIECE] -= len(settlements)
    states["pieces"][:, seat, CITY_PIECE] -= len(cities)
    states["points"][:, seat] = len(settlements) + 2 * len(cities)


def _lower_rates(rates: States, harbour: Harbour) -> None:
    for resource in Resource if harbour.resource is None else [harbour.resource]:
        rates[resource] = min(int(rates[resource]), harbour.rate)
