"""Sevens, discards and the robber (C063-C086)."""

from collections import Counter
from typing import Any

import pytest

from catan_env import (
    HIDDEN,
    Action,
    Board,
    Game,
    Phase,
    Resource,
    Terrain,
    named_observation,
)
from tests.rules.drawn import (
    BOX,
    EMPTY,
    between,
    board_of,
    corner,
    hand,
    is_legal,
    legal_kinds,
    minus,
    plus,
    position,
)

SEVEN = (3, 4)
# Seats 1 and 2 at tile 8, seat 0 at tiles 4 and 15, seat 3 at tile 16 alone.
TOWNS = {0: [corner(4, "NE"), corner(15, "SE")], 1: [corner(8, "SW")], 2: [corner(8, "NE")]}
TOWNS |= {3: [corner(16, "S")]}


def seven(**facts: Any) -> Game:
    """The position after seat 0 has rolled a seven."""
    game = position(**{"phase": "roll", **facts})
    game.play(Action.roll(), outcome=SEVEN)
    return game


def robber_moves(**facts: Any) -> Game:
    """Seat 0 is to move the robber from the desert, tile 9."""
    return position(**{"settlements": TOWNS, "phase": "robber", **facts})


def discards_owed(size: int) -> int:
    """The number of discards from a hand of that size at a seven."""
    cards = (4, 4, 4, 4, size - 16) if size > 16 else (min(size, 4), 0, 0, 0, max(size - 4, 0))
    game = seven(hands={2: cards})
    owed = 0
    while game.phase == Phase.DISCARD:
        assert game.seat == 2
        game.play(next(iter(game.legal_actions)))
        owed += 1
    assert game.hand_size(2) == size - owed
    return owed


def test_the_seats_at_a_tile_have_a_settlement_or_a_city_there() -> None:
    game = position(settlements=TOWNS, cities={3: [corner(0, "N")]})
    assert [game.seats_at(tile) for tile in (8, 16, 0, 2)] == [(1, 2), (3,), (3,), ()]
    assert game.view(2).seats_at(8) == (1, 2)


def test_a_seven_yields_nothing() -> None:
    """C063: regardless of the buildings."""
    everywhere = {0: [corner(4, "N"), corner(4, "SE"), corner(4, "SW")], 1: [corner(14, "N")]}
    game = seven(cities=everywhere, robber=18)
    assert [game.hand(seat) for seat in range(4)] == [EMPTY] * 4
    assert game.bank == BOX
    strange = board_of({4: (Terrain.FIELDS, 7)})
    assert seven(board=strange, cities=everywhere).hand(0) == EMPTY


def test_a_hand_of_seven_is_safe() -> None:
    """C064."""
    for size in range(8):
        assert discards_owed(size) == 0


@pytest.mark.parametrize(("size", "owed"), [(8, 4), (9, 4), (10, 5), (15, 7), (19, 9), (20, 10)])
def test_a_larger_hand_loses_half_rounded_down(size: int, owed: int) -> None:
    """C065."""
    assert discards_owed(size) == owed


@pytest.mark.parametrize("size", [8, 10, 12, 15])
def test_owed_cards_are_observed_in_full(size: int) -> None:
    """C065, also above four cards."""
    cards = (4, 4, 4, size - 12, 0) if size > 12 else (4, 4, size - 8, 0, 0)
    game = seven(hands={2: cards})
    for viewer in range(4):
        seen = named_observation(game.view(viewer).observation)["owed"]
        assert seen[(2 - viewer) % 4] == game.owes(2) == size // 2


def test_the_roller_discards_too() -> None:
    """C066."""
    game = seven(hands={0: hand(ore=8)})
    assert (game.phase, game.seat, game.owes(0)) == (Phase.DISCARD, 0, 4)
    for _ in range(4):
        game.play(Action.discard(Resource.ORE))
    assert game.hand(0) == hand(ore=4)
    assert (game.phase, game.seat) == (Phase.ROBBER, 0)


def test_development_cards_do_not_count_towards_the_seven() -> None:
    """C067."""
    game = seven(hands={0: hand(ore=7)}, cards={0: (5, 1, 1, 1, 2)})
    assert game.phase == Phase.ROBBER
    game = seven(hands={0: hand(ore=8)}, cards={0: (5, 1, 1, 1, 2)})
    assert game.owes(0) == 4


def test_the_owner_chooses_its_discards() -> None:
    """C068: card by card, into the bank, publicly."""
    game = seven(hands={1: hand(brick=3, grain=3, ore=3)})
    views = [game.view(seat) for seat in range(4)]
    assert set(game.legal_actions) == {
        Action.discard(r) for r in (Resource.BRICK, Resource.GRAIN, Resource.ORE)
    }
    for resource in (Resource.ORE, Resource.BRICK, Resource.ORE, Resource.ORE):
        event = game.play(Action.discard(resource))
        for seat, view in enumerate(views):
            assert event.redacted(seat, 4) == event
            view.apply(event)
            assert view == game.view(seat)
    assert game.hand(1) == hand(brick=2, grain=3)
    assert game.bank == (17, 16, 19, 19, 19)


