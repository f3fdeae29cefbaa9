"""Schedules: the next meeting, in leagues with outcomes drawn from known strengths."""

from collections import Counter
from functools import partial

import numpy as np
import pytest

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.entrant import Entrant
from catan_env.arena.league.pairing import SCHEDULES, Field
from catan_env.arena.league.standings import standings
from catan_env.arena.league.tally import Sums, Tally


def season(schedule: str, truth: list[float], seats: int, rounds: int, block: int = 4):
    """The sequence of line-ups that a schedule chose, and the final tally."""
    rng = np.random.default_rng(11)
    entrants = [Entrant(k, str(k), "policy", "x") for k in range(len(truth))]
    tally, met, chosen = Tally(seats), Counter(), []
    for _ in range(rounds):
        rate = partial(standings, tally, entrants)
        line_up = SCHEDULES[schedule](Field(range(len(truth)), seats, met, tally, rate))
        met[line_up] += block
        chosen.append(line_up)
        for k in range(block):
            cell = line_up[k % seats :] + line_up[: k % seats]
            odds = np.exp([truth[entrant] for entrant in cell])
            wins = rng.multinomial(1, odds / odds.sum())
            tally.cells[cell] = tally.cells.get(cell, 0) + wins.astype(float)
            for seat, entrant in enumerate(cell):
                tally.sums[entrant].add(Sums(1, int(wins[seat])))
        tally.games += block
    return chosen, tally, standings(tally, entrants)


@pytest.mark.parametrize(("entrants", "seats"), [(5, 2), (6, 3), (6, 4)])
def test_in_a_round_robin_all_entrants_meet_equally_often(entrants, seats):
    ways = len(set(season("round-robin", [0.0] * entrants, seats, 200)[0]))
    chosen, tally, _ = season("round-robin", [0.0] * entrants, seats, 2 * ways)
    assert set(Counter(chosen).values()) == {2}
    assert len({sums.games for sums in tally.sums.values()}) == 1


@pytest.mark.parametrize(("entrants", "most"), [(8, 2), (9, 2), (20, 1)])
def test_swiss_gives_every_entrant_a_game_per_round_and_pairs_equals(entrants, most):
    truth = np.linspace(-3, 3, entrants).tolist()
    chosen, tally, _ = season("swiss", truth, 2, entrants * 4)
    games = [sums.games for sums in tally.sums.values()]
    assert max(games) - min(games) <= 4
    pairs = Counter(chosen)
    assert max(pairs.values()) <= most
    first, last = chosen[: entrants // 2], chosen[-entrants * 2 :]
    distance = [np.mean([b - a for a, b in some]) for some in (first, last)]
    assert distance[1] < entrants / 2
    early = season("swiss", truth, 2, entrants * 2)[0][-entrants:]
    assert np.mean([b - a for a, b in early]) < np.mean([b - a for a, b in every_pair(entrants)])


def every_pair(n: int) -> list[tuple[int, int]]:
    """Every pair."""
    return [(a, b) for a in range(n) for b in range(a + 1, n)]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_ladder_learns_more_from_as_many_games_than_round_robin(seats):
    truth = [2.0, 1.9, 0.0, -0.1, -2.0, -2.1, -3.5, -3.6]
    errors = {}
    for schedule in ("round-robin", "ladder"):
        _, _, found = season(schedule, truth, seats, 140)
        near = [(0, 1), (2, 3), (4, 5), (6, 7)]
        errors[schedule] = np.mean([found.strengths.variance_between(a, b) for a, b in near])
    assert errors["ladder"] < 0.9 * errors["round-robin"]


def test_the_ladder_seats_newcomers_first():
    chosen, tally, found = season("ladder", [0.0] * 4, 2, 20)
    field = Field(range(5), 2, Counter(chosen), tally, lambda: found)
    assert 4 in SCHEDULES["ladder"](field)


@pytest.mark.parametrize("schedule", ["round-robin", "swiss"])
def test_ratings_are_not_computed_for_a_schedule_that_goes_without_them(schedule):
    field = Field(range(4), 2, Counter(), Tally(2), lambda: pytest.fail("ratings were asked for"))
    assert SCHEDULES[schedule](field) == (0, 1)
