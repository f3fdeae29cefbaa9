"""Networks with greedy's advice: the advice, the batch that gives it, and the weights files."""

from pathlib import Path

import numpy as np
import pytest

from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance.advised import (
    BEST,
    AdvisedBatch,
    advise,
    outputs,
    save,
    shapes,
    tables,
)
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.network import Network
from catan_env.guests.renaissance.policies import Greedy
from catan_env.guests.renaissance.position import Array


def weights(chance: np.random.Generator | None = None) -> dict[str, Array]:
    """Weights of zeros, or small ones."""
    made = shapes("printed", 2, hidden=16)
    if chance is None:
        return {name: np.zeros(shape, np.float32) for name, shape in made.items()}
    return {name: chance.normal(0, 0.3, shape).astype(np.float16) for name, shape in made.items()}


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_batch_advises_each_seat_by_its_view(seats: int) -> None:
    games, greedy = AdvisedBatch(6, seats=seats, seed=3), Greedy()
    for _ in range(40):
        for i in range(6):
            view = games.view(i, int(games.seat[i]))
            advice = games.observations[i, OBSERVATION_SIZE:]
            assert np.array_equal(games.observations[i, :OBSERVATION_SIZE], view.observation)
            assert np.array_equal(advice, advise(view._array)[0])
            assert advice[greedy.act(view)] == BEST
            assert np.array_equal(advice > 0, view.action_mask > 0)
        games.step(games.sample_legal())
    shown = games.observations.copy()
    games.refresh()
    assert np.array_equal(shown, games.observations)


def test_a_seat_that_does_not_decide_is_observed_without_advice() -> None:
    games = AdvisedBatch(6, seats=2, seed=3)
    for _ in range(40):
        games.step(games.sample_legal())
    out = np.zeros_like(games.observations)
    assert np.array_equal(games.observe(games.seat, out), games.observations)
    for seat in range(2):
        shown = games.observe(np.full(6, seat))
        decides = games.seat == seat
        assert np.array_equal(shown[decides], games.observations[decides])
        assert not shown[~decides, OBSERVATION_SIZE:].any()
        assert all(np.array_equal(games.observation(i, seat), shown[i]) for i in range(6))
        assert all((games.view(i, seat).observation == shown[i, :OBSERVATION_SIZE]).all()
                   for i in range(6))  # fmt: skip
    assert shown.shape == (6, games.observation_size)


def test_with_weights_of_zero_the_network_is_greedy(tmp_path: Path) -> None:
    save(tmp_path / "zero.npz", weights(), "printed", 2)
    network, greedy, game = Network(tmp_path / "zero.npz"), Greedy(), Game(2, seed=5)
    while not game.is_over:
        view = game.view(game.seat)
        chosen, advice = network.act(view), advise(view._array)[0]
        assert advice[chosen] == BEST == advice[greedy.act(view)]
        game.play(chosen)


def test_a_saved_network_plays_as_the_trained_one(tmp_path: Path) -> None:
    made = weights(np.random.default_rng(1))
    save(tmp_path / "some.npz", made, "printed", 2)
    network, games = Network(tmp_path / "some.npz"), AdvisedBatch(8, seats=2, seed=1)
    full = {name: array.astype(np.float32) for name, array in made.items()}
    for _ in range(20):
        inputs = games.observations.astype(np.float32)
        logits = outputs(full, inputs, tables("printed", 2), np.concatenate)[0]
        best = np.where(games.masks == 1, logits, -np.inf).argmax(axis=1)
        assert [network.act(games.view(i, int(games.seat[i]))) for i in range(8)] == best.tolist()
        games.step(best)


def test_refused_actions_are_not_advised() -> None:
    view = Game(2, seed=5).view(0)
    best = Greedy().act(view)
    view.state["mask"][best] = 0
    advice = advise(view._array)[0]
    assert advice[best] == 0 and advice.max() == BEST


@pytest.mark.parametrize(
    "change", [{"scale": np.ones(3)}, {"observation_version": 9}, {"first": 1}]
)
def test_other_layouts_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    save(tmp_path / "some.npz", weights(), "printed", 2)
    with np.load(tmp_path / "some.npz") as file:
        arrays = {**file, **change}
    np.savez(tmp_path / "other.npz", **arrays)
    with pytest.raises(ValueError, match=r"other.npz': "):
        Network(tmp_path / "other.npz")


@pytest.mark.torch
def test_self_play_trains_it(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from catan_env.training.self_play import main

    config = Path(__file__).parents[3] / "training" / "configs" / "renaissance_advised.toml"
    small = ["--num-envs", "8", "--num-steps", "16", "--total-timesteps", "256"]
    main([str(config), str(tmp_path / "run"), *small, "--minibatch-size", "64"])
    view = Game(2, seed=1).view(0)
    assert Network(tmp_path / "run" / "final.npz").act(view) in range(6)
