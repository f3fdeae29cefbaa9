"""Placing the first two settlements and roads (C022-C037)."""

import pytest

from catan_env import Action, Board, Game, Phase, Resource, Terrain
from tests.rules.drawn import (
    BOX,
    EMPTY,
    along,
    at,
    between,
    board_of,
    corner,
    generic_harbour,
    hand,
    is_legal,
    legal_kinds,
    position,
)

FIELDS_EVERYWHERE = board_of({tile: (Terrain.FIELDS, 4) for tile in range(19) if tile != 9})
# Where four seats may place: first and second settlement, and the vertex its road leads to.
PLACES = [
    ((at(1, 1), at(0, 0)), (at(4, 7), at(5, 6))),
    ((at(1, 7), at(0, 6)), (at(4, 1), at(5, 0))),
    ((at(2, 1), at(2, 0)), (at(3, 9), at(3, 10))),
    ((at(3, 1), at(3, 0)), (at(2, 9), at(2, 10))),
]


def place(game: Game, vertex: int, towards: int) -> None:
    """A settlement and its road."""
    game.play(Action.settlement(vertex))
    game.play(Action.road(between(vertex, towards)))


def place_all(game: Game) -> None:
    """Both rounds, at the first of PLACES."""
    for seat in range(game.seats):
        place(game, *PLACES[seat][0])
    for seat in reversed(range(game.seats)):
        place(game, *PLACES[seat][1])


def deciders(game: Game) -> list[int]:
    """The seats that place settlements, in order; each also places its road."""
    order = []
    while game.turn == 0:
        order.append(game.seat)
        assert game.phase == Phase.PLACE_SETTLEMENT
        game.play(next(iter(game.legal_actions)))
        assert (game.seat, game.phase) == (order[-1], Phase.PLACE_ROAD)
        game.play(next(iter(game.legal_actions)))
    return order


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seat_0_starts_unless_another_is_named(seats: int) -> None:
    """C022."""
    assert Game(seats=seats).seat == 0
    for first in range(seats):
        game = Game(seats=seats, first_seat=first)
        assert game.seat == game.turn_seat == first


@pytest.mark.parametrize(
    ("seats", "first", "order"),
    [
        (2, 0, [0, 1, 1, 0]),
        (3, 0, [0, 1, 2, 2, 1, 0]),
        (4, 0, [0, 1, 2, 3, 3, 2, 1, 0]),
        (4, 2, [2, 3, 0, 1, 1, 0, 3, 2]),
        (3, 1, [1, 2, 0, 0, 2, 1]),
    ],
)
def test_the_seats_place_in_order_and_back(seats: int, first: int, order: list[int]) -> None:
    """C023: the last one places twice in a row."""
    assert deciders(Game(seats=seats, seed=3, first_seat=first)) == order


@pytest.mark.parametrize("first", [0, 1, 3])
def test_the_seat_that_placed_first_takes_the_first_turn(first: int) -> None:
    """C024: it was also the last to place."""
    game = Game(seats=4, seed=3, first_seat=first)
    assert deciders(game)[-1] == first
    assert (game.seat, game.turn_seat, game.turn) == (first, first, 1)
    assert game.phase == Phase.ROLL


def test_a_first_settlement_may_be_on_any_free_vertex() -> None:
    """C025: the coast and harbours are allowed, and no road is needed."""
    game = Game(seats=2, board="beginner")
    assert set(game.legal_actions) == {Action.settlement(v) for v in range(54)}


def test_a_first_settlement_keeps_its_distance() -> None:
    """C025."""
    game = Game(seats=2, board="beginner")
    place(game, at(2, 5), at(2, 4))
    taken = {at(2, 5), at(2, 4), at(2, 6), at(1, 4)}
    assert set(game.legal_actions) == {Action.settlement(v) for v in {*range(54)} - taken}
    for vertex in taken:
        assert not is_legal(game, Action.settlement(vertex))


