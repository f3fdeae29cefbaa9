"""The end of the game (C187-C195)."""

from typing import Any

import pytest

from catan_env import Action, DevelopmentCard, Game, Phase, Resource
from tests.rules.drawn import (
    CARD,
    CITY,
    ROAD,
    SETTLEMENT,
    along,
    at,
    between,
    hand,
    position,
    times,
)

CITIES = [at(0, 1), at(0, 3), at(0, 5), at(1, 1)]
VICTORY_POINT = DevelopmentCard.VICTORY_POINT


def victory_points(n: int) -> tuple[int, ...]:
    """`n` victory point cards."""
    return 0, 0, 0, 0, n


def eight_points(**facts: Any) -> Game:
    """Seat 0 has four cities; it could place a settlement on line 2 or 3."""
    return position(**{"cities": {0: CITIES}, **facts})


def nine_points(**facts: Any) -> Game:
    """Seat 0 has four cities and a settlement, and a road from it."""
    facts = {"settlements": {0: [at(2, 1)]}, "roads": {0: along(2, 1, 3)}, **facts}
    return eight_points(**facts)


def won(game: Game, action: Action, outcome: Any = None) -> bool:
    """True if seat 0 has won by the action, which ends the game."""
    event = game.play(action, outcome=outcome)
    assert game.is_over == (game.winner is not None) == (game.phase == Phase.OVER)
    assert event.winner == game.winner
    assert game.is_over == (len(game.legal_actions) == 0)
    return game.winner == 0


def test_ten_points_on_a_seats_own_turn_win_immediately() -> None:
    """C187: by a settlement or a city."""
    game = nine_points(hands={0: SETTLEMENT})
    assert game.points(0) == 9 and not game.is_over
    assert won(game, Action.settlement(at(2, 3)))
    game = position(
        cities={0: CITIES[:3]},
        settlements={0: [at(2, 1), at(2, 3), at(2, 5)]},
        hands={0: CITY},
    )
    assert won(game, Action.city(at(2, 3)))


def test_nine_points_do_not_win() -> None:
    """C187."""
    game = eight_points(roads={0: along(2, 1, 3)}, hands={0: SETTLEMENT})
    assert not won(game, Action.settlement(at(2, 3)))
    assert game.points(0) == 9
    assert not won(game, Action.end_turn())


def cut_in_favour_of_seat_2(hands: Any) -> Game:
    """Seat 0 may cut seat 1's road; Longest Road brings seat 2, with eight, to ten points."""
    return position(
        seats=3,
        roads={0: [between(at(2, 4), at(3, 4))], 1: along(2, 0, 8), 2: along(5, 0, 5)},
        cities={2: [at(5, 0), at(5, 2), at(5, 4), at(0, 1)]},
        hands=hands,
    )


def test_ten_points_reached_on_another_turn_count_when_the_seats_own_turn_begins() -> None:
    """C188, C189: before the roll."""
    game = cut_in_favour_of_seat_2({0: SETTLEMENT})
    assert not won(game, Action.settlement(at(2, 4)))
    assert game.points(2) == 10
    assert not won(game, Action.end_turn())
    assert not won(game, Action.roll(), outcome=(1, 1))
    game.play(Action.end_turn())
    assert (game.winner, game.turn_seat, game.rolled) == (2, 2, False)


def test_ten_points_lost_before_the_seats_own_turn_do_not_count() -> None:
    """C188: seat 1 makes its road the longest again."""
    game = cut_in_favour_of_seat_2({0: SETTLEMENT, 1: times(2, ROAD)})
    game.play(Action.settlement(at(2, 4)))
    game.play(Action.end_turn())
    game.play(Action.roll(), outcome=(1, 1))
    assert game.road_length(1) == 4
    game.play(Action.road(between(at(2, 8), at(2, 9))))
    game.play(Action.road(between(at(2, 9), at(2, 10))))
    assert (game.road_length(1), game.longest_road_seat) == (6, 1)
    game.play(Action.end_turn())
    assert (game.seat, game.points(2), game.is_over) == (2, 8, False)
    assert game.phase == Phase.ROLL


