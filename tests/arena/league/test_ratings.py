"""Ratings: their intervals have the stated coverage, and follow from the export."""

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from catan_env.arena.fair import without_luck
from catan_env.cli import main
from catan_env.policy import load_luck
from tests.arena.league.places import league
from tests.arena.urns import urns

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.entrant import Entrant
from catan_env.arena.league.league import League
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.skill import ranks_of, rate, skills
from catan_env.arena.league.standings import Standing, Standings, standings
from catan_env.arena.league.strength import ELO, strengths
from catan_env.arena.league.tally import Sums, Tally
from catan_env.cli.league import _saved

LEAGUES = 200


def rotations(entrants: int, seats: int) -> np.ndarray:
    """Every line-up in every rotation of the seats."""
    return np.array(
        [
            line_up[k:] + line_up[:k]
            for line_up in combinations(range(entrants), seats)
            for k in range(seats)
        ]
    )


def simulated(rng, line_ups, truth, seat, games):
    """The wins of each seat, with winners drawn from the model."""
    odds = np.exp(truth[line_ups] + seat)
    return rng.multinomial(games, odds / odds.sum(axis=1, keepdims=True)).astype(float)


@pytest.mark.parametrize(("entrants", "seats", "games"), [(12, 2, 10), (6, 4, 15), (7, 3, 8)])
def test_95_percent_intervals_hold_the_truth_in_93_to_97_of_100_simulated_cases(
    entrants, seats, games
):
    rng = np.random.default_rng(7)
    line_ups = rotations(entrants, seats)
    held, seat_held, mistaken, compared = [], [], 0, 0
    for _ in range(LEAGUES):
        truth, seat = rng.normal(0, 0.7, entrants), rng.normal(0, 0.2, seats)
        truth, seat = truth - truth.mean(), seat - seat[0]
        found = strengths(line_ups, simulated(rng, line_ups, truth, seat, games), entrants)
        for k in range(entrants):
            held.append(abs(found.rating(k) - 1000 - ELO * truth[k]) <= found.reach(k))
        for k in range(1, seats):
            effect, reach = found.seat_effect(k)
            seat_held.append(abs(effect - ELO * seat[k]) <= reach)
        for a, b in combinations(range(entrants), 2):
            weak, strong = (a, b) if truth[a] < truth[b] else (b, a)
            compared += 1
            mistaken += found.chance_better(weak, strong) >= 0.95
    assert len(held) == LEAGUES * entrants
    assert 0.93 <= np.mean(held) <= 0.97
    assert 0.92 <= np.mean(seat_held) <= 0.98
    assert mistaken / compared <= 0.05


def test_ratings_can_be_recomputed_from_the_export_alone(tmp_path, capsys):
    place = league(tmp_path, "builder", "greedy", "random", table=("--seats", "3", "--seed", "2"))
    assert main(["league", "run", place, "--games", "30", "--workers", "1"]) == 0
    capsys.readouterr()
    main(["league", "export", place])
    export = capsys.readouterr().out
    script = Path(__file__).with_name("recompute.py")
    done = subprocess.run(
        [sys.executable, "-I", script], input=export, capture_output=True, text=True, check=True
    )
    theirs = {
        name: (rating, reach) for name, rating, reach in map(json.loads, done.stdout.splitlines())
    }
    for line in League(Ledger(place)).standings().lines:
        rating, reach = theirs[line.entrant.title]
        assert line.rating == pytest.approx(rating, abs=0.5)
        assert line.reach == pytest.approx(reach, rel=0.01)


def test_openskill_resumes_from_stored_values_and_check_recomputes_them(tmp_path, capsys):
    place = league(tmp_path, "builder", "greedy", "random", table=("--seats", "3", "--seed", "2"))
    for _ in range(2):
        main(["league", "run", place, "--games", "9", "--workers", "1"])
    ledger = Ledger(place)
    upto, _ = ledger.derived("openskill")
    anew: dict[int, tuple[float, float]] = {}
    rate(
        anew,
        (
            (game.number, list(game.seats), ranks_of(game.winner, game.points, game.kicked))
            for game in ledger.games()
            if game.winner is not None
        ),
    )
    assert upto == max(game.number for game in ledger.games() if game.winner is not None)
    assert skills(ledger) == anew
    assert main(["league", "check", place]) == 0
    ledger.keep_derived("openskill", upto, {"1": [99.0, 1.0]})
    assert main(["league", "check", place]) == 1
    assert "the stored openskill ratings do not follow" in capsys.readouterr().err


