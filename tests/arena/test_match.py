"""A match is fair, and reproducible from its seed."""

from dataclasses import replace

import pytest

from catan_env import Event, Game
from catan_env.arena.match import Match
from catan_env.arena.outcome import Outcome
from catan_env.arena.report import report, wilson_interval


def test_every_entrant_sits_everywhere():
    match = Match(("a", "b", "c"))
    for entrant in range(3):
        assert sorted(match.entrants_by_seat(k).index(entrant) for k in range(3)) == [0, 1, 2]


def test_a_game_of_a_match_does_not_depend_on_those_before():
    match = Match(("builder", "random", "builder"), seed=5)
    assert list(match.results(4))[3] == match.play(3)


def test_an_outcome_is_by_seat_and_says_which_entrant_sat_there():
    match = Match(("random", "builder"), seed=1)
    played = [match.play(k) for k in range(4)]
    assert [outcome.winner for outcome in played] == [1, 0, 1, 0]
    assert [outcome.winning_entrant for outcome in played] == [1, 1, 1, 1]
    for outcome in played:
        assert outcome.by_entrant(outcome.points)[1] == outcome.points[outcome.winner]
        assert outcome.to_json()["winner"] == 1
        assert outcome.to_json()["points"] == outcome.by_entrant(outcome.points)


def test_a_long_game_is_cut_off_without_a_winner():
    result = Match(("random", "random"), max_turns=3).play(0)
    assert (result.winner, result.turns) == (None, 3)


def test_a_limit_of_0_turns_is_none():
    unlimited = Match(("random", "random"), seed=2, max_turns=0).play(0)
    assert unlimited == Match(("random", "random"), seed=2, max_turns=10**6).play(0)
    assert unlimited.turns > 1 and unlimited.winner is not None


def test_a_watcher_sees_every_event_of_the_first_game_alone():
    seen = []

    def watch(game: Game, event: Event) -> None:
        seen.append((game.seed, event))

    results = list(Match(("builder", "random"), seed=8).results(3, watch))
    assert {seed for seed, _ in seen} == {8}
    assert len(seen) == results[0].decisions
    assert seen[-1][1].winner is not None


@pytest.mark.parametrize(
    ("match", "said"),
    [
        (Match(("random",)), "1 seats; allowed are 2, 3 and 4"),
        (Match(("random", "grady")), "unknown policy 'grady'"),
        (Match(("random", "random"), rules="house"), "unknown rules 'house'"),
        (Match(("random", "random"), board="flat"), "unknown board 'flat'"),
        (Match(("random", "random"), seed=-1), "seed is -1"),
    ],
    ids=str,
)
def test_a_match_that_cannot_be_played_is_refused_before_the_first_game(match, said):
    with pytest.raises(ValueError) as refused:
        match.check()
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (0, 0, 0, 1),
        (0, 10, 0, 0.2775),  # Agresti and Coull (1998)
        (10, 10, 0.7225, 1),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_intervals_are_wilsons(wins, games, low, high):
    assert wilson_interval(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_an_interval_contains_its_rate_whatever_is_rounded():
    for games in range(1, 3001):
        assert wilson_interval(0, games)[0] == 0 and wilson_interval(games, games)[1] == 1


def test_a_report_of_nothing_can_be_printed():
    assert report(["a", "b"], []).count("\n") == 3


def test_a_report_lists_games_cut_off():
    long = Outcome(
        seed=5, seats=(0, 1), winner=None, points=(3, 4), turns=1001, decisions=9000, state=""
    )
    won = Outcome(seed=6, seats=(1, 0), winner=0, points=(10, 3), turns=50, decisions=200, state="")
    assert "2 games, 1 without a winner; 526 turns" in report(["a", "b"], [long, won])


def test_a_report_has_columns_for_the_measurements():
    game = Outcome(seed=5, seats=(0, 1), winner=1, points=(3, 10), turns=50, decisions=3, state="")
    assert "kicked" not in report(["a", "b"], [game])
    timed = replace(game, timeouts=(0, 4), decision_times=((0.5,), (0.001, 0.003)))
    heading, _, second, _ = report(["a", "b"], [timed]).splitlines()
    assert heading.split()[-5:] == ["kicked", "late", "ms", "typical", "slowest"]
    assert second.split()[-4:] == ["0", "4", "2", "3"]
