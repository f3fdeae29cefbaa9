"""The benchmark's rows of Masters of Renaissance."""

import pytest

from benchmarks.__main__ import GUESTS, rivals

pytest.importorskip("catan_env.guests.renaissance.batch")


def test_renaissance_is_listed_by_seats_with_and_without_observations(
    fewer_games: None,
) -> None:
    found = [row for row in rivals((1,), GUESTS) if "renaissance" in row.engine]
    seats = dict.fromkeys(row.engine.rpartition(", ")[2] for row in found)
    assert list(seats) == ["1 seat", "2 seats", "4 seats"]
    ours = [row for row in found if "2 seats" in row.engine]
    assert [(row.games, row.observed) for row in ours] == [(64, False), (64, True)]
    assert all(row.run(0.01).decisions >= 32 * 64 for row in ours)
