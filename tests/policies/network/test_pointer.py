"""A pointer network shares its weights over all vertices; its file contains the saved weights."""

import numpy as np
import pytest

from catan_env.batch import Batch
from catan_env.game import geometry
from catan_env.game.observation import named_observation
from catan_env.policies.network import Network, features, pointer, save_pointer


def drawn(hidden: int = 16, local: int = 6, seed: int = 1) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    return {
        name: generator.normal(0, 0.3, shape).astype(np.float32)
        for name, shape in pointer.shapes(hidden, local, True).items()
    }


def some_positions(n: int = 32) -> Batch:
    batch = Batch(n, seats=4, seed=5)
    for _ in range(200):
        batch.step(batch.sample_legal())
    return batch


def inputs(observations: np.ndarray) -> np.ndarray:
    return pointer.inputs(observations.astype(np.float32), pointer.tables(), np.concatenate)


def outputs(weights: dict[str, np.ndarray], observations: np.ndarray) -> np.ndarray:
    return pointer.outputs(weights, inputs(observations), pointer.tables(), np.concatenate)[0]


def test_the_inputs_are_the_observation_and_its_yields_scaled_to_about_one():
    batch = some_positions()
    found = inputs(batch.observations)
    assert found.shape == (32, pointer.NUM_INPUTS)
    assert (found[:, : features.OBSERVATION_SIZE] == batch.observations).all()
    scaled = found * pointer.input_scale()
    assert 0 <= scaled.min() and scaled.max() < 4
    hands = named_observation(batch.observations)["hand"]
    at_least = found[:, features.SHOWN_SIZE - 20 : features.SHOWN_SIZE].reshape(32, 5, 4)
    assert (at_least == (hands[:, :, None] >= [1, 2, 3, 4])).all()


def test_the_inputs_of_a_vertex_are_its_tiles_harbour_buildings_and_state():
    batch = some_positions()
    at_vertices = inputs(batch.observations)[:, pointer.TRUNK_INPUTS :]
    for i in range(32):
        seen = named_observation(batch.observations[i])
        by_vertex = at_vertices[i].reshape(54, pointer.VERTEX_INPUTS)
        for vertex, tiles in enumerate(geometry.VERTEX_TILES):
            pips = np.zeros(5)
            for tile in tiles:
                pips += seen["terrain"][tile, :5] * seen["pips"][tile]
            near = [vertex, *geometry.VERTEX_NEIGHBOURS[vertex]]
            found = by_vertex[vertex]
            assert (found[:5] == pips).all()
            assert found[5] == seen["robber"][list(tiles)].sum()
            harbours = (seen["harbour_vertices"] == vertex).any(axis=1)
            assert (found[6:12] == seen["harbour_kind"][harbours].sum(axis=0)).all()
            assert (found[12:16] == seen["buildings"][:, vertex]).all()
            edges = list(geometry.VERTEX_EDGES[vertex])
            assert (found[16:20] == seen["roads"][:, edges].sum(axis=1)).all()
            assert found[20] == seen["buildings"][:, near].any()


def test_all_vertices_share_their_weights():
    weights = drawn()
    weights["action"][:], weights["action_bias"][:] = 0, 0
    empty = np.zeros((1, features.OBSERVATION_SIZE), np.int8)
    harbours = features.FIELDS["harbour_vertices"]
    empty[0, harbours.ravel()] = 53  # all harbours at one vertex
    found = outputs(weights, empty)[0]
    alike = slice(0, 53)
    assert np.ptp(found[52:106][alike]) < 1e-5
    assert np.ptp(found[106:160][alike]) < 1e-5
    assert abs(found[52:106] - found[106:160]).max() > 1e-3


def test_a_change_at_a_vertex_changes_the_outputs_at_it_and_next_to_it():
    weights = drawn()
    weights["trunk"][:] = 0
    weights["trunk_bias"][:] = 1
    batch = some_positions(1)
    before = batch.observations.copy()
    before[0, features.FIELDS["buildings"].ravel()] = 0
    changed = before.copy()
    changed[0, features.FIELDS["buildings"][0, 20]] = 2
    moved = abs(outputs(weights, before) - outputs(weights, changed))[0, 52:106]
    assert moved[20] > 0
    assert set(np.flatnonzero(moved > 1e-6).tolist()) <= {20, *geometry.VERTEX_NEIGHBOURS[20]}


def test_a_weights_file_is_read_as_it_was_written(tmp_path):
    weights, batch = drawn(), some_positions()
    save_pointer(tmp_path / "net.npz", weights)
    read = Network(tmp_path / "net.npz").outputs(batch.observations)
    assert np.array_equal(read, outputs(weights, batch.observations))


@pytest.mark.parametrize("name", ["vertex", "query"])
def test_a_weights_file_of_other_shapes_is_refused(tmp_path, name):
    weights = drawn()
    weights[name] = weights[name][:-1]
    save_pointer(tmp_path / "net.npz", weights)
    with pytest.raises(ValueError, match=f"'{name}' of shape .* it must be"):
        Network(tmp_path / "net.npz")


def test_an_unknown_kind_of_network_is_refused(tmp_path):
    save_pointer(tmp_path / "net.npz", drawn())
    with np.load(tmp_path / "net.npz") as file:
        arrays = {**file, "kind": np.array("odd")}
    np.savez(tmp_path / "odd.npz", **arrays)
    with pytest.raises(
        ValueError, match=r"kind 'odd'; allowed are layers, pointer\. A network of your own"
    ):
        Network(tmp_path / "odd.npz")


def test_a_network_of_the_removed_kind_is_refused_with_advice(tmp_path):
    save_pointer(tmp_path / "net.npz", drawn())
    with np.load(tmp_path / "net.npz") as file:
        arrays = {**file, "kind": np.array("places")}
    np.savez(tmp_path / "old.npz", **arrays)
    with pytest.raises(ValueError, match=r"'places'.* was removed: train it again"):
        Network(tmp_path / "old.npz")


def test_no_positions_have_no_outputs(tmp_path):
    save_pointer(tmp_path / "net.npz", drawn())
    none = np.zeros((0, features.OBSERVATION_SIZE), np.int8)
    assert Network(tmp_path / "net.npz").outputs(none).shape == (0, 848)


def test_numbers_beyond_float16_are_not_written(tmp_path):
    weights = drawn()
    weights["action_bias"][0] = 1e5
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="action_bias: not finite"):
        save_pointer(tmp_path / "net.npz", weights, np.float16)


@pytest.mark.parametrize("written", [b"", b"PK", b"no such thing"])
def test_a_damaged_weights_file_is_refused(tmp_path, written):
    (tmp_path / "net.npz").write_bytes(written)
    with pytest.raises(ValueError, match="cannot read the weights"):
        Network(tmp_path / "net.npz")
