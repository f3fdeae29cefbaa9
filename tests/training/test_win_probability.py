"""Learning how often a position is won."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from catan_env.batch import REFUSED, Batch  # noqa: E402
from catan_env.core.actions import ROLL_ACTION  # noqa: E402
from catan_env.game.observation import named_observation  # noqa: E402
from catan_env.policies.value.win_network import net_for, num_features  # noqa: E402
from catan_env.training.value_function import win_probability as training  # noqa: E402
from catan_env.training.value_function.explained import explained_variance  # noqa: E402


def chances(net, facts):
    """Of (n, facts), by NumPy."""
    said = np.maximum(facts.astype(np.float64) @ net[:-2] + net[-2], 0) @ net[-1]
    return 1 / (1 + np.exp(-said))


@pytest.mark.parametrize(
    ("seats", "rules", "share"),
    [
        (2, "duel", 0.33),
        pytest.param(3, "base", 0.25, marks=pytest.mark.nightly),
        (4, "base", 0.2),
    ],
)
def test_the_odds_that_are_shipped_explain_who_wins(seats, rules, share):
    known = training.positions(seats, rules, 1000, seed=77)
    assert known.features.shape == (len(known.won), num_features(seats))
    said = chances(net_for(seats), known.features)
    assert abs(said.mean() - known.won.mean()) < 0.03
    assert explained_variance(said, known.won) > share


def test_positions_are_of_turns_that_begin():
    """The seat may roll, and has not played a card before it."""
    batch, draw = Batch(64, seats=2, rules="duel", seed=5), np.random.default_rng(1)
    seen = np.zeros(3, int)
    for _ in range(300):
        may_roll = batch.action_masks[:, ROLL_ACTION] == 1
        has_played = named_observation(batch.observations)["card_played"][:, 0] == 1
        assert (training._begins_a_turn(batch) == (may_roll & ~has_played)).all()
        seen += [may_roll.sum(), (may_roll & has_played).sum(), (~may_roll & ~has_played).sum()]
        batch.step(training.choices(batch, draw))
    assert seen.all()


def test_some_choices_are_not_the_best():
    batch = Batch(training.AT_ONCE, seats=2, rules="duel", seed=5, observations=False)
    draw, strayed = np.random.default_rng(1), 0
    for _ in range(40):
        best = training.rank(batch, 1)[0][:, 0]
        chosen = training.choices(batch, draw)
        strayed += int((chosen != best).sum())
        batch.play(chosen)
        assert (batch.done != REFUSED).all()
    assert 0.02 < strayed / (40 * training.AT_ONCE) < training.STRAYS


def test_a_network_learns_and_is_kept_for_facts_as_they_are(monkeypatch):
    monkeypatch.setattr(training, "MINIBATCH", 256)
    draw = np.random.default_rng(2)
    facts = draw.normal(3, 2, (40_000, 9)).astype(np.float16)
    odds = 1 / (1 + np.exp(-(np.abs(facts[:, 0] - 3) + facts[:, 1] - 4.5)))
    known = training.Positions(facts, (draw.random(len(facts)) < odds).astype(np.float32))
    net, share = training.learned(known, seed=1)
    assert net.shape == (11, training.UNITS)
    assert share > explained_variance(odds, known.won) - 0.03
    assert np.abs(chances(net, facts) - odds).mean() < 0.05
