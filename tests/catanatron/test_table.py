"""A seat in catanatron's engine: the same board, the same information, and nothing hidden."""

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from catan_env import Action, Board, Game, Resource, SeatView, geometry
from catan_env.core.compiled import ensure_rules
from catan_env.policy import load_policy

catanatron = pytest.importorskip("catanatron")

from catanatron.models import enums  # noqa: E402
from catanatron.models.board import STATIC_GRAPH  # noqa: E402
from catanatron.players.weighted_random import WeightedRandomPlayer  # noqa: E402

from benchmarks.catanatron_match import COLORS, Pairing, play  # noqa: E402
from catan_env.catanatron.follower import Follower  # noqa: E402
from catan_env.catanatron.information import INDEX, WORD, information_in_state  # noqa: E402
from catan_env.catanatron.log import (  # noqa: E402
    HAS_RECORDS,
    Entry,
    described,
    entry_of,
)
from catan_env.catanatron.places import RESOURCE, CatanatronPlaces  # noqa: E402
from catan_env.catanatron.player import (  # noqa: E402
    PolicyPlayer,
    is_refused_by_booklet,
    is_refused_by_catanatron,
)
from tests.catanatron.patient import Patient  # noqa: E402
from tests.covering import covering  # noqa: E402

SEEDS = range(1, 9)


def game_of(seats: int, seed: int) -> Any:
    ensure_rules()
    players = [Patient(color) for color in COLORS[:seats]]
    return catanatron.Game(players, seed=seed)


def ticks(game: Any, turns: int = 400) -> Iterator[Entry]:
    while game.winning_color() is None and game.state.num_turns < turns:
        yield entry_of(game.play_tick())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_board_is_the_same_board(seed: int) -> None:
    catan_map = game_of(2, seed).state.board.map
    places = CatanatronPlaces.of_map(catan_map)
    assert sorted(places.tile.values()) == list(range(19))
    assert set(places.vertex) == catan_map.land_nodes
    assert sorted(places.vertex.values()) == list(range(54))
    land = STATIC_GRAPH.subgraph(catan_map.land_nodes)
    assert sorted(places.edge(nodes) for nodes in land.edges) == list(range(72))
    for node in catan_map.land_nodes:
        theirs = {places.vertex[other] for other in land.neighbors(node)}
        assert theirs == set(geometry.VERTEX_NEIGHBOURS[places.vertex[node]])


@pytest.mark.parametrize("seed", SEEDS)
def test_each_vertex_yields_what_its_node_does(seed: int) -> None:
    catan_map = game_of(2, seed).state.board.map
    places = CatanatronPlaces.of_map(catan_map)
    for node, vertex in places.vertex.items():
        tiles = [places.board.tiles[tile] for tile in geometry.VERTEX_TILES[vertex]]
        theirs = [
            (RESOURCE.get(tile.resource, 5), tile.number or 0)
            for tile in catan_map.adjacent_tiles[node]
        ]
        assert Counter((int(kind), token) for kind, token in tiles) == Counter(theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_harbour_is_at_its_place_in_catanatron(seed: int) -> None:
    catan_map = game_of(2, seed).state.board.map
    places = CatanatronPlaces.of_map(catan_map)
    assert len(places.board.harbours) == 9
    for kind in [None, *RESOURCE]:
        resource = None if kind is None else RESOURCE[kind]
        here = [harbour for harbour in places.board.harbours if harbour.resource == resource]
        assert {harbour.rate for harbour in here} == {3 if resource is None else 2}
        assert {v for harbour in here for v in harbour.vertices} == {
            places.vertex[node] for node in catan_map.port_nodes[kind]
        }


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "seed", [SEEDS[0], *(pytest.param(n, marks=pytest.mark.nightly) for n in SEEDS[1:])]
)
def test_every_seat_follows_a_game_without_drifting(seats: int, seed: int) -> None:
    """Following raises if public information or one of the seat's own cards differs."""
    game = game_of(seats, seed)
    followers = [Follower(game.state, color) for color in game.state.colors]
    for action in ticks(game):
        for follower in followers:
            follower.follow(game.state, action)
    assert game.state.num_turns > 20


def test_all_discards_of_a_seven_are_followed_from_the_roller_onward() -> None:
    for seed in range(1, 11):
        game = game_of(4, seed)
        follower = Follower(game.state, game.state.colors[0])
        log = []
        for action in ticks(game, 150):
            follower.follow(game.state, action)
            log.append(action.color if action.kind == "DISCARD" else None)
        if any(a and b and a != b for a, b in pairwise(log)):
            return
    raise AssertionError("no two seats discarded after one roll")


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n <= 4 else pytest.mark.nightly) for n in SEEDS]
)
def test_the_known_cards_of_a_hand_are_in_it(seed: int) -> None:
    game = game_of(4, seed)
    follower = Follower(game.state, game.state.colors[seed % 4])
    known = 0
    for action in ticks(game, 150):
        follower.follow(game.state, action)
        if action.kind != "END_TURN":
            continue
        view = follower.view([])
        for seat in range(4):
            for resource, n in enumerate(view.known(seat)):
                held = game.state.player_state[f"P{seat}_{WORD[Resource(resource)]}_IN_HAND"]
                assert n <= held
                known += n
    assert known


