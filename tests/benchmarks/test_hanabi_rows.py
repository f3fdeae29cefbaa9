"""Hanabi's rows of the benchmark."""

import pytest

from benchmarks.__main__ import GUESTS, rivals

pytest.importorskip("catan_env.guests.hanabi.batch")


def test_hanabi_is_listed_next_to_catan(fewer_games: None) -> None:
    ours = [row for row in rivals((1,), GUESTS) if row.engine == "catan_env hanabi"]
    assert [(row.games, row.observed) for row in ours] == [(64, False), (64, True)]
    for row in ours:
        work = row.run(0.01)
        assert work.decisions > work.games > 0


def test_chance_is_drawn_by_its_weights() -> None:
    from benchmarks.hanabi_rows import drawn

    outcomes = [(7, 0.5), (3, 0.25), (1, 0.25)]
    assert [drawn(outcomes, share) for share in (0.0, 0.49, 0.5, 0.8, 1.0)] == [7, 7, 3, 1, 1]
