"""The places of roads (C087-C096)."""

from random import Random
from typing import Any

import pytest

from catan_env import Action, ActionKind, Game, geometry
from tests.rules.drawn import (
    EMPTY,
    ROAD,
    SETTLEMENT,
    along,
    at,
    between,
    is_legal,
    minus,
    plus,
    position,
    roll_and_end,
    times,
)


def road_places(game: Game) -> set[int]:
    """The edges where the acting seat may build a road."""
    return {action.args[0] for action in game.legal_actions if action.kind == ActionKind.ROAD}


def with_roads(**facts: Any) -> Game:
    """A position in which every seat can pay for two roads."""
    return position(**{"hands": {seat: times(2, ROAD) for seat in range(4)}, **facts})


def test_a_road_costs_a_brick_and_a_lumber() -> None:
    """C087: they go to the bank."""
    game = with_roads(settlements={0: [at(2, 5)]})
    bank = game.bank
    game.play(Action.road(between(at(2, 5), at(2, 4))))
    assert game.hand(0) == ROAD
    assert game.bank == plus(bank, ROAD)
    assert game.roads(0) == (between(at(2, 5), at(2, 4)),)
    assert game.pieces(0) == (14, 4, 4)


def test_a_road_must_touch_your_own() -> None:
    """C088: a road, a settlement or a city."""
    road = with_roads(roads={0: along(2, 4, 5)})
    west, east = (at(2, 4), [at(2, 3), at(3, 4)]), (at(2, 5), [at(2, 6), at(1, 4)])
    assert road_places(road) == {between(a, b) for a, ends in (west, east) for b in ends}
    around = {between(at(2, 5), end) for end in (at(2, 4), at(2, 6), at(1, 4))}
    for building in ("settlements", "cities"):
        game = with_roads(**{building: {0: [at(2, 5)]}})
        assert road_places(game) == around
    assert not is_legal(road, Action.road(along(2, 6, 7)[0]))


def test_another_seats_pieces_connect_nothing() -> None:
    """C088."""
    game = with_roads(
        settlements={1: [at(2, 5)]}, cities={2: [at(4, 4)]}, roads={1: along(2, 4, 5)}
    )
    assert road_places(game) == set()


def test_a_road_ends_at_another_seats_building() -> None:
    """C089: regardless of whether the building or the road was first."""
    for building in ("settlements", "cities"):
        game = with_roads(roads={0: along(2, 3, 5)}, **{building: {1: [at(2, 5)]}})
        assert not is_legal(game, Action.road(between(at(2, 5), at(2, 6))))
        assert not is_legal(game, Action.road(between(at(2, 5), at(1, 4))))
    game = with_roads(roads={0: along(2, 3, 4)}, settlements={1: [at(2, 5)]})
    game.play(Action.road(between(at(2, 4), at(2, 5))))
    assert not is_legal(game, Action.road(between(at(2, 5), at(2, 6))))
    assert not is_legal(game, Action.road(between(at(2, 5), at(1, 4))))


def test_a_new_building_stops_the_roads_that_end_there() -> None:
    """C089: seat 1 settles where seat 0's road ends."""
    game = with_roads(
        roads={0: along(2, 3, 5), 1: along(2, 5, 6)},
        hands={0: ROAD, 1: plus(SETTLEMENT, ROAD)},
        turn_seat=1,
    )
    beyond = Action.road(between(at(2, 5), at(1, 4)))
    assert is_legal(game, beyond)
    settled = game.copy()
    settled.play(Action.settlement(at(2, 5)))
    assert is_legal(settled, beyond)
    for each in (game, settled):
        each.play(Action.end_turn())
        roll_and_end(each)
        roll_and_end(each)
        each.play(Action.roll(), outcome=(1, 1))
        assert each.seat == 0
    assert is_legal(game, beyond)
    assert not is_legal(settled, beyond)
    assert is_legal(settled, Action.road(between(at(2, 3), at(2, 2))))


@pytest.mark.parametrize("built_first", [True, False])
def test_an_edge_at_a_rivals_building_is_open_from_its_other_end(built_first: bool) -> None:
    """C090: seat 0's roads reach both ends of an edge; a rival's building is at one."""
    loop = [between(at(2, 4), at(2, 5)), between(at(1, 3), at(1, 4))]
    edge = Action.road(between(at(2, 5), at(1, 4)))
    rival = {1: [between(at(2, 5), at(2, 6))]}
    if built_first:
        game = with_roads(roads={0: loop} | rival, settlements={1: [at(2, 5)]})
    else:
        hands = {0: ROAD, 1: SETTLEMENT}
        game = with_roads(roads={0: loop} | rival, hands=hands, turn_seat=1)
        game.play(Action.settlement(at(2, 5)))
        game.play(Action.end_turn())
        roll_and_end(game)
        roll_and_end(game)
        game.play(Action.roll(), outcome=(1, 1))
    assert game.seat == 0
    assert is_legal(game, edge)
    assert not is_legal(game, Action.road(rival[1][0]))


