"""Actions are compared by their scores in the same worlds."""

from math import inf

import numpy as np
import pytest

from catan_env.adapters.paired import Race, choice, lead, promising

BOTH = np.arange(2)


def test_a_race_drops_hopeless_actions_and_keeps_within_its_playouts() -> None:
    played_by: list[list[int]] = []

    def play(alive: np.ndarray, played: int) -> np.ndarray:
        assert played == 4 * sum(map(len, played_by))
        played_by.append(alive.tolist())
        return np.array([[3, 0, 2], [2, 0, 3], [3, 1, 2], [2, 1, 3]])[:, alive]

    race = Race(worlds=4, dropped=2.0, clearly=1.0)
    assert race.best_of(3, 2, play, playouts=30, seconds=None) == 2
    assert played_by == [[0, 1, 2], [0, 2], [0, 2]]
    played_by.clear()
    assert race.best_of(3, 1, play, playouts=11, seconds=None) == 1 and not played_by
    assert race.best_of(3, 1, play, playouts=30, seconds=0.0) == 0 and len(played_by) == 1


@pytest.mark.parametrize("dtype", [np.int8, np.float64])
def test_leads_are_in_standard_errors(dtype: type) -> None:
    scores = np.array([[100, -100, 0], [100, 0, 0], [100, -100, 0], [100, 0, 0]], dtype)
    assert lead(scores, 0, 1) == 6.0 and lead(scores, 1, 0) == -6.0 and lead(scores, 0, 0) == 0.0
    assert lead(scores, 0, 2) == inf and lead(scores, 2, 0) == -inf


def test_an_action_is_dropped_when_it_is_clearly_worse_in_the_same_worlds() -> None:
    scores = np.array([[20, 18, 20], [22, 20, 21], [19, 17, 20]], np.int8)
    assert promising(scores, np.arange(3), 3.0).tolist() == [0, 2]
    assert promising(scores, np.array([1, 2]), 3.0).tolist() == [2]


def test_the_usual_action_stays_unless_another_one_is_clearly_better() -> None:
    close = np.array([[20, 21], [21, 20], [20, 21]], np.int8)
    clear = np.array([[20, 22], [21, 22], [20, 22]], np.int8)
    assert choice(close, BOTH, 0, 2.5) == 0
    assert choice(clear, BOTH, 0, 2.5) == 1
    assert choice(clear[:0], BOTH, 0, 2.5) == 0


def test_a_usual_action_that_was_dropped_is_not_chosen() -> None:
    """Its zeros in later worlds are not scores, though they look better than those of defeats."""
    scores = np.array([[-0.9, -0.2], [-0.8, -0.1], [0.0, -0.2], [0.0, -0.1]])
    assert choice(scores, np.array([1]), 0, 2.5) == 1
