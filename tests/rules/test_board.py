"""The layout of the board (C013-C021)."""

from collections.abc import Iterator

import pytest

from catan_env import Action, Board, Game, Phase, Terrain, geometry
from tests.rules.drawn import at, board_of, ring

LETTERS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
# From each corner to the next one anticlockwise: E, NE, NW, W, SW, SE.
CORNERS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
REDS = (6, 8)


def ring_from(corner: int, radius: int) -> Iterator[tuple[int, int]]:
    """The tiles of a ring, anticlockwise from its corner."""
    for k in range(6):
        (q, r), (q_next, r_next) = CORNERS[(corner + k) % 6], CORNERS[(corner + k + 1) % 6]
        for step in range(radius):
            rest = radius - step
            yield q * rest + q_next * step, r * rest + r_next * step


def spiral_from(corner: int) -> list[int]:
    """All tiles, from a corner anticlockwise to the centre."""
    places = [*ring_from(corner, 2), *ring_from(corner, 1), (0, 0)]
    return [Board.tile_at(q, r) for q, r in places]


def letters_start_at(board: Board) -> list[int]:
    """The corners from which the board's tokens are the letters A to R in their spiral."""
    return [
        corner
        for corner in range(6)
        if tuple(
            board.tiles[tile].token
            for tile in spiral_from(corner)
            if board.tiles[tile].terrain != Terrain.DESERT
        )
        == LETTERS
    ]


def touching_reds(board: Board) -> list[tuple[int, int]]:
    """The pairs of adjacent tiles with red tokens."""
    reds = [tile for tile in range(19) if board.tiles[tile].token in REDS]
    return [(a, b) for a in reds for b in reds if a < b and set(ring(a)) & set(ring(b))]


def test_the_letters_form_a_spiral_from_a_corner() -> None:
    """C013."""
    starts = [letters_start_at(Board.spiral(seed)) for seed in range(120)]
    assert all(len(corners) == 1 for corners in starts)
    assert {corner for corners in starts for corner in corners} == set(range(6))
    assert letters_start_at(Game(seed=5, board="spiral").board)


def test_no_red_tokens_touch_in_any_spiral() -> None:
    """C014: six corners and nineteen places of the desert."""
    layouts = set()
    for seed in range(2000):
        board = Board.spiral(seed)
        assert touching_reds(board) == []
        layouts.add((*letters_start_at(board), board.robber_start))
    assert len(layouts) == 114


def test_random_red_tokens_never_touch() -> None:
    """C015."""
    boards = [Board.random_tokens(seed) for seed in range(300)]
    assert [touching_reds(board) for board in boards] == [[]] * 300
    assert not any(letters_start_at(board) for board in boards)
    assert len({tuple(tile.token for tile in board.tiles) for board in boards}) == 300


def test_red_tokens_may_be_two_tiles_apart() -> None:
    """C016."""
    apart = 0
    for seed in range(50):
        tiles = Board.random_tokens(seed).tiles
        reds = [tile for tile in range(19) if tiles[tile].token in REDS]
        for a in reds:
            around = {n for m in geometry.TILE_NEIGHBOURS[a] for n in geometry.TILE_NEIGHBOURS[m]}
            apart += len(around & {b for b in reds if b > a})
    assert apart > 50


@pytest.mark.parametrize("board", ["spiral", "random_tokens", "beginner"])
def test_the_robber_starts_on_the_desert_which_has_no_token(board: str) -> None:
    """C017."""
    for seed in range(20):
        game = Game(seed=seed, board=board)
        tile = game.board.tiles[game.robber]
        assert tile == (Terrain.DESERT, 0)


def test_the_robber_starts_on_the_first_of_several_deserts() -> None:
    """C017: a custom board may have more than one."""
    board = board_of({tile: (Terrain.FIELDS, 4) for tile in range(19) if tile not in (5, 11)})
    assert Game(board=board).robber == 5


def coast_clockwise() -> list[tuple[int, int]]:
    """The thirty edges of the coast as pairs of vertices, clockwise from the north-west."""
    coast = [e for e in range(72) if len(geometry.EDGE_TILES[e]) == 1]
    here, walk = at(0, 0), []
    ahead = at(0, 1)
    while len(walk) < len(coast):
        walk.append((here, ahead))
        (beyond,) = [
            v
            for e in geometry.VERTEX_EDGES[ahead]
            if e in coast
            for v in geometry.EDGE_VERTICES[e]
            if v not in (here, ahead)
        ]
        here, ahead = ahead, beyond
    return walk