def test_an_edge_between_two_rivals_buildings_is_closed() -> None:
    """C090: seat 0's roads reach both, and neither lets them in."""
    outer = [between(at(2, 3), at(2, 4)), between(at(2, 6), at(2, 7))]
    game = with_roads(roads={0: outer}, settlements={1: [at(2, 4)], 2: [at(2, 6)]})
    assert not is_legal(game, Action.road(between(at(2, 4), at(2, 5))))
    assert not is_legal(game, Action.road(between(at(2, 5), at(2, 6))))


def test_an_edge_holds_one_road() -> None:
    """C091: neither on a road of its own nor on another seat's."""
    game = with_roads(roads={0: along(2, 3, 5), 1: along(2, 5, 7)})
    for edge in along(2, 3, 7):
        assert not is_legal(game, Action.road(edge))
    game.play(Action.road(between(at(2, 5), at(1, 4))))
    assert not is_legal(game, Action.road(between(at(2, 5), at(1, 4))))


def test_an_edge_taken_by_another_seat_is_no_longer_open() -> None:
    """C091: seat 3 is faster."""
    edge = between(at(2, 5), at(1, 4))
    game = with_roads(roads={0: along(2, 4, 5), 3: along(2, 5, 6)}, turn_seat=3)
    game.play(Action.road(edge))
    game.play(Action.end_turn())
    game.play(Action.roll(), outcome=(1, 1))
    assert game.seat == 0
    assert not is_legal(game, Action.road(edge))


def test_roads_follow_the_coast_but_not_the_sea() -> None:
    """C092: there are 72 edges."""
    coastal = [e for e in range(72) if len(geometry.EDGE_TILES[e]) == 1]
    assert len(coastal) == 30
    for edge in coastal:
        for vertex in geometry.EDGE_VERTICES[edge]:
            assert is_legal(with_roads(settlements={0: [vertex]}), Action.road(edge))
    assert road_places(with_roads(settlements={0: [at(0, 1)]})) == set(along(0, 0, 2))
    with pytest.raises(ValueError, match="no edge has the number 72"):
        Action.road(72)


def test_a_seat_has_fifteen_roads() -> None:
    """C093: with fourteen on the board there is one more, then none."""
    fourteen = along(2, 0, 10) + along(3, 0, 4)
    game = with_roads(roads={0: fourteen})
    game.play(Action.road(along(3, 4, 5)[0]))
    assert len(game.roads(0)) == 15 and game.pieces(0)[0] == 0
    assert game.hand(0) == ROAD
    assert road_places(game) == set()
    assert not is_legal(game, Action.road(along(3, 5, 6)[0]))


@pytest.mark.parametrize("missing", ["brick", "lumber", "both"])
def test_a_road_that_cannot_be_paid_is_refused(missing: str) -> None:
    """C094: and nothing changes."""
    cards = {"brick": (0, 9, 9, 9, 9), "lumber": (9, 9, 0, 9, 9), "both": (0, 9, 0, 9, 9)}
    game = position(settlements={0: [at(2, 5)]}, hands={0: cards[missing]})
    assert not is_legal(game, Action.road(between(at(2, 5), at(2, 4))))
    assert game.roads(0) == ()
    assert game.pieces(0)[0] == 15


def test_roads_stay_where_they_are() -> None:
    """C095: in a whole game no road is moved or taken back."""
    game, choose = Game(seats=3, seed=4), Random(4)
    before = [set()] * 3
    for _ in range(2500):
        if game.is_over:
            break
        builds = [a for a in game.legal_actions if a.kind == ActionKind.ROAD]
        game.play(choose.choice(builds or list(game.legal_actions)))
        roads = [set(game.roads(seat)) for seat in range(3)]
        assert all(old <= new for old, new in zip(before, roads, strict=True))
        before = roads
    assert sum(map(len, before)) > 15


def test_a_road_continues_past_the_seats_own_building() -> None:
    """C096."""
    for building in ("settlements", "cities"):
        game = with_roads(roads={0: along(2, 4, 5)}, **{building: {0: [at(2, 5)]}})
        game.play(Action.road(between(at(2, 5), at(2, 6))))
        assert game.road_length(0) == 2
        game.play(Action.road(between(at(2, 6), at(2, 7))))
        assert game.road_length(0) == 3
        assert game.hand(0) == minus(ROAD, ROAD) == EMPTY
