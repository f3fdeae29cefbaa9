"""The builder policy does what its docstrings describe, and wins."""

from dataclasses import replace

import pytest

from catan_env import Action, Board, DevelopmentCard, Game, Resource, Rules, geometry
from catan_env.arena.match import Match
from catan_env.policies.builder import Builder, pips_at
from catan_env.policy import decide

BOARD = Board.beginner()
BRICK, GRAIN, LUMBER, ORE, WOOL = Resource


def choice(**position):
    """The builder's action in a position on the beginner's board."""
    game = Game.from_position(
        **{"board": BOARD, "seats": 2, "phase": "main", "roll": 6, **position}
    )
    return Action.from_index(decide(Builder(), game.view(game.seat)))


def with_settlements(**position):
    """Seat 0 at vertex 10, seat 1 at vertex 43, with one road each."""
    return choice(
        settlements={0: [10], 1: [43]},
        roads={0: [geometry.VERTEX_EDGES[10][0]], 1: [geometry.VERTEX_EDGES[43][0]]},
        **position,
    )


@pytest.mark.parametrize("seed", range(5))
def test_it_begins_where_the_pips_are(seed):
    game = Game(seed=seed)
    vertex = Action.from_index(Builder().act(game.view(0))).args[0]
    best = max(map(sum, pips_at(game.board)))
    assert sum(pips_at(game.board)[vertex]) >= best - 2


def test_it_builds_a_city_when_it_can():
    assert with_settlements(hands={0: {GRAIN: 2, ORE: 3}}) == Action.city(10)


def test_it_trades_with_the_bank_for_the_last_cards_of_a_city():
    assert with_settlements(hands={0: {GRAIN: 2, ORE: 2, WOOL: 4}}) == Action.bank_trade(WOOL, ORE)


def test_it_does_not_trade_without_a_building_in_sight():
    assert with_settlements(hands={0: {WOOL: 4}}) == Action.end_turn()


def test_it_offers_a_surplus_card_to_a_seat_known_to_have_the_missing_one():
    hands = {0: {GRAIN: 2, ORE: 2, WOOL: 1}, 1: {ORE: 2}}
    assert with_settlements(hands=hands, known={1: {ORE: 1}}) == Action.offer(1, WOOL, ORE)


def test_it_takes_the_cards_it_lacks_with_a_year_of_plenty():
    action = with_settlements(
        hands={0: {GRAIN: 1, ORE: 2}}, cards={0: {DevelopmentCard.YEAR_OF_PLENTY: 1}}
    )
    assert action == Action.play_year_of_plenty(GRAIN, ORE)


def test_it_plays_a_knight_before_the_roll_when_the_robber_is_at_its_door():
    robbed = geometry.VERTEX_TILES[10][0]
    knight = {0: {DevelopmentCard.KNIGHT: 1}}
    assert with_settlements(phase="roll", roll=0, robber=robbed, cards=knight) == (
        Action.play_knight()
    )
    far = geometry.VERTEX_TILES[43][0]
    assert with_settlements(phase="roll", roll=0, robber=far, cards=knight) == Action.roll()


def test_it_robs_the_leading_seat():
    action = choice(
        seats=3,
        phase="robber",
        roll=7,
        settlements={0: [10], 1: [43], 2: []},
        cities={2: [30]},
        roads={
            seat: [geometry.VERTEX_EDGES[vertex][0]] for seat, vertex in ((0, 10), (1, 43), (2, 30))
        },
        hands={1: {ORE: 2}, 2: {ORE: 2}},
    )
    tile, victim = action.args
    assert victim == 2
    assert tile in geometry.VERTEX_TILES[30]


def test_it_discards_the_cards_it_needs_least():
    action = with_settlements(
        phase="discard", roll=7, hands={0: {GRAIN: 2, ORE: 3, WOOL: 3}}, discards={0: 4}
    )
    assert action == Action.discard(WOOL)


@pytest.mark.parametrize(
    ("give", "get", "answer"),
    [
        (ORE, WOOL, Action.accept()),  # the third ore for a city
        (BRICK, WOOL, Action.reject()),  # useless
        (LUMBER, GRAIN, Action.reject()),  # takes what the city needs
    ],
)
def test_it_accepts_an_offer_only_if_it_brings_a_building_closer(give, get, answer):
    game = Game.from_position(
        board=BOARD,
        seats=2,
        phase="main",
        roll=6,
        settlements={0: [10], 1: [43]},
        roads={0: [geometry.VERTEX_EDGES[10][0]], 1: [geometry.VERTEX_EDGES[43][0]]},
        hands={0: {give: 1}, 1: {GRAIN: 2, ORE: 2, WOOL: 1}},
    )
    game.play(Action.offer(1, give, get))
    assert Action.from_index(Builder().act(game.view(1))) == answer


@pytest.mark.parametrize(
    ("rules", "answer"),
    [(Rules.small(), Action.reject()), (replace(Rules.small(), points_to_win=9), Action.accept())],
)
def test_it_trades_with_no_seat_two_points_from_winning(rules, answer):
    board = Board.beginner(small_map=True)
    near, far = [], sorted(board.vertices)
    while len(near) < 3:
        vertex = far[0] if len(near) < 2 else far[-1]
        near.append(vertex)
        far = [v for v in far if v != vertex and v not in geometry.VERTEX_NEIGHBOURS[vertex]]
    game = Game.from_position(
        board=board,
        seats=2,
        rules=rules,
        phase="answer",
        cities={0: near[:2]},
        settlements={0: [near[2]], 1: [far[0]]},
        hands={0: {ORE: 1}, 1: {ORE: 2, GRAIN: 2, WOOL: 1}},
        offer=(1, ORE, WOOL),
    )
    assert game.points(0) == 5
    assert Action.from_index(Builder().act(game.view(1))) == answer


@pytest.mark.parametrize(
    ("seats", "rules", "board"),
    [(2, "duel", "spiral"), (3, "tournament", "random_tokens"), (4, "base", "beginner")],
)
def test_games_among_itself_end(seats, rules, board):
    match = Match(("builder",) * seats, seed=1, rules=rules, board=board, max_turns=300)
    assert all(result.winner is not None for result in match.results(5))


def test_it_beats_three_random_seats():
    match = Match(("builder", "random", "random", "random"), seed=100)
    assert sum(result.winning_entrant == 0 for result in match.results(20)) >= 18
