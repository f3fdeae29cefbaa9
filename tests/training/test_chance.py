"""The luck of games: no bias, less noise, and the events that it is the luck of."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from catan_env.adapters.contest import play_games
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.policies.players import player
from catan_env.training.chance import (
    ROLLS,
    events_of,
    luck_of,
)
from catan_env.training.evaluate import Bout, evaluate, merge, play, report

pytestmark = pytest.mark.skipif(not MACHINE_CODE, reason="whole games are slow in plain Python")
GAMES = 40
DUEL = Bout(("greedy", "builder"), GAMES, seed=11, rules="duel", luck=True)


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return evaluate(DUEL)


def test_luck_is_zero_on_average(table: dict[str, Any]) -> None:
    """Within three standard errors, for each entrant and for two other tables."""
    lucks = np.array(table["raw"]["luck"])
    four = np.array(play(Bout(("greedy",) * 4, 20, seed=5, luck=True), np.arange(20))["luck"])
    for found in (lucks, four):
        error = found.std(axis=0) / len(found) ** 0.5
        assert (np.abs(found.mean(axis=0)) < 3 * error).all()


def test_the_seats_luck_is_shared(table: dict[str, Any]) -> None:
    """Win probabilities add up to 1, so that one seat's good luck is the others' bad luck."""
    assert np.abs(np.sum(table["raw"]["luck"], axis=1)).max() < 1e-6


def test_results_without_luck_vary_less(table: dict[str, Any]) -> None:
    for entrant in table["entrants"]:
        assert entrant["saved"] > 0.05
        low, high = entrant["fair_interval"]
        assert low < entrant["fair_rate"] < high
    assert report(table).count("of games saved") == 2


def test_slices_with_luck_merge(table: dict[str, Any]) -> None:
    parts = [evaluate(DUEL, (k, 2)) for k in (1, 2)]
    merged = merge(parts)
    assert merged["raw"]["luck"] == table["raw"]["luck"]
    assert merged["entrants"][0]["fair_rate"] == table["entrants"][0]["fair_rate"]


def test_files_from_before_luck_merge() -> None:
    old = evaluate(Bout(("random", "random"), 2))
    del old["luck"], old["raw"]["luck"]
    assert merge([old])["raw"]["luck"] == [[], []]


def test_the_totals_of_two_dice_have_their_probabilities() -> None:
    totals = {code // 6 + code % 6 + 2: chance for code, chance in ROLLS}
    assert sorted(totals) == list(range(2, 13))
    assert totals[7] == pytest.approx(6 / 36) and totals[12] == pytest.approx(1 / 36)
    assert sum(totals.values()) == pytest.approx(1)


def begun(bout: Bout) -> Any:
    batch = bout.batch(1)
    batch.reset(bout.seeds(np.arange(1)))
    return batch


def test_the_average_over_all_outcomes_has_no_luck() -> None:
    """Weighted by their probabilities, the lucks of the outcomes of an event cancel out."""
    batch = begun(DUEL)
    first = batch.states.copy()
    history = play_games(batch, [player("greedy", 0)] * 2, np.array([[0, 1]]))
    words = history.words[0, : history.played[0]].tolist()
    for event in list(events_of(first, words))[::7]:
        lucks = [luck_of([replace(event, happened=k)], 2) for k in range(len(event.probabilities))]
        assert np.abs(event.probabilities @ np.array(lucks)).max() < 1e-6
        assert event.probabilities.sum() == pytest.approx(1)
