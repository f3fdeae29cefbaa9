"""Learning to reorder moves: labels, what is learned, and runs that continue."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from catan_env import Rules  # noqa: E402
from catan_env.batch import Batch  # noqa: E402
from catan_env.core.state import doorway, new_states  # noqa: E402
from catan_env.policies.rerank import RerankNetwork, doors  # noqa: E402
from catan_env.policies.search import playouts  # noqa: E402
from catan_env.policies.value.scratch import Scratch, row  # noqa: E402
from catan_env.policies.value.weights import weights_for  # noqa: E402
from catan_env.policies.value.win_network import WinNetwork  # noqa: E402
from catan_env.training.cards import card  # noqa: E402
from catan_env.training.value_function import rerank  # noqa: E402
from catan_env.training.value_function.rerank import (  # noqa: E402
    Decisions,
    Labels,
    decisions,
    gain,
    joined,
    learn,
)
from catan_env.training.value_function.win_probability import choices  # noqa: E402

SILENT = replace(Rules.base(), player_trade=False)


@pytest.fixture(scope="module")
def known():
    batch = Batch(32, seats=4, rules=SILENT, seed=3, max_turns=400, observations=False)
    return decisions(Labels(4, 4, 1), batch, choices, 600, np.random.default_rng(3))


def test_the_moves_of_a_decision_are_greedys_best_the_most_valuable_first(known):
    numbers, sizes = np.unique(known.group, return_counts=True)
    assert numbers.tolist() == list(range(600))
    assert sizes.min() >= 2 and sizes.max() == 6
    assert ((0 <= known.wins) & (known.wins <= 1)).all()
    same = known.group[1:] == known.group[:-1]
    assert (np.diff(known.odds)[same] <= 0).all()


def test_a_label_is_the_mean_of_playouts_in_worlds_of_the_view():
    batch = Batch(1, seats=4, rules=SILENT, seed=9, max_turns=400, observations=False)
    for _ in range(60):
        batch.play(choices(batch, np.random.default_rng(1)))
    moves = rerank.rank(batch, 3)[0]
    _, wins = Labels(4, 5, 2).label(batch.states, moves[0], np.zeros(3), 77)
    sums, scratch = np.zeros(3), Scratch()
    seen = batch.states.copy()
    rerank.redact(doorway(seen), 0, int(seen["seat"][0]))
    memory = *WinNetwork(4).memory, row(weights_for(4)), *scratch.memory
    worlds = doorway(new_states(2))
    playouts.try_candidates(doorway(seen), worlds, moves[0], 3, sums, 77, 0, 5, 8, *memory)
    assert wins == pytest.approx(sums / 5)


def test_differences_between_the_moves_of_a_decision_are_learned():
    """A planted rule: the move with more of one input wins more, whatever its odds by value."""
    draw = np.random.default_rng(5)
    n, moves = 4000, 3
    inputs = draw.normal(size=(n * moves, rerank.FEATURES)).astype(np.float16)
    odds = -np.sort(draw.random((n, moves)), axis=1).ravel().astype(np.float32) / 10
    wins = 1 / (1 + np.exp(-odds - inputs[:, 3].astype(np.float32) / 2))
    planted = Decisions(inputs, odds, wins.astype(np.float32), np.repeat(np.arange(n), moves))
    gained = learn(planted, seed=1)[1]
    best = wins.reshape(n, moves)
    most = float((best.max(axis=1) - best[:, 0]).mean())
    assert gained > 0.8 * most


def test_a_network_that_adds_nothing_gains_nothing(known):
    zeros, ones = (np.full(rerank.FEATURES, value, np.float32) for value in (0, 1))
    assert gain(rerank.Net(zeros, ones), known, np.arange(600)) == 0


def test_decisions_of_several_rounds_are_counted_on(known):
    both = joined([known, known])
    assert both.group[-1] == 1199
    assert (both.wins[: len(known.wins)] == both.wins[len(known.wins) :]).all()
    assert (np.diff(both.group) >= 0).all()


def test_the_saved_network_computes_what_was_learned(known, tmp_path):
    net, _ = learn(known, seed=2)
    rerank.save(tmp_path / "net.npz", *net.arrays(), 4, False)
    inputs = known.inputs[:50].astype(np.float64)
    units, shares, sums, seen, _ = RerankNetwork(tmp_path / "net.npz").memory()
    doors.begin(units, sums, seen)
    added = [doors.output(each, units, shares, sums, seen) for each in inputs]
    odds = torch.from_numpy(known.odds[:50])
    with torch.no_grad():
        wins = net(torch.from_numpy(inputs.astype(np.float32)), odds).numpy()
    assert 1 / (1 + np.exp(-known.odds[:50] - added)) == pytest.approx(wins, abs=1e-4)


def test_a_run_resumes_after_its_last_complete_round(tmp_path, capsys):
    given = ["--no-trade", "--decisions", "30", "--worlds", "1", "--ahead", "1"]
    rerank.main([str(tmp_path / "a"), *given, "--rounds", "2"])
    rerank.main([str(tmp_path / "b"), *given, "--rounds", "1"])
    first = (tmp_path / "b" / "round_0.npz").stat().st_mtime_ns
    rerank.main([str(tmp_path / "b"), *given, "--rounds", "2"])
    assert (tmp_path / "b" / "round_0.npz").stat().st_mtime_ns == first
    assert "round 1: 60 decisions" in capsys.readouterr().out
    arrays = [np.load(tmp_path / name / "rerank.npz") for name in ("a", "b")]
    assert all((arrays[0][name] == arrays[1][name]).all() for name in arrays[0])


def test_its_card_names_its_tables(tmp_path):
    units, shares = np.zeros((rerank.FEATURES + 1, 3)), np.zeros(4)
    rerank.save(tmp_path / "net.npz", units, shares, 3, True)
    text = card(tmp_path / "net.npz", {}, [])
    assert "of 3 units for `policies.rerank.Reranker`, tables of 3 seats that trade" in text
