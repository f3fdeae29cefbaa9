"""The last position of catanatron's JSON, compared with that of our game."""

from typing import Any

from catan_env.catanatron.places import RESOURCE, CatanatronPlaces
from catan_env.core.constants import DevelopmentCard
from catan_env.foreign.catanatron_messages import Record
from catan_env.game.game import Game

CARDS = tuple(card.name for card in DevelopmentCard)


def differences(record: Record, game: Game, places: CatanatronPlaces) -> list[str]:
    """The facts of the last position that differ, as text."""
    here = position_of(game, record.colors)
    there: dict[str, Any] = {
        "winner": record.winning_color,
        "robber": places.tile.get(record.robber_coordinate),
        **{name: record.player_state.get(name) for name in here if name[0] == "P"},
        **pieces_in(record, places),
    }
    return [
        f"{name}: {value} in the record, {here[name]} here"
        for name, value in there.items()
        if value != here[name]
    ]


def position_of(game: Game, colors: tuple[str, ...]) -> dict[str, Any]:
    """The facts of our game that a record also has."""
    facts: dict[str, Any] = {
        "winner": None if game.winner is None else colors[game.winner],
        "robber": game.robber,
        "pieces of no seat": [],
    }
    for seat, color in enumerate(colors):
        facts |= {f"P{seat}_{name}": value for name, value in seat_of(game, seat).items()}
        facts |= {
            f"SETTLEMENT of {color}": sorted(game.settlements(seat)),
            f"CITY of {color}": sorted(game.cities(seat)),
            f"ROAD of {color}": sorted(game.roads(seat)),
        }
    return facts


def seat_of(game: Game, seat: int) -> dict[str, int | bool]:
    """A seat's cards, points and awards, by catanatron's names."""
    hand, cards, played = game.hand(seat), game.cards(seat), game.played(seat)
    return {
        **{f"{word}_IN_HAND": hand[resource] for word, resource in RESOURCE.items()},
        **{f"{name}_IN_HAND": count for name, count in zip(CARDS, cards, strict=True)},
        **{f"PLAYED_{name}": count for name, count in zip(CARDS, played, strict=False)},
        "VICTORY_POINTS": game.points(seat, hidden=False),
        "ACTUAL_VICTORY_POINTS": game.points(seat),
        "HAS_ROAD": game.longest_road_seat == seat,
        "HAS_ARMY": game.largest_army_seat == seat,
    }


def pieces_in(record: Record, places: CatanatronPlaces) -> dict[str, list[int]]:
    """The settlements, cities and roads in a record, at our vertices and edges."""
    colors = record.colors
    pieces: dict[str, list[int]] = {"pieces of no seat": []}
    for color in colors:
        pieces |= {f"{kind} of {color}": [] for kind in ("SETTLEMENT", "CITY", "ROAD")}
    for node in record.nodes.values():
        if node.building is not None or node.color is not None:
            kind = f"{node.building} of {node.color}"
            pieces.get(kind, pieces["pieces of no seat"]).append(places.vertex.get(node.id, -1))
    for edge in record.edges:
        if edge.color is not None:
            kind = f"ROAD of {edge.color}"
            pieces.get(kind, pieces["pieces of no seat"]).append(edge_at(places, edge.id))
    return {kind: sorted(at) for kind, at in pieces.items()}


def edge_at(places: CatanatronPlaces, ends: tuple[int, int]) -> int:
    """The edge between two nodes; -1 if there is none."""
    try:
        return places.edge(ends)
    except LookupError:
        return -1
