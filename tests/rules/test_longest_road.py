"""Longest Road: the length of roads, and the holder of the card (C159-C180)."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_env import Action, ActionKind, Board, Game, geometry
from tests.rules.drawn import (
    CITY,
    ROAD,
    SETTLEMENT,
    along,
    at,
    between,
    position,
    ring,
    roll_and_end,
    times,
    trail,
)


def places(names: Iterable[str], number: Any) -> list[int]:
    """Vertices or edges from names such as "-2 0 NW"."""
    split = (name.split() for name in names)
    return [number(int(q), int(r), where) for q, r, where in split]


def vector(fact: Any) -> Any:
    """A road graph of longest_road_vectors.json: its edges, the rival's vertices, its length."""
    roads = places(fact["roads"], Board.edge_at)
    return pytest.param(
        roads, places(fact["rivals"], Board.vertex_at), fact["length"], id=fact["name"]
    )


FACTS = Path(__file__).with_name("longest_road_vectors.json")
VECTORS = [vector(fact) for fact in json.loads(FACTS.read_text())]


def length(roads: Iterable[int], rivals: Iterable[int] = (), own: Iterable[int] = ()) -> int:
    """The length of these roads, as a position."""
    game = position(seats=2, roads={0: roads}, settlements={0: own, 1: rivals})
    return game.road_length(0)


def parts(roads: Iterable[int], walls: Iterable[int]) -> list[list[int]]:
    """The roads in groups in which each can be built after the previous one."""
    left, groups = set(roads), []
    while left:
        groups.append([left.pop()])
        for edge in groups[-1]:
            for vertex in {*geometry.EDGE_VERTICES[edge]} - {*walls}:
                joined = left & {*geometry.VERTEX_EDGES[vertex]}
                groups[-1] += joined
                left -= joined
    return groups


def longest_trail(roads: frozenset[int], walls: set[int]) -> int:
    """The length of the longest trail, by exhaustive search."""

    def beyond(vertex: int, left: frozenset[int]) -> int:
        return max((1 + after(e, vertex, left) for e in edges_at(vertex, left)), default=0)

    def after(edge: int, vertex: int, left: frozenset[int]) -> int:
        far = sum(geometry.EDGE_VERTICES[edge]) - vertex
        return 0 if far in walls else beyond(far, left - {edge})

    def edges_at(vertex: int, left: frozenset[int]) -> set[int]:
        return left & {*geometry.VERTEX_EDGES[vertex]}

    return max(beyond(vertex, roads) for vertex in range(54))


@pytest.mark.parametrize(("roads", "rivals", "expected"), VECTORS)
def test_a_road_is_its_longest_trail(roads: list[int], rivals: list[int], expected: int) -> None:
    """C161, C162: twenty-one road graphs, computed twice by other methods."""
    assert longest_trail(frozenset(roads), set(rivals)) == expected
    assert length(roads, rivals) == expected


@pytest.mark.parametrize(("roads", "rivals", "expected"), VECTORS)
def test_the_order_of_building_does_not_matter(
    roads: list[int], rivals: list[int], expected: int
) -> None:
    """C161, C162: the same graphs, road by road in twenty orders."""
    for seed in range(20):
        choose = Random(seed)
        started = [choose.choice(part) for part in parts(roads, rivals)]
        game = position(
            seats=2,
            roads={0: started},
            settlements={1: rivals},
            hands={0: times(15, ROAD)},
        )
        left = set(roads) - set(started)
        while left:
            edge = choose.choice(sorted(e for e in left if Action.road(e) in game.legal_actions))
            game.play(Action.road(edge))
            left.remove(edge)
        assert game.road_length(0) == expected
        assert game.longest_road_seat == (0 if expected >= 5 else None)


CUT = [v for v in VECTORS if v.values[1] and not v.id.endswith(("joint", "centre"))]


@pytest.mark.parametrize(("roads", "rivals", "expected"), CUT)
def test_the_order_of_road_and_building_does_not_matter(
    roads: list[int], rivals: list[int], expected: int
) -> None:
    """C162: here the rival settles after the road exists, arriving by the third edge."""
    third = [edge for v in rivals for edge in geometry.VERTEX_EDGES[v] if edge not in roads]
    for order in (rivals, rivals[::-1]):
        game = position(
            seats=2,
            roads={0: roads, 1: third},
            hands={1: times(len(rivals), SETTLEMENT)},
            turn_seat=1,
        )
        assert game.road_length(0) == longest_trail(frozenset(roads), set())
        for vertex in order:
            game.play(Action.settlement(vertex))
        assert game.road_length(0) == expected