def test_the_harbours_have_nine_fixed_places() -> None:
    """C018: the gaps between them along the coast are 3 4 3 3 4 3 3 4 3."""
    coast = coast_clockwise()
    assert len(coast) == 30
    places, place = [], 0
    for gap in (3, 4, 3, 3, 4, 3, 3, 4, 3):
        places.append(set(coast[place]))
        place += gap
    assert place == 30
    for board in [Board.beginner(), Board.sgn_starter(), *map(Board.spiral, range(20))]:
        assert [set(harbour.vertices) for harbour in board.harbours] == places


def test_the_kinds_of_harbour_are_shuffled() -> None:
    """C018."""
    for lay in (Board.spiral, Board.random_tokens):
        boards = [lay(seed) for seed in range(60)]
        orders = {tuple(harbour.resource for harbour in board.harbours) for board in boards}
        assert len(orders) > 50
        for place in range(9):
            assert len({order[place] for order in orders}) == 6


def test_the_beginner_game_is_placed_by_its_seats() -> None:
    """C019."""
    for seats in (2, 3, 4):
        game = Game(seats=seats, board="beginner")
        assert game.board == Board.beginner()
        assert game.phase == Phase.PLACE_SETTLEMENT
        for seat in range(seats):
            assert game.settlements(seat) == game.roads(seat) == game.cities(seat) == ()
        assert len(game.legal_actions) == 54
        assert game.play(Action.settlement(at(2, 5))).seat == 0


BEGINNER = """
    mountains 10, pasture 2, forest 9
    fields 12, hills 6, pasture 4, hills 10
    fields 9, forest 11, desert 0, forest 3, mountains 8
    forest 8, mountains 3, fields 4, pasture 5
    hills 5, fields 6, pasture 11
"""
SGN_STARTER = """
    forest 11, pasture 12, fields 9
    hills 4, mountains 6, hills 5, pasture 10
    desert 0, forest 3, fields 11, forest 4, fields 8
    hills 8, pasture 10, pasture 9, mountains 3
    mountains 5, fields 2, forest 6
"""


def read(rows: str) -> list[tuple[Terrain, int]]:
    """Tiles from rows of words."""
    words = rows.replace(",", " ").split()
    return [
        (Terrain[terrain.upper()], int(token))
        for terrain, token in zip(words[::2], words[1::2], strict=True)
    ]


def test_the_beginner_map_is_the_booklets() -> None:
    """C020."""
    board = Board.beginner()
    assert list(board.tiles) == read(BEGINNER)
    assert touching_reds(board) == []
    assert letters_start_at(board) == []


def harbours(board: Board) -> list[str]:
    """The kinds of the harbours, clockwise from the north-west."""
    return [
        "any" if harbour.resource is None else harbour.resource.name.lower()
        for harbour in board.harbours
    ]


def test_both_fixed_maps_have_fixed_harbours() -> None:
    """C020, C021."""
    beginner = "any grain ore any wool any any brick lumber"
    assert harbours(Board.beginner()) == beginner.split()
    starter = "any wool any any brick lumber any grain ore"
    assert harbours(Board.sgn_starter()) == starter.split()


def test_the_sgn_starter_map_is_a_letter_spiral() -> None:
    """C021: from tile (-2, 2), the desert on (-2, 0)."""
    board = Board.sgn_starter()
    assert list(board.tiles) == read(SGN_STARTER)
    assert board != Board.beginner()
    assert [spiral_from(corner)[0] for corner in letters_start_at(board)] == [Board.tile_at(-2, 2)]
    assert board.robber_start == Board.tile_at(-2, 0)


def test_a_board_without_harbours_has_none_in_a_game() -> None:
    board = Board(Board.beginner().tiles, ())
    game = Game.from_position(seats=2, board=board, settlements={0: [1], 1: [35]}, phase="main")
    assert game.trade_rates(0) == (4, 4, 4, 4, 4)
    assert Board.from_state(game._array[0]).harbours == ()
