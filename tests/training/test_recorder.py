"""The players of a recorder's games, and whose decisions it records."""

import numpy as np
import pytest

from catan_env.batch import Batch
from catan_env.training.imitation.demonstrations import Demonstrations, Recorder, Source

MANY = 20
"""More legal actions than this are places for a settlement, where chance seldom takes an end."""
FIRST, LAST, OTHER = range(3)


def first_legal(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """The teacher's choice."""
    return batch.action_masks.argmax(axis=1)[:, None], np.zeros((batch.num_games, 1))


def last_legal(batch: Batch) -> np.ndarray:
    """The student's choice."""
    return batch.action_masks.shape[1] - 1 - batch.action_masks[:, ::-1].argmax(axis=1)


def recorder_of(num_envs: int = 256, max_turns: int = 1, **options: float) -> Recorder:
    """A recorder of duels, which end early so that new seats are drawn often."""
    source = Source(seats=2, rules="duel", num_envs=num_envs, max_turns=max_turns, **options)
    return Recorder(source, first_legal, Demonstrations(50_000), seed=3)


def shares_played(recorder: Recorder, steps: int, *student: object) -> np.ndarray:
    """The fractions of settlements at the first, the last and another legal place: (3,)."""
    batch, played, step = recorder.batch, [], recorder.batch.step

    def watched(actions: np.ndarray) -> None:
        first, last = first_legal(batch)[0][:, 0], last_legal(batch)
        kinds = np.where(actions == first, FIRST, np.where(actions == last, LAST, OTHER))
        played.extend(kinds[batch.action_masks.sum(axis=1) > MANY])
        step(actions)

    batch.step = watched
    for _ in range(steps):
        recorder.record(1, *student)
    return np.bincount(played, minlength=3) / len(played)


def test_seats_are_the_students_the_random_players_and_the_teachers_by_their_fractions():
    """Half are the student's besides the quarter that is random, not less by that quarter."""
    recorder = recorder_of(random_fraction=0.25, epsilon=0.0)
    shares_played(recorder, 20, last_legal, 0.5)  # seats of new games
    shares = shares_played(recorder, 60, last_legal, 0.5)
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.04)


def test_a_fraction_of_the_actions_is_random():
    shares = shares_played(recorder_of(random_fraction=0.0, epsilon=0.3), 8)
    assert shares == pytest.approx([0.7, 0, 0.3], abs=0.04)


def test_a_random_players_decisions_are_not_recorded():
    assert recorder_of(1000, random_fraction=0.25).record(1) == pytest.approx(750, abs=50)
    assert recorder_of(1000, random_fraction=0.0).record(1) == 1000
