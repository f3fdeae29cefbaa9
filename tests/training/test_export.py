"""An exported network is the trained one: NumPy's outputs are torch's."""

import json
import os

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor  # noqa: E402
from stable_baselines3.common.vec_env import VecNormalize  # noqa: E402
from torch import nn  # noqa: E402

from catan_env.batch import Batch  # noqa: E402
from catan_env.envs.sb3 import CatanVecEnv  # noqa: E402
from catan_env.policies.network import Network  # noqa: E402
from catan_env.training.sb3.export import export, main  # noqa: E402
from catan_env.training.sb3.model import fresh_model, load_model  # noqa: E402


def some_positions(n: int = 64) -> Batch:
    batch = Batch(n, seats=4, seed=5)
    for _ in range(150):
        batch.step(batch.sample_legal())
    return batch


def torch_logits(model, batch):
    model.policy.set_training_mode(False)
    observations = torch.from_numpy(batch.observations)
    given = model.policy.get_distribution(observations, action_masks=batch.action_masks)
    return given.distribution.logits.detach().numpy()


def masked_logits(network, batch):
    outputs = network.outputs(batch.observations)
    outputs[batch.action_masks == 0] = -1e8
    outputs -= outputs.max(axis=1, keepdims=True)
    return outputs - np.log(np.exp(outputs).sum(axis=1, keepdims=True))


@pytest.mark.parametrize("plain", [True, False], ids=["layers", "pointer"])
def test_numpys_masked_logits_are_torchs(tmp_path, plain):
    kwargs = {"net_arch": [32, 32]}
    model = (
        MaskablePPO("MlpPolicy", CatanVecEnv(1), policy_kwargs=kwargs, seed=3, device="cpu")
        if plain
        else fresh_model(hidden=32, local=8, seed=3)
    )
    batch = some_positions()
    export(model, tmp_path / "net.npz", np.float32)
    outputs = masked_logits(Network(tmp_path / "net.npz"), batch)
    legal = batch.action_masks == 1
    assert np.abs(outputs - torch_logits(model, batch))[legal].max() < 1e-5


class Widened(BaseFeaturesExtractor):
    """Layers before the policy's own, written as most people write them."""

    def __init__(self, observation_space, features_dim=48, activation=nn.ReLU):
        super().__init__(observation_space, features_dim)
        self.first = nn.Linear(observation_space.shape[0], 40)
        self.after = nn.Sequential(
            activation(), nn.Dropout(0.5), nn.Linear(40, features_dim, bias=False)
        )

    def forward(self, observations):
        return torch.relu(self.after(self.first(observations)))


class Scaled(Widened):
    def forward(self, observations):
        return super().forward(observations / 10)


class Shifted(Widened):
    def forward(self, observations):
        return super().forward(observations - 1)


class Normed(Widened):
    def __init__(self, observation_space):
        super().__init__(observation_space)
        self.after.append(nn.LayerNorm(48))


class Branching(Widened):
    def forward(self, observations):
        return super().forward(observations if observations.max() > 3 else observations * 2)


class Daring(MaskableActorCriticPolicy):
    """Not the policy that its layers are: it takes what it likes least."""

    def get_distribution(self, obs, action_masks=None):
        latent = self.mlp_extractor.forward_actor(self.extract_features(obs))
        distribution = self._get_action_dist_from_latent(-latent)
        distribution.apply_masking(action_masks)
        return distribution


def mlp(extractor=None, policy="MlpPolicy", environments=None, **kwargs):
    """A model of layers with weights large enough to prefer something."""
    kwargs = {"net_arch": [32], "activation_fn": nn.ReLU, "ortho_init": False, **kwargs}
    if extractor is not None:
        kwargs["features_extractor_class"] = extractor
    games = CatanVecEnv(2) if environments is None else environments
    return MaskablePPO(
        policy, games, policy_kwargs=kwargs, n_steps=4, batch_size=8, n_epochs=1, seed=3,
        device="cpu",
    )  # fmt: skip


