"""The production of a roll (C047-C062)."""

from typing import Any

import pytest

from catan_env import Action, Board, Game, Resource, Rules, Terrain
from catan_env.game.board import Tile
from catan_env.game.geometry import EDGE_VERTICES, VERTEX_TILES
from tests.rules.drawn import EMPTY, board_of, corner, hand, position

FIELDS_4 = (Terrain.FIELDS, 4)


def rolled(board: Board, dice: tuple[int, int], **facts: Any) -> Game:
    """The position after seat 0 has rolled these dice."""
    game = position(board=board, phase="roll", **facts)
    game.play(Action.roll(), outcome=dice)
    return game


def with_bank(resource: Resource, left: int) -> tuple[int, ...]:
    """The hand of a seat without buildings that leaves that many cards in the bank."""
    return tuple(19 - left if r == resource else 0 for r in Resource)


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
def test_a_settlement_is_paid_one_card(number: int) -> None:
    """C047: when the number of its tile is rolled, and only then."""
    board = board_of({9: (Terrain.FIELDS, number)})
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 7) if a + b != 7]
    for dice in pairs:
        game = rolled(board, dice, settlements={0: [corner(9, "SW")]})
        assert game.hand(0) == hand(grain=int(sum(dice) == number))
        assert game.bank[Resource.GRAIN] == 19 - int(sum(dice) == number)


@pytest.mark.parametrize("name", ["N", "NE", "SE", "S", "SW", "NW"])
def test_every_corner_of_a_tile_is_paid(name: str) -> None:
    """C047."""
    game = rolled(board_of({9: FIELDS_4}), (1, 3), settlements={0: [corner(9, name)]})
    assert game.hand(0) == hand(grain=1)


def test_a_city_is_paid_two_cards() -> None:
    """C048."""
    game = rolled(board_of({9: FIELDS_4}), (1, 3), cities={0: [corner(9, "SW")]})
    assert game.hand(0) == hand(grain=2)


def test_several_buildings_at_a_tile_add_up() -> None:
    """C049."""
    game = rolled(
        board_of({9: FIELDS_4}),
        (1, 3),
        settlements={0: [corner(9, "N"), corner(9, "SE")]},
        cities={0: [corner(9, "SW")]},
    )
    assert game.hand(0) == hand(grain=4)


TWINS = board_of({0: (Terrain.HILLS, 9), 2: (Terrain.FOREST, 9), 16: (Terrain.PASTURE, 4)})


def test_both_tiles_with_the_number_yield() -> None:
    """C050."""
    game = rolled(
        TWINS, (4, 5), settlements={0: [corner(0, "N"), corner(16, "S")], 1: [corner(2, "N")]}
    )
    assert game.hand(0) == hand(brick=1)
    assert game.hand(1) == hand(lumber=1)


def test_a_building_at_both_tiles_is_paid_for_each() -> None:
    """C051: one card per settlement, two per city."""
    board = board_of({4: (Terrain.HILLS, 5), 5: (Terrain.FOREST, 5)})
    assert rolled(board, (2, 3), settlements={0: [corner(4, "NE")]}).hand(0) == hand(
        brick=1, lumber=1
    )
    assert rolled(board, (2, 3), cities={0: [corner(4, "NE")]}).hand(0) == hand(brick=2, lumber=2)
    equal = board_of({4: (Terrain.HILLS, 5), 5: (Terrain.HILLS, 5)})
    assert rolled(equal, (2, 3), settlements={0: [corner(4, "NE")]}).hand(0) == hand(brick=2)


@pytest.mark.parametrize(("dice", "paid"), [((1, 1), hand(wool=1)), ((6, 6), hand(grain=1))])
def test_a_two_or_a_twelve_pays_one_tile(dice: tuple[int, int], paid: Any) -> None:
    """C052: on the map for a first game the pasture in the north, or the fields in the west."""
    everywhere = [corner(tile, "N") for tile in (0, 1, 2, 3)]
    game = rolled(
        Board.beginner(),
        dice,
        settlements={0: everywhere[:2], 1: everywhere[2:]},
        cities={2: [corner(tile, "S") for tile in (16, 17, 18)], 3: [corner(9, "SE")]},
    )
    assert game.hand(0) == (paid if dice == (1, 1) else EMPTY)
    assert game.hand(1) == (paid if dice == (6, 6) else EMPTY)
    assert game.hand(2) == game.hand(3) == EMPTY
    for seed in range(10):
        tokens = [tile.token for tile in Board.spiral(seed).tiles]
        assert tokens.count(2) == tokens.count(12) == 1


