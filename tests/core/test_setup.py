"""Random boards: all are possible, and equivalent ones equally likely."""

from collections import Counter
from itertools import product

from catan_env import Board, Terrain, geometry

LETTERS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
RED = (6, 8)
# The 0.01 % point of chi-square by degrees of freedom.
RARE = {4: 23.5, 5: 25.7, 8: 31.8, 17: 47.6, 18: 49.2}


def chi_square(counts: list[int]) -> float:
    """The chi-square statistic of counts that should be equal."""
    expected = sum(counts) / len(counts)
    return sum((n - expected) ** 2 / expected for n in counts)


def spiral_from(corner: tuple[int, int], step: tuple[int, int]) -> list[int]:
    """The tiles anticlockwise from a corner to the centre; `step` is the first direction."""
    turn_left = {
        (1, 0): (1, -1),
        (1, -1): (0, -1),
        (0, -1): (-1, 0),
        (-1, 0): (-1, 1),
        (-1, 1): (0, 1),
        (0, 1): (1, 0),
    }
    path, here = [corner], corner
    while len(path) < 19:
        ahead = (here[0] + step[0], here[1] + step[1])
        if ahead not in geometry.TILE_NUMBERS or ahead in path:
            step = turn_left[step]
            continue
        here = ahead
        path.append(here)
    return [geometry.TILE_NUMBERS[place] for place in path]


CORNERS = {
    (2, -2): (-1, 0),
    (0, -2): (-1, 1),
    (-2, 0): (0, 1),
    (-2, 2): (1, 0),
    (0, 2): (1, -1),
    (2, 0): (0, -1),
}
SPIRALS = [spiral_from(corner, step) for corner, step in CORNERS.items()]


def letters_laid(spiral: list[int], desert: int) -> list[int]:
    """The tokens by tile, with the letters along the spiral, skipping the desert."""
    tokens = [0] * 19
    for tile, token in zip((t for t in spiral if t != desert), LETTERS, strict=True):
        tokens[tile] = token
    return tokens


def reds_touch(tokens: list[int]) -> bool:
    return any(
        tokens[t] in RED and tokens[u] in RED
        for t in range(19)
        for u in geometry.TILE_NEIGHBOURS[t]
    )


def test_no_two_red_tokens_touch_in_any_of_the_114_letter_spirals() -> None:
    """C014."""
    layouts = [letters_laid(spiral, desert) for spiral, desert in product(SPIRALS, range(19))]
    assert len(layouts) == 114
    assert not any(map(reds_touch, layouts))


def test_a_spiral_board_is_one_of_those_layouts_and_each_of_them_occurs() -> None:
    """C013."""
    seen: Counter[tuple[int, int]] = Counter()
    for seed in range(3000):
        board = Board.spiral(seed)
        tokens = [tile.token for tile in board.tiles]
        fitting = [
            corner
            for corner, spiral in enumerate(SPIRALS)
            if tokens == letters_laid(spiral, board.robber_start)
        ]
        assert len(fitting) == 1, f"seed {seed}"
        seen[fitting[0], board.robber_start] += 1
    assert len(seen) == 114
    assert chi_square([sum(seen[c, d] for c in range(6)) for d in range(19)]) < RARE[18]
    assert chi_square([sum(seen[c, d] for d in range(19)) for c in range(6)]) < RARE[5]


def test_random_tokens_never_touch_in_red() -> None:
    """C015."""
    for seed in range(2000):
        tokens = [tile.token for tile in Board.random_tokens(seed).tiles]
        assert sorted(tokens) == sorted((0, *LETTERS)), f"seed {seed}"
        assert not reds_touch(tokens), f"seed {seed}"


def test_tokens_of_equal_number_and_colour_are_equally_likely_on_every_tile() -> None:
    boards = [Board.random_tokens(seed) for seed in range(6000)]
    for tile in range(19):
        lying = Counter(board.tiles[tile].token for board in boards)
        assert chi_square([lying[token] for token in (3, 4, 5, 9, 10, 11)]) < RARE[5], tile


def test_every_terrain_and_harbour_is_equally_likely_everywhere() -> None:
    boards = [Board.spiral(seed) for seed in range(6000)]
    for tile in range(19):
        lying = Counter(board.tiles[tile].terrain for board in boards)
        share = {0: 3, 1: 4, 2: 4, 3: 3, 4: 4, 5: 1}
        off = sum(
            (lying[Terrain(t)] - 6000 * n / 19) ** 2 / (6000 * n / 19) for t, n in share.items()
        )
        assert off < RARE[5], tile
    for slot in range(9):
        kinds = Counter(board.harbours[slot].resource for board in boards)
        assert chi_square([kinds[r] for r in kinds if r is not None]) < RARE[4], slot
        assert abs(kinds[None] - 6000 * 4 / 9) < 4 * (6000 * 4 / 9 * 5 / 9) ** 0.5, slot