def test_the_database_adds_up_what_the_outcomes_add_up_to(tmp_path):
    place = league(tmp_path, "builder", "greedy", "random", table=("--seats", "3", "--seed", "2"))
    main(["league", "run", place, "--games", "12", "--workers", "1"])
    ledger = Ledger(place)
    summed, added = Tally.of(ledger), Tally(3)
    added.add(ledger.games())
    halves = Tally.of(ledger, 0, 5)
    halves.merge(Tally.of(ledger, 5))
    for other in (added, halves):
        assert (other.games, other.turns, other.upto) == (summed.games, summed.turns, summed.upto)
        assert {k: v.tolist() for k, v in other.cells.items()} == {
            k: v.tolist() for k, v in summed.cells.items()
        }
        for entrant, sums in summed.sums.items():
            assert vars(other.sums[entrant]) == pytest.approx(vars(sums))


def test_hostile_agents_do_not_change_the_others_ratings():
    """An entrant that always loses, removed from every game, hardly changes the others' ratings."""
    entrants = [Entrant(k, str(k), "policy", "x") for k in range(5)]
    tally, with_hostile = Tally(2), Tally(2)
    rng = np.random.default_rng(3)
    truth = np.array([0.6, 0.2, -0.3, -0.5])
    for a, b in [*combinations(range(4), 2), *((b, a) for a, b in combinations(range(4), 2))]:
        wins = simulated(rng, np.array([[a, b]]), truth, 0.0, 50)[0]
        for one in (tally, with_hostile):
            one.cells[a, b] = wins
            for seat, entrant in enumerate((a, b)):
                one.sums[entrant].games += 50
                one.sums[entrant].wins += int(wins[seat])
    for a in range(4):
        with_hostile.cells[a, 4] = np.array([25.0, 0.0])
        with_hostile.cells[4, a] = np.array([0.0, 25.0])
        with_hostile.sums[a].games += 50
        with_hostile.sums[a].wins += 50
        with_hostile.sums[4].games += 50
    before = {line.entrant.id: line for line in standings(tally, entrants).lines}
    after = {line.entrant.id: line for line in standings(with_hostile, entrants, {4}).lines}
    for entrant in range(4):
        assert after[entrant].rating == pytest.approx(before[entrant].rating, abs=1.0)
        assert after[entrant].reach == pytest.approx(before[entrant].reach, rel=0.05)
    assert after[4].rating < min(line.rating for line in before.values()) - 400


@pytest.mark.parametrize(("entrants", "seats", "games"), [(8, 2, 20), (6, 4, 10)])
def test_ratings_without_luck_have_no_bias_and_narrower_intervals(entrants, seats, games):
    rng = np.random.default_rng(11)
    line_ups = rotations(entrants, seats)
    held, errors, reaches = [], [], []
    for _ in range(60):
        truth = rng.normal(0, 0.7, entrants)
        truth -= truth.mean()
        odds = np.exp(truth[line_ups])
        each = np.repeat(odds / odds.sum(axis=1, keepdims=True), games, axis=0)
        won, luck = urns(rng, each)
        plain = strengths(line_ups, won.reshape(-1, games, seats).sum(axis=1), entrants)
        boards = np.arange(len(won))  # each game has a board of its own
        results = without_luck(won, luck, boards).reshape(-1, games, seats)
        squares = np.einsum("mgi,mgj->mij", results, results)
        fair = strengths(line_ups, results.sum(axis=1), entrants, squares=squares)
        pair = [np.array([f.rating(k) for k in range(entrants)]) for f in (plain, fair)]
        reach = [np.array([f.reach(k) for k in range(entrants)]) for f in (plain, fair)]
        held.append(np.abs(pair[1] - 1000 - ELO * truth) <= reach[1])
        # how far apart the stronger and the weaker half are: too far, if there is a bias
        strong = truth > np.median(truth)
        errors.append(
            [(r - ELO * truth)[strong].mean() - (r - ELO * truth)[~strong].mean() for r in pair]
        )
        reaches.append([(r**2).mean() for r in reach])
    assert 0.92 <= np.mean(held) <= 0.98
    plain_errors, fair_errors = np.array(errors).T
    difference = fair_errors - plain_errors
    assert abs(difference.mean()) < 3 * difference.std() / len(difference) ** 0.5 + 1
    assert np.var(fair_errors) < 0.9 * np.var(plain_errors)
    before, after = np.mean(reaches, axis=0)
    assert after < 0.75 * before


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("games", [1, 2, 4])
def test_ratings_without_luck_have_intervals_that_hold_from_the_first_games(seats, games):
    """Two or three entrants with few games in every seating."""
    rng = np.random.default_rng(13)
    line_ups = rotations(seats, seats)
    held = []
    for _ in range(400):
        truth = rng.normal(0, 0.7, seats)
        truth -= truth.mean()
        odds = np.exp(truth[line_ups])
        each = np.repeat(odds / odds.sum(axis=1, keepdims=True), games, axis=0)
        results = without_luck(*urns(rng, each), np.arange(len(each))).reshape(-1, games, seats)
        squares = np.einsum("mgi,mgj->mij", results, results)
        found = strengths(line_ups, results.sum(axis=1), seats, squares=squares)
        held += [
            abs(found.rating(k) - 1000 - ELO * truth[k]) <= found.reach(k) for k in range(seats)
        ]
    assert 0.93 <= np.mean(held) <= 0.995


