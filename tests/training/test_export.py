"""What is exported is what was trained: NumPy's outputs are torch's."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402

from catan_env.batch import Batch  # noqa: E402
from catan_env.envs.sb3 import CatanVecEnv  # noqa: E402
from catan_env.policies.network import Network  # noqa: E402
from catan_env.training.export import export, main  # noqa: E402
from catan_env.training.model import fresh_model, load_model  # noqa: E402


def some_positions(n: int = 64) -> Batch:
    batch = Batch(n, seats=4, seed=5)
    for _ in range(150):
        batch.step(batch.sample_legal())
    return batch


def torch_logits(model, batch):
    observations = torch.from_numpy(batch.observations)
    given = model.policy.get_distribution(observations, action_masks=batch.action_masks)
    return given.distribution.logits.detach().numpy()


@pytest.mark.parametrize("plain", [True, False], ids=["layers", "places"])
def test_numpys_masked_logits_are_torchs(tmp_path, plain):
    kwargs = {"net_arch": [32, 32]}
    model = (
        MaskablePPO("MlpPolicy", CatanVecEnv(1), policy_kwargs=kwargs, seed=3, device="cpu")
        if plain
        else fresh_model(hidden=32, local=8, value=(16,), seed=3)
    )
    batch = some_positions()
    export(model, tmp_path / "net.npz", np.float32)
    outputs = Network(tmp_path / "net.npz").outputs(batch.observations)
    outputs[batch.action_masks == 0] = -1e8
    outputs -= outputs.max(axis=1, keepdims=True)
    outputs -= np.log(np.exp(outputs).sum(axis=1, keepdims=True))
    legal = batch.action_masks == 1
    assert np.abs(outputs - torch_logits(model, batch))[legal].max() < 1e-5


def test_the_policy_and_the_value_are_the_same_asked_together_or_apart():
    model, batch = fresh_model(hidden=32, local=8, value=(16,), seed=3), some_positions()
    body, shown = model.policy.mlp_extractor, torch.from_numpy(batch.observations).float()
    outputs, latent = body(shown)
    assert torch.equal(outputs, body.forward_actor(shown))
    assert torch.equal(latent, body.forward_critic(shown))


def test_half_as_many_bits_choose_the_same(tmp_path):
    model = fresh_model(hidden=32, local=8, value=(16,), seed=3)
    batch = some_positions()
    for name, dtype in (("half", np.float16), ("full", np.float32)):
        export(model, tmp_path / f"{name}.npz", dtype)
    half, full = (Network(tmp_path / f"{name}.npz") for name in ("half", "full"))
    shown = batch.observations, batch.action_masks
    assert (half.act_batch(*shown) == full.act_batch(*shown)).mean() > 0.9
    assert (tmp_path / "half.npz").stat().st_size < (tmp_path / "full.npz").stat().st_size


def test_a_saved_model_is_exported_with_its_card(tmp_path):
    fresh_model(hidden=16, local=4, value=(16,), seed=3).save(tmp_path / "model.zip")
    (tmp_path / "model.json").write_text(json.dumps({"command": "a command", "seed": 3}))
    evaluation = {
        "names": ["net", "random"],
        "rules": "duel",
        "games": 10,
        "entrants": [{"win_rate": 0.9, "interval": [0.6, 0.98], "microseconds": 50.0}],
    }
    (tmp_path / "told.json").write_text(json.dumps(evaluation))
    weights = tmp_path / "net.npz"
    main([str(tmp_path / "model.zip"), str(weights), "--evaluation", str(tmp_path / "told.json")])
    assert Network(weights).outputs(np.zeros((2, 913), np.int8)).shape == (2, 848)
    card = (tmp_path / "net.md").read_text()
    assert "A network of places, 16 wide in the trunk and 4 at a place" in card
    assert "| command | a command |" in card
    assert "| net random | duel | 10 | 90.0% | 60.0% - 98.0% | 50 µs |" in card


def test_a_model_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ValueError, match="no model at"):
        load_model(tmp_path / "nothing.zip")
