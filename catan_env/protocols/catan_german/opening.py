"""The map and the players in the wire's form, and a board made from them."""

import sys
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from catan_env import __version__
from catan_env.core.constants import Terrain
from catan_env.game.board import Board, Harbour, Tile
from catan_env.game.game import Game
from catan_env.game.geometry import EDGE_VERTICES
from catan_env.game.position import Position
from catan_env.protocols.catan_german import messages, words
from catan_env.protocols.catan_german.messages import GameStarted, Held, HeldCards, Map, Player
from catan_env.protocols.catan_german.places import HEXES, SEA, Places
from catan_env.protocols.catan_german.words import to_held
from catan_env.terminal import printable

SOFTWARE = f"catan_env {__version__}"
"""The client's description of itself in a Hallo."""
NO_CARDS_SHOWN = ("0.1", "0.2")
"""Versions in which a player has neither development cards nor awards."""
LONGEST_REPORT = 120
"""Characters of a line on standard error."""

_EDGE_OF = {frozenset(ends): edge for edge, ends in enumerate(EDGE_VERTICES)}


def game_started(game: Game, places: Places) -> GameStarted:
    """The map of a new game; harbours are at edges."""
    tiles = [
        messages.Tile(places.field(k), words.TERRAINS[terrain], token or None)
        for k, (terrain, token) in enumerate(game.board.tiles)
    ]
    tiles += [messages.Tile(places.field_of(HEXES[letter]), words.SEA) for letter in SEA]
    harbours = [
        messages.Harbour(places.edge(edge_of(harbour)), words.to_harbour(harbour.resource))
        for harbour in game.board.harbours
    ]
    return GameStarted(Map(tuple(tiles), (), tuple(harbours), places.field(game.robber)))


def edge_of(harbour: Harbour) -> int:
    """The edge of a harbour; ValueError if its vertices do not form an edge."""
    edge = _EDGE_OF.get(frozenset(harbour.vertices))
    if edge is None:
        raise ValueError(f"a harbour at vertices {harbour.vertices}, which no edge joins")
    return edge


def board_of(said: Map, places: Places) -> tuple[Board, int]:
    """The board of a map, and the robber's tile; ValueError for a board outside the game.

    The sea may be missing, and so may a robber on the desert. A robber or a harbour at an
    unknown place, or a harbour of an unknown kind, is left out and reported on standard error.
    """
    tiles: dict[int, Tile] = {}
    for tile in said.tiles:
        terrain = words.TERRAIN_OF.get(tile.terrain)
        if terrain is not None:
            tiles[places.tile_at(tile.place)] = Tile(terrain, _token(tile, terrain))
        elif tile.terrain != words.SEA:
            raise ValueError(f"unknown terrain {tile.terrain!r}")
    board = Board(tuple(tiles[k] for k in sorted(tiles)), tuple(_harbours(said, places)))
    robber = None if said.robber is None else _robber(said.robber, places)
    return board, board.robber_start if robber is None else robber


def _token(said: messages.Tile, terrain: Terrain) -> int:
    """The number if two dice can roll it, else 0."""
    token = said.token or 0
    return token if terrain != Terrain.DESERT and 2 <= token <= 12 else 0


def _robber(said: messages.Field, places: Places) -> int | None:
    try:
        return places.tile_at(said)
    except ValueError as error:
        _report(f"the robber's place was ignored: {error}")
        return None


def _harbours(said: Map, places: Places) -> Iterator[Harbour]:
    ignored = []
    for harbour in said.harbours:
        try:
            yield _harbour(harbour, places)
        except ValueError as error:
            ignored.append(str(error))
    if ignored:
        _report(f"ignored harbours: {len(ignored)}; the first: {ignored[0]}")


def _report(line: str) -> None:
    """Print a line with a server's text on standard error."""
    print(printable(line, LONGEST_REPORT), file=sys.stderr)


def _harbour(said: messages.Harbour, places: Places) -> Harbour:
    resource = words.harbour_of(said.kind)
    ends = EDGE_VERTICES[places.edge_at(said.place)]
    return Harbour(ends, resource, 3 if resource is None else 2)


def newcomer(player: Player, version: str, is_own: bool) -> Player:
    """A player in the lobby, without possessions."""
    cards = to_held((0,) * 5) if is_own else Held(unknown=0)
    shown = replace(player, points=0, cards=cards)
    if version in NO_CARDS_SHOWN:
        return shown
    return replace(
        shown,
        knights=0,
        development_cards=_card_counts((0,) * 5 if is_own else None, 0),
        largest_army=False,
        longest_road=False,
    )


def player_at(position: Position, seat: int, player: Player, version: str, is_own: bool) -> Player:
    """The possessions of `player`: in full for itself, numbers for the others."""
    cards = to_held(position.hand(seat)) if is_own else Held(unknown=position.hand_size(seat))
    shown = replace(player, points=position.points(seat, hidden=is_own), cards=cards)
    if version in NO_CARDS_SHOWN:
        return shown
    return replace(
        shown,
        knights=position.knights(seat),
        development_cards=_card_counts(
            position.cards(seat) if is_own else None, position.card_count(seat)
        ),
        largest_army=position.largest_army_seat == seat,
        longest_road=position.longest_road_seat == seat,
    )


def _card_counts(held: Sequence[int] | None, number: int) -> HeldCards:
    """Development cards by kind, or their number."""
    return HeldCards(unknown=number) if held is None else words.to_held_cards(held)
