"""Labels of the positions that a search compares."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from catan_env.batch import Batch  # noqa: E402
from catan_env.core.doors import redact  # noqa: E402
from catan_env.core.state import doorway  # noqa: E402
from catan_env.policies.greedy import rank  # noqa: E402
from catan_env.policies.value.win_network import net_for, num_features  # noqa: E402
from catan_env.training.value_function.siblings import (  # noqa: E402
    CANDIDATES,
    Labels,
    Siblings,
    chances_of,
    explained,
    siblings,
)


@pytest.fixture(scope="module")
def known():
    return siblings(4, "base", 300, seed=5)


@pytest.fixture(scope="module")
def many():
    return siblings(4, "base", 3000, seed=5)


def test_siblings_are_the_positions_after_several_actions_of_one_decision(known):
    assert known.features.shape == (len(known.group), num_features(4))
    _, sizes = np.unique(known.group, return_counts=True)
    assert sizes.max() <= CANDIDATES
    assert sizes.mean() > 3
    assert (np.diff(known.group) >= 0).all()


def test_both_continuations_of_a_position_are_played_with_chance_of_their_own(known):
    first, second = known.won.T
    assert set(np.unique(known.won)) == {0, 1}
    assert 0.05 < (first != second).mean() < 0.5


@pytest.mark.nightly
def test_both_continuations_agree_on_the_position(many):
    assert np.corrcoef(*many.won.T)[0, 1] > 0.2


def test_the_same_seed_labels_the_same_positions(known):
    again = siblings(4, "base", 60, seed=5)
    for one, other in zip(again, known, strict=True):
        assert np.array_equal(one, other[: len(one)])


@pytest.mark.nightly
def test_the_shipped_network_tells_siblings_apart(many):
    result = explained(chances_of(net_for(4), many.features), many)
    assert result.of_all > 0.15
    assert 0.005 < result.of_differences < 0.1


def test_the_true_chances_explain_all_that_can_be_explained():
    draw = np.random.default_rng(1)
    group = np.repeat(np.arange(20_000), 5)
    chances = draw.random(len(group))
    won = (draw.random((len(group), 2)) < chances[:, None]).astype(np.float32)
    known = Siblings(np.zeros((len(group), 1), np.float16), won, group)
    result = explained(chances, known)
    assert result.of_differences == pytest.approx(result.can_be, abs=0.01)
    assert result.can_be == pytest.approx(1 / 3, abs=0.02)
    nothing = explained(np.full(len(group), 0.5), known)
    assert nothing.of_differences == pytest.approx(0)


def test_what_the_seat_cannot_see_changes_no_sibling():
    """Its siblings are those of the same game without hidden cards and the deck's order."""
    batch, labels = Batch(4, seats=4, seed=9, observations=False), Labels(4)
    for _ in range(200):
        batch.play(rank(batch, 1)[0][:, 0])
    is_hidden = []
    for i, moves in enumerate(rank(batch, 3)[0]):
        real = batch.states[i : i + 1]
        seen = real.copy()
        redact(doorway(seen), 0, int(real["seat"][0]))
        is_hidden.append(seen.tobytes() != real.tobytes())
        each = [labels.leaves(state, moves[:1], 0, 77) for state in (real, seen)]
        assert each[0][0].state.tobytes() == each[1][0].state.tobytes()
    assert all(is_hidden)


def test_a_split_keeps_siblings_together(known):
    before, after = known.split(0.7)
    assert before.group[-1] < after.group[0]
    assert len(before.group) + len(after.group) == len(known.group)
