"""`python -m catan_env.training.outcome WEIGHTS.npz --rules duel`: does a value know who wins?

The network plays in all seats, drawing its actions. Wherever there is a choice its value is written
down, and compared with the game's result: how much of the results' variance it explains, in each
quarter of the games. Networks of `training.self_play` and `training.expert_iteration` have a value;
those that were cloned are written without one.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from catan_env.batch import GOES_ON, STAY, Batch
from catan_env.policies import network
from catan_env.training.configuration import named
from catan_env.training.games import catan
from catan_env.training.learner import Learner
from catan_env.training.settings import Args

Array = np.ndarray[Any, Any]
PARTS = 4
"""Of a game, by the share of its decisions that are made."""


class Foretold(NamedTuple):
    """Of each decision of the games that were won: what it was thought worth, and what came."""

    values: Array
    """(n,) float32."""
    results: Array
    """(n,) float32: 1 for a win, -1/(seats - 1) for a loss."""
    games: Array
    """(n,) int64."""
    progress: Array
    """(n,) float64, 0 at the game's first decision and 1 at its last."""


def foretold(learner: Learner, batch: Batch, potential: Any = None) -> Foretold:
    """Play every game of a batch (without `autoreset`) to its end, once.

    A `potential`, as a configuration names it under `shaping`, is what the values leave out.
    """
    games = np.arange(batch.num_games)
    rows: list[tuple[Array, Array, Array]] = []
    goes_on = np.ones(len(games), np.bool_)
    while goes_on.any():
        masks = batch.action_masks
        actions = np.where(goes_on, masks.argmax(axis=1), STAY)
        asked = np.flatnonzero(goes_on & (np.add.reduce(masks, axis=1, dtype=np.int16) > 1))
        if len(asked):
            seats = batch.seat[asked].astype(np.int64)
            decided = learner.decide(batch.observations[asked], masks[asked])
            actions[asked], values = decided.actions, decided.values
            if potential is not None:
                values = values + potential(batch)[asked, seats]
            rows.append((asked, seats, values))
        batch.step(actions)
        goes_on &= batch.done == GOES_ON
    return _compared(rows, batch)


def _compared(rows: list[tuple[Array, Array, Array]], batch: Batch) -> Foretold:
    games, seats, values = (np.concatenate(column) for column in zip(*rows, strict=True))
    order = np.argsort(games, kind="stable")
    counts = np.bincount(games, minlength=batch.num_games)
    nth = np.arange(len(order)) - (counts.cumsum() - counts)[games[order]]
    progress = nth / np.maximum(counts[games[order]] - 1, 1)
    winner = batch.states["winner"][games[order]]
    results = np.where(winner == seats[order], 1, -1 / (batch.seats - 1)).astype(np.float32)
    won = winner >= 0
    return Foretold(values[order][won], results[won], games[order][won], progress[won])


def explained(values: Array, results: Array) -> float:
    """The share of the results' variance that the values explain; below 0: worse than none.

    NaN where all results are alike, or there are none.

    >>> explained(np.array([0.5, -0.5]), np.array([1.0, -1.0]))
    0.75
    """
    if len(np.unique(results)) < 2:
        return float("nan")
    return float(1 - np.square(results - values).mean() / results.var())


def report(told: Foretold) -> str:
    """A line for each quarter of the games, and one for all."""
    lines = [f"{'decisions':<18}{'mean square':>12}{'explained':>11}"]
    part = np.minimum((told.progress * PARTS).astype(int), PARTS - 1)
    for k in range(PARTS):
        lines.append(_line(f"{k + 1}. quarter", told, part == k))
    lines.append(_line("all", told, np.ones(len(part), np.bool_)))
    right = (told.values[_last(told)] > 0) == (told.results[_last(told)] > 0)
    return "\n".join([*lines, f"at a game's last choice it knew who wins in {right.mean():.1%}"])


def _line(name: str, told: Foretold, rows: Array) -> str:
    values, results = told.values[rows], told.results[rows]
    off = np.square(results - values).mean()
    return f"{name:<18}{off:>12.3f}{explained(values, results):>11.1%}"


def _last(told: Foretold) -> Array:
    return np.flatnonzero(np.append(told.games[1:] != told.games[:-1], True))


def learner_of(weights: Path, batch: Batch) -> Learner:
    """The network in a weights file of `pointer`; ValueError where it has no value."""
    arrays = network.read(weights)
    if "value" not in arrays or "vertex_bias" not in arrays:
        raise ValueError(f"{str(weights)!r} has no value, or is no network of the kind pointer")
    widths = {"hidden": len(arrays["body"]), "local": len(arrays["vertex_bias"])}
    return Learner(Args(start=str(weights), widths=widths), batch, "cpu")


def main(given: list[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.outcome",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("weights", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rules", default="duel")
    parser.add_argument("--trade", action="store_true", help="with trade between seats")
    parser.add_argument("--seed", type=int, default=10**6)
    parser.add_argument(
        "--shaping", default="catan_env.training.games:lead",
        help="what it learned with; '' where that was the result alone (default: %(default)s)",
    )  # fmt: skip
    wanted = parser.parse_args(given)
    batch = catan(
        wanted.games, seats=wanted.seats, rules=wanted.rules, trade=wanted.trade,
        seed=wanted.seed, max_turns=1000, autoreset=False,
    )  # fmt: skip
    try:
        learner = learner_of(wanted.weights, batch)
    except ValueError as error:
        parser.error(str(error))
    told = foretold(learner, batch, named(wanted.shaping) if wanted.shaping else None)
    print(report(told))
    print(f"{len(np.unique(told.games))} games, {len(told.games):,} decisions, seed {wanted.seed}")


if __name__ == "__main__":
    main()