@pytest.mark.parametrize("seed", range(40))
def test_any_road_is_measured_as_its_longest_trail(seed: int) -> None:
    """C161, C162: while it grows, as a position, and when it is cut."""
    choose = Random(seed)
    start = choose.randrange(72)
    free = set(range(54)) - {*geometry.EDGE_VERTICES[start]}
    rivals: list[int] = []
    for _ in range(choose.randrange(4)):
        rivals.append(choose.choice(sorted(free)))
        free -= {rivals[-1], *geometry.VERTEX_NEIGHBOURS[rivals[-1]]}
    game = position(
        seats=2, roads={0: [start]}, settlements={1: rivals}, hands={0: times(14, ROAD)}
    )
    builds = [Action.road(start)]
    while builds := [a for a in game.legal_actions if a.kind == ActionKind.ROAD]:
        game.play(choose.choice(builds))
        assert game.road_length(0) == longest_trail(frozenset(game.roads(0)), set(rivals))
    roads = game.roads(0)
    assert length(roads, rivals) == game.road_length(0)
    for vertex in sorted(free):
        edges = [e for e in geometry.VERTEX_EDGES[vertex] if e not in roads]
        if len(edges) == 1 and all(n not in rivals for n in geometry.VERTEX_NEIGHBOURS[vertex]):
            game = position(
                seats=2,
                roads={0: roads, 1: edges},
                settlements={1: rivals},
                hands={1: SETTLEMENT},
                turn_seat=1,
            )
            game.play(Action.settlement(vertex))
            assert game.road_length(0) == longest_trail(frozenset(roads), {*rivals, vertex})


def test_the_first_road_of_five_takes_the_card() -> None:
    """C159."""
    game = position(roads={0: along(2, 0, 4)}, hands={0: ROAD})
    assert (game.longest_road_seat, game.points(0)) == (None, 0)
    game.play(Action.road(between(at(2, 4), at(2, 5))))
    assert (game.longest_road_seat, game.points(0)) == (0, 2)


def test_a_road_of_four_does_not_take_the_card() -> None:
    """C160."""
    game = position(roads={0: along(2, 0, 3)}, hands={0: times(2, ROAD)})
    game.play(Action.road(between(at(2, 3), at(2, 4))))
    assert (game.road_length(0), game.longest_road_seat, game.points(0)) == (4, None, 0)
    game.play(Action.road(between(at(2, 2), at(3, 2))))
    assert (game.road_length(0), game.longest_road_seat) == (4, None)


def test_side_branches_add_nothing() -> None:
    """C161."""
    branches = [between(at(2, k), at(3, k)) for k in (2, 4)]
    assert length(along(2, 0, 6)) == length(along(2, 0, 6) + branches) == 6


def test_a_trail_ends_at_another_seats_building() -> None:
    """C162: its last edge counts, and it may also start there."""
    road = along(2, 0, 8)
    assert length(road, rivals=[at(2, 5)]) == 5
    assert length(road, rivals=[at(2, 1)]) == 7
    assert length(road, rivals=[at(2, 0), at(2, 8)]) == 8
    assert length(road, rivals=[at(2, 2), at(2, 6)]) == 4
    city = position(seats=2, roads={0: road}, cities={1: [at(2, 5)]})
    assert city.road_length(0) == 5


def test_a_building_of_the_seat_does_not_interrupt() -> None:
    """C163: neither a settlement nor a city, also if built later."""
    road = along(2, 0, 8)
    assert length(road, own=[at(2, 3), at(2, 5)]) == 8
    game = position(roads={0: road}, cities={0: [at(2, 3)]}, hands={0: SETTLEMENT})
    assert game.road_length(0) == 8
    game.play(Action.settlement(at(2, 5)))
    assert (game.road_length(0), game.longest_road_seat) == (8, 0)


def test_a_ring_counts_six() -> None:
    """C164."""
    assert length(ring(9)) == 6
    assert length(ring(9)[1:]) == 5


@pytest.mark.parametrize("tail", [1, 2, 3])
def test_a_ring_with_a_tail_counts_both(tail: int) -> None:
    """C165."""
    there = trail(at(2, 5), at(1, 4), at(1, 5), at(0, 4))[:tail]
    assert length(ring(9) + there) == 6 + tail


def test_a_ring_with_rivals_on_it() -> None:
    """C166: one leaves six, two on opposite corners leave three."""
    north, south = at(2, 5), at(3, 5)
    assert length(ring(9), rivals=[north]) == 6
    assert length(ring(9), rivals=[north, south]) == 3
    assert length(ring(9), rivals=[north, at(3, 4)]) == 4


def test_two_rings_that_share_an_edge_count_eleven() -> None:
    """C167."""
    roads = {*ring(9), *ring(10)}
    assert len(roads) == length(roads) == 11


def test_three_rings_around_a_vertex_count_fourteen() -> None:
    """C168."""
    roads = {*ring(9), *ring(10), *ring(14)}
    assert len(roads) == 15
    assert length(roads) == 14


