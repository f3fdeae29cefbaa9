"""`python -m catan_env.training.sb3.export MODEL.zip WEIGHTS.npz`: a model for NumPy, and its card.

`policies.network.Network` reads the weights file. Its model card, Markdown of the same name, is
written next to it.
"""

import argparse
import operator
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor
from torch import fx, nn

from catan_env.batch import Batch
from catan_env.envs.options import Options
from catan_env.extras import ends_in_one_line
from catan_env.game.observation import OBSERVATION_SIZE
from catan_env.policies.network import Network, save, save_pointer
from catan_env.training.cards import evaluation_of, write_card
from catan_env.training.folder import json_in, make_folder_of
from catan_env.training.sb3.model import load_model
from catan_env.training.sb3.policy import PointerExtractor

Layer = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]
Step = nn.Linear | str | float
EXACT = 1e-3
"""The largest distance (total variation) between probabilities that differ by the order of sums."""
ROUNDED = 0.05
"""The largest distance after the weights were rounded."""
UNCHANGING = {nn.Flatten, nn.Identity, nn.Dropout, torch.flatten, "flatten", "float"}
ACTIVATIONS: dict[Any, str] = {
    **dict.fromkeys((nn.ReLU, torch.relu, nn.functional.relu, "relu"), "relu"),
    **dict.fromkeys((nn.Tanh, torch.tanh, nn.functional.tanh, "tanh"), "tanh"),
}
FACTORS: dict[Any, Callable[[float, float], float]] = {
    operator.mul: operator.mul,
    operator.truediv: operator.truediv,
}


def export(model: MaskablePPO, path: str | Path, dtype: Any = np.float16) -> None:
    """Write the policy of a model, `PointerPolicy` or layers (`MlpPolicy`), as a weights file.

    ValueError gives the reason if NumPy cannot play the same policy; nothing is written then. A
    file is written only after it gave torch's probabilities in real positions.
    """
    _check_what_it_saw(model)
    path = Path(path)
    if path.exists() and not path.is_file():  # it would be replaced, and its card written beside it
        raise ValueError(f"{path} is not a regular file: weights cannot be written to it")
    fresh = path.with_name(f"{path.stem}.unchecked.npz")
    policy = model.policy
    was_training = policy.training
    policy.set_training_mode(False)  # dropout has no part in playing
    try:
        _write(policy, fresh, np.float32)
        _check_probabilities(policy, fresh, "NumPy plays differently from the model", EXACT)
        if dtype != np.float32:
            with np.errstate(over="ignore"):  # refused by name when written
                _write(policy, fresh, dtype)
            rounded = f"rounded to {np.dtype(dtype)} it plays differently: export it as float32"
            _check_probabilities(policy, fresh, rounded, ROUNDED)
        fresh.replace(path)
    finally:
        policy.set_training_mode(was_training)
        fresh.unlink(missing_ok=True)


def _check_what_it_saw(model: MaskablePPO) -> None:
    """ValueError if the model did not learn from the environments' own observations."""
    space = Options(mask_in="info").observation_space()
    if model.observation_space != space:
        raise ValueError(
            f"the model observes {model.observation_space}, and a policy of Catan {space}; "
            "models of other games are not exported"
        )
    normalized = model.get_vec_normalize_env()
    last = model._last_obs
    if (normalized is not None and normalized.norm_obs) or not _are_observations(last):
        raise ValueError(
            "the model learned from observations that a wrapper had changed, as VecNormalize "
            "does, and policies are shown them unchanged: train it with norm_obs=False"
        )


def _are_observations(shown: Any) -> bool:
    """True if the last input of a model, if known, can be observations of the game."""
    if shown is None:
        return True
    numbers = np.asarray(shown)
    return bool(((numbers == np.rint(numbers)) & (numbers >= 0) & (numbers <= 127)).all())


def _write(policy: MaskableActorCriticPolicy, path: Path, dtype: Any) -> None:
    body = policy.mlp_extractor
    if isinstance(body, PointerExtractor):
        if not isinstance(policy.pi_features_extractor, FlattenExtractor):
            raise ValueError("a features extractor before a pointer network cannot be exported")
        save_pointer(path, body.network.arrays(), dtype)
    else:
        layers, activation, scale = layers_of(policy_steps(policy))
        save(path, layers, activation, np.full(OBSERVATION_SIZE, scale, np.float32), dtype)


