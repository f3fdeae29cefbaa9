"""The reasons for an action, in numbers that players count: pips, blocked production, cards.

A token's pips are the dots under its number: the ways in which two dice make it, of 36.
"""

from collections.abc import Sequence

from catan_env.core.constants import DECK, DevelopmentCard, Resource, Terrain
from catan_env.game import geometry
from catan_env.game.action import Action, ActionKind
from catan_env.game.board import Board
from catan_env.game.position import Position
from catan_env.render.place_names import vertex_names


def reason(action: Action, table: Position, names: Sequence[str]) -> str:
    """The gain of the action, or the loss that it causes; empty for actions that need no number.

    `names` are the players', by seat.

    >>> from catan_env import Board, Game
    >>> reason(Action.settlement(20), Game(4, board=Board.beginner()), ["A", "B", "C", "D"])
    '10 pips: 5 ore, 3 brick, 2 lumber'
    """
    match action.kind:
        case ActionKind.SETTLEMENT | ActionKind.CITY:
            return _building(action, table)
        case ActionKind.ROAD:
            return _road(action.args[0], table)
        case ActionKind.MOVE_ROBBER:
            return _robber(action, table, names)
        case ActionKind.BUY_DEVELOPMENT_CARD:
            return _card(table)
        case ActionKind.PLAY_MONOPOLY:
            return _monopoly(action.args[0], table)
    return ""


def corner_pips(board: Board, vertex: int) -> dict[Resource, int]:
    """The pips of each resource at a corner."""
    found: dict[Resource, int] = {}
    for tile in (board.tiles[k] for k in geometry.VERTEX_TILES[vertex]):
        if tile.terrain < Terrain.DESERT:
            resource = Resource(tile.terrain)
            found[resource] = found.get(resource, 0) + tile.pips
    return found


def _building(action: Action, table: Position) -> str:
    pips = corner_pips(table.board, action.args[0])
    more = f"{'+' if action.kind == ActionKind.CITY else ''}{_listed(pips)}"
    if action.kind == ActionKind.CITY:
        return more
    seat = table.seat
    owned: set[Resource] = set()
    for vertex in (*table.settlements(seat), *table.cities(seat)):
        owned |= corner_pips(table.board, vertex).keys()
    new = [_name(resource) for resource in Resource if resource in pips.keys() - owned]
    return f"{more}; new: {', '.join(new)}" if owned and new else more


def _listed(pips: dict[Resource, int]) -> str:
    most = sorted(pips.items(), key=lambda item: -item[1])
    parts = ", ".join(f"{n} {_name(resource)}" for resource, n in most)
    return f"{_counted(sum(pips.values()), 'pip')}: {parts}" if parts else "no pips"


def _road(edge: int, table: Position) -> str:
    """The best free corner that the road reaches, or the one beyond its end."""
    built = {
        vertex
        for seat in range(table.seats)
        for vertex in (*table.settlements(seat), *table.cities(seat))
    }

    def is_free(vertex: int) -> bool:
        near = {v for e in geometry.VERTEX_EDGES[vertex] for v in geometry.EDGE_VERTICES[e]}
        return vertex in table.board.vertices and not built & near

    mine = {v for road in table.roads(table.seat) for v in geometry.EDGE_VERTICES[road]}
    ends = [vertex for vertex in geometry.EDGE_VERTICES[edge] if vertex not in mine | built]
    beyond = {v for end in ends for e in geometry.VERTEX_EDGES[end]
              for v in geometry.EDGE_VERTICES[e]} - mine  # fmt: skip
    for verb, corners in (("reaches", ends), ("leads towards", sorted(beyond))):
        free = [vertex for vertex in corners if is_free(vertex)]
        if free:
            best = max(free, key=lambda v: sum(corner_pips(table.board, v).values()))
            pips = sum(corner_pips(table.board, best).values())
            return f"{verb} {vertex_names(table.board)[best]}, {_counted(pips, 'pip')}"
    return "reaches no free corner"


def _robber(action: Action, table: Position, names: Sequence[str]) -> str:
    """The pips that the robber blocks for each seat, and the hand that it steals from."""
    tile, victim = action.args
    pips = table.board.tiles[tile].pips
    corners = set(geometry.TILE_VERTICES[tile])
    parts = []
    for seat in range(table.seats):
        buildings = len(corners & set(table.settlements(seat)))
        buildings += 2 * len(corners & set(table.cities(seat)))
        if buildings:
            parts.append(f"{names[seat]} {buildings * pips}")
    blocked = f"blocks pips: {', '.join(parts)}" if parts else "blocks no buildings"
    if not victim:
        return blocked
    seat = (table.seat + victim) % table.seats
    return f"{blocked}; {names[seat]} holds {_counted(table.hand_size(seat), 'card')}"


def _card(table: Position) -> str:
    """The chances of the next card, from those that the seat has not seen."""
    seat = table.seat
    seen = list(table.cards(seat))
    for other in range(table.seats):
        for kind, count in enumerate(table.played(other)):
            seen[kind] += count
    unseen = [DECK[kind] - seen[kind] for kind in DevelopmentCard]
    total = sum(unseen)
    if not total:
        return ""
    parts = [
        f"{100 * unseen[kind] / total:.0f} % {kind.name.lower().replace('_', ' ')}"
        for kind in (DevelopmentCard.KNIGHT, DevelopmentCard.VICTORY_POINT)
    ]
    return f"{table.deck_size} in the deck: {', '.join(parts)}"


def _monopoly(resource: int, table: Position) -> str:
    held = sum(table.known(s)[resource] for s in range(table.seats) if s != table.seat)
    return f"others hold at least {held} {_name(Resource(resource))}"


def _name(resource: Resource) -> str:
    return resource.name.lower()


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
