"""A seat's view as a catanatron game, for its bots that try actions on copies.

Hidden information is drawn at random (`catan_env.catanatron.deal`). For catanatron 3.3.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from catanatron import Color, Game
from catanatron.models.actions import generate_playable_actions
from catanatron.models.enums import (
    CITY,
    ROAD,
    SETTLEMENT,
    ActionPrompt,
)
from catanatron.models.map import (
    BASE_MAP_TEMPLATE,
    CatanMap,
    initialize_tiles,
)
from catanatron.models.player import Player
from catanatron.state import State

from catan_env import Board, DevelopmentCard, Phase, Resource, SeatView, Terrain, geometry
from catan_env.catanatron.deal import deal
from catan_env.catanatron.information import INDEX, WORD
from catan_env.catanatron.places import CatanatronPlaces

COLORS = (Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE)
PROMPTS = {
    Phase.PLACE_SETTLEMENT: ActionPrompt.BUILD_INITIAL_SETTLEMENT,
    Phase.PLACE_ROAD: ActionPrompt.BUILD_INITIAL_ROAD,
    Phase.DISCARD: ActionPrompt.DISCARD,
    Phase.ROBBER: ActionPrompt.MOVE_ROBBER,
}
"""catanatron's prompt by phase; a turn in all other phases."""
PIECES = ("ROADS_AVAILABLE", "SETTLEMENTS_AVAILABLE", "CITIES_AVAILABLE")
CARDS = [card.name for card in DevelopmentCard]


