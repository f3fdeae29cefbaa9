"""A network of places knows about one vertex what it knows about all."""

import numpy as np
import pytest

from catan_env.batch import Batch
from catan_env.game import geometry
from catan_env.game.observation import named_observation
from catan_env.policies.network import Network, features, graph, save_graph


def drawn(hidden: int = 16, local: int = 6, seed: int = 1) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    return {
        name: generator.normal(0, 0.3, shape).astype(np.float32)
        for name, shape in graph.shapes(hidden, local).items()
    }


def some_positions(n: int = 32) -> Batch:
    batch = Batch(n, seats=4, seed=5)
    for _ in range(200):
        batch.step(batch.sample_legal())
    return batch


def outputs(weights: dict[str, np.ndarray], observations: np.ndarray) -> np.ndarray:
    shown, tables = observations.astype(np.float32), graph.tables()
    flat = features.shown(shown, tables, np.concatenate)
    return graph.outputs(weights, shown, flat, tables, np.concatenate)


def test_what_is_shown_holds_the_observation_and_what_it_yields():
    batch = some_positions()
    flat = features.shown(batch.observations.astype(np.float32), graph.tables(), np.concatenate)
    assert flat.shape == (32, features.SHOWN_SIZE)
    assert 0 <= flat.min() and flat.max() < 4
    hands = named_observation(batch.observations)["hand"]
    at_least = flat[:, -20:].reshape(32, 5, 4)
    assert (at_least == (hands[:, :, None] >= [1, 2, 3, 4])).all()


def test_a_vertex_is_told_of_its_tiles_harbour_buildings_and_whether_it_is_shut():
    batch = some_positions()
    shown = batch.observations.astype(np.float32)
    facts = graph._at_vertices(shown, graph.tables(), np.concatenate)
    assert facts.shape == (54, 32, graph.VERTEX_FACTS)
    for i in range(32):
        seen = named_observation(batch.observations[i])
        for vertex, tiles in enumerate(geometry.VERTEX_TILES):
            pips = np.zeros(5)
            for tile in tiles:
                pips += seen["terrain"][tile, :5] * seen["pips"][tile]
            near = [vertex, *geometry.VERTEX_NEIGHBOURS[vertex]]
            shown = facts[vertex, i]
            assert np.allclose(shown[:5], pips / 5)
            assert shown[5] == seen["robber"][list(tiles)].sum()
            harbours = (seen["harbour_vertices"] == vertex).any(axis=1)
            assert (shown[6:12] == seen["harbour_kind"][harbours].sum(axis=0)).all()
            assert (shown[12:16] == seen["buildings"][:, vertex] / 2).all()
            edges = list(geometry.VERTEX_EDGES[vertex])
            assert np.allclose(shown[16:20], seen["roads"][:, edges].sum(axis=1) / 3)
            assert shown[20] == seen["buildings"][:, near].any()


def test_places_of_a_kind_share_their_weights():
    weights = drawn()
    weights["action"][:], weights["action_bias"][:] = 0, 0
    empty = np.zeros((1, features.OBSERVATION_SIZE), np.int8)
    found = outputs(weights, empty)[0]
    inland = [v for v, tiles in enumerate(geometry.VERTEX_TILES) if len(tiles) == 3]
    alike = [v for v in inland if all(w in inland for w in geometry.VERTEX_NEIGHBOURS[v])]
    assert len(alike) > 10
    assert np.ptp(found[52:106][alike]) < 1e-5
    assert np.ptp(found[106:160][alike]) < 1e-5
    assert abs(found[52:106] - found[106:160]).max() > 1e-3


def test_what_changes_at_one_place_changes_its_outputs_most():
    weights = drawn()
    for name in weights:
        if name.endswith("_table") or name in ("action", "most", "mean"):
            weights[name][:] = 0
    batch = some_positions(1)
    before, changed = batch.observations.copy(), batch.observations.copy()
    fields = features.FIELDS["buildings"]
    changed[0, fields[0, 20]] = 2
    moved = abs(outputs(weights, before) - outputs(weights, changed))[0, 52:106]
    reached = {20} | {w for v in geometry.VERTEX_NEIGHBOURS[20] for w in (
        v, *geometry.VERTEX_NEIGHBOURS[v])}  # fmt: skip
    assert moved[20] > 0
    assert set(np.flatnonzero(moved > 1e-6).tolist()) <= reached


def test_a_weights_file_is_read_as_it_was_written(tmp_path):
    weights, batch = drawn(), some_positions()
    save_graph(tmp_path / "net.npz", weights)
    read = Network(tmp_path / "net.npz").outputs(batch.observations)
    assert np.array_equal(read, outputs(weights, batch.observations))


@pytest.mark.parametrize("name", ["vertex", "robber"])
def test_a_weights_file_of_other_shapes_is_refused(tmp_path, name):
    weights = drawn()
    weights[name] = weights[name][:-1]
    save_graph(tmp_path / "net.npz", weights)
    with pytest.raises(ValueError, match=f"'{name}' of shape .* it must be"):
        Network(tmp_path / "net.npz")


def test_an_unknown_kind_of_network_is_refused(tmp_path):
    save_graph(tmp_path / "net.npz", drawn())
    with np.load(tmp_path / "net.npz") as file:
        arrays = {**file, "kind": np.array("odd")}
    np.savez(tmp_path / "odd.npz", **arrays)
    with pytest.raises(ValueError, match="kind 'odd'; allowed are layers, places"):
        Network(tmp_path / "odd.npz")


def test_no_positions_have_no_outputs(tmp_path):
    save_graph(tmp_path / "net.npz", drawn())
    none = np.zeros((0, features.OBSERVATION_SIZE), np.int8)
    assert Network(tmp_path / "net.npz").outputs(none).shape == (0, 848)


def test_what_float16_cannot_hold_is_not_written(tmp_path):
    weights = drawn()
    weights["action_bias"][0] = 1e5
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="action_bias: numbers"):
        save_graph(tmp_path / "net.npz", weights, np.float16)


@pytest.mark.parametrize("written", [b"", b"PK", b"no such thing"])
def test_a_file_that_is_none_is_refused(tmp_path, written):
    (tmp_path / "net.npz").write_bytes(written)
    with pytest.raises(ValueError, match="cannot read the weights"):
        Network(tmp_path / "net.npz")
