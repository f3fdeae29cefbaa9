"""`python -m catan_env.training.card WEIGHTS.npz`: the card of a weights file, Markdown beside it.

It says how the weights came about (`--facts`, by default the JSON of the same name, which training
writes) and how they play (`--evaluation`, what `catan_env.training.evaluate --json` wrote).
"""

import argparse
import json
import platform
from pathlib import Path
from typing import Any

import numpy as np
import torch

from catan_env.policies.network.network import CATAN
from catan_env.training.evaluate import rules_of

CARD = """\
# {name}

A network {layers} for {game}; observation layout {version} of size {size}.

| | |
|---|---|
{facts}

{rates}
"""


def card(path: str | Path, facts: dict[str, Any], evaluations: list[dict[str, Any]]) -> str:
    """The text of a model card: how the weights were made, and a row for each evaluation."""
    with np.load(path) as file:
        version, size = int(file["observation_version"]), int(file["observation_size"])
        game = str(file["game"]) if "game" in file else CATAN
    return CARD.format(
        name=Path(path).name,
        layers=_widths(path),
        game="`policies.network.Network`" if game == CATAN else f"`{game}`",
        version=version,
        size=size,
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
        if str(file["kind"]) == "pointer":
            mirrored = ", the mean of six views," if "mirrored" in file else ""
            return "of places that answer a trunk {} wide, {} at a vertex{}".format(
                len(file["body"]), len(file["vertex_bias"]), mirrored
            )
        if str(file["kind"]) != "layers":
            return f"called {file['kind']}, of {sum(file[name].size for name in file):,} numbers"
        biases = [len(file[f"bias_{k}"]) for k in range(sum(n.startswith("bias_") for n in file))]
    return "of layers " + "-".join(map(str, biases))


def _rates(evaluations: list[dict[str, Any]]) -> str:
    if not evaluations:
        return "Not evaluated."
    lines = [
        "| table | rules | games | win rate | 95 % interval | decision |",
        "|---|---|---|---|---|---|",
    ]
    for measured in evaluations:
        first = measured["entrants"][0]
        low, high = first["interval"]
        lines.append(
            f"| {' '.join(measured['names'])} | {rules_of(measured)} | {measured['games']} "
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
    """Write a card anew."""
    parser = argparse.ArgumentParser(prog="python -m catan_env.training.card", description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--facts", type=Path, help="JSON that training wrote")
    parser.add_argument("--evaluation", type=Path, action="append", default=[])
    wanted = parser.parse_args(given)
    facts = wanted.facts or wanted.weights.with_suffix(".json")
    evaluations = [json.loads(path.read_text()) for path in wanted.evaluation]
    write_card(wanted.weights, json.loads(facts.read_text()), evaluations)


if __name__ == "__main__":
    main()
