"""The faith track and pope reports, R070-R078."""

import pytest

from catan_env.guests.renaissance.native import doors
from tests.guests.renaissance.drawn import (
    AWAY,
    DISCARD,
    END,
    LINE,
    PLACE,
    faith,
    fresh,
    in_hand,
    market,
    play,
    refresh,
    take,
    tiles,
)


def on(game, *spaces, cross=0):
    """Put the markers on these spaces."""
    game.state["faith"][: len(spaces)] = spaces
    game.state["cross"] = cross
    return refresh(game)


def report(game):
    """Hold the reports that are due."""
    doors.hold_reports(game._states, 0)
    return game


def test_a_marker_never_passes_space_24():
    """R070."""
    game = in_hand(on(fresh(), 24, 23), 0, 0, 1)
    play(game, DISCARD, DISCARD + 1)
    assert faith(game)[0] == 24


@pytest.mark.parametrize(
    "space, points",
    [
        (0, 0),
        (2, 0),
        (3, 1),
        (5, 1),
        (6, 2),
        (9, 4),
        (12, 6),
        (15, 9),
        (18, 12),
        (21, 16),
        (23, 16),
        (24, 20),
    ],
)
def test_the_last_gold_space_reached_counts(space, points):
    """R071: not the sum."""
    assert on(fresh(), space).points(0) == points


@pytest.mark.parametrize("k, pope, first, points", [(0, 8, 5, 2), (1, 16, 12, 3), (2, 24, 19, 4)])
def test_a_report_rewards_seats_in_the_section_or_past_it(k, pope, first, points):
    """R072, R073: every other seat loses the tile for good."""
    game = on(fresh(4), pope, first, first - 1, pope - 1)
    game.state["reported"][:k] = 1
    before = [game.points(seat) for seat in range(4)]
    report(game)
    assert [tiles(game, seat)[k] for seat in range(4)] == [1, 1, 2, 1]
    assert [game.points(seat) - before[seat] for seat in range(4)] == [points, points, 0, points]


def test_the_cross_causes_reports_too_and_wins_no_tile():
    """R073, R078."""
    game = report(on(fresh(1), 4, cross=8))
    assert tiles(game, 0) == [2, 0, 0]
    assert tiles(report(on(fresh(1), 6, cross=9)), 0) == [1, 0, 0]


def test_each_report_is_held_once_per_game():
    """R074."""
    game = report(on(fresh(), 8, 4))
    report(on(game, 9, 8))
    assert tiles(game, 1) == [2, 0, 0]


def test_a_report_is_held_after_the_whole_action():
    """R075: all markers have moved."""
    game = on(market(fresh(3), "CSVF .... HH..", "."), 4, 6, 4)
    take(game, 0, 0, AWAY, AWAY)
    assert faith(game) == [5, 8, 6]
    assert [tiles(game, seat)[0] for seat in range(3)] == [1, 1, 1]


def test_one_action_may_cause_two_reports_the_lower_first():
    """R076."""
    game = report(on(fresh(), 16, 7))
    assert tiles(game, 0) == [1, 1, 0] and tiles(game, 1) == [1, 2, 0]


def test_one_report_judges_every_seat_on_its_final_space():
    """R077: several markers pass 8 in one action."""
    game = on(market(fresh(3), "CSVH .... HHF.", "."), 0, 7, 7)
    play(game, LINE)
    while game.phase == "place":
        game.play(PLACE + AWAY)
    assert faith(game) == [0, 11, 11] and [tiles(game, seat)[0] for seat in range(3)] == [2, 1, 1]


def test_a_marker_on_24_is_announced_as_the_last_round():
    """R080, R109: by others' discards too."""
    game = on(market(fresh(3), "CSVH .... HHF.", "."), 0, 0, 21)
    game.state["reported"][:] = 1
    play(game, LINE)
    while game.phase == "place":
        game.play(PLACE + AWAY)
    assert game.state["last_round"] and not game.is_over
    play(game, END)
    assert game.turn_seat == 1
