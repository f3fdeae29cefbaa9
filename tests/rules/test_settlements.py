"""Settlements and cities (C097-C108)."""

from typing import Any

import pytest

from catan_env import Action, ActionKind, Board, Game, Resource
from tests.rules.drawn import (
    BOX,
    CITY,
    EMPTY,
    ROAD,
    SETTLEMENT,
    along,
    at,
    between,
    generic_harbour,
    hand,
    harbour_of,
    is_legal,
    plus,
    position,
    roll_and_end,
    times,
)


def places(game: Game, kind: ActionKind = ActionKind.SETTLEMENT) -> set[int]:
    """The vertices where the acting seat may build."""
    return {action.args[0] for action in game.legal_actions if action.kind == kind}


def rich(**facts: Any) -> Game:
    """A position in which seat 0 can pay for two settlements."""
    return position(**{"hands": {0: times(2, SETTLEMENT)}, **facts})


def test_a_settlement_is_on_an_empty_vertex_at_a_road_of_its_seat() -> None:
    """C097."""
    game = rich(roads={0: along(2, 1, 5)})
    assert places(game) == {at(2, k) for k in range(1, 6)}
    game.play(Action.settlement(at(2, 3)))
    assert game.settlements(0) == (at(2, 3),)
    assert game.hand(0) == SETTLEMENT
    assert game.bank == tuple(19 - n for n in SETTLEMENT)
    assert game.pieces(0) == (11, 4, 4)
    assert places(game) == {at(2, 1), at(2, 5)}


@pytest.mark.parametrize("building", ["settlements", "cities"])
def test_a_settlement_keeps_its_distance_from_every_building(building: str) -> None:
    """C097: not next to one, on any of the three edges of a vertex."""
    roads = {0: along(2, 1, 7)}
    for neighbour in (at(2, 4), at(2, 6), at(1, 4)):
        game = rich(roads=roads, **{building: {1: [neighbour]}})
        assert not is_legal(game, Action.settlement(at(2, 5)))
        assert not is_legal(game, Action.settlement(neighbour))
    two_steps_away = rich(roads=roads, **{building: {1: [at(2, 7), at(2, 3), at(1, 3)]}})
    assert is_legal(two_steps_away, Action.settlement(at(2, 5)))


@pytest.mark.parametrize("building", ["settlements", "cities"])
def test_a_neighbouring_building_of_the_same_seat_also_forbids_a_settlement(building: str) -> None:
    """C098."""
    game = rich(roads={0: along(2, 1, 5)}, **{building: {0: [at(2, 3)]}})
    assert places(game) == {at(2, 1), at(2, 5)}
    for vertex in (at(2, 2), at(2, 3), at(2, 4)):
        assert not is_legal(game, Action.settlement(vertex))


def test_a_settlement_needs_a_road_of_its_seat() -> None:
    """C099: another seat's road, or a building without a road, is not enough."""
    game = rich(settlements={0: [at(2, 1)]}, roads={1: along(2, 3, 8)})
    assert places(game) == set()
    assert not is_legal(game, Action.settlement(at(2, 5)))


def test_a_settlement_may_be_built_inside_another_seats_road() -> None:
    """C100: a road of its own must reach it, and the other's road is cut there."""
    roads = {0: [between(at(2, 5), at(1, 4))], 1: along(2, 2, 8)}
    game = rich(roads=roads)
    assert game.road_length(1) == 6
    assert is_legal(game, Action.settlement(at(2, 5)))
    assert not is_legal(game, Action.settlement(at(2, 3)))
    game.play(Action.settlement(at(2, 5)))
    assert game.road_length(1) == 3


def test_a_sixth_settlement_waits_for_a_city() -> None:
    """C101."""
    game = position(
        settlements={0: [at(0, 1), at(0, 3), at(0, 5), at(1, 1), at(2, 1)]},
        roads={0: along(2, 1, 3)},
        hands={0: plus(times(2, SETTLEMENT), times(2, CITY))},
    )
    sixth = Action.settlement(at(2, 3))
    assert game.pieces(0)[1] == 0
    assert not is_legal(game, sixth)
    game.play(Action.city(at(0, 3)))
    assert is_legal(game, sixth)
    game.play(sixth)
    assert len(game.settlements(0)) == 5
    assert game.pieces(0) == (13, 0, 3)