def test_information_does_not_depend_on_hidden_cards() -> None:
    chance = Random(5)
    game = game_of(4, 5)
    places = CatanatronPlaces.of_map(game.state.board.map)
    for action in ticks(game, 80):
        if action.kind != "END_TURN":
            continue
        before = information_in_state(game.state, 1, places)
        other = game.state.copy()
        chance.shuffle(other.development_listdeck)
        for seat in (0, 2, 3):
            held = [f"P{seat}_{word}_IN_HAND" for word in RESOURCE]
            counts = [other.player_state[key] for key in held]
            other.player_state.update(zip(held, counts[1:] + counts[:1], strict=True))
        assert information_in_state(other, 1, places) == before


def test_a_card_stolen_or_bought_by_others_is_not_seen() -> None:
    changed = 0
    for seed in (3, 4, 5):
        game = game_of(4, seed)
        seen, told_otherwise = (Follower(game.state, game.state.colors[2]) for _ in range(2))
        for action in ticks(game, 200):
            lie = otherwise(action, game.state.colors[2])
            changed += lie != action
            seen.follow(game.state, action)
            told_otherwise.follow(game.state, lie)
            assert seen.view([]) == told_otherwise.view([])
    assert changed > 10


def otherwise(entry: Entry, viewer: Any) -> Entry:
    """The log's entry with another card, if the viewer does not see it."""
    if entry.color == viewer:
        return entry
    if entry.kind == "BUY_DEVELOPMENT_CARD":
        return entry._replace(result="KNIGHT" if entry.result != "KNIGHT" else "MONOPOLY")
    if entry.kind == "MOVE_ROBBER" and entry.value[1] not in (None, viewer):
        return entry._replace(result="ORE" if entry.result != "ORE" else "WOOD")
    return entry


def test_a_bank_that_is_short_pays_nothing_to_one_seat_alone() -> None:
    game = game_of(2, 4)
    state, places = game.state, CatanatronPlaces.of_map(game.state.board.map)
    followers = [Follower(state, color) for color in state.colors]
    tile = next(t for t in state.board.map.land_tiles.values() if t.number == 6)
    resource = RESOURCE[tile.resource]
    near, _, _, far, *_ = tile.nodes.values()
    due = {places.vertex[node] for t in land_with(state, 6) for node in t.nodes.values()}
    wanted = {state.colors[0]: [near, far], state.colors[1]: []}
    while state.is_initial_build_phase:
        playable = game.playable_actions if HAS_RECORDS else state.playable_actions
        action = playable[0]
        if action.action_type.name == "BUILD_SETTLEMENT":
            free = [
                node
                for node in sorted(a.value for a in playable)
                if places.vertex[node] not in due
                and not any(n in (near, far) for n in STATIC_GRAPH.neighbors(node))
            ]
            action = action._replace(value=(wanted[action.color] or free).pop(0))
        follow_all(followers, game, action)
    state.resource_freqdeck[INDEX[WORD[resource]]] = 1
    for follower in followers:
        follower._view._array["bank"][0, resource] = 1
    roll = enums.Action(state.colors[0], enums.ActionType.ROLL, None if HAS_RECORDS else (3, 3))
    follow_all(followers, game, roll, (3, 3))
    for follower in followers:
        assert follower.corrections["unpaid cards"] == 1
        assert follower.view([]).bank[resource] == 1


def land_with(state: Any, number: int) -> list[Any]:
    return [tile for tile in state.board.map.land_tiles.values() if tile.number == number]


def follow_all(followers: list[Follower], game: Any, action: Any, dice: Any = None) -> None:
    forced = dice is not None and HAS_RECORDS
    with_dice = {"action_record": enums.ActionRecord(action, dice)} if forced else {}
    entry = entry_of(game.execute(action, validate_action=False, **with_dice))
    for follower in followers:
        follower.follow(game.state, entry)


class Witness:
    """Plays at random and records the views it gets."""

    def __init__(self, seed: int = 0) -> None:
        self.policy = load_policy("random", seed)
        self.views: list[SeatView] = []

    def act(self, view: SeatView) -> int:
        self.views.append(view)
        return self.policy.act(view)


