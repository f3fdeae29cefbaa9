"""Schedules: the next meeting, in leagues with outcomes drawn from known strengths."""

from collections import Counter
from functools import partial
from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.entrant import Entrant
from catan_env.arena.league.pairing import SCHEDULES, Field
from catan_env.arena.league.standings import standings
from catan_env.arena.league.tally import Sums, Tally


def season(schedule: str, truth: list[float], seats: int, rounds: int, block: int = 4, barred=()):
    """The sequence of line-ups that a schedule chose, and the final tally."""
    rng = np.random.default_rng(11)
    entrants = [Entrant(k, str(k), "policy", "x") for k in range(len(truth))]
    tally, met, chosen = Tally(seats), Counter(), []
    for _ in range(rounds):
        rate = partial(standings, tally, entrants)
        line_up = SCHEDULES[schedule](Field(range(len(truth)), seats, met, tally, rate, barred))
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


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"), [(20, 4, 150), (20, 3, 200), (20, 2, 190), (40, 4, 400)]
)
def test_in_a_round_robin_of_many_entrants_all_pairs_meet_about_equally_often(
    entrants, seats, rounds
):
    chosen, tally, _ = season("round-robin", [0.0] * entrants, seats, rounds)
    assert len(set(chosen)) == rounds
    games = [sums.games // 4 for sums in tally.sums.values()]
    assert max(games) - min(games) <= 2
    met = Counter(pair for line_up in chosen for pair in combinations(line_up, 2))
    often = [met[pair] for pair in every_pair(entrants)]
    assert min(often) > 0 and max(often) - min(often) <= 2


def test_in_a_round_robin_a_newcomer_catches_up_against_all_others():
    chosen, tally, _ = season("round-robin", [0.0] * 20, 4, 50)
    met = Counter(dict.fromkeys(chosen, 4))
    for _ in range(10):
        line_up = SCHEDULES["round-robin"](Field(range(21), 4, met, tally, lambda: None))
        assert 20 in line_up
        met[line_up] += 4
    assert all(
        Field(range(21), 4, met, tally, lambda: None).met_in_pairs()[k, 20] for k in range(20)
    )


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


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(("entrants", "seats"), [(4, 2), (10, 2), (5, 3), (10, 3)])
def test_a_barred_line_up_leaves_its_entrants_to_all_the_others(schedule, entrants, seats):
    barred = {tuple(range(seats))}
    chosen, tally, _ = season(schedule, [0.0] * entrants, seats, 60, barred=barred)
    assert not barred & set(chosen)
    fewest = min(tally.sums[entrant].games for entrant in range(seats))
    even = 60 * 4 * seats / entrants
    assert fewest >= even * (0.5 if schedule == "ladder" else 0.8)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(("entrants", "seats"), [(3, 2), (6, 2), (4, 3)])
def test_an_entrant_of_barred_line_ups_alone_leaves_the_others_to_each_other(
    schedule, entrants, seats
):
    barred = {line_up for line_up in combinations(range(entrants), seats) if 0 in line_up}
    chosen, _, _ = season(schedule, [0.0] * entrants, seats, 40, barred=barred)
    assert {entrant for line_up in chosen for entrant in line_up} == set(range(1, entrants))


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_only_line_up_that_is_not_barred_is_played(schedule, seats):
    line_ups = list(combinations(range(9), seats))
    only = line_ups[-1]
    chosen, _, _ = season(schedule, [0.0] * 9, seats, 5, barred=set(line_ups) - {only})
    assert set(chosen) == {only}
