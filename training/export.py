"""`python -m catan_env.training.export MODEL.zip WEIGHTS.npz`: a model for NumPy, and its card.

The weights file is what `policies.network.Network` reads. The card beside it, Markdown of the same
name, says how the weights came about and how they play.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from torch import nn

from catan_env.policies.network import save, save_graph
from catan_env.training.card import write_card
from catan_env.training.model import load_model
from catan_env.training.places import Places

Layer = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def policy_layers(model: MaskablePPO) -> list[Layer]:
    """Weight (inputs, outputs) and bias of each layer from what is shown to the actions."""
    policy = model.policy
    linear = [part for part in policy.mlp_extractor.policy_net if isinstance(part, nn.Linear)]
    return [
        (layer.weight.detach().cpu().numpy().T, layer.bias.detach().cpu().numpy())
        for layer in (*linear, policy.action_net)
    ]


def activation(model: MaskablePPO) -> str:
    """The name of the model's activation; ValueError where NumPy's side has no such."""
    names = {nn.ReLU: "relu", nn.Tanh: "tanh"}
    kind = model.policy.activation_fn
    if kind not in names:
        raise ValueError(f"activation {kind.__name__}; allowed are ReLU and Tanh")
    return names[kind]


def export(model: MaskablePPO, path: str | Path, dtype: Any = np.float16) -> None:
    """Write the policy of a model, of places or of layers (`MlpPolicy`), as a weights file."""
    body = model.policy.mlp_extractor
    if isinstance(body, Places):
        weights = {name: array.detach().cpu().numpy() for name, array in body.weights.items()}
        save_graph(path, weights, dtype)
    else:
        save(path, policy_layers(model), activation=activation(model), dtype=dtype)


def main(given: list[str] | None = None) -> None:
    """Export a model; `--facts` and `--evaluation` are JSON files for its card."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.export", description=__doc__
    )
    parser.add_argument("model")
    parser.add_argument("weights")
    parser.add_argument("--facts", help="JSON that training wrote beside the model")
    parser.add_argument("--evaluation", action="append", default=[], help="JSON of evaluate.py")
    parser.add_argument("--float32", action="store_true", help="do not halve the numbers")
    wanted = parser.parse_args(given)
    export(load_model(wanted.model), wanted.weights, np.float32 if wanted.float32 else np.float16)
    beside = Path(wanted.model).with_suffix(".json")
    facts = Path(wanted.facts) if wanted.facts else beside
    told = json.loads(facts.read_text()) if facts.exists() else {}
    write_card(wanted.weights, told, [json.loads(Path(p).read_text()) for p in wanted.evaluation])


if __name__ == "__main__":
    main()