def test_an_upgraded_settlement_returns_to_the_stock() -> None:
    """C102."""
    game = position(settlements={0: [at(2, 1), at(2, 5)]}, hands={0: CITY})
    assert game.pieces(0) == (15, 3, 4)
    game.play(Action.city(at(2, 5)))
    assert game.pieces(0) == (15, 4, 3)
    assert (game.settlements(0), game.cities(0)) == ((at(2, 1),), (at(2, 5),))


def test_a_city_replaces_only_a_settlement_of_its_seat() -> None:
    """C103: not an empty vertex, not another seat's settlement, not a city."""
    game = position(
        settlements={0: [at(2, 1)], 1: [at(2, 5)]},
        cities={0: [at(2, 3)]},
        roads={0: along(2, 1, 9)},
        hands={0: times(2, CITY)},
    )
    assert places(game, ActionKind.CITY) == {at(2, 1)}
    for vertex in (at(2, 3), at(2, 5), at(2, 8)):
        assert not is_legal(game, Action.city(vertex))


def test_a_seat_has_four_cities() -> None:
    """C104."""
    cities = [at(0, 1), at(0, 3), at(0, 5), at(1, 1)]
    facts = {"settlements": {0: [at(2, 5)]}, "hands": {0: CITY}}
    assert is_legal(position(cities={0: cities[:3]}, **facts), Action.city(at(2, 5)))
    assert not is_legal(position(cities={0: cities}, **facts), Action.city(at(2, 5)))


def test_a_settlement_may_become_a_city_on_the_same_turn() -> None:
    """C105: both are paid in full."""
    game = position(roads={0: along(2, 1, 3)}, hands={0: plus(SETTLEMENT, CITY)})
    game.play(Action.settlement(at(2, 3)))
    assert game.hand(0) == CITY
    game.play(Action.city(at(2, 3)))
    assert game.hand(0) == EMPTY and game.bank == BOX
    assert (game.settlements(0), game.cities(0)) == ((), (at(2, 3),))


def test_a_city_keeps_the_harbour_of_its_settlement() -> None:
    """C106."""
    harbours = (generic_harbour(at(0, 0), at(0, 1)), harbour_of(Resource.WOOL, at(5, 0), at(5, 1)))
    board = Board(Board.beginner().tiles, harbours)
    game = position(board=board, settlements={0: [at(0, 1), at(5, 0)]}, hands={0: times(2, CITY)})
    rates = game.trade_rates(0)
    assert rates == (3, 3, 3, 3, 2)
    game.play(Action.city(at(0, 1)))
    game.play(Action.city(at(5, 0)))
    assert game.trade_rates(0) == rates
    cities = position(board=board, cities={0: [at(0, 1), at(5, 0)]}, hands={0: hand(wool=2, ore=3)})
    assert cities.trade_rates(0) == rates
    assert is_legal(cities, Action.bank_trade(Resource.WOOL, Resource.BRICK))
    assert is_legal(cities, Action.bank_trade(Resource.ORE, Resource.BRICK))


def test_an_upgrade_changes_nothing_around_the_city() -> None:
    """C107: it keeps others at a distance and stops their roads, as its settlement did."""
    game = position(
        seats=2,
        settlements={0: [at(2, 5)]},
        roads={1: along(2, 2, 5)},
        hands={0: CITY, 1: plus(SETTLEMENT, ROAD)},
    )
    game.play(Action.city(at(2, 5)))
    game.play(Action.end_turn())
    game.play(Action.roll(), outcome=(1, 1))
    assert places(game) == {at(2, 2), at(2, 3)}
    assert not is_legal(game, Action.settlement(at(2, 4)))
    assert not is_legal(game, Action.road(between(at(2, 5), at(2, 6))))
    assert not is_legal(game, Action.road(between(at(2, 5), at(1, 4))))


def test_a_settlement_and_its_upgrade_add_a_point_each() -> None:
    """C108."""
    game = position(roads={0: along(2, 1, 3)}, hands={0: plus(SETTLEMENT, CITY)})
    assert game.points(0) == 0
    game.play(Action.settlement(at(2, 3)))
    assert game.points(0) == 1
    game.play(Action.city(at(2, 3)))
    assert game.points(0) == 2
    roll = game.copy()
    roll.play(Action.end_turn())
    roll_and_end(roll)
    assert [roll.points(seat) for seat in range(4)] == [2, 0, 0, 0]
