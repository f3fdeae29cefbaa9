"""The information of a seat in catanatron's engine, read from its state."""

from dataclasses import dataclass, fields
from typing import Any

from catanatron.models.enums import CITY, ROAD, SETTLEMENT
from catanatron.state_functions import (
    player_num_dev_cards,
    player_num_resource_cards,
)

from catan_env import DevelopmentCard, Resource, SeatView
from catan_env.catanatron.places import RESOURCE, CatanatronPlaces
from catan_env.game.action import Counts, as_counts

WORD = {resource: word for word, resource in RESOURCE.items()}
INDEX = {word: k for k, word in enumerate(("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE"))}
"""The index of a resource in catanatron's bank."""


@dataclass(frozen=True)
class Information:
    """Public information, by seat where there are several, and the cards of one seat."""

    bank: Counts
    deck_size: int
    robber: int
    hand_sizes: tuple[int, ...]
    card_counts: tuple[int, ...]
    played: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    """Without victory point cards in hand."""
    settlements: tuple[frozenset[int], ...]
    cities: tuple[frozenset[int], ...]
    roads: tuple[frozenset[int], ...]
    road_lengths: tuple[int, ...]
    longest_road: int | None
    largest_army: int | None
    hand: Counts
    cards: Counts

    def differences(self, other: "Information") -> list[str]:
        """The fields that differ from `other`, as text."""
        return [
            f"{field.name}: {getattr(self, field.name)} here, {getattr(other, field.name)} there"
            for field in fields(self)
            if getattr(self, field.name) != getattr(other, field.name)
        ]


def information_in_view(view: SeatView) -> Information:
    """The information in the view."""
    seats, me = range(view.seats), view.viewer
    return Information(
        bank=view.bank,
        deck_size=view.deck_size,
        robber=view.robber,
        hand_sizes=tuple(view.hand_size(seat) for seat in seats),
        card_counts=tuple(view.card_count(seat) for seat in seats),
        played=tuple(view.played(seat) for seat in seats),
        points=tuple(view.points(seat, hidden=False) for seat in seats),
        settlements=tuple(frozenset(view.settlements(seat)) for seat in seats),
        cities=tuple(frozenset(view.cities(seat)) for seat in seats),
        roads=tuple(frozenset(view.roads(seat)) for seat in seats),
        road_lengths=tuple(view.road_length(seat) for seat in seats),
        longest_road=view.longest_road_seat,
        largest_army=view.largest_army_seat,
        hand=view.hand(me),
        cards=view.cards(me),
    )


def information_in_state(state: Any, viewer: int, places: CatanatronPlaces) -> Information:
    """The public information in catanatron's state, and the cards of seat `viewer`."""
    seats, colors, stated = range(len(state.colors)), state.colors, state.player_state
    kinds = [kind.name for kind in DevelopmentCard]
    pieces = [state.buildings_by_color[color] for color in colors]
    return Information(
        bank=as_counts(state.resource_freqdeck[INDEX[WORD[resource]]] for resource in Resource),
        deck_size=len(state.development_listdeck),
        robber=places.tile[state.board.robber_coordinate],
        hand_sizes=tuple(player_num_resource_cards(state, color) for color in colors),
        card_counts=tuple(player_num_dev_cards(state, color) for color in colors),
        played=tuple(
            tuple(stated[f"P{seat}_PLAYED_{kind}"] for kind in kinds[:4]) for seat in seats
        ),
        points=tuple(stated[f"P{seat}_VICTORY_POINTS"] for seat in seats),
        settlements=tuple(_vertices(places, built[SETTLEMENT]) for built in pieces),
        cities=tuple(_vertices(places, built[CITY]) for built in pieces),
        roads=tuple(frozenset(places.edge(edge) for edge in built[ROAD]) for built in pieces),
        road_lengths=tuple(state.board.road_lengths.get(color, 0) for color in colors),
        longest_road=_holder(state, "HAS_ROAD"),
        largest_army=_holder(state, "HAS_ARMY"),
        hand=as_counts(stated[f"P{viewer}_{WORD[resource]}_IN_HAND"] for resource in Resource),
        cards=as_counts(stated[f"P{viewer}_{kind}_IN_HAND"] for kind in kinds),
    )


def _vertices(places: CatanatronPlaces, nodes: list[int]) -> frozenset[int]:
    return frozenset(places.vertex[node] for node in nodes)


def _holder(state: Any, award: str) -> int | None:
    holders = [seat for seat in range(len(state.colors)) if state.player_state[f"P{seat}_{award}"]]
    return holders[0] if holders else None
