"""Networks of self-play and their weights files: a file gives its network, or is refused."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.guests.hanabi.batch import Batch as HanabiBatch  # noqa: E402
from catan_env.policies.network import read, save  # noqa: E402
from catan_env.training.actors import part_of  # noqa: E402
from catan_env.training.agent import Agent, PastSelf  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.networks import KINDS, Network  # noqa: E402
from catan_env.training.self_play import Args  # noqa: E402

OPTIONAL = {"value", "value_bias"}
"""Arrays that a file of layers need not have."""


def agent_of(kind, seed=1, hidden=12, **more):
    widths = {"hidden": hidden} | ({} if kind == "flat" else {"local": 4})
    batch = catan(4, seats=2, rules="duel", seed=seed)
    return Agent(Args(network=kind, network_options=widths, seed=seed, **more), batch, "cpu")


def written(kind, path, **more):
    """An agent with random weights, all of which matter, and their file."""
    agent = agent_of(kind, **more)
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for array in agent.network.weights.values():
            array.normal_(0, 0.1, generator=generator)
    agent.network.save(path)
    return agent


def outputs(network):
    """Its logits and values in some positions."""
    batch = catan(32, seats=2, rules="duel", seed=7)
    for _ in range(150):
        batch.step(batch.sample_legal())
    with torch.inference_mode():
        logits, values = network(network.features(torch.from_numpy(batch.observations)))
    return np.column_stack([logits.numpy(), values.numpy()])


def written_again(path, arrays):
    np.savez(path, **arrays)
    return str(path)


def test_the_scale_of_a_flat_network_is_the_same_in_every_process_and_run():
    args = Args(network="flat", num_envs=9, env_options={"seats": 2, "rules": "duel"})
    expected = Agent.of(args, "cpu").network.state_dict()["scale"]
    assert expected.min() < 0.2 and expected.max() == 1
    for other in (part_of(args, 1, 3), replace(args, seed=2), replace(args, num_envs=300)):
        assert torch.equal(Agent.of(other, "cpu").network.scale, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_gives_its_policy_and_value_to_a_learner_and_to_a_past_self(kind, tmp_path):
    path = tmp_path / "net.npz"
    expected = outputs(written(kind, path).network)
    learner = agent_of(kind, seed=2, initial_weights=str(path))
    past_self = PastSelf(agent_of(kind, seed=3), path)
    for network in (learner.network, past_self._network):
        np.testing.assert_allclose(outputs(network), expected, rtol=0.01, atol=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_without_one_of_the_weights_is_refused(kind, tmp_path):
    network = written(kind, tmp_path / "net.npz").network
    arrays = read(tmp_path / "net.npz")
    for name in (name for name, array in arrays.items() if array.ndim):
        if kind == "flat" and name in OPTIONAL:
            continue
        rest = {other: array for other, array in arrays.items() if other != name}
        with pytest.raises(ValueError, match=r"odd\.npz' has "):
            network.load(written_again(tmp_path / "odd.npz", rest))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hidden", [6, 24])
def test_a_file_of_other_widths_is_refused(kind, hidden, tmp_path):
    written(kind, tmp_path / "net.npz", hidden=hidden)
    with pytest.raises(ValueError, match=r"net\.npz': '\w+' is of shape \(.*, this network's \("):
        agent_of(kind, initial_weights=str(tmp_path / "net.npz"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_another_kind_is_refused(kind, tmp_path):
    other = "pointer" if kind == "flat" else "flat"
    written(other, tmp_path / "net.npz")
    with pytest.raises(ValueError, match=r"net\.npz' has "):
        agent_of(kind, initial_weights=str(tmp_path / "net.npz"))


def test_a_file_of_layers_without_a_value_leaves_the_value_as_it_was(tmp_path):
    path, network = tmp_path / "net.npz", agent_of("flat", seed=2).network
    written("flat", path)
    before, arrays = outputs(network), read(path)
    network.load(written_again(path, {n: a for n, a in arrays.items() if n not in OPTIONAL}))
    after = outputs(network)
    assert not np.allclose(after[:, :-1], before[:, :-1], atol=0.01)
    assert network.weights["value"].abs().max() < 0.05


@pytest.mark.parametrize(("layers", "activation"), [(2, "relu"), (4, "relu"), (3, "tanh")])
def test_layers_that_compute_otherwise_are_refused(layers, activation, tmp_path):
    network = agent_of("flat").network
    sizes = [network.num_features, *[12] * (layers - 1), 848]
    arrays = [(np.zeros(shape), np.zeros(shape[1])) for shape in pairwise(sizes)]
    save(tmp_path / "net.npz", arrays, activation)
    with pytest.raises(ValueError, match=rf"has {layers} layers .* {activation}; .* 3 .* relu"):
        network.load(tmp_path / "net.npz")


class Normed(Network):
    """A network of one's own with statistics that no gradient changes, and a constant."""

    def __init__(self, batch):
        super().__init__(batch)
        self.norm = torch.nn.BatchNorm1d(self.num_features)
        self.heads = torch.nn.Linear(self.num_features, self.num_actions + 1)
        self.register_buffer("constant", torch.ones(3), persistent=False)

    def forward(self, features):
        heads = self.heads(self.norm(features.float()))
        return heads[:, :-1], heads[:, -1]


