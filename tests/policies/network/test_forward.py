"""The compiled network computes what NumPy computes, and chooses the same actions."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from catan_env.batch import Batch
from catan_env.kernel import jit
from catan_env.policies.network import Network, pointer, save, save_pointer
from catan_env.policies.network.native.compiled import Forward, ensure_forward
from catan_env.policies.network.native.forward import MOST_LOCAL
from catan_env.policies.network.network import read_pointer
from catan_env.policies.network.shipped import NETWORKS, WEIGHTS

POSITIONS = 1000
CLOSE = 1e-3
"""Between outputs of float32 that are up to 200."""


@cache
def positions(seats: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks from random games, from their first turns to their ends."""
    batch, observed, masks = Batch(n // 20, seats=seats, seed=3), [], []
    for step in range(400):
        batch.step(batch.sample_legal())
        if step % 20 == 0:
            observed.append(batch.observations.copy())
            masks.append(batch.action_masks.copy())
    found = np.concatenate(observed), np.concatenate(masks)
    for rows in found:
        rows.setflags(write=False)
    return found


@pytest.mark.skipif(not jit.MACHINE_CODE, reason="an interpreted network takes seconds")
@pytest.mark.parametrize("name", NETWORKS)
def test_it_chooses_as_numpy_does_in_thousands_of_positions(name: str) -> None:
    ensure_forward()
    path = WEIGHTS / f"{name}.npz"
    observations, masks = positions(4 if "four" in name else 2, POSITIONS)
    found, expected = (
        read_pointer(path).forward().outputs(observations),
        Network(path).outputs(observations),
    )
    finite = np.isfinite(expected)
    assert (np.isfinite(found) == finite).all()
    assert np.abs(found[finite] - expected[finite]).max() < CLOSE
    chosen, wanted = (np.where(masks, outputs, -np.inf).argmax(1) for outputs in (found, expected))
    assert (chosen == wanted).all()


@pytest.mark.skipif(not jit.MACHINE_CODE, reason="an interpreted network takes seconds")
@pytest.mark.parametrize("name", NETWORKS)
def test_a_single_clear_choice_is_that_of_numpy(name: str) -> None:
    path = WEIGHTS / f"{name}.npz"
    observations, masks = positions(4 if "four" in name else 2, POSITIONS)
    wanted, body = Network(path).act_batch(observations, masks), read_pointer(path)
    chosen = [body.clear_choice(*one) for one in zip(observations, masks, strict=True)]
    clear = [(mine, his) for mine, his in zip(chosen, wanted, strict=True) if mine is not None]
    assert len(clear) > 0.97 * len(chosen)
    assert all(mine == his for mine, his in clear)


@pytest.mark.skipif(not jit.MACHINE_CODE, reason="an interpreted network takes seconds")
def test_a_tie_is_left_to_numpy_and_one_legal_action_is_clear(tmp_path: Path) -> None:
    file = tmp_path / "even.npz"
    save_pointer(file, {name: np.zeros(s) for name, s in pointer.shapes(8, 4, True).items()})
    body, (observations, masks) = read_pointer(file), positions(4, 20)
    none, one = np.zeros_like(masks[0]), np.zeros_like(masks[0])
    one[52] = 1
    assert body.clear_choice(observations[0], one) == 52
    one[53] = 1
    assert body.clear_choice(observations[0], one) is None
    assert body.clear_choice(observations[0], none) is None


@pytest.mark.skipif(not jit.MACHINE_CODE, reason="an interpreted network takes seconds")
def test_threads_share_a_network() -> None:
    body, (observations, _) = read_pointer(WEIGHTS / "four.npz"), positions(4, 200)
    forward = body.forward()
    alone = [forward.outputs(row[None]) for row in observations]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda row: forward.outputs(row[None]), observations))
    assert all(map(np.array_equal, alone, together))


def test_a_small_network_has_the_outputs_of_its_formula() -> None:
    generator = np.random.default_rng(1)
    weights = {
        name: generator.normal(0, 0.3, shape).astype(np.float32)
        for name, shape in pointer.shapes(8, 4, True).items()
    }
    none = np.zeros((0, 0), np.int64)
    observations, _ = positions(4, 20)
    tables = pointer.tables()
    inputs = pointer.inputs(observations[:1].astype(np.float32), tables, np.concatenate)
    expected, _ = pointer.outputs(weights, inputs, tables, np.concatenate)
    assert np.allclose(Forward(weights, none, none).outputs(observations[:1]), expected, atol=1e-4)


def test_a_network_that_it_cannot_run_is_refused(tmp_path) -> None:
    shapes = pointer.shapes(8, MOST_LOCAL + 1, True)
    weights = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    none = np.zeros((0, 0), np.int64)
    with pytest.raises(ValueError, match="keys of 170 numbers"):
        Forward(weights, none, none)
    file = tmp_path / "layers.npz"
    save(file, [(np.zeros((913, 848)), np.zeros(848))])
    with pytest.raises(ValueError, match="of the kind 'pointer'"):
        read_pointer(file)