def test_ten_points_as_a_turn_begins_win_before_the_roll() -> None:
    """C189: including hidden ones."""
    game = position(cities={1: CITIES}, cards={1: victory_points(2)}, roads={0: along(2, 0, 1)})
    assert game.points(1) == 10 and not game.is_over
    game.play(Action.end_turn())
    assert (game.winner, game.is_over) == (1, True)
    assert game.events[-1].action == Action.end_turn()


def test_a_bought_victory_point_wins_immediately() -> None:
    """C190: another card does not."""
    assert won(nine_points(hands={0: CARD}), Action.buy_development_card(), VICTORY_POINT)
    for kind in DevelopmentCard:
        if kind != VICTORY_POINT:
            game = nine_points(hands={0: CARD})
            assert not won(game, Action.buy_development_card(), kind)


def test_longest_road_may_bring_the_tenth_point() -> None:
    """C191: by a paid road."""
    game = eight_points(roads={0: along(2, 0, 4)}, hands={0: ROAD})
    assert won(game, Action.road(between(at(2, 4), at(2, 5))))


def test_road_building_may_bring_the_tenth_point() -> None:
    """C191: also before the roll, and by the second of the roads."""
    facts = {"roads": {0: along(2, 0, 3)}, "cards": {0: (0, 1, 0, 0, 0)}}
    for phase in ("roll", "main"):
        game = eight_points(phase=phase, **facts)
        assert not won(game, Action.play_road_building())
        assert not won(game, Action.road(between(at(2, 3), at(2, 4))))
        assert won(game, Action.road(between(at(2, 4), at(2, 5))))


@pytest.mark.parametrize("phase", ["roll", "main"])
def test_largest_army_may_bring_the_tenth_point(phase: str) -> None:
    """C191: a knight before the roll wins; the robber stays where it is."""
    game = eight_points(phase=phase, cards={0: (1, 0, 0, 0, 0)}, played={0: (2, 0, 0, 0, 0)})
    robber = game.robber
    assert won(game, Action.play_knight())
    assert game.robber == robber


def test_eleven_points_also_win() -> None:
    """C192: nine, and two by Longest Road."""
    game = nine_points(roads={0: along(2, 1, 5)}, hands={0: ROAD})
    assert won(game, Action.road(between(at(2, 5), at(2, 6))))
    assert game.points(0) == 11


def test_ten_points_of_another_seat_do_not_end_the_turn() -> None:
    """C193: seat 1 has eight and two hidden; seat 0 continues."""
    game = position(
        cities={1: CITIES},
        cards={1: victory_points(2)},
        settlements={0: [at(2, 1)]},
        roads={0: along(2, 1, 3)},
        hands={0: SETTLEMENT},
        phase="roll",
    )
    assert game.points(1) == 10
    assert not won(game, Action.roll(), outcome=(1, 1))
    assert not won(game, Action.settlement(at(2, 3)))
    assert (game.seat, game.phase) == (0, Phase.MAIN)


def test_of_two_seats_with_ten_points_the_one_on_turn_wins() -> None:
    """C194."""
    game = position(
        cities={0: CITIES, 1: [at(5, 1), at(5, 3), at(5, 5), at(4, 1)]},
        cards={1: victory_points(2), 0: victory_points(1)},
        roads={0: along(2, 1, 3)},
        hands={0: SETTLEMENT},
    )
    assert (game.points(0), game.points(1)) == (9, 10)
    assert won(game, Action.settlement(at(2, 3)))
    assert (game.points(0), game.points(1), game.winner) == (10, 10, 0)


def test_cards_and_roads_are_worth_no_points() -> None:
    """C195: nor are other development cards, harbours and armies of two."""
    game = position(
        roads={0: along(2, 0, 4)},
        hands={0: times(12, (1, 1, 1, 1, 1))},
        cards={0: (5, 1, 1, 1, 0)},
        played={0: (2, 1, 1, 1, 0)},
    )
    assert game.points(0) == 0
    game.play(Action.road(between(at(2, 2), at(3, 2))))
    game.play(Action.bank_trade(Resource.ORE, Resource.WOOL))
    assert game.points(0) == 0
    assert game.hand(0) == hand(brick=11, grain=12, lumber=11, ore=8, wool=13)


def test_a_finished_game_has_no_decisions() -> None:
    """C187."""
    game = nine_points(hands={0: SETTLEMENT})
    assert won(game, Action.settlement(at(2, 3)))
    assert list(game.legal_actions) == []
    assert not game.action_mask.any()
