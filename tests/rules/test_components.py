"""The contents of the box (C001-C012)."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from catan_env import Action, Board, DevelopmentCard, Game, Resource, Terrain, geometry
from tests.rules.drawn import (
    BOX,
    CARD,
    CITY,
    EMPTY,
    ROAD,
    SETTLEMENT,
    along,
    at,
    board_of,
    corner,
    is_legal,
    minus,
    plus,
    position,
)

DECK = (14, 2, 2, 2, 5)
BOARDS = [Board.beginner(), Board.sgn_starter()]
BOARDS += [lay(seed) for lay in (Board.spiral, Board.random_tokens) for seed in range(20)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_bank_begins_with_nineteen_cards_of_each_resource(seats: int) -> None:
    """C001."""
    game = Game(seats=seats, seed=1)
    assert len(Resource) == 5
    assert game.bank == (19, 19, 19, 19, 19)
    assert [game.hand(seat) for seat in range(seats)] == [EMPTY] * seats


def test_the_deck_has_twenty_five_cards() -> None:
    """C002."""
    game = Game(seed=1)
    assert game.deck() == (14, 2, 2, 2, 5)
    assert game.deck_size == 25


def test_the_deck_is_shuffled() -> None:
    """C002: the first is a knight in 14 of 25 games, and the order differs between games."""
    first, orders = Counter(), set()
    for seed in range(1000):
        game = position(seed=seed, hands={0: (0, 3, 0, 3, 3)})
        drawn = [game.play(Action.buy_development_card()).outcome for _ in range(3)]
        first[drawn[0]] += 1
        orders.add(tuple(drawn))
    for kind, cards in zip(DevelopmentCard, DECK, strict=True):
        chance = cards / 25
        spread = (1000 * chance * (1 - chance)) ** 0.5
        assert abs(first[kind] - 1000 * chance) < 4 * spread, kind
    assert len(orders) > 40


def test_the_deck_runs_out_after_exactly_its_cards() -> None:
    """C002: the cards drawn are those of the deck."""
    game = position(hands={0: (0, 19, 0, 19, 19)}, played={1: (6, 0, 0, 0, 0)})
    drawn = Counter(game.play(Action.buy_development_card()).outcome for _ in range(19))
    assert [drawn[kind] for kind in DevelopmentCard] == [8, 2, 2, 2, 5]
    assert game.deck_size == 0


def test_a_seat_has_fifteen_roads_five_settlements_and_four_cities() -> None:
    """C003."""
    game = Game(seats=4, seed=1)
    assert [game.pieces(seat) for seat in range(4)] == [(15, 5, 4)] * 4


@pytest.mark.parametrize("board", BOARDS)
def test_there_are_nineteen_tiles(board: Board) -> None:
    """C004."""
    terrains = Counter(tile.terrain for tile in board.tiles)
    assert terrains == {
        Terrain.FIELDS: 4,
        Terrain.FOREST: 4,
        Terrain.PASTURE: 4,
        Terrain.HILLS: 3,
        Terrain.MOUNTAINS: 3,
        Terrain.DESERT: 1,
    }


@pytest.mark.parametrize(
    ("terrain", "resource"),
    [
        (Terrain.HILLS, Resource.BRICK),
        (Terrain.FIELDS, Resource.GRAIN),
        (Terrain.FOREST, Resource.LUMBER),
        (Terrain.MOUNTAINS, Resource.ORE),
        (Terrain.PASTURE, Resource.WOOL),
    ],
)
def test_each_terrain_yields_its_resource(terrain: Terrain, resource: Resource) -> None:
    """C005."""
    board = board_of({9: (terrain, 4)})
    game = position(board=board, settlements={0: [corner(9, "N")]}, phase="roll")
    game.play(Action.roll(), outcome=(2, 2))
    assert game.hand(0) == tuple(int(r == resource) for r in Resource)


def test_the_desert_yields_nothing() -> None:
    """C005."""
    game = Game(seats=2, board=board_of({}))
    while game.turn == 0:
        game.play(next(iter(game.legal_actions)))
    for first in range(1, 7):
        for second in range(1, 7):
            if first + second != 7:
                game.play(Action.roll(), outcome=(first, second))
                game.play(Action.end_turn())
    assert game.hand(0) == game.hand(1) == EMPTY


@pytest.mark.parametrize("board", BOARDS)
def test_there_are_eighteen_number_tokens_and_none_on_the_desert(board: Board) -> None:
    """C006."""
    tokens = Counter(t.token for t in board.tiles if t.terrain != Terrain.DESERT)
    twice = {3: 2, 4: 2, 5: 2, 6: 2, 8: 2, 9: 2, 10: 2, 11: 2}
    assert tokens == {2: 1, 12: 1, **twice}
    assert [t.token for t in board.tiles if t.terrain == Terrain.DESERT] == [0]


@pytest.mark.parametrize("board", BOARDS)
def test_there_are_nine_harbours_at_eighteen_vertices(board: Board) -> None:
    """C007."""
    kinds = Counter((harbour.resource, harbour.rate) for harbour in board.harbours)
    assert kinds == {(None, 3): 4} | {(resource, 2): 1 for resource in Resource}
    served = [vertex for harbour in board.harbours for vertex in harbour.vertices]
    assert len(served) == len(set(served)) == 18
    for a, b in (harbour.vertices for harbour in board.harbours):
        assert b in geometry.VERTEX_NEIGHBOURS[a]
        assert len(geometry.VERTEX_TILES[a]) < 3 and len(geometry.VERTEX_TILES[b]) < 3


def test_there_is_one_longest_road_and_one_largest_army_worth_two_points_each() -> None:
    """C008."""
    roads = {0: along(2, 0, 6), 1: along(3, 0, 5), 2: along(1, 0, 5)}
    game = position(roads=roads)
    assert [game.points(seat) for seat in range(4)] == [2, 0, 0, 0]
    game = position(played={1: (4, 0, 0, 0, 0), 2: (3, 0, 0, 0, 0), 3: (3, 0, 0, 0, 0)})
    assert [game.points(seat) for seat in range(4)] == [0, 2, 0, 0]


SITE = {
    "settlements": {0: [at(2, 0)]},
    "roads": {0: along(2, 0, 2)},
}
PRICES = [
    pytest.param(Action.road(along(2, 2, 3)[0]), ROAD, id="road"),
    pytest.param(Action.settlement(at(2, 2)), SETTLEMENT, id="settlement"),
    pytest.param(Action.city(at(2, 0)), CITY, id="city"),
    pytest.param(Action.buy_development_card(), CARD, id="development card"),
]


@pytest.mark.parametrize(("purchase", "price"), PRICES)
def test_a_purchase_has_its_price(purchase: Action, price: tuple[int, ...]) -> None:
    """C009: brick and lumber; with grain and wool; 2 grain and 3 ore; grain, ore and wool."""
    game = position(**SITE, hands={0: price})
    assert is_legal(game, purchase)
    game.play(purchase)
    assert game.hand(0) == EMPTY
    assert game.bank == BOX
    one_of_each = (1, 1, 1, 1, 1)
    game = position(**SITE, hands={0: plus(price, one_of_each)})
    game.play(purchase)
    assert game.hand(0) == one_of_each


@pytest.mark.parametrize(("purchase", "price"), PRICES)
def test_nothing_of_a_price_may_be_missing(purchase: Action, price: tuple[int, ...]) -> None:
    """C009."""
    for resource in Resource:
        if price[resource]:
            missing = [19 if r != resource else price[r] - 1 for r in Resource]
            assert not is_legal(position(**SITE, hands={0: missing}), purchase), resource


def test_points_are_counted() -> None:
    """C010: settlement 1, city 2, victory point card 1, Longest Road 2, Largest Army 2."""
    victory_points = {DevelopmentCard.VICTORY_POINT: 1}
    assert position(settlements={1: [at(2, 0)]}).points(1) == 1
    assert position(cities={1: [at(2, 0)]}).points(1) == 2
    assert position(cards={1: victory_points}).points(1) == 1
    assert position(roads={1: along(2, 0, 5)}).points(1) == 2
    assert position(played={1: (3, 0, 0, 0, 0)}).points(1) == 2
    everything = position(
        settlements={1: [at(2, 0), at(2, 2)]},
        cities={1: [at(2, 4)]},
        roads={1: along(2, 0, 5)},
        cards={1: victory_points},
        played={1: (3, 0, 0, 0, 0)},
    )
    assert [everything.points(seat) for seat in range(4)] == [0, 9, 0, 0]


def play_at_random(seats: int, seed: int, actions: int = 1500) -> Iterator[Game]:
    """The positions of a random game, with every legal verb equally likely."""
    game, choose = Game(seats=seats, seed=seed), Random(seed)
    for _ in range(actions):
        if game.is_over:
            return
        legal = list(game.legal_actions)
        verb = choose.choice(sorted({action.kind for action in legal}))
        game.play(choose.choice([action for action in legal if action.kind == verb]))
        yield game


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_resource_cards_neither_appear_nor_disappear(seats: int) -> None:
    """C011."""
    for game in play_at_random(seats, seed=seats):
        hands = [game.hand(seat) for seat in range(seats)]
        assert plus(game.bank, *hands) == BOX
        assert min(game.bank) >= 0 and min(map(min, hands)) >= 0
        assert [game.hand_size(seat) for seat in range(seats)] == [sum(cards) for cards in hands]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_development_cards_are_in_the_deck_in_a_hand_or_played(seats: int) -> None:
    """C012."""
    deck_size, played = 25, 0
    for game in play_at_random(seats, seed=10 + seats):
        held = [game.cards(seat) for seat in range(seats)]
        table = [(*game.played(seat), 0) for seat in range(seats)]
        assert plus(game.deck(), *held, *table) == DECK
        assert game.deck_size == sum(game.deck()) <= deck_size
        assert sum(map(sum, table)) >= played
        deck_size, played = game.deck_size, sum(map(sum, table))
    assert deck_size < 20 and played > 2


def test_a_played_card_does_not_go_back_into_the_deck() -> None:
    """C012, R5."""
    game = position(cards={0: (0, 0, 0, 1, 0)})
    deck = game.deck()
    game.play(Action.play_monopoly(Resource.ORE))
    assert game.deck() == deck == minus(DECK, (0, 0, 0, 1, 0))
    assert game.played(0) == (0, 0, 0, 1)