class Column(Normed):
    """Its values are a column."""

    def forward(self, features):
        logits, values = super().forward(features)
        return logits, values[:, None]


class Wide(Normed):
    """It has more logits than the game has actions."""

    def forward(self, features):
        logits, values = super().forward(features)
        return torch.cat([logits, logits[:, :52]], 1), values


class Short(Normed):
    """Its logits are those of one position."""

    def forward(self, features):
        logits, values = super().forward(features)
        return logits[0], values


class Doubled(Normed):
    """Its features are not as wide as it says."""

    def features(self, observations):
        return torch.cat([observations, observations], 1)


class Endless(Normed):
    """Its logits are not numbers."""

    def forward(self, features):
        logits, values = super().forward(features)
        return logits / torch.zeros(()), values


class Single(Normed):
    """It has no values."""

    def forward(self, features):
        return super().forward(features)[0]


class Plain(torch.nn.Linear):
    """A module of torch's, not a subclass of `Network`."""

    def __init__(self, batch):
        super().__init__(batch.observations.shape[1], 10)


class Few(Normed):
    """It leaves out the last actions."""

    def forward(self, features):
        logits, values = super().forward(features)
        return logits[:, :700], values


@pytest.mark.parametrize(("kind", "reason"), [
    (Column, r"its values have the shape \(64, 1\), not \(64,\)"),
    (Wide, r"its logits have the shape \(64, 900\), not \(64, 848\), or fewer columns"),
    (Short, r"its logits have the shape \(848,\), not \(64, 848\), or fewer columns"),
    (Doubled, r"its features have the shape \(64, 1826\), not \(64, 913\)"),
    (Endless, "its logits and values are not finite"),
    (Single, "too many values to unpack"),
    (Plain, r"test_networks:Plain is not a subclass of catan_env\.training\.networks\.Network"),
])  # fmt: skip
def test_a_network_that_does_not_fit_is_refused_before_a_run(kind, reason):
    name = f"{__name__}:{kind.__name__}"
    batch = catan(4, seats=2, rules="duel", seed=1)
    with pytest.raises(ValueError, match=rf"^network: .*{reason}"):
        Agent(Args(network=name), batch, "cpu")


@pytest.mark.parametrize("kind", [Normed, Few])
def test_a_network_that_fits_is_taken(kind):
    batch = catan(1, seats=2, rules="duel", seed=1)
    agent = Agent(Args(network=f"{__name__}:{kind.__name__}"), batch, "cpu")
    assert type(agent.network) is kind


def test_the_statistics_of_a_network_of_ones_own_are_in_its_file(tmp_path):
    batch, path = catan(8, seats=2, rules="duel", seed=1), tmp_path / "net.npz"
    network, other = Normed(batch), Normed(batch)
    for _ in range(5):
        network(torch.from_numpy(batch.observations))
    network.save(path)
    other.load(path)
    np.testing.assert_array_equal(outputs(other.eval()), outputs(network.eval()))
    assert int(other.norm.num_batches_tracked) == 5
    assert "constant" not in read(path)


def test_a_network_of_ones_own_is_not_saved_with_a_number_that_is_not_finite(tmp_path):
    network = Normed(catan(8, seats=2, rules="duel", seed=1))
    with torch.no_grad():
        network.heads.bias[3] = float("nan")
    with pytest.raises(ValueError, match=r"heads\.bias: not finite$"):
        network.save(tmp_path / "net.npz")
    assert not (tmp_path / "net.npz").exists()


def test_a_guests_file_of_another_network_is_refused(tmp_path):
    name = "catan_env.guests.hanabi.policies.colours"
    batch = HanabiBatch(4, players=2, seed=1)
    flat, colours, other = (
        Agent(Args(network=kind, network_options={"hidden": 8}, seed=seed), batch, "cpu").network
        for kind, seed in (("flat", 1), (name, 1), (name, 2))
    )
    colours.save(tmp_path / "net.npz")
    other.load(tmp_path / "net.npz")
    assert torch.allclose(other.weights["trunk"], colours.weights["trunk"], atol=1e-3)
    flat.save(tmp_path / "net.npz")
    with pytest.raises(ValueError, match=r"net\.npz' has no '.*another network"):
        colours.load(tmp_path / "net.npz")