def test_results_without_squares_have_the_errors_of_the_curvature():
    line_ups = rotations(5, 2)
    wins = simulated(np.random.default_rng(3), line_ups, np.zeros(5), np.zeros(2), 4000)
    squares = np.array([np.diag(row) for row in wins])
    plain, fair = strengths(line_ups, wins, 5), strengths(line_ups, wins, 5, squares=squares)
    assert fair.rating(2) == plain.rating(2)
    assert fair.reach(2) == pytest.approx(plain.reach(2), rel=0.05)


def never(*_):
    raise AssertionError("luck that was measured is kept in the ledger")


def test_the_standings_without_luck_are_those_of_replayed_games(tmp_path, capsys):
    table = ("--seats", "2", "--rules", "duel", "--seed", "5")
    place = league(tmp_path, "builder", "greedy", table=table)
    assert main(["league", "run", place, "--games", "24", "--workers", "1"]) == 0
    capsys.readouterr()
    assert main(["league", "standings", place, "--luck"]) == 0
    shown = capsys.readouterr().out
    assert re.match(r"ratings without luck, -?\d+% of games saved\n", shown)
    found = League(Ledger(place))
    fair = found.without_luck(load_luck())
    assert fair.games == 24
    assert found.without_luck(never).results.keys() == fair.results.keys()
    assert sum(results.sum() for results in fair.results.values()) == pytest.approx(24)
    assert "24 games, 0 without a winner" in shown
    ratings = {line.entrant.name: round(line.rating) for line in found.standings(fair).lines}
    assert all(re.search(rf"{name} +{rating} ", shown) for name, rating in ratings.items())


def test_the_games_saved_are_those_of_entrants_with_wins_and_losses():
    def lines(*reaches: float) -> Standings:
        known = (Sums(9, 4), Sums(9, 5), Sums(9, 0), Sums(9, 9), Sums(9, 1))
        standing = [
            Standing(None, sums, 1000.0, reach, 0, sums.wins == 1, None)
            for sums, reach in zip(known, reaches, strict=True)
        ]
        return Standings(tuple(standing), None, {}, ())

    saved = _saved(lines(10, 10, 50, 50, 50), lines(5, 5, 900, 900, 900))
    assert saved == pytest.approx(0.75)


def test_a_record_that_cannot_be_replayed_stops_ratings_without_luck(tmp_path, capsys):
    place = league(tmp_path, "builder", "greedy", table=("--seats", "2", "--seed", "5"))
    assert main(["league", "run", place, "--games", "2", "--workers", "1"]) == 0
    ledger = sqlite3.connect(Path(place) / "league.db")
    with closing(ledger), ledger:
        ledger.execute("update records set moves = x'00' where game = 2")
    capsys.readouterr()
    assert main(["league", "standings", place, "--luck"]) == 2
    assert "game 2: its record is damaged" in capsys.readouterr().err