@pytest.mark.parametrize(("seats", "seed"), covering([2, 4], SEEDS))
def test_the_mask_allows_what_may_be_played_there(seats: int, seed: int) -> None:
    """The player raises if a difference is not one of those documented."""
    witness = Witness(seed)
    players = [WeightedRandomPlayer(color) for color in COLORS[1:seats]]
    ours = PolicyPlayer(COLORS[0], witness)
    game = catanatron.Game([ours, *players], seed=seed)
    ours.begin(game)
    for action in ticks(game):
        ours.follow(game.state, action)
    assert ours.decisions == len(witness.views) > 5
    assert all(view.viewer == view.seat == ours.follower.seat for view in witness.views)
    assert all(view.rules.points_to_win == 10 and not view.is_over for view in witness.views)
    assert all(np.any(view.action_mask) for view in witness.views)


def test_a_policy_cannot_play_withheld_actions() -> None:
    game = game_of(2, 1)
    follower = Follower(game.state, game.state.colors[0])
    indices = follower.view([]).legal_actions.indices.tolist()
    left = follower.view(indices[:50]).legal_actions.indices.tolist()
    assert len(indices) == 54 and left == indices[50:]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_map_is_played_from_every_seat(seats: int) -> None:
    pairing = Pairing("random", "weighted", seats)
    results = [play(pairing, 7, place) for place in range(seats)]
    assert sorted(result.seat for result in results) == list(range(seats))
    for result in results:
        assert result.seed == 7 and result.decisions > 0
        assert result.won == (result.points[result.seat] >= 10)


def test_builder_beats_random() -> None:
    pairing = Pairing("builder", "random", 2)
    assert all(play(pairing, seed, place).won for seed in (1, 2, 3) for place in (0, 1))


def test_an_unknown_rival_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="allowed are random, weighted, points, value"):
        Pairing("builder", "missing:Missing", 2).bot()


def test_a_road_beyond_a_rivals_building_is_theirs_alone() -> None:
    view = Game.from_position(
        board=Board.beginner(), seats=2, settlements={0: [33], 1: [27]}, roads={0: [41, 43]}
    ).view(0)
    assert geometry.EDGE_VERTICES[43] == (27, 35) and geometry.EDGE_VERTICES[48] == (27, 45)
    assert is_refused_by_booklet(Action.road(48), view)
    assert not is_refused_by_booklet(Action.road(42), view)


def test_roads_that_met_behind_a_rival_are_forgotten_when_cut_elsewhere() -> None:
    state = game_of(4, 1).state
    follower = Follower(state, state.colors[0])
    (mine, rival, *_), places = state.colors, follower.places
    node_of = {vertex: node for node, vertex in places.vertex.items()}
    board = state.board

    def settle(color: Any, vertex: int, first: bool = False) -> None:
        board.build_settlement(color, node_of[vertex], initial_build_phase=first)

    def pave(color: Any, *vertices: int) -> None:
        for a, b in pairwise(vertices):
            board.build_road(color, (node_of[a], node_of[b]))

    settle(rival, 6, first=True)
    settle(mine, 25, first=True)
    settle(mine, 8, first=True)
    pave(mine, 25, 33, 14)
    pave(rival, 6, 24, 14)
    settle(rival, 14)
    pave(mine, 8, 17, 2, 7, 1, 5, 0, 13, 4, 22, 14)
    pave(rival, 6, 15, 1)
    settle(rival, 1)
    roads = [places.edge(nodes) for nodes, color in board.roads.items() if color == mine]
    game = Game.from_position(
        board=places.board, seats=4, settlements={0: [8, 25], 1: [1, 6, 14]},
        roads={0: sorted(set(roads))},
    )  # fmt: skip
    follower._tracked.view = view = game.view(0)
    forgotten = follower.forgotten(board)
    assert forgotten == {25, 33}
    beyond = {v: places.edge((node_of[33], node_of[v])) for v in neighbours_of(33) - {14, 25}}
    assert all(is_refused_by_catanatron(Action.road(e), view, forgotten) for e in beyond.values())
    kept = places.edge((node_of[8], node_of[min(neighbours_of(8) - {17})]))
    assert not is_refused_by_catanatron(Action.road(kept), view, forgotten)
    assert is_refused_by_catanatron(Action.settlement(33), view, forgotten)
    assert not is_refused_by_catanatron(Action.settlement(4), view, forgotten)


def neighbours_of(vertex: int) -> set[int]:
    """The vertices one edge away."""
    return {v for ends in geometry.EDGE_VERTICES if vertex in ends for v in ends} - {vertex}


def test_a_clone_beside_an_installed_catanatron_has_not_its_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert described().startswith(f"catanatron {version('catanatron')} (")
    monkeypatch.setattr(catanatron, "__file__", str(tmp_path / "catanatron" / "__init__.py"))
    assert described().startswith("catanatron from its repository")
    assert str(tmp_path) in described()
