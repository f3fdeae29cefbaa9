"""`python -m catan_env.training.cards WEIGHTS.npz`: the model card of a weights file, Markdown.

It states how the weights were made (`--metadata`, by default the JSON of the same name, which
training writes) and how strong they are (`--evaluation`, written by `training.evaluate --json`).
"""

import argparse
import platform
from filecmp import cmp
from pathlib import Path
from typing import Any

import numpy as np
import torch

from catan_env.adapters.weights import errors_of, read
from catan_env.extras import ends_in_one_line
from catan_env.machine import processor_name
from catan_env.policies.network.network import CATAN
from catan_env.training.evaluate import rules_of
from catan_env.training.folder import json_in

Arrays = dict[str, np.ndarray[Any, Any]]
CARD = """\
# {name}

A network {described}.

| | |
|---|---|
{metadata}

{rates}
"""


def card(path: str | Path, metadata: dict[str, Any], evaluations: list[dict[str, Any]]) -> str:
    """The text of a model card: how the weights were made, and one row per evaluation."""
    return CARD.format(
        name=Path(path).name,
        described=_described(read(path)),
        metadata="\n".join(
            f"| {name} | {value} |"
            for name, value in metadata.items()
            if isinstance(value, str | int | float)
        ),
        rates=_rates(evaluations),
    )


def _described(arrays: Arrays) -> str:
    """The kind of network in a weights file, its size and its tables, as text."""
    if str(arrays["kind"]) == "rerank":
        trade = "that trade" if arrays["player_trade"] else "without trade"
        table = f"tables of {arrays['seats']} seats {trade}"
        units = len(arrays["shares"]) - 1
        return f"of {units} units for `policies.rerank.Reranker`, {table}"
    version, size = int(arrays["observation_version"]), int(arrays["observation_size"])
    game = str(arrays["game"]) if "game" in arrays else CATAN
    player = "`policies.network.Network`" if game == CATAN else f"`{game}`"
    return f"{_widths(arrays)} for {player}; observation layout {version} of size {size}"


def _widths(arrays: Arrays) -> str:
    """The widths of the network in a weights file, as text."""
    if str(arrays["kind"]) == "pointer":
        mirrored = ", the mean of six views," if "mirrored" in arrays else ""
        return "of places that answer a trunk {} wide, {} at a vertex{}".format(
            len(arrays["body"]), len(arrays["vertex_bias"]), mirrored
        )
    if str(arrays["kind"]) != "layers":
        numbers = sum(array.size for array in arrays.values())
        return f"called {arrays['kind']}, of {numbers:,} numbers"
    biases = [len(arrays[f"bias_{k}"]) for k in range(sum(n.startswith("bias_") for n in arrays))]
    return "of layers " + "-".join(map(str, biases))


def _rates(evaluations: list[dict[str, Any]]) -> str:
    if not evaluations:
        return "Not evaluated."
    lines = [
        "| table | rules | games | win rate | 95 % interval | decision |",
        "|---|---|---|---|---|---|",
        *map(_row, evaluations),
    ]
    title = "Win rates of the first entrant, by `python -m catan_env.training.evaluate`:"
    return "\n".join([title, "", *lines])


def _row(measured: dict[str, Any]) -> str:
    first = measured["entrants"][0]
    low, high = first["interval"]
    return (
        f"| {' '.join(measured['names'])} | {rules_of(measured)} | {measured['games']} "
        f"| {first['win_rate']:.1%} | {low:.1%} - {high:.1%} "
        f"| {first['microseconds']:.0f} µs |"
    )


def evaluation_in(path: str | Path) -> dict[str, Any]:
    """The table in a file of `training.evaluate --json`; ValueError for a pool or another file."""
    measured = json_in(path)
    try:
        _row(measured)
    except (KeyError, TypeError, IndexError, ValueError):
        writer = "python -m catan_env.training.evaluate NAME ... --json"
        raise ValueError(f"{path}: it is not the file of one table that {writer} writes") from None
    return measured


def evaluation_of(weights: Path, path: Path) -> dict[str, Any]:
    """The table in a file of `training.evaluate --json`; ValueError if it is not of the weights.

    They are its first entrant, in all of its games.
    """
    measured = evaluation_in(path)
    name, games, planned = measured["names"][0], measured["games"], measured.get("planned")
    if not _is_of(weights, Path(name)):
        raise ValueError(f"{path}: it is of {name}, its first entrant, not of {weights}")
    if planned not in (None, games):
        raise ValueError(f"{path}: it has {games} of {planned} games; merge all slices first")
    return measured


def _is_of(weights: Path, evaluated: Path) -> bool:
    """True for an equal file, or one of the same name that was elsewhere."""
    if evaluated.is_file() and weights.is_file():
        return cmp(evaluated, weights, shallow=False)
    return evaluated.name == weights.name


def machine() -> str:
    """The processor, and the versions of Python and torch, for a card."""
    return f"{processor_name()}, Python {platform.python_version()}, torch {torch.__version__}"


def write_card(
    path: str | Path, metadata: dict[str, Any], evaluations: list[dict[str, Any]]
) -> None:
    """Write the card next to a weights file."""
    Path(path).with_suffix(".md").write_text(card(path, metadata, evaluations), encoding="utf-8")


def main(given: list[str] | None = None) -> None:
    """Rewrite a card."""
    parser = argparse.ArgumentParser(prog="python -m catan_env.training.cards", description=__doc__)
    parser.add_argument("weights", type=Path, help="the weights file; the card is next to it")
    parser.add_argument(
        "--metadata", type=Path, help="JSON that training wrote (default: next to the weights)"
    )
    parser.add_argument(
        "--evaluation", type=Path, action="append", default=[], metavar="FILE",
        help="JSON of evaluate; repeat it for each",
    )  # fmt: skip
    wanted = parser.parse_args(given)
    with ends_in_one_line(parser.prog):
        arrays = read(wanted.weights)
        with errors_of(wanted.weights):
            _described(arrays)
        metadata = wanted.metadata or wanted.weights.with_suffix(".json")
        evaluations = [evaluation_of(wanted.weights, path) for path in wanted.evaluation]
        write_card(wanted.weights, json_in(metadata), evaluations)


if __name__ == "__main__":
    main()