def test_a_first_road_touches_the_settlement_just_placed() -> None:
    """C026."""
    game = Game(seats=2, board="beginner")
    game.play(Action.settlement(at(2, 5)))
    around = [between(at(2, 5), v) for v in (at(2, 4), at(2, 6), at(1, 4))]
    assert set(game.legal_actions) == {Action.road(edge) for edge in around}
    assert not is_legal(game, Action.road(between(at(2, 4), at(2, 3))))


def test_the_second_road_may_not_be_at_the_first_settlement() -> None:
    """C026."""
    game = Game(seats=2, board="beginner")
    place(game, at(2, 5), at(2, 4))
    place(game, at(3, 4), at(3, 5))
    game.play(Action.settlement(at(0, 1)))
    for beside in (at(3, 3), at(2, 4)):
        assert not is_legal(game, Action.road(between(at(3, 4), beside)))
    ends = (at(0, 0), at(0, 2))
    assert set(game.legal_actions) == {Action.road(between(at(0, 1), end)) for end in ends}


def test_the_second_settlement_need_not_join_the_first() -> None:
    """C027."""
    game = Game(seats=2, board="beginner")
    place(game, at(2, 5), at(2, 4))
    place(game, at(3, 4), at(3, 5))
    blocked = {at(2, 5), at(2, 4), at(2, 6), at(1, 4), at(3, 4), at(3, 3), at(3, 5)}
    assert set(game.legal_actions) == {Action.settlement(v) for v in {*range(54)} - blocked}
    place(game, at(0, 1), at(0, 0))
    assert game.settlements(1) == tuple(sorted((at(3, 4), at(0, 1))))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_pieces_are_free_and_come_from_the_stock(seats: int) -> None:
    """C028: 13 roads, 3 settlements and 4 cities remain."""
    game = Game(seats=seats, board=board_of({}))
    place_all(game)
    assert [game.pieces(seat) for seat in range(seats)] == [(13, 3, 4)] * seats
    assert game.bank == BOX
    assert [game.hand(seat) for seat in range(seats)] == [EMPTY] * seats


def test_the_second_settlement_yields_and_the_first_does_not() -> None:
    """C029: one card for each tile, as the settlement is placed."""
    game = Game(seats=2, board="beginner")
    place(game, corner(8, "N"), corner(8, "NE"))  # fields, hills, forest
    place(game, corner(1, "S"), corner(1, "SE"))  # pasture, hills, pasture
    assert game.hand(0) == game.hand(1) == EMPTY
    game.play(Action.settlement(corner(15, "N")))  # pasture, forest, mountains
    assert game.hand(1) == hand(lumber=1, ore=1, wool=1)
    assert game.bank == (19, 19, 18, 18, 18)
    game.play(Action.road(between(corner(15, "N"), corner(15, "NE"))))
    game.play(Action.settlement(corner(8, "S")))  # forest, forest, mountains
    assert game.hand(0) == hand(lumber=2, ore=1)
    game.play(Action.road(between(corner(8, "S"), corner(8, "SW"))))
    assert game.hand(0) == hand(lumber=2, ore=1)
    assert game.hand(1) == hand(lumber=1, ore=1, wool=1)


def yield_of_second(board: Board, vertex: int) -> tuple[int, ...]:
    """The cards of the last settlement of the set-up, placed on `vertex` in the north."""
    game = position(
        board=board,
        seats=2,
        settlements={0: [at(5, 5)], 1: [at(5, 1), at(5, 3)]},
        roads={0: along(5, 5, 6), 1: along(5, 0, 1) + along(5, 2, 3)},
        phase="place_settlement",
    )
    assert game.play(Action.settlement(vertex)).seat == 0
    return game.hand(0)


def test_the_desert_gives_no_starting_card() -> None:
    """C030."""
    beside_two_tiles = corner(9, "N")  # desert, hills, pasture
    assert yield_of_second(Board.beginner(), beside_two_tiles) == hand(brick=1, wool=1)


