"""The small map of seven tiles (C215-C221)."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

from catan_env import (
    Action,
    ActionKind,
    Board,
    Game,
    Rules,
    SeatView,
    Terrain,
    geometry,
    named_observation,
)
from catan_env.batch import Batch
from catan_env.game.board import Harbour, Tile
from catan_env.game.event import Event
from catan_env.notation import NotationError, dumps, loads
from tests.properties.settings import pick
from tests.rules.drawn import at, between, corner, hand, is_legal

LAND = (4, 5, 8, 9, 10, 13, 14)
SEA = tuple(tile for tile in range(19) if tile not in LAND)
VERTICES = {v for tile in LAND for v in geometry.TILE_VERTICES[tile]}
EDGES = {e for tile in LAND for e in geometry.TILE_EDGES[tile]}
RING = (5, 4, 8, 13, 14, 10)
"""The tiles around the centre, counter-clockwise."""


def boards(seeds: int = 300) -> list[Board]:
    laid = (Board.spiral, Board.random_tokens)
    return [Board.beginner(small_map=True)] + [
        lay(seed, small_map=True) for seed in range(seeds) for lay in laid
    ]


def small(**facts: object) -> Game:
    """A position on the small map for a first game."""
    known = {"board": Board.beginner(small_map=True), "rules": "small", "seats": 2, **facts}
    return Game.from_position(**known)


def played(n: int) -> Game:
    """A whole random game."""
    game, chance = Game(2 + n % 2, n, "small"), Random(n)
    while not game.is_over:
        game.play(pick(game, chance))
    return game


def test_the_preset_is_the_booklet_to_seven_points_on_the_small_map() -> None:
    assert Rules.named("small") == replace(
        Rules.base(), name="small", points_to_win=7, small_map=True
    )


def test_the_seven_inner_tiles_are_land() -> None:
    """C215."""
    for board in boards(20):
        assert board.small_map
        assert [k for k, tile in enumerate(board.tiles) if tile.terrain != Terrain.SEA] == [*LAND]
    assert (len(VERTICES), len(EDGES)) == (24, 30)
    assert not Board.beginner().small_map


def test_the_land_has_two_fields_one_desert_and_one_of_each_other_terrain() -> None:
    """C216."""
    for board in boards():
        land = Counter(board.tiles[tile].terrain for tile in LAND)
        assert land == Counter({terrain: 1 for terrain in Terrain if terrain < 6}) + Counter(
            {Terrain.FIELDS: 1}
        )
        assert sorted(tile.token for tile in board.tiles if tile.token) == [4, 5, 6, 8, 9, 10]
        assert board.tiles[board.robber_start] == Tile(Terrain.DESERT, 0)


def test_every_terrain_and_number_comes_to_every_tile() -> None:
    for lay in (Board.spiral, Board.random_tokens):
        laid = [lay(seed, small_map=True) for seed in range(600)]
        for tile in LAND:
            terrains = Counter(board.tiles[tile].terrain for board in laid)
            assert terrains.keys() == {*range(6)}
            assert 120 < terrains[Terrain.FIELDS] < 225, (lay, tile, terrains)
            tokens = {board.tiles[tile].token for board in laid}
            if tile in RING:
                assert tokens == {0, 4, 5, 6, 8, 9, 10}
            else:  # a red token would touch the other one, and a spiral ends with 5
                assert tokens == ({0, 5} if lay == Board.spiral else {0, 4, 5, 9, 10})


def test_a_small_spiral_runs_counter_clockwise_from_a_tile_of_the_ring_to_the_centre() -> None:
    """C217: starting at the desert is starting at the next tile, so there are 5 * 6 + 6 ways."""
    seen = set()
    for seed in range(400):
        board = Board.spiral(seed, small_map=True)
        fitting = []
        for start in range(6):
            path = [*RING[start:], *RING[:start], 9]
            tokens = [board.tiles[tile].token for tile in path if tile != board.robber_start]
            fitting += [start] if tokens == [4, 6, 9, 8, 10, 5] else []
        assert fitting, f"seed {seed}"
        seen.add(tuple(tile.token for tile in board.tiles))
    assert len(seen) == 36


def test_six_and_eight_are_apart_on_the_small_map() -> None:
    """C217."""
    for board in boards():
        red = [k for k, tile in enumerate(board.tiles) if tile.token in (6, 8)]
        assert red[0] not in geometry.TILE_NEIGHBOURS[red[1]]


def test_the_coast_has_three_generic_harbours() -> None:
    """C218."""
    for board in boards(20):
        assert [(h.resource, h.rate) for h in board.harbours] == [(None, 3)] * 3
        tiles = []
        for harbour in board.harbours:
            a, b = harbour.vertices
            (land,) = {*geometry.EDGE_TILES[between(a, b)]} & {*LAND}
            assert {*geometry.VERTEX_TILES[a]} & {*LAND} == {land}
            assert {*geometry.VERTEX_TILES[b]} & {*LAND} == {land}
            tiles.append(RING.index(land) % 2)
        assert len(set(tiles)) == 1 and len({h.vertices for h in board.harbours}) == 3


def test_nothing_is_ever_built_at_sea_and_the_robber_stays_on_land() -> None:
    """C219."""
    for n in range(4):
        game = played(n)
        for event in game.events:
            action = event.action
            if action.kind in (ActionKind.SETTLEMENT, ActionKind.CITY):
                assert action.args[0] in VERTICES
            elif action.kind == ActionKind.ROAD:
                assert action.args[0] in EDGES
            elif action.kind == ActionKind.MOVE_ROBBER:
                assert action.args[0] in LAND


def test_the_first_settlement_and_its_road_are_on_land() -> None:
    """C219."""
    game = Game(2, 1, "small")
    assert {action.args[0] for action in game.legal_actions} == VERTICES
    coast = corner(4, "N")
    game.play(Action.settlement(coast))
    assert {action.args[0] for action in game.legal_actions} == (
        {*geometry.VERTEX_EDGES[coast]} & EDGES
    )
    assert not is_legal(game, Action.road(min({*geometry.VERTEX_EDGES[coast]} - EDGES)))


def test_a_road_does_not_go_to_sea() -> None:
    """C219: the coast's vertex has a third edge, which is not land."""
    coast = corner(4, "N")
    (out,) = {*geometry.VERTEX_EDGES[coast]} - EDGES
    game = small(
        settlements={0: [coast]},
        roads={0: [between(coast, corner(4, "NE"))]},
        hands={0: hand(brick=1, lumber=1)},
    )
    assert not is_legal(game, Action.road(out))
    assert is_legal(game, Action.road(between(coast, corner(4, "NW"))))