@pytest.mark.parametrize("extractor", [Widened, Scaled])
@pytest.mark.parametrize("shared", [True, False], ids=["shared", "apart"])
def test_the_layers_of_a_features_extractor_are_exported_with_it(tmp_path, extractor, shared):
    model = mlp(extractor, share_features_extractor=shared)
    batch = some_positions()
    export(model, tmp_path / "net.npz", np.float32)
    network = Network(tmp_path / "net.npz")
    legal = batch.action_masks == 1
    apart = masked_logits(network, batch) - torch_logits(model, batch)
    assert np.abs(apart)[legal].max() < 1e-5
    chosen, _ = model.predict(
        batch.observations, action_masks=batch.action_masks, deterministic=True
    )
    assert (network.act_batch(batch.observations, batch.action_masks) == chosen).all()


def test_layers_with_nothing_between_them_are_written_as_one(tmp_path):
    model = mlp(net_arch=[])
    export(model, tmp_path / "net.npz", np.float32)
    with np.load(tmp_path / "net.npz") as file:
        assert [name for name in file if name.startswith("weight")] == ["weight_0"]
    two = mlp(net_arch=[24], activation_fn=nn.Identity)
    export(two, tmp_path / "two.npz", np.float32)
    batch = some_positions()
    found = masked_logits(Network(tmp_path / "two.npz"), batch)
    assert np.abs(found - torch_logits(two, batch))[batch.action_masks == 1].max() < 1e-4


def with_two_activations():
    return mlp(Widened, activation_fn=nn.Tanh)


def with_an_unknown_activation():
    return mlp(activation_fn=nn.ELU)


def with_a_last_activation():
    model = mlp()
    model.policy.action_net = nn.Sequential(model.policy.action_net, nn.ReLU())
    return model


def with_a_mask_in_the_observation():
    games = make_vec_env("catan_env:Catan-v0", 1, env_kwargs={"mask_in": "observation"})
    return mlp(policy="MultiInputPolicy", environments=games)


