"""`python -m catan_env.training.value_function.explained WEIGHTS.npz`: does a value know who wins?

The network plays in all seats, drawing its actions. At every choice its value is recorded, and
compared with the game's result: the explained variance, in each quarter of the games. Networks of
`training.self_play` and `training.expert_iteration` have a value; cloned ones do not.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from catan_env.batch import GOES_ON, STAY, Batch
from catan_env.extras import ends_in_one_line
from catan_env.game.rules import PRESETS
from catan_env.policies import network
from catan_env.training.agent import Agent
from catan_env.training.config import named
from catan_env.training.functions import check_potential
from catan_env.training.games import catan
from catan_env.training.options import Args
from catan_env.training.ranges import check_counts

Array = np.ndarray[Any, Any]
MAX_TURNS = 1000
PARTS = 4
"""Parts of a game, by the fraction of its decisions that are made."""


class PlayedOut(NamedTuple):
    """The values and the results at each decision of the games that were won."""

    values: Array
    """(n,) float32."""
    results: Array
    """(n,) float32: 1 for a win, -1/(seats - 1) for a loss."""
    games: Array
    """(n,) int64."""
    progress: Array
    """(n,) float64, 0 at the game's first decision and 1 at its last."""


def played_out(agent: Agent, batch: Batch, potential: Any = None) -> PlayedOut:
    """Play every game of a batch (without `autoreset`) to its end, once.

    A `potential` (`shaping` in a configuration) is added to the values, which leave it out.
    """
    games = np.arange(batch.num_games)
    rows: list[tuple[Array, Array, Array]] = []
    goes_on = np.ones(len(games), np.bool_)
    while goes_on.any():
        assert batch.observations is not None and batch.action_masks is not None
        masks = batch.action_masks
        actions = np.where(goes_on, masks.argmax(axis=1), STAY)
        asked = np.flatnonzero(goes_on & (np.add.reduce(masks, axis=1, dtype=np.int16) > 1))
        if len(asked):
            seats = batch.seat[asked].astype(np.int64)
            choices = agent.act(batch.observations[asked], np.packbits(masks[asked], axis=1))
            actions[asked], values = choices.actions, choices.values
            if potential is not None:
                values = values + potential(batch)[asked, seats]
            rows.append((asked, seats, values))
        batch.step(actions)
        goes_on &= batch.done == GOES_ON
    return _compared(rows, batch)


def _compared(rows: list[tuple[Array, Array, Array]], batch: Batch) -> PlayedOut:
    games, seats, values = (np.concatenate(column) for column in zip(*rows, strict=True))
    order = np.argsort(games, kind="stable")
    counts = np.bincount(games, minlength=batch.num_games)
    nth = np.arange(len(order)) - (counts.cumsum() - counts)[games[order]]
    progress = nth / np.maximum(counts[games[order]] - 1, 1)
    winner = batch.states["winner"][games[order]]
    results = np.where(winner == seats[order], 1, -1 / (batch.seats - 1)).astype(np.float32)
    won = winner >= 0
    return PlayedOut(values[order][won], results[won], games[order][won], progress[won])


def explained_variance(values: Array, results: Array) -> float:
    """The fraction of the results' variance that the values explain; below 0: worse than a mean.

    NaN if all results are equal, or there are none.

    >>> explained_variance(np.array([0.5, -0.5]), np.array([1.0, -1.0]))
    0.75
    """
    if len(np.unique(results)) < 2:
        return float("nan")
    return float(1 - np.square(results - values).mean() / results.var())


def report(played: PlayedOut) -> str:
    """One line per quarter of the games, and one for all."""
    lines = [f"{'decisions':<18}{'mean square':>12}{'explained':>11}"]
    part = np.minimum((played.progress * PARTS).astype(int), PARTS - 1)
    for k in range(PARTS):
        lines.append(_line(f"{k + 1}. quarter", played, part == k))
    lines.append(_line("all", played, np.ones(len(part), np.bool_)))
    right = (played.values[_last(played)] > 0) == (played.results[_last(played)] > 0)
    return "\n".join([*lines, f"at a game's last choice its sign was right in {right.mean():.1%}"])


def _line(name: str, played: PlayedOut, rows: Array) -> str:
    values, results = played.values[rows], played.results[rows]
    off = np.square(results - values).mean()
    return f"{name:<18}{off:>12.3f}{explained_variance(values, results):>11.1%}"


def _last(played: PlayedOut) -> Array:
    return np.flatnonzero(np.append(played.games[1:] != played.games[:-1], True))


def agent_of(weights: Path, batch: Batch) -> Agent:
    """The network in a weights file of `pointer`; ValueError if it has no value."""
    arrays = network.read(weights)
    if "value" not in arrays or "vertex_bias" not in arrays:
        raise ValueError(f"{str(weights)!r} has no value, or is not a network of the kind pointer")
    widths = {"hidden": len(arrays["body"]), "local": len(arrays["vertex_bias"])}
    return Agent(Args(initial_weights=str(weights), network_options=widths), batch, "cpu")


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.value_function.explained",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("weights", type=Path, help="weights file of a network with a value, a .npz")
    add("--games", type=int, default=400, help="games to play (default: %(default)s)")
    add("--seats", type=int, default=2, help="seats of a game (default: %(default)s)")
    add("--rules", default="duel", help=f"{', '.join(PRESETS)} (default: duel)")
    add("--no-trade", dest="trade", action="store_false", help="seats trade with the bank only")
    add("--trade", dest="has_old_option", action="store_true", help=argparse.SUPPRESS)
    add("--seed", type=int, default=10**6, help="seed of the games (default: %(default)s)")
    add(
        "--shaping", default="catan_env.training.games:lead",
        help="what it learned with; '' if that was the result alone (default: %(default)s)",
    )  # fmt: skip
    return parser


def main(given: list[str] | None = None) -> None:
    """Play and print."""
    parser = _arguments()
    wanted = parser.parse_args(given)
    if wanted.has_old_option:
        print(f"{parser.prog}: --trade is the default now", file=sys.stderr)
    with ends_in_one_line(parser.prog):
        check_counts(wanted, "games")
        batch = catan(
            wanted.games, seats=wanted.seats, rules=wanted.rules, trade=wanted.trade,
            seed=wanted.seed, max_turns=MAX_TURNS, autoreset=False,
        )  # fmt: skip
        potential = named(wanted.shaping) if wanted.shaping else None
        if potential is not None:
            check_potential("--shaping", potential, batch)
        played = played_out(agent_of(wanted.weights, batch), batch, potential)
        if not len(played.games):
            raise ValueError(f"none of the {wanted.games} games was won in {MAX_TURNS} turns")
    print(report(played))
    print(
        f"{len(np.unique(played.games))} games, {len(played.games):,} decisions, seed {wanted.seed}"
    )


if __name__ == "__main__":
    main()
