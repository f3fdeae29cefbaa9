"""A network plays with the version of the observation that it was trained on, in any games."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catan_env import Game
from catan_env.batch import Batch
from catan_env.envs.vector import CatanVectorEnv
from catan_env.game.observation import NUM_ACTIONS, SIZES
from catan_env.policies.network import Network, save
from catan_env.policies.search.guided import Guided
from catan_env.policy import decide, load_batched, load_policy

OPTIONS: dict[str, Any] = {"seats": 2, "rules": "colonist_1v1"}


def weights(path: Path, version: int, seed: int = 1) -> str:
    """A file with a layer of drawn weights."""
    generator, size = np.random.default_rng(seed), SIZES[version]
    layer = generator.normal(0, 1, (size, NUM_ACTIONS)), generator.normal(0, 1, NUM_ACTIONS)
    save(path, [layer], scale=np.full(size, 0.1, np.float32), version=version)
    return str(path)


def played(batch: Batch) -> Batch:
    """The batch after a hundred actions in each game."""
    for _ in range(100):
        batch.step(batch.sample_legal())
    return batch


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("shown", [1, 2])
def test_a_network_decides_alike_in_games_that_show_another_version(
    tmp_path: Path, version: int, shown: int
) -> None:
    file = weights(tmp_path / "net.npz", version)
    batch = played(Batch(16, seed=3, observation_version=shown, **OPTIONS))
    network, rows = Network(file), np.arange(1, 16, 2)
    assert network.observation_version == version
    together = load_batched(file).choose(batch, rows)
    for i, action in zip(rows, together, strict=True):
        view = batch.view(int(i), int(batch.seat[i]))
        assert network.act(view) == action
        seen = view.observe(view.viewer, version)[None]
        assert network.act_batch(seen, view.action_mask[None])[0] == action


def test_a_network_of_version_2_sees_the_rules(tmp_path: Path) -> None:
    network = Network(weights(tmp_path / "net.npz", 2))
    tables = [[Game(2, seed, rules).view(0) for seed in range(40)] for rules in ("duel", "base")]
    assert [network.act(view) for view in tables[0]] != [network.act(view) for view in tables[1]]


@pytest.mark.parametrize("version", [1, 2])
def test_an_opponent_plays_the_same_whatever_the_environment_shows(
    tmp_path: Path, version: int
) -> None:
    file, games = weights(tmp_path / "net.npz", version), []
    for shown in (1, 2):
        environments = CatanVectorEnv(4, opponents=file, observation_version=shown, **OPTIONS)
        seen, _ = environments.reset(seed=1)
        steps = []
        for _ in range(60):
            actions = seen["action_mask"].argmax(axis=1)
            seen, *_ = environments.step(actions)
            steps.append(seen["observation"][:, : SIZES[1]].copy())
        games.append(np.array(steps))
    assert np.array_equal(*games)


@pytest.mark.parametrize("version", [1, 2])
def test_a_search_among_a_networks_moves_plays_a_game_to_its_end(
    tmp_path: Path, version: int
) -> None:
    file = weights(tmp_path / "net.npz", version)
    game, network = Game(2, 5, "colonist_1v1"), Network(file)
    policies = Guided(seed=1, playouts=1, weights=file), load_policy("greedy")
    while not game.is_over:
        view = game.view(game.seat)
        if game.seat == 0 and len(view.legal_actions) > 1:
            seen = view.observe(view.viewer, version)[None]
            best = network.act_batch(seen, view.action_mask[None])[0]
            assert best in policies[0].candidates(view)[0]
        game.play(decide(policies[game.seat], view))
    assert game.winner is not None


def test_layouts_that_are_unknown_or_of_another_size_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    with np.load(weights(file, 2)) as saved:
        arrays = dict(saved)
    for changed, reason in (
        ({"observation_version": np.array(3)}, "layout 3 of size 933; known here: layout 1 of"),
        ({"observation_version": np.array(1)}, "layout 1 of size 933"),
        ({"kind": np.array("pointer")}, "layout 2 of size 933; known here: layout 1 of size 913:"),
        ({"scale": np.ones(913, np.float32)}, "913 factors for observations of size 933"),
        ({"weight_0": np.ones((913, NUM_ACTIONS))}, "lead from 933 to 848"),
    ):
        np.savez(file, **(arrays | changed))
        with pytest.raises(ValueError, match=reason):
            Network(file)