class Actor(nn.Module):
    """The part of a policy that computes the outputs of its actions from an observation."""

    def __init__(self, policy: MaskableActorCriticPolicy) -> None:
        super().__init__()
        self.features, self.body = policy.pi_features_extractor, policy.mlp_extractor
        self.action = policy.action_net

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Outputs before the mask."""
        outputs: torch.Tensor = self.action(self.body.forward_actor(self.features(observations)))
        return outputs


def policy_steps(policy: MaskableActorCriticPolicy) -> Iterator[Step]:
    """The steps from an observation to the outputs of a policy made of layers.

    Read from the traced code, so that a features extractor is included like `net_arch`; ValueError
    names the first step that a weights file cannot express.
    """
    actor = Actor(policy)
    try:
        traced = fx.symbolic_trace(actor)
    except (fx.proxy.TraceError, TypeError, AttributeError, RuntimeError) as error:
        raise ValueError(f"the policy cannot be read as layers: {error}") from None
    before = None
    for node in traced.graph.nodes:
        if node.op == "placeholder":
            before = node
        elif node.op != "output":
            if node.all_input_nodes != [before]:
                raise ValueError(f"the policy's {node} does more than follow the layer before it")
            before = node
            step = _step(actor, node)
            if step is not None:
                yield step


def _step(actor: Actor, node: fx.Node) -> Step | None:
    """A layer, the name of an activation, a factor, or None for what changes nothing."""
    does: Any = actor.get_submodule(str(node.target)) if node.op == "call_module" else node.target
    kind = type(does) if node.op == "call_module" else does
    if kind in UNCHANGING:
        return None
    if isinstance(does, nn.Linear):
        return does
    if kind in ACTIVATIONS:
        return ACTIVATIONS[kind]
    if kind in FACTORS and isinstance(node.args[-1], int | float):
        return FACTORS[kind](1.0, float(node.args[-1]))
    name = getattr(kind, "__name__", kind)
    raise ValueError(f"the policy's step {node} is {name}; allowed are Linear, ReLU and Tanh")


def layers_of(steps: Iterable[Step]) -> tuple[list[Layer], str, float]:
    """Layers, each a matrix (inputs, outputs) and a bias, the activation between them, and the
    factor of the observation; ValueError if the steps have another order."""
    layers: list[Layer] = []
    activations: list[str] = []  # one after each layer but the last
    scale = 1.0
    for step in steps:
        if isinstance(step, float) and not layers:
            scale *= step
        elif isinstance(step, nn.Linear):
            if len(activations) < len(layers):
                layers.append(_joined(layers.pop(), _layer(step)))
            else:
                layers.append(_layer(step))
        elif isinstance(step, str) and len(activations) == len(layers) - 1:
            activations.append(step)
        else:
            raise ValueError(f"the policy has {step} where a layer must be")
    if len(activations) != len(layers) - 1:
        raise ValueError("the policy has an activation after the last layer")
    if len(set(activations)) > 1:
        names = " and ".join(sorted(set(activations)))
        raise ValueError(f"the policy's activations are {names}; a weights file has one")
    return layers, next(iter(activations), "relu"), scale


def _layer(linear: nn.Linear) -> Layer:
    weight = linear.weight.detach().cpu().numpy().T
    bias: torch.Tensor | None = linear.bias  # torch declares a Tensor
    if bias is None:
        return weight, np.zeros(weight.shape[1], np.float32)
    return weight, bias.detach().cpu().numpy()


def _joined(first: Layer, second: Layer) -> Layer:
    """One layer for two with nothing between them."""
    (weight, bias), (after, shift) = first, second
    exact = np.float64
    joined = weight.astype(exact) @ after, bias.astype(exact) @ after + shift
    return joined[0].astype(np.float32), joined[1].astype(np.float32)


def _check_probabilities(
    policy: MaskableActorCriticPolicy, path: Path, fault: str, most: float
) -> None:
    """ValueError if in real positions the file's probabilities are not the model's."""
    observations, masks = real_positions()
    shown, _ = policy.obs_to_tensor(observations)
    with torch.no_grad():
        distribution: Any = policy.get_distribution(shown, masks).distribution
    wanted = distribution.probs.cpu().numpy()
    outputs = Network(path).outputs(observations)
    outputs[masks == 0] = -np.inf
    likely = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    apart = np.abs(likely - wanted).sum(axis=1) / 2
    if not apart.max() <= most:  # neither is NaN
        raise ValueError(f"{fault} (in real positions probabilities differ by {apart.max():.2g})")


@cache
def real_positions() -> tuple[Any, Any]:
    """Observations and masks from all stages of games of two, three and four seats."""
    parts: list[tuple[Any, Any]] = []
    for seats, rules in ((2, "duel"), (3, "base"), (4, "base"), (4, "tournament")):
        batch = Batch(8, seats=seats, rules=rules, seed=seats)
        for step in range(400):
            if step % 40 == 0:
                assert batch.observations is not None and batch.action_masks is not None
                parts.append((np.copy(batch.observations), np.copy(batch.action_masks)))
            batch.step(batch.sample_legal())
    observations, masks = zip(*parts, strict=True)
    return np.concatenate(observations), np.concatenate(masks)


def main(given: list[str] | None = None) -> None:
    """Export a model; `--metadata` and `--evaluation` are JSON files for its card."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.sb3.export", description=__doc__
    )
    parser.add_argument("model", help="the model, a .zip")
    parser.add_argument("weights", help="the weights file to write, a .npz")
    parser.add_argument("--metadata", help="JSON that training wrote with the model")
    parser.add_argument(
        "--evaluation", action="append", default=[], help="JSON of evaluate; repeat it for each"
    )
    parser.add_argument("--float32", action="store_true", help="32 bits per weight instead of 16")
    wanted = parser.parse_args(given)
    with ends_in_one_line(parser.prog):
        make_folder_of(wanted.weights)
        beside = Path(wanted.model).with_suffix(".json")
        path = wanted.metadata or (beside if beside.exists() else None)
        metadata = json_in(path) if path else {}
        evaluations = [
            evaluation_of(Path(wanted.weights), Path(path)) for path in wanted.evaluation
        ]
        dtype = np.float32 if wanted.float32 else np.float16
        export(load_model(wanted.model), wanted.weights, dtype)
        write_card(wanted.weights, metadata, evaluations)


if __name__ == "__main__":
    main()