def test_the_coast_gives_one_or_two_starting_cards() -> None:
    """C031."""
    assert yield_of_second(Board.beginner(), corner(0, "N")) == hand(ore=1)
    assert yield_of_second(Board.beginner(), corner(0, "NE")) == hand(ore=1, wool=1)


def test_two_tiles_of_one_terrain_give_two_starting_cards() -> None:
    """C032."""
    assert yield_of_second(Board.beginner(), corner(1, "S")) == hand(brick=1, wool=2)


def test_number_tokens_do_not_matter_for_starting_cards() -> None:
    """C033: neither that there is one, nor which."""
    tiles = {4: (Terrain.HILLS, 2), 5: (Terrain.FOREST, 0), 9: (Terrain.MOUNTAINS, 8)}
    assert yield_of_second(board_of(tiles), corner(9, "N")) == hand(brick=1, lumber=1, ore=1)


def test_the_bank_cannot_run_short_in_the_set_up() -> None:
    """C034: four seats take twelve cards of one resource, the maximum."""
    game = Game(seats=4, board=FIELDS_EVERYWHERE)
    inland = [corner(4, "N"), corner(5, "N"), corner(12, "SE"), corner(14, "SE")]
    for vertex in (*(spots[0][0] for spots in PLACES), *inland):
        game.play(Action.settlement(vertex))
        game.play(next(iter(game.legal_actions)))
    assert [game.hand(seat) for seat in range(4)] == [hand(grain=3)] * 4
    assert game.bank == (19, 7, 19, 19, 19)


def test_a_harbour_of_the_set_up_serves_from_the_first_turn() -> None:
    """C035."""
    board = board_of(
        {tile: (Terrain.FIELDS, 4) for tile in range(19) if tile != 9},
        generic_harbour(corner(0, "NW"), corner(0, "N")),
    )
    game = Game(seats=2, board=board)
    place(game, corner(0, "N"), corner(0, "NE"))
    place(game, corner(18, "S"), corner(18, "SE"))
    place(game, corner(14, "SE"), corner(14, "NE"))
    place(game, corner(4, "N"), corner(4, "NE"))
    assert game.hand(0) == hand(grain=3)
    game.play(Action.roll(), outcome=(1, 1))
    assert is_legal(game, Action.bank_trade(Resource.GRAIN, Resource.ORE))
    game.play(Action.bank_trade(Resource.GRAIN, Resource.ORE))
    assert game.hand(0) == hand(ore=1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_has_two_points_after_the_set_up(seats: int) -> None:
    """C036."""
    game = Game(seats=seats, board="beginner")
    assert [game.points(seat) for seat in range(seats)] == [0] * seats
    place_all(game)
    assert [game.points(seat) for seat in range(seats)] == [2] * seats


def test_no_seat_has_longest_road_after_the_set_up() -> None:
    """C037: two roads, even if joined, do not make a road of five."""
    game = Game(seats=2, board="beginner")
    place(game, at(2, 2), at(2, 3))
    place(game, at(4, 2), at(4, 3))
    place(game, at(4, 6), at(4, 7))
    place(game, at(2, 4), at(2, 3))
    assert game.road_length(0) == 2
    assert game.road_length(1) == 1
    assert game.longest_road_seat is None
    assert legal_kinds(game) == {"ROLL"}


def test_a_set_up_can_be_entered_in_the_middle() -> None:
    """C023, C026: the pieces on the board determine the next seat to place."""
    game = position(
        seats=2,
        settlements={0: [at(2, 2)], 1: [at(4, 2)]},
        roads={0: along(2, 2, 3)},
        phase="place_road",
    )
    assert game.seat == 1
    around = [between(at(4, 2), v) for v in (at(4, 1), at(4, 3), at(3, 3))]
    assert set(game.legal_actions) == {Action.road(edge) for edge in around}
    game.play(Action.road(around[0]))
    assert (game.seat, game.phase) == (1, Phase.PLACE_SETTLEMENT)