def test_the_robber_keeps_its_tile_from_yielding() -> None:
    """C053: the other tile with the number does produce."""
    spots = {0: [corner(0, "N"), corner(2, "N")]}
    assert rolled(TWINS, (4, 5), settlements=spots, robber=0).hand(0) == hand(lumber=1)
    assert rolled(TWINS, (4, 5), settlements=spots, robber=2).hand(0) == hand(brick=1)


def test_every_seat_is_paid_on_every_roll() -> None:
    """C054."""
    spots = {seat: [corner(9, name)] for seat, name in enumerate(("N", "SE", "SW"))}
    for roller in range(3):
        game = rolled(board_of({9: FIELDS_4}), (2, 2), seats=3, settlements=spots, turn_seat=roller)
        assert [game.hand(seat) for seat in range(3)] == [hand(grain=1)] * 3


def test_a_bank_short_for_several_seats_pays_none_of_them() -> None:
    """C055: five owed, four available."""
    game = rolled(
        board_of({9: FIELDS_4}),
        (2, 2),
        settlements={0: [corner(9, "N")]},
        cities={1: [corner(9, "SE")], 2: [corner(9, "SW")]},
        hands={3: with_bank(Resource.GRAIN, 4)},
    )
    assert [game.hand(seat) for seat in range(3)] == [EMPTY] * 3
    assert game.bank[Resource.GRAIN] == 4


@pytest.mark.parametrize("left", [4, 5])
def test_a_bank_short_for_three_cities_at_one_tile_pays_none_of_them(left: int) -> None:
    """C055: six owed, and never more than five of anything available."""
    spread = (19 - left,) * 5
    game = rolled(
        board_of({9: FIELDS_4}),
        (2, 2),
        cities={0: [corner(9, "N")], 1: [corner(9, "SE")], 2: [corner(9, "SW")]},
        hands={3: spread},
    )
    assert [game.hand(seat) for seat in range(3)] == [EMPTY] * 3
    assert game.bank == (left,) * 5


@pytest.mark.parametrize("left", [5, 6, 7, 12, 19])
def test_a_bank_with_enough_cards_pays_everything(left: int) -> None:
    """C055: five owed, that many available; its cards of other kinds do not matter."""
    lumber = tuple(19 if r == Resource.LUMBER else 0 for r in Resource)
    for others in (EMPTY, lumber):
        game = rolled(
            board_of({9: FIELDS_4}),
            (2, 2),
            settlements={0: [corner(9, "N")]},
            cities={1: [corner(9, "SE")], 2: [corner(9, "SW")]},
            hands={2: others, 3: with_bank(Resource.GRAIN, left)},
        )
        assert [game.hand(seat)[Resource.GRAIN] for seat in range(3)] == [1, 2, 2]
        assert game.bank[Resource.GRAIN] == left - 5


def test_a_bank_short_for_one_seat_pays_the_cards_it_has() -> None:
    """C056: three owed, two available."""
    game = rolled(
        board_of({9: FIELDS_4}),
        (2, 2),
        settlements={2: [corner(9, "N")]},
        cities={2: [corner(9, "SE")]},
        hands={3: with_bank(Resource.GRAIN, 2)},
    )
    assert game.hand(2) == hand(grain=2)
    assert game.bank[Resource.GRAIN] == 0


def test_an_empty_bank_pays_nothing() -> None:
    """C057."""
    game = rolled(
        board_of({9: FIELDS_4}),
        (2, 2),
        cities={2: [corner(9, "SE")]},
        hands={3: with_bank(Resource.GRAIN, 0)},
    )
    assert game.hand(2) == EMPTY
    assert game.bank == (19, 0, 19, 19, 19)