def test_a_card_not_held_is_not_discarded() -> None:
    """C069."""
    game = seven(hands={1: hand(brick=1, grain=7)})
    assert not is_legal(game, Action.discard(Resource.ORE))
    game.play(Action.discard(Resource.BRICK))
    assert not is_legal(game, Action.discard(Resource.BRICK))


def test_neither_more_nor_fewer_cards_are_discarded_than_owed() -> None:
    """C069."""
    game = seven(hands={1: hand(grain=9)})
    for _ in range(4):
        assert legal_kinds(game) == {"DISCARD"}
        assert not is_legal(game, Action.move_robber(0))
        game.play(Action.discard(Resource.GRAIN))
    assert not is_legal(game, Action.discard(Resource.GRAIN))
    assert game.hand(1) == hand(grain=5)


def test_all_discards_are_done_before_the_robber_moves() -> None:
    """C070, C068: in turn order from the roller."""
    rich = {0: hand(ore=8), 1: hand(wool=10), 3: hand(brick=9)}
    game = seven(hands=rich, turn_seat=2)
    order = []
    while game.phase == Phase.DISCARD:
        assert not is_legal(game, Action.move_robber(0))
        order.append(game.seat)
        game.play(next(iter(game.legal_actions)))
    assert order == [3] * 4 + [0] * 4 + [1] * 5
    assert (game.phase, game.seat, game.turn_seat) == (Phase.ROBBER, 2, 2)
    assert is_legal(game, Action.move_robber(0))


def test_the_robber_must_move() -> None:
    """C071."""
    game = robber_moves(settlements={}, robber=6)
    assert set(game.legal_actions) == {Action.move_robber(tile) for tile in range(19) if tile != 6}
    assert not is_legal(game, Action.move_robber(6))


def test_the_robber_may_go_to_the_desert() -> None:
    """C072."""
    game = robber_moves(settlements={}, robber=0)
    assert is_legal(game, Action.move_robber(9))
    game.play(Action.move_robber(9))
    assert game.robber == Board.beginner().robber_start == 9


def test_the_robber_stays_on_land() -> None:
    """C073: there are nineteen tiles."""
    assert {action.args[0] for action in robber_moves(robber=0).legal_actions} == {*range(1, 19)}
    for tile in (19, -1):
        with pytest.raises(ValueError, match="no tile has the number"):
            Action.move_robber(tile)


def test_the_robber_may_go_to_the_seats_own_tile() -> None:
    """C074."""
    game = robber_moves(settlements={0: [corner(4, "NE")], 1: [corner(4, "SW")]})
    assert is_legal(game, Action.move_robber(4, victim=1))
    game.play(Action.move_robber(4, victim=1))
    assert game.robber == 4


def test_the_robber_takes_a_card_of_a_seat_at_its_tile() -> None:
    """C075."""
    game = robber_moves(hands={3: hand(ore=1, wool=1)})
    before = plus(game.hand(0), game.hand(3))
    event = game.play(Action.move_robber(16, victim=3))
    assert event.outcome in (Resource.ORE, Resource.WOOL)
    assert game.robber == 16
    assert sum(game.hand(0)) == sum(game.hand(3)) == 1
    assert game.hand(0)[event.outcome] == 1
    assert plus(game.hand(0), game.hand(3)) == before
    city = robber_moves(settlements={}, cities={3: [corner(16, "S")]}, hands={3: hand(ore=1)})
    city.play(Action.move_robber(16, victim=3))
    assert city.hand(0) == hand(ore=1)


def test_the_mover_names_one_of_several_seats() -> None:
    """C076."""
    cards = {1: hand(ore=1), 2: hand(wool=1), 3: hand(brick=1)}
    game = robber_moves(hands=cards)
    at_tile_8 = {action for action in game.legal_actions if action.args[0] == 8}
    assert at_tile_8 == {Action.move_robber(8, victim=1), Action.move_robber(8, victim=2)}
    assert not is_legal(game, Action.move_robber(8, victim=3))
    robbed = game.copy()
    robbed.play(Action.move_robber(8, victim=1))
    assert (robbed.hand(0), robbed.hand(1), robbed.hand(2)) == (cards[1], EMPTY, cards[2])
    game.play(Action.move_robber(8, victim=2))
    assert (game.hand(0), game.hand(1), game.hand(2)) == (cards[2], cards[1], EMPTY)


def test_victims_are_named_by_their_place_clockwise_of_the_mover() -> None:
    """C076."""
    game = robber_moves(turn_seat=2, hands={1: hand(ore=1)})
    at_tile_8 = {action for action in game.legal_actions if action.args[0] == 8}
    assert at_tile_8 == {Action.move_robber(8, victim=3)}
    game.play(Action.move_robber(8, victim=3))
    assert game.hand(2) == hand(ore=1)