def points(game: Game) -> list[int]:
    """The points of all seats."""
    return [game.points(seat) for seat in range(game.seats)]


def test_a_holder_keeps_the_card_in_a_tie() -> None:
    """C169."""
    game = position(roads={0: along(2, 0, 5), 1: along(3, 0, 6)}, hands={0: times(2, ROAD)})
    assert game.longest_road_seat == 1
    game.play(Action.road(between(at(2, 5), at(2, 6))))
    assert (game.road_length(0), game.road_length(1)) == (6, 6)
    assert (game.longest_road_seat, points(game)) == (1, [0, 2, 0, 0])


def test_a_longer_road_takes_the_card_immediately() -> None:
    """C170: two points move from one seat to another."""
    game = position(
        roads={0: along(2, 0, 6), 1: along(3, 0, 6)}, hands={0: ROAD}, longest_road_seat=1
    )
    assert points(game) == [0, 2, 0, 0]
    game.play(Action.road(between(at(2, 6), at(2, 7))))
    assert (game.longest_road_seat, points(game)) == (0, [2, 0, 0, 0])


def cut(place: int, **others: list[int]) -> Game:
    """Seat 1 holds Longest Road with ten roads along line 2; seat 0 settles on one of its places.

    `two` and `three` are the roads of seats 2 and 3.
    """
    roads = {1: along(2, 0, 10), 2: others.get("two", []), 3: others.get("three", [])}
    way = between(at(2, place), at(3, place) if place % 2 == 0 else at(1, place - 1))
    game = position(roads={0: [way], **roads}, hands={0: SETTLEMENT, 2: ROAD, 3: times(2, ROAD)})
    assert (game.longest_road_seat, points(game)) == (1, [0, 2, 0, 0])
    game.play(Action.settlement(at(2, place)))
    return game


def test_a_cut_road_that_is_still_longest_keeps_the_card() -> None:
    """C171: alone, or in a tie."""
    game = cut(6, two=along(4, 0, 5))
    assert (game.road_length(1), game.road_length(2)) == (6, 5)
    assert (game.longest_road_seat, points(game)) == (1, [1, 2, 0, 0])
    game = cut(6, two=along(4, 0, 6), three=along(0, 0, 6))
    assert [game.road_length(seat) for seat in (1, 2, 3)] == [6, 6, 6]
    assert (game.longest_road_seat, points(game)) == (1, [1, 2, 0, 0])
    game = cut(5)
    assert (game.road_length(1), game.longest_road_seat) == (5, 1)


def test_after_a_cut_the_only_longest_road_takes_the_card() -> None:
    """C172."""
    game = cut(6, two=along(4, 0, 7), three=along(0, 0, 6))
    assert (game.longest_road_seat, points(game)) == (2, [1, 0, 2, 0])
    game = cut(6, three=along(4, 0, 8), two=along(0, 0, 6))
    assert (game.longest_road_seat, points(game)) == (3, [1, 0, 0, 2])


def test_after_a_cut_two_equal_roads_set_the_card_aside() -> None:
    """C173."""
    game = cut(5, two=along(4, 0, 6), three=along(0, 0, 6))
    assert [game.road_length(seat) for seat in (1, 2, 3)] == [5, 6, 6]
    assert (game.longest_road_seat, points(game)) == (None, [1, 0, 0, 0])


def test_after_a_cut_short_roads_set_the_card_aside() -> None:
    """C174: no seat has five."""
    game = position(
        roads={0: [between(at(2, 4), at(3, 4))], 1: along(2, 0, 8), 2: along(4, 0, 4)},
        hands={0: SETTLEMENT},
    )
    game.play(Action.settlement(at(2, 4)))
    assert [game.road_length(seat) for seat in range(4)] == [1, 4, 4, 0]
    assert (game.longest_road_seat, points(game)) == (None, [1, 0, 0, 0])


def pass_to(game: Game, seat: int) -> None:
    """End turns until this seat has rolled."""
    while game.seat != seat:
        game.play(Action.end_turn())
        game.play(Action.roll(), outcome=(1, 1))


def test_a_card_set_aside_goes_to_the_next_only_longest_road() -> None:
    """C175: one of those that tied, by one road more; or the first again with five."""
    game = cut(5, two=along(4, 0, 6), three=along(0, 0, 6))
    pass_to(game, 2)
    game.play(Action.road(between(at(4, 6), at(4, 7))))
    assert (game.longest_road_seat, points(game)) == (2, [1, 0, 2, 0])
    game = position(
        roads={0: [between(at(2, 4), at(3, 4))], 1: along(2, 0, 8), 2: along(4, 0, 4)},
        hands={0: SETTLEMENT, 2: ROAD},
    )
    game.play(Action.settlement(at(2, 4)))
    pass_to(game, 2)
    game.play(Action.road(between(at(4, 4), at(4, 5))))
    assert (game.longest_road_seat, points(game)) == (2, [1, 0, 2, 0])