def test_a_bank_with_exactly_enough_pays_every_seat() -> None:
    """C058: five owed, five available."""
    game = rolled(
        board_of({9: FIELDS_4}),
        (2, 2),
        settlements={0: [corner(9, "N")]},
        cities={1: [corner(9, "SE")], 2: [corner(9, "SW")]},
        hands={3: with_bank(Resource.GRAIN, 5)},
    )
    assert [game.hand(seat) for seat in range(3)] == [hand(grain=n) for n in (1, 2, 2)]
    assert game.bank[Resource.GRAIN] == 0


def test_a_bank_short_of_one_resource_pays_the_others() -> None:
    """C059."""
    game = rolled(
        board_of({9: FIELDS_4, 4: (Terrain.MOUNTAINS, 4)}),
        (2, 2),
        cities={0: [corner(9, "NW")], 1: [corner(9, "SE")], 2: [corner(4, "N")]},
        hands={3: with_bank(Resource.GRAIN, 3)},
    )
    assert game.hand(0) == hand(ore=2)
    assert game.hand(1) == EMPTY
    assert game.hand(2) == hand(ore=2)
    assert game.bank == (19, 3, 19, 15, 19)


def test_a_claim_on_the_robbers_tile_does_not_count() -> None:
    """C060: the other seat is then alone, and gets what is available."""
    board = board_of({0: FIELDS_4, 2: FIELDS_4})
    facts = {
        "cities": {0: [corner(0, "N")], 1: [corner(2, "N")]},
        "hands": {3: with_bank(Resource.GRAIN, 1)},
    }
    game = rolled(board, (2, 2), robber=2, **facts)
    assert game.hand(0) == hand(grain=1)
    assert game.hand(1) == EMPTY
    game = rolled(board, (2, 2), robber=9, **facts)
    assert game.hand(0) == game.hand(1) == EMPTY


def test_a_seat_with_several_claims_is_still_one_seat() -> None:
    """C061: two tiles and three buildings, seven owed, five available."""
    game = rolled(
        board_of({0: FIELDS_4, 2: FIELDS_4}),
        (2, 2),
        cities={0: [corner(0, "N"), corner(2, "N"), corner(2, "SE")]},
        settlements={0: [corner(0, "S")]},
        hands={3: with_bank(Resource.GRAIN, 5)},
    )
    assert game.hand(0) == hand(grain=5)
    assert game.bank[Resource.GRAIN] == 0


def test_the_number_of_cards_in_a_hand_is_public_and_their_kinds_are_not() -> None:
    """C062."""
    one_way = position(hands={1: hand(brick=2), 2: hand(ore=2)})
    other_way = position(hands={1: hand(ore=2), 2: hand(brick=2)})
    view = one_way.view(0)
    assert [view.hand_size(seat) for seat in range(4)] == [0, 2, 2, 0]
    assert view.state_bytes() == other_way.view(0).state_bytes()
    assert (view.observation == other_way.view(0).observation).all()
    for seat in (1, 2, 3):
        with pytest.raises(ValueError, match="does not know the cards"):
            view.hand(seat)
    assert one_way.view(1).hand(1) == hand(brick=2)


def apart() -> list[int]:
    """Every second vertex: no two of them are neighbours; those of three tiles first."""
    side, new = {0: 0}, [0]
    while new:
        vertex = new.pop()
        for edge in EDGE_VERTICES:
            for other in edge if vertex in edge else ():
                if other not in side:
                    side[other] = 1 - side[vertex]
                    new.append(other)
    return sorted((v for v in side if not side[v]), key=lambda v: -len(VERTEX_TILES[v]))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_roll_may_owe_five_times_what_the_bank_has(seats: int) -> None:
    """C055: no seat gets any. A tile owes at most six cards, a board 108, which fits in a byte."""
    tiles = (Tile(Terrain.DESERT, 0), *[Tile(Terrain.HILLS, 8)] * 18)
    places = {seat: apart()[seat::seats] for seat in range(seats)}
    game = Game.from_position(
        seats=seats,
        rules=Rules.tournament(),  # where pieces on the board do not win
        board=Board(tiles, ()),
        phase="roll",
        robber=0,
        cities={seat: at[:4] for seat, at in places.items()},
        settlements={seat: at[4:9] for seat, at in places.items()},
    )
    game.play(Action.roll(), outcome=(4, 4))
    assert [game.hand(seat) for seat in range(seats)] == [hand()] * seats
    assert game.bank[Resource.BRICK] == 19
