"""Events that a seat's view refuses of other seats, as no hidden hand explains them."""

from typing import Any

import pytest

from catan_env import HIDDEN, Action, Board, Event, Game, Resource, SeatView, geometry
from catan_env.game.errors import IllegalActionError
from catan_env.game.possible import check_possible
from catan_env.notation import loads, to_sgn
from tests.notation.random_games import TABLES, random_game

BRICK, GRAIN, LUMBER, ORE, WOOL = Resource
HOME = 10


def seen(hand: dict[Resource, int], known: dict[Resource, int], **table: Any) -> SeatView:
    """The view by seat 1 of a game in which seat 0, in its turn, holds these cards."""
    game = Game.from_position(
        board=Board.beginner(),
        seats=2,
        phase="main",
        roll=6,
        settlements={0: [HOME], 1: [45]},
        roads={0: roads_to_a_site(), 1: []},
        hands={0: hand, 1: {WOOL: 1}},
        known={0: known},
        **table,
    )
    return game.view(1)


def site() -> int:
    """A vertex two roads from the settlement."""
    return far_end(roads_to_a_site()[1], far_end(roads_to_a_site()[0], HOME))


def roads_to_a_site() -> list[int]:
    first = geometry.VERTEX_EDGES[HOME][0]
    middle = far_end(first, HOME)
    return [first, next(edge for edge in geometry.VERTEX_EDGES[middle] if edge != first)]


def far_end(edge: int, vertex: int) -> int:
    one, other = geometry.EDGE_VERTICES[edge]
    return int(other if one == vertex else one)


PURCHASES = {
    "a settlement": (Action.settlement(site()), {BRICK: 1, GRAIN: 1, LUMBER: 1}),
    "a development card": (Action.buy_development_card(), {GRAIN: 1, ORE: 1}),
    "an offer": (Action.offer(1, {ORE: 1, BRICK: 1, GRAIN: 1}, WOOL), {ORE: 1, BRICK: 1, GRAIN: 1}),
    "a trade with the bank": (Action.bank_trade(ORE, GRAIN), {ORE: 4}),
}


@pytest.mark.parametrize("name", PURCHASES)
def test_known_cards_of_other_kinds_pay_for_nothing(name: str) -> None:
    """A price is refused if the cards that may be of any kind are fewer than those it lacks."""
    action, lacks = PURCHASES[name]
    outcome = HIDDEN if action == Action.buy_development_card() else None
    event = Event(0, action, outcome)
    check_possible(seen({WOOL: 3, **lacks}, {WOOL: 3}), event)
    for resource in lacks:
        less = {**lacks, resource: lacks[resource] - 1}
        with pytest.raises(IllegalActionError, match="cards that may be of any kind"):
            check_possible(seen({WOOL: 3, **less}, {WOOL: 3}), event)


@pytest.mark.parametrize(("seats", "rules"), TABLES, ids=str)
def test_a_view_knows_no_more_cards_than_a_hand_holds(seats: int, rules: str) -> None:
    for seed in range(3):
        game = random_game(seed, seats, rules, 400)
        for _, view in loads(to_sgn(game, viewer=seed % seats)).replay():
            for seat in range(seats):
                assert sum(view.known(seat)) <= view.hand_size(seat)