def test_a_cut_may_give_away_a_card_set_aside() -> None:
    """C175: seats 1 and 2 tie, and seat 0 cuts one of them."""
    game = position(
        roads={0: [between(at(2, 4), at(3, 4))], 1: along(2, 0, 6), 2: along(4, 0, 6)},
        hands={0: SETTLEMENT},
        longest_road_seat=None,
    )
    assert points(game) == [0, 0, 0, 0]
    game.play(Action.settlement(at(2, 4)))
    assert (game.longest_road_seat, points(game)) == (2, [1, 0, 2, 0])


def test_a_cut_of_another_road_leaves_the_card_with_its_holder() -> None:
    """C171."""
    game = position(
        roads={0: [between(at(2, 4), at(3, 4))], 1: along(2, 0, 6), 2: along(4, 0, 6)},
        hands={0: SETTLEMENT},
        longest_road_seat=2,
    )
    game.play(Action.settlement(at(2, 4)))
    assert (game.longest_road_seat, points(game)) == (2, [1, 0, 2, 0])


def test_a_card_set_aside_stays_there_in_a_tie() -> None:
    """C176: a third road of the same length changes nothing; a longer one does."""
    game = position(
        roads={1: along(2, 0, 5), 2: along(4, 0, 5), 3: along(0, 0, 4)},
        hands={3: times(2, ROAD)},
        longest_road_seat=None,
        turn_seat=3,
    )
    game.play(Action.road(between(at(0, 4), at(0, 5))))
    assert [game.road_length(seat) for seat in (1, 2, 3)] == [5, 5, 5]
    assert (game.longest_road_seat, points(game)) == (None, [0, 0, 0, 0])
    game.play(Action.road(between(at(0, 5), at(0, 6))))
    assert (game.longest_road_seat, points(game)) == (3, [0, 0, 0, 2])


def test_a_turn_lengthens_one_seats_road_only() -> None:
    """C177: so two seats never reach five at the same moment."""
    game, choose = Game(seats=4, seed=11), Random(11)
    before, grown = [0] * 4, 0
    for _ in range(3000):
        if game.is_over:
            break
        mover = game.seat
        builds = [a for a in game.legal_actions if a.kind == ActionKind.ROAD]
        game.play(choose.choice(builds or list(game.legal_actions)))
        lengths = [game.road_length(seat) for seat in range(4)]
        longer = [seat for seat in range(4) if lengths[seat] > before[seat]]
        assert longer in ([], [mover])
        before, grown = lengths, grown + len(longer)
    assert grown > 15


def test_a_city_cuts_nothing_more() -> None:
    """C178."""
    game = position(
        roads={1: along(2, 0, 10), 2: along(4, 0, 6)},
        settlements={0: [at(2, 6)]},
        hands={0: CITY},
        longest_road_seat=1,
    )
    before = [game.road_length(seat) for seat in range(4)]
    assert before == [0, 6, 6, 0]
    game.play(Action.city(at(2, 6)))
    assert [game.road_length(seat) for seat in range(4)] == before
    assert (game.longest_road_seat, points(game)) == (1, [2, 2, 0, 0])


def test_a_third_seat_brought_to_ten_points_wins_on_its_own_turn() -> None:
    """C179: seat 0 cuts seat 1, and Longest Road goes to seat 2."""
    game = position(
        roads={0: [between(at(2, 4), at(3, 4))], 1: along(2, 0, 8), 2: along(5, 0, 5)},
        cities={2: [at(5, 0), at(5, 2), at(5, 4), at(0, 1)]},
        hands={0: SETTLEMENT},
    )
    assert points(game) == [0, 2, 8, 0]
    event = game.play(Action.settlement(at(2, 4)))
    assert points(game) == [1, 0, 10, 0]
    assert (event.winner, game.is_over) == (None, False)
    game.play(Action.end_turn())
    assert (game.seat, game.is_over) == (1, False)
    roll_and_end(game)
    assert (game.winner, game.is_over) == (2, True)
    assert game.events[-1].winner == 2


def test_the_longest_possible_road_is_fifteen() -> None:
    """C180."""
    there, back = along(2, 0, 10), along(3, 6, 10)[::-1]
    roads = [*there, between(at(2, 10), at(3, 10)), *back]
    assert length(roads) == len(roads) == 15
    game = position(roads={0: roads[:14]}, hands={0: times(2, ROAD)})
    game.play(Action.road(roads[14]))
    assert game.road_length(0) == 15
    assert not any(action.kind == ActionKind.ROAD for action in game.legal_actions)
