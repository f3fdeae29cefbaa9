"""MSG_BEGIN and MSG_SETUP of a game whose pieces are placed, and a seat's view from them."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from catan_env.core.constants import Resource, Terrain
from catan_env.game import correction
from catan_env.game.action import Action
from catan_env.game.board import Board, Harbour, Tile
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.geometry import TILE_COORDS, VERTEX_TILES
from catan_env.game.rules import Rules
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.messages import (
    Begin,
    Card,
    Cell,
    HarbourCell,
    PlayerSetup,
    Setup,
    TileType,
)
from catan_env.protocols.catan_binary.places import (
    EDGE_POS,
    TILE_POS,
    VERT_POS,
    edge_at,
    tile_at,
    to_card,
    to_resource,
    vertex_at,
)

RADIUS = 2


@dataclass(frozen=True)
class Settings:
    """The server's settings, some of which it sends to its agents; 0: unlimited."""

    timeout_secs: int = 5
    thread_limit: int = 1
    memory_limit: int = 512
    announced: bool = True
    """True if card movements that a seat cannot compute are announced."""
    max_turns: int = 500


def begin_message(game: Game, seat: int, settings: Settings) -> Begin:
    """Return MSG_BEGIN for one seat."""
    return Begin(
        settings.timeout_secs,
        settings.thread_limit,
        settings.memory_limit,
        RADIUS,
        seat,
        len(game.board.tiles),
        len(game.board.harbours),
        game.seats,
    )


def setup_message(game: Game) -> Setup:
    """Return MSG_SETUP: the board, and the pieces placed on it."""
    cells = tuple(
        Cell(TILE_POS[k], TileType(tile.terrain + 1), tile.token)
        for k, tile in enumerate(game.board.tiles)
    )
    harbours = tuple(
        HarbourCell(VERT_POS[a], VERT_POS[b], to_card(resource), rate)
        for (a, b), resource, rate in game.board.harbours
    )
    return Setup(cells, harbours, tuple(_player(game, seat) for seat in range(game.seats)))


def _player(game: Game, seat: int) -> PlayerSetup:
    placed = [e.action.args[0] for e in game.events[: 4 * game.seats] if e.seat == seat]
    house1, road1, house2, road2 = placed
    hand = [to_card(resource) for resource in yield_of(game.board, house2)]
    return PlayerSetup(
        seat,
        VERT_POS[house1],
        EDGE_POS[road1],
        VERT_POS[house2],
        EDGE_POS[road2],
        (*hand, *[Card.ANY] * (3 - len(hand))),
    )


def yield_of(board: Board, vertex: int) -> list[Resource]:
    """Return one card of each tile at a vertex."""
    terrains = [board.tiles[tile].terrain for tile in VERTEX_TILES[vertex]]
    return [Resource(terrain) for terrain in terrains if terrain != Terrain.DESERT]


def check_begin(begin: Begin) -> None:
    """Raise RemoteProtocolError for a table that this agent cannot play at.

    `board_radius` may count the sea; MSG_SETUP shows whether the land is the usual one.
    """
    if begin.player_count not in (2, 3, 4):
        raise RemoteProtocolError(
            f"MSG_BEGIN: player_count is {begin.player_count}; this agent plays with 2, 3 or 4"
        )
    if begin.player_id >= begin.player_count:
        raise RemoteProtocolError(
            f"MSG_BEGIN: player_id is {begin.player_id} among {begin.player_count} players"
        )


def view_at_start(begin: Begin, setup: Setup) -> SeatView:
    """Return the seat's view before the first MSG_TURN; raises RemoteProtocolError."""
    try:
        board, robber = read_board(setup)
        view = SeatView.begin(board, begin.player_id, begin.player_count, TOURNAMENT, robber=robber)
        for event in placements(setup, begin.player_count):
            view.apply(event)
        for player in setup.players:
            _deal(view, player)
    except ValueError as error:
        raise RemoteProtocolError(f"MSG_SETUP: {error}") from None
    return view


TOURNAMENT = Rules.tournament()


def read_board(setup: Setup) -> tuple[Board, int]:
    """Return the board, and the robber's tile: the first desert of the list."""
    tiles: dict[int, Tile] = {}
    robber = None
    for cell in setup.cells:
        if cell.type == TileType.EMPTY:
            continue
        number = tile_at(cell.pos)
        if number in tiles:
            raise ValueError(f"the cell at {cell.pos} is listed twice")
        tiles[number] = Tile(Terrain(cell.type - 1), _token(cell))
        if cell.type == TileType.DESERT and robber is None:
            robber = number
    if len(tiles) != len(TILE_COORDS):
        raise ValueError(f"{len(tiles)} tiles of land; a board of radius 2 has {len(TILE_COORDS)}")
    if robber is None:
        raise ValueError("no TILE_DESERT is listed: the robber has no place to start from")
    harbours = tuple(map(_harbour, filter(_is_of_use, setup.harbours)))
    return Board(tuple(tiles[number] for number in range(len(TILE_COORDS))), harbours), robber


def _token(cell: Cell) -> int:
    """Return the number if two dice can roll it, else 0."""
    return cell.counter if cell.type != TileType.DESERT and 2 <= cell.counter <= 12 else 0


def _is_of_use(harbour: HarbourCell) -> bool:
    """True if trades can use it: cost 0 is none; no hand ever has over 19 cards of a kind."""
    return 1 <= harbour.cost <= 19


def _harbour(cell: HarbourCell) -> Harbour:
    resource = None if cell.resource == Card.ANY else to_resource(cell.resource)
    return Harbour((vertex_at(cell.vert1), vertex_at(cell.vert2)), resource, cell.cost)


def placements(setup: Setup, seats: int) -> list[Event]:
    """Return the set-up as events: the first pieces of all seats, then back again."""
    ids = sorted(player.id for player in setup.players)
    if ids != list(range(seats)):
        raise ValueError(f"players {ids}; allowed are 0..{seats - 1}, each once")
    players = {player.id: player for player in setup.players}
    taken: set[Any] = set()
    for player in players.values():
        _check_placed(player, taken)
    event = partial(_placed, players)
    forth = [e for seat in range(seats) for e in event(seat, "house1", "road1")]
    back = [e for seat in reversed(range(seats)) for e in event(seat, "house2", "road2")]
    return forth + back


def _placed(players: dict[int, PlayerSetup], seat: int, house: str, road: str) -> list[Event]:
    player = players[seat]
    return [
        Event(seat, Action.settlement(vertex_at(getattr(player, house)))),
        Event(seat, Action.road(edge_at(getattr(player, road)))),
    ]


def _check_placed(player: PlayerSetup, taken: set[Any]) -> None:
    for pos in (player.house1, player.house2, player.road1, player.road2):
        if pos in taken:
            raise ValueError(f"two pieces stand at {pos}")
        taken.add(pos)


def _deal(view: SeatView, player: PlayerSetup) -> None:
    """Replace the yield of house2 by the hand that was sent, if they differ."""
    due = yield_of(view.board, vertex_at(player.house2))
    given = [to_resource(card) for card in player.starting_hand if card != Card.ANY]
    if sorted(given) != sorted(due):
        correction.exchange(view, player.id, _counts(due), _counts(given))


def _counts(cards: list[Resource]) -> list[int]:
    return [cards.count(resource) for resource in Resource]