class Mirror:
    """One board, and views of it as catanatron games."""

    def __init__(self, board: Board, seed: int) -> None:
        self.board = board
        self._chance = Random(seed)
        self.map = map_of(board)
        self.places = CatanatronPlaces.of_map(self.map)
        self.node = {vertex: node for node, vertex in self.places.vertex.items()}
        self.at = {tile: at for at, tile in self.places.tile.items()}
        for harbour in board.harbours:
            kind = None if harbour.resource is None else WORD[harbour.resource]
            self.map.port_nodes[kind] |= {self.node[vertex] for vertex in harbour.vertices}

    def game(self, view: SeatView) -> Any:
        """The view as a game in which the viewer is to act."""
        colors = COLORS[: view.seats]
        state = State([Player(color) for color in colors], self.map)
        state.players.sort(key=lambda player: colors.index(player.color))
        state.colors, state.color_to_index = colors, {c: k for k, c in enumerate(colors)}
        self._lay_pieces(state, view)
        self._deal(state, view)
        for seat in range(view.seats):
            self._seat(state, view, seat)
        self._turn(state, view)
        game = Game([], initialize=False)
        game.seed, game.id, game.vps_to_win = 0, "", view.rules.points_to_win
        game.friendly_robber, game.state = False, state
        game.playable_actions = generate_playable_actions(state)
        return game

    def _lay_pieces(self, state: Any, view: SeatView) -> None:
        board = state.board
        for seat, color in enumerate(state.colors):
            built = state.buildings_by_color[color]
            built[SETTLEMENT] = [self.node[v] for v in last_placed_last(view, seat)]
            built[CITY] = [self.node[v] for v in view.cities(seat)]
            built[ROAD] = [self._edge(road) for road in view.roads(seat)]
            for kind in (SETTLEMENT, CITY):
                board.buildings |= dict.fromkeys(built[kind], (color, kind))
            for a, b in built[ROAD]:
                board.roads |= dict.fromkeys([(a, b), (b, a)], color)
            board.road_lengths[color] = view.road_length(seat)
        for node in board.buildings:
            vertex = self.places.vertex[node]
            around = {*geometry.VERTEX_NEIGHBOURS[vertex], vertex}
            board.board_buildable_ids -= {self.node[v] for v in around}
        for color in state.colors:
            board.connected_components[color] = self._networks(state, color)
        holder = view.longest_road_seat
        if holder is not None:
            board.road_color, board.road_length = state.colors[holder], view.road_length(holder)
        board.robber_coordinate = self.at[view.robber]

    def _edge(self, edge: int) -> tuple[int, int]:
        a, b = sorted(self.node[vertex] for vertex in geometry.EDGE_VERTICES[edge])
        return a, b

    def _networks(self, state: Any, color: Any) -> list[set[int]]:
        """Nodes connected by a seat's roads, as catanatron stores them."""
        built = state.buildings_by_color[color]
        found: list[set[int]] = []
        ends = [node for edge in built[ROAD] for node in edge]
        for node in (*built[SETTLEMENT], *built[CITY], *ends):
            is_rival = state.board.is_enemy_node(node, color)
            if not is_rival and not any(node in network for network in found):
                found.append(state.board.dfs_walk(node, color))
        return found

    def _deal(self, state: Any, view: SeatView) -> None:
        """Set all cards: those the viewer knows, and the rest drawn at random."""
        dealt, stated = deal(view, self._chance), state.player_state
        for seat in range(view.seats):
            for resource in Resource:
                stated[f"P{seat}_{WORD[resource]}_IN_HAND"] = dealt.hands[seat][resource]
            for kind, count in zip(CARDS, dealt.cards[seat], strict=True):
                stated[f"P{seat}_{kind}_IN_HAND"] = count
        state.development_listdeck = [CARDS[card] for card in dealt.deck]
        for resource in Resource:
            state.resource_freqdeck[INDEX[WORD[resource]]] = view.bank[resource]

    def _seat(self, state: Any, view: SeatView, seat: int) -> None:
        """Set the counters of a seat."""
        stated, is_on_turn = state.player_state, seat == view.turn_seat
        points = view.points(seat, hidden=False)
        new = view.new_cards(seat) if seat == view.viewer else (0,) * len(CARDS)
        fields = {
            "VICTORY_POINTS": points,
            "ACTUAL_VICTORY_POINTS": points + stated[f"P{seat}_VICTORY_POINT_IN_HAND"],
            "HAS_ROAD": view.longest_road_seat == seat,
            "HAS_ARMY": view.largest_army_seat == seat,
            "HAS_ROLLED": is_on_turn and view.rolled,
            "HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN": is_on_turn and view.card_played,
            "LONGEST_ROAD_LENGTH": view.road_length(seat),
            **dict(zip(PIECES, view.pieces(seat), strict=True)),
        }
        for kind, played in zip(CARDS, view.played(seat), strict=False):
            fields[f"PLAYED_{kind}"] = played
        for kind, bought in zip(CARDS[:4], new, strict=False):
            fields[f"{kind}_OWNED_AT_START"] = stated[f"P{seat}_{kind}_IN_HAND"] > bought
        stated.update({f"P{seat}_{name}": value for name, value in fields.items()})

    def _turn(self, state: Any, view: SeatView) -> None:
        """Set the acting seat and its prompt."""
        state.num_turns = view.turn
        state.current_player_index, state.current_turn_index = view.viewer, view.turn_seat
        state.current_prompt = PROMPTS.get(view.phase, ActionPrompt.PLAY_TURN)
        state.is_initial_build_phase = view.turn == 0
        state.is_discarding = view.phase == Phase.DISCARD
        state.discard_counts = [view.owes(seat) for seat in range(view.seats)]
        state.is_moving_knight = view.phase == Phase.ROBBER
        state.is_road_building = view.phase == Phase.FREE_ROAD
        state.free_roads_available = view.free_roads


def map_of(board: Board) -> Any:
    """The tiles as a catanatron map, with harbours in no port; ValueError for a small board."""
    if board.small_map:
        raise ValueError("catanatron's policies play on the map of nineteen tiles only")
    tiles = initialize_tiles(BASE_MAP_TEMPLATE, number_placement="random")
    made = CatanMap.from_tiles(tiles)
    for at, tile in made.land_tiles.items():
        ours = board.tiles[Board.tile_at(at[0], at[2])]
        is_desert = ours.terrain == Terrain.DESERT
        tile.resource = None if is_desert else WORD[Resource(int(ours.terrain))]
        tile.number = None if is_desert else ours.token
    made = CatanMap.from_tiles(tiles)
    for nodes in made.port_nodes.values():
        nodes.clear()
    return made


def last_placed_last(view: SeatView, seat: int) -> Sequence[int]:
    """A seat's settlements, with the one whose road is to be placed last."""
    roads: Iterable[int] = ()
    if seat == view.viewer and view.phase == Phase.PLACE_ROAD:
        roads = [int(action.args[0]) for action in view.legal_actions]
    touched = [set(geometry.EDGE_VERTICES[road]) for road in roads]
    settlements = view.settlements(seat)
    return sorted(settlements, key=lambda v: bool(touched) and all(v in e for e in touched))