def with_a_pointer_after_layers():
    return fresh_model(
        hidden=16, local=4, seed=3,
        policy_kwargs={
            "hidden": 16, "local": 4, "features_extractor_class": Widened,
            "features_extractor_kwargs": {"features_dim": 913},
        },
    )  # fmt: skip


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: mlp(Shifted), "sub"),
        (lambda: mlp(Normed), "LayerNorm"),
        (lambda: mlp(Branching), "cannot be read as layers"),
        (with_two_activations, "relu and tanh"),
        (with_an_unknown_activation, "ELU"),
        (with_a_last_activation, "after the last layer"),
        (with_a_mask_in_the_observation, "observes"),
        (with_a_pointer_after_layers, "features extractor"),
        (lambda: mlp(policy=Daring), "plays differently"),
    ],
)
def test_what_numpy_cannot_play_is_refused_with_the_reason(tmp_path, make, reason):
    (tmp_path / "net.npz").write_bytes(b"kept")
    with pytest.raises(ValueError, match=reason):
        export(make(), tmp_path / "net.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["net.npz"]
    assert (tmp_path / "net.npz").read_bytes() == b"kept"


def test_observations_that_were_normalised_are_refused(tmp_path):
    model = mlp(environments=VecNormalize(CatanVecEnv(2)))
    with pytest.raises(ValueError, match="VecNormalize"):
        export(model, tmp_path / "net.npz")
    model.learn(8)
    model.save(tmp_path / "model.zip")
    with pytest.raises(ValueError, match="VecNormalize"):
        export(load_model(tmp_path / "model.zip"), tmp_path / "net.npz")
    assert not (tmp_path / "net.npz").exists()


def test_rewards_may_be_normalized(tmp_path):
    model = mlp(environments=VecNormalize(CatanVecEnv(2), norm_obs=False))
    model.learn(8)
    model.save(tmp_path / "model.zip")
    for trained in (model, load_model(tmp_path / "model.zip")):
        export(trained, tmp_path / "net.npz", np.float32)
    batch = some_positions()
    found = masked_logits(Network(tmp_path / "net.npz"), batch)
    assert np.abs(found - torch_logits(model, batch))[batch.action_masks == 1].max() < 1e-5


def test_numbers_that_halving_rounds_too_much_are_refused(tmp_path):
    model = mlp()
    with torch.no_grad():
        model.policy.action_net.bias += 3000  # float16 then steps by 2
    with pytest.raises(ValueError, match="float32"):
        export(model, tmp_path / "net.npz")
    export(model, tmp_path / "net.npz", np.float32)
    with torch.no_grad():
        model.policy.action_net.bias += 1e6
    with pytest.raises(ValueError, match="not finite as float16"):
        export(model, tmp_path / "net.npz")


def test_a_model_may_be_exported_while_it_learns(tmp_path):
    model = mlp(Widened)
    model.policy.set_training_mode(True)
    export(model, tmp_path / "net.npz")
    assert model.policy.training


def test_the_command_says_in_one_line_why_it_refuses(tmp_path):
    mlp(activation_fn=nn.ELU).save(tmp_path / "model.zip")
    with pytest.raises(SystemExit, match="ELU"):
        main([str(tmp_path / "model.zip"), str(tmp_path / "net.npz")])
    assert not list(tmp_path.glob("net.*"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name on this system")
def test_a_device_is_not_replaced_by_weights(tmp_path):
    device = tmp_path / "device"
    os.mkfifo(device)
    fresh_model(hidden=16, local=4, seed=3).save(tmp_path / "model.zip")
    with pytest.raises(SystemExit, match="device is not a regular file"):
        main([str(tmp_path / "model.zip"), str(device)])
    assert device.is_fifo() and not device.with_suffix(".md").exists()


def test_the_policy_and_the_value_are_the_same_asked_together_or_apart():
    model, batch = fresh_model(hidden=32, local=8, seed=3), some_positions()
    body, shown = model.policy.mlp_extractor, torch.from_numpy(batch.observations).float()
    outputs, latent = body(shown)
    assert torch.equal(outputs, body.forward_actor(shown))
    assert torch.equal(latent, body.forward_critic(shown))


def test_half_as_many_bits_choose_the_same(tmp_path):
    model = fresh_model(hidden=32, local=8, seed=3)
    batch = some_positions()
    for name, dtype in (("half", np.float16), ("full", np.float32)):
        export(model, tmp_path / f"{name}.npz", dtype)
    half, full = (Network(tmp_path / f"{name}.npz") for name in ("half", "full"))
    shown = batch.observations, batch.action_masks
    assert (half.act_batch(*shown) == full.act_batch(*shown)).mean() > 0.9
    assert (tmp_path / "half.npz").stat().st_size < (tmp_path / "full.npz").stat().st_size


def test_a_saved_model_is_exported_with_its_card(tmp_path):
    fresh_model(hidden=16, local=4, seed=3).save(tmp_path / "model.zip")
    (tmp_path / "model.json").write_text(json.dumps({"command": "a command", "seed": 3}))
    evaluation = {
        "names": ["net.npz", "random"],
        "rules": "base",
        "trade": False,
        "games": 10,
        "entrants": [{"win_rate": 0.9, "interval": [0.6, 0.98], "microseconds": 50.0}],
    }
    (tmp_path / "rate.json").write_text(json.dumps(evaluation))
    weights = tmp_path / "net.npz"
    main([str(tmp_path / "model.zip"), str(weights), "--evaluation", str(tmp_path / "rate.json")])
    assert Network(weights).outputs(np.zeros((2, 913), np.int8)).shape == (2, 848)
    card = (tmp_path / "net.md").read_text()
    assert "A network of places that answer a trunk 16 wide, 4 at a vertex" in card
    assert "| command | a command |" in card
    assert "| net.npz random | base, no trade | 10 | 90.0% | 60.0% - 98.0% | 50 µs |" in card


def test_a_model_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ValueError, match="no model at"):
        load_model(tmp_path / "nothing.zip")