def test_the_second_settlement_yields_only_from_land() -> None:
    """C219: of its three tiles two are sea."""
    game = Game(2, board=Board.beginner(small_map=True), rules="small")
    for vertex in (corner(9, "N"), corner(14, "S"), corner(13, "SW"), corner(4, "NW")):
        game.play(Action.settlement(vertex))
        game.play(next(iter(game.legal_actions)))
    assert game.hand(1) == hand(ore=1)
    assert game.hand(0) == hand(lumber=1)


@pytest.mark.parametrize("is_friendly", [False, True])
def test_the_robber_may_go_to_any_other_tile_of_land(is_friendly: bool) -> None:
    """C219."""
    rules = replace(Rules.small(), friendly_robber=is_friendly)
    game = small(rules=rules, phase="robber")
    assert {action.args for action in game.legal_actions} == {(t, None) for t in LAND if t != 8}
    assert not is_legal(game, Action.move_robber(0))


def test_a_friendly_robber_without_a_free_tile_of_land_goes_where_it_likes() -> None:
    """C206, C219: the sea is not an open tile."""
    rules = replace(Rules.small(), friendly_robber=True)
    everywhere = {1: [corner(9, "N")], 2: [corner(9, "SE"), corner(13, "S")]}
    game = small(rules=rules, seats=3, phase="robber", settlements=everywhere, robber=8)
    assert {action.args[0] for action in game.legal_actions} == {*LAND} - {8}


def test_pieces_at_sea_are_refused() -> None:
    """C219."""
    with pytest.raises(ValueError, match=r"vertex 0, of seat 1, is at sea \(C219\)"):
        small(settlements={1: [0]})
    with pytest.raises(ValueError, match=r"edge 0, of seat 0, is at sea \(C219\)"):
        small(roads={0: [0]})
    with pytest.raises(ValueError, match=r"tile 0 is sea; the robber stays on land \(C219\)"):
        small(robber=0)


def test_a_view_refuses_what_is_announced_at_sea() -> None:
    """C219: a place at sea contradicts the rules, whichever seat builds there."""
    view = SeatView.begin(Board.beginner(small_map=True), 1, seats=2, rules=Rules.small())
    with pytest.raises(ValueError, match="vertex 0 is not a place for it"):
        view.apply(Event(0, Action.settlement(0)))
    view.apply(Event(0, Action.settlement(corner(4, "N"))))
    (out,) = {*geometry.VERTEX_EDGES[corner(4, "N")]} - EDGES
    with pytest.raises(ValueError, match=f"edge {out} is at sea"):
        view.apply(Event(0, Action.road(out)))


def test_two_or_three_seats_play_on_the_small_map() -> None:
    """C220."""
    assert [Game(seats, 1, "small").seats for seats in (2, 3)] == [2, 3]
    with pytest.raises(
        ValueError, match=r"the small map has room for 2 or 3 seats, got 4 \(C220\)"
    ):
        Game(4, 1, "small")
    with pytest.raises(ValueError, match="room for 2 or 3 seats, got 4"):
        Batch(2, seats=4, rules="small")