def test_a_seat_without_cards_may_be_named() -> None:
    """C077: the mover gets nothing, though the other seat has cards."""
    game = robber_moves(hands={2: hand(wool=5)})
    assert is_legal(game, Action.move_robber(8, victim=1))
    event = game.play(Action.move_robber(8, victim=1))
    assert event.outcome is None
    assert [game.hand_size(seat) for seat in range(4)] == [0, 0, 5, 0]
    assert game.phase == Phase.MAIN


def test_no_seat_is_robbed_at_a_tile_without_buildings() -> None:
    """C078."""
    game = robber_moves(hands={seat: hand(wool=2) for seat in (1, 2, 3)})
    at_tile_18 = {action for action in game.legal_actions if action.args[0] == 18}
    assert at_tile_18 == {Action.move_robber(18)}
    event = game.play(Action.move_robber(18))
    assert event.outcome is None
    assert [game.hand_size(seat) for seat in range(4)] == [0, 2, 2, 2]


def test_no_seat_steals_from_itself() -> None:
    """C079."""
    game = robber_moves(hands={0: hand(wool=2), 1: hand(ore=1)})
    at_tile_1 = {action for action in game.legal_actions if action.args[0] == 1}
    assert at_tile_1 == {Action.move_robber(1)}
    game.play(Action.move_robber(1))
    assert game.hand(0) == hand(wool=2)
    assert game.hand_size(1) == 1


def test_two_buildings_of_the_victim_cost_it_one_card() -> None:
    """C080."""
    game = robber_moves(
        settlements={1: [corner(8, "SW")]},
        cities={1: [corner(8, "NE")]},
        hands={1: hand(ore=5)},
    )
    at_tile_8 = [action for action in game.legal_actions if action.args[0] == 8]
    assert at_tile_8 == [Action.move_robber(8, victim=1)]
    game.play(Action.move_robber(8, victim=1))
    assert (game.hand(0), game.hand(1)) == (hand(ore=1), hand(ore=4))


def test_robbing_is_not_declined() -> None:
    """C081."""
    game = robber_moves(hands={1: hand(ore=1)})
    assert not is_legal(game, Action.move_robber(8))
    assert not is_legal(game, Action.move_robber(16))


def test_each_card_of_the_hand_is_as_likely_to_be_stolen() -> None:
    """C082: of three bricks and one ore a brick in three games of four."""
    stolen = Counter(
        robber_moves(seed=seed, hands={1: hand(brick=3, ore=1)})
        .play(Action.move_robber(8, victim=1))
        .outcome
        for seed in range(1600)
    )
    assert set(stolen) == {Resource.BRICK, Resource.ORE}
    # 1200 are expected, give or take 17.
    assert 1130 < stolen[Resource.BRICK] < 1270


def test_thief_and_victim_alone_see_the_stolen_card() -> None:
    """C083."""
    facts = {"turn_seat": 3, "hands": {1: hand(brick=1, ore=1), 2: hand(brick=1, ore=1)}}
    game, other = robber_moves(**facts), robber_moves(**facts)
    rob = Action.move_robber(8, victim=2)
    event = game.play(rob, outcome=Resource.BRICK)
    other.play(rob, outcome=Resource.ORE)
    assert [event.redacted(seat, 4).outcome for seat in range(4)] == [
        HIDDEN,
        Resource.BRICK,
        HIDDEN,
        Resource.BRICK,
    ]
    for seat, sees in enumerate((False, True, False, True)):
        same = game.view(seat).state_bytes() == other.view(seat).state_bytes()
        assert same != sees


def test_the_turn_continues_after_the_robber() -> None:
    """C084."""
    game = seven(
        settlements=TOWNS,
        hands={0: hand(brick=1, lumber=1, ore=4)},
        roads={0: [between(corner(4, "NE"), corner(4, "N"))]},
    )
    assert legal_kinds(game) == {"MOVE_ROBBER"}
    game.play(Action.move_robber(18))
    assert (game.phase, game.seat) == (Phase.MAIN, 0)
    assert {"ROAD", "BANK_TRADE", "OFFER", "END_TURN"} <= legal_kinds(game)


def test_a_knight_asks_for_no_discards() -> None:
    """C085."""
    game = position(
        settlements=TOWNS,
        hands={0: hand(ore=9), 1: hand(wool=12)},
        cards={0: (1, 0, 0, 0, 0)},
    )
    game.play(Action.play_knight())
    assert (game.phase, game.seat) == (Phase.ROBBER, 0)
    game.play(Action.move_robber(18))
    assert (game.hand_size(0), game.hand_size(1)) == (9, 12)


def test_a_theft_leaves_the_bank_alone() -> None:
    """C086."""
    game = robber_moves(hands={0: hand(grain=2), 1: hand(ore=1)})
    bank = game.bank
    game.play(Action.move_robber(8, victim=1))
    assert game.bank == bank == minus(BOX, hand(grain=2, ore=1))
    assert game.hand(0) == hand(grain=2, ore=1)
