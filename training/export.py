"""`python -m catan_env.training.export MODEL.zip WEIGHTS.npz`: a model for NumPy, and its card.

The weights file is what `policies.network.Network` reads. The card beside it, Markdown of the same
name, says how the weights came about and how they play.
"""

import argparse
import json
import platform
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch import nn

from catan_env.game.observation import OBSERVATION_SIZE, OBSERVATION_VERSION
from catan_env.policies.network import save, save_graph
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


CARD = """\
# {name}

A network {layers} for `policies.network.Network`; observation layout {version} of size {size}.

| | |
|---|---|
{facts}

{rates}
"""


def card(path: str | Path, facts: dict[str, Any], evaluations: list[dict[str, Any]]) -> str:
    """The text of a model card: how the weights were made, and a row for each evaluation."""
    return CARD.format(
        name=Path(path).name,
        layers=_widths(path),
        version=OBSERVATION_VERSION,
        size=OBSERVATION_SIZE,
        facts="\n".join(
            f"| {name} | {value} |"
            for name, value in facts.items()
            if isinstance(value, str | int | float)
        ),
        rates=_rates(evaluations),
    )


def _widths(path: str | Path) -> str:
    """How wide the network in a weights file is, in words."""
    with np.load(path) as file:
        if str(file["kind"]) == "places":
            return "of places, {} wide in the trunk and {} at a place".format(
                *file["most"].shape[::-1]
            )
        biases = [len(file[f"bias_{k}"]) for k in range(sum(n.startswith("bias_") for n in file))]
    return "of layers " + "-".join(map(str, biases))


def _rates(evaluations: list[dict[str, Any]]) -> str:
    if not evaluations:
        return "Not evaluated."
    lines = [
        "| table | rules | games | win rate | 95 % interval | decision |",
        "|---|---|---|---|---|---|",
    ]
    for told in evaluations:
        first = told["entrants"][0]
        low, high = first["interval"]
        lines.append(
            f"| {' '.join(told['names'])} | {told['rules']} | {told['games']} "
            f"| {first['win_rate']:.1%} | {low:.1%} - {high:.1%} "
            f"| {first['microseconds']:.0f} µs |"
        )
    said = "Win rates of the first entrant, by `python -m catan_env.training.evaluate`:"
    return "\n".join([said, "", *lines])


def machine() -> str:
    """The processor, and the versions of Python and torch, for a card."""
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text().splitlines() if cpus.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.machine()
    return f"{processor}, Python {platform.python_version()}, torch {torch.__version__}"


def write_card(path: str | Path, facts: dict[str, Any], evaluations: list[dict[str, Any]]) -> None:
    """Write the card beside a weights file."""
    Path(path).with_suffix(".md").write_text(card(path, facts, evaluations), encoding="utf-8")


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