def test_five_settlements_never_close_the_small_map_and_six_can() -> None:
    """C220: with three seats there is always a place for the sixth."""

    def closes(settled: tuple[int, ...]) -> bool:
        near = {v for s in settled for v in (s, *geometry.VERTEX_NEIGHBOURS[s])}
        return near >= VERTICES and not any(
            b in geometry.VERTEX_NEIGHBOURS[a] for a, b in combinations(settled, 2)
        )

    assert not any(closes(five) for five in combinations(sorted(VERTICES), 5))
    assert closes((8, 24, 25, 28, 29, 45))


@pytest.mark.parametrize("placement", ["pips", "random"])
def test_the_table_places_on_land_too(placement: str) -> None:
    """C219."""
    for seed in range(40):
        game = Game(3, seed, replace(Rules.tournament(placement), small_map=True))
        for seat in range(3):
            assert {*game.settlements(seat)} <= VERTICES and {*game.roads(seat)} <= EDGES


def test_seven_points_win_on_the_small_map() -> None:
    """C221."""
    cities = [corner(9, "N"), corner(13, "S"), corner(5, "N")]
    game = small(cities={0: cities})
    assert game.points(0) == 6 and not game.is_over
    game = small(cities={0: cities}, settlements={0: [corner(8, "NW")]})
    assert game.points(0) == 7 and game.winner == 0


def test_the_rings_longest_road_goes_around_the_centre() -> None:
    """C159: as on the big map; six roads around the middle tile are one trail."""
    game = small(roads={0: list(geometry.TILE_EDGES[9])}, settlements={0: [corner(9, "N")]})
    assert game.road_length(0) == 6 and game.longest_road_seat == 0


def test_an_observation_shows_the_sea_as_a_tile_without_terrain() -> None:
    """C215: no other tile is all zeros."""
    game = Game(2, 1, "small")
    shown = named_observation(game.observe(0))
    assert [int(k) for k in np.flatnonzero(shown["terrain"].sum(axis=1))] == [*LAND]
    assert (
        shown["terrain"].argmax(axis=1)[[*LAND]] == [game.board.tiles[t].terrain for t in LAND]
    ).all()
    assert not shown["token"][[*SEA]].any() and not shown["pips"][[*SEA]].any()
    assert [int(n) for n in shown["harbour_rate"]] == [3] * 3 + [0] * 6


def test_rules_and_board_must_agree_on_the_map() -> None:
    """C215."""
    with pytest.raises(ValueError, match="the rules 'small' need the small map, the board is the"):
        Game(2, 1, "small", Board.beginner())
    with pytest.raises(ValueError, match="'base' need the map of nineteen tiles, the board is the"):
        Game(2, 1, "base", Board.beginner(small_map=True))


def test_a_board_is_big_or_small_and_its_harbours_are_on_land() -> None:
    board = Board.beginner(small_map=True)
    tiles = list(board.tiles)
    tiles[0] = Tile(Terrain.DESERT, 0)
    with pytest.raises(ValueError, match="are sea; allowed are none, or all outer tiles"):
        Board(tuple(tiles), board.harbours)
    tiles[0] = Tile(Terrain.SEA, 4)
    with pytest.raises(ValueError, match="tile 0 is at sea and has the token 4; allowed is 0"):
        Board(tuple(tiles), board.harbours)
    with pytest.raises(ValueError, match=r"a harbour at vertices \(0, 1\): one is at sea"):
        Board(board.tiles, (Harbour((0, 1), None, 3),))


def test_the_same_seed_lays_the_same_small_board_everywhere() -> None:
    for layout, lay in (("spiral", Board.spiral), ("random_tokens", Board.random_tokens)):
        assert Game(3, 5, "small", layout).board == lay(5, small_map=True)
    assert Game(2, 1, "small", "beginner").board == Board.beginner(small_map=True)
    batch = Batch(3, seats=3, rules="small", seed=2)
    assert all(batch.game(i).board.small_map for i in range(3))


def test_a_coast_settlement_with_two_vertices_of_distance_keeps_away_others() -> None:
    """C097: distances on the small map are those of the big one."""
    game = Game(2, 1, "small")
    game.play(Action.settlement(at(2, 4)))
    game.play(next(iter(game.legal_actions)))
    near = {at(2, 4), *geometry.VERTEX_NEIGHBOURS[at(2, 4)]}
    assert {action.args[0] for action in game.legal_actions} == VERTICES - near


def test_a_record_of_the_small_map_is_read_back() -> None:
    game = played(1)
    record = loads(dumps(game.to_sgn()))
    assert record.game.state_bytes() == game.state_bytes() and record.game.rules == game.rules


def test_a_record_with_a_map_that_its_rules_do_not_have_is_refused() -> None:
    messages = Game(2, 1, "small", "beginner").to_sgn()
    del messages[0]["x-game"]["rules"]["small_map"]
    with pytest.raises(NotationError, match="the rules 'small' need the map of nineteen tiles"):
        loads(dumps(messages))
    (tiles,) = (message["value"]["tiles"] for message in messages if message["event"] == "MD")
    next(tile for tile in tiles if tile["tCode"] == "D")["tCode"] = "S"
    with pytest.raises(NotationError, match="a board needs a desert"):
        loads(dumps(messages))
