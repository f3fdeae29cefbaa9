"""Tune the value function's weights by play: an evolution strategy over native matches.

Each generation draws candidates around a mean (CMA-ES with a diagonal covariance). A candidate
meets the champion on the same boards from every seat; the mean moves towards those that win most,
and becomes the champion when it clearly beats it.

    python -m catan_env.training.value_function.tune --seats 2 --out runs/duel.toml
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import ClassVar

import numpy as np

from catan_env.batch import play_out
from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import check_not_read, replacing
from catan_env.policies.greedy import whole_games_by
from catan_env.policies.value.names import NAMES
from catan_env.policies.value.weights import load, rounded, save
from catan_env.training.command_line import options_of
from catan_env.training.folder import make_folder_of
from catan_env.training.ranges import COUNT, POSITIVE, SEED, Range, Ranges, check_values, in_ranges
from catan_env.training.value_function.calibration import calibration

CLEARLY = 0.53
"""The win rate of a new champion at two seats; at more, relative to an even share."""


@dataclass
class Args:
    """The options of tuning."""

    RANGES: ClassVar[Ranges] = in_ranges(
        {
            Range(2, 4): "seats",
            Range(2): "popsize",
            COUNT: "generations games",
            SEED: "seed",
            POSITIVE: "sigma",
        }
    )

    seats: int = 2
    """seats of a game: 2 plays duels, 4 the booklet's game"""
    generations: int = 100
    """generations, of about six seconds each for duels, a minute at four seats, on one core"""
    popsize: int = 16
    """candidates of a generation"""
    games: int = 400
    """boards that a candidate plays on, each from every seat"""
    sigma: float = 0.25
    """standard deviation at the start, relative to each weight"""
    seed: int = 0
    """seed of the candidates and the boards"""
    start: str = "training/configs/value_by_hand.toml"
    """weights to start from"""
    out: str = "runs/tuned.toml"
    """file of the tuned weights"""


class Trial:
    """Games in which two sets of weights meet, natively."""

    def __init__(self, seats: int) -> None:
        self.seats, self.rules = seats, "duel" if seats == 2 else "base"

    def share(self, candidate: np.ndarray, champion: np.ndarray, seed: int, games: int) -> float:
        """The share of its games that the candidate wins: 1 / seats when it is as good."""
        won = 0
        for seat in range(self.seats):
            weights = [candidate if s == seat else champion for s in range(self.seats)]
            played = play_out(
                games,
                seats=self.seats,
                rules=self.rules,
                seed=seed,
                max_turns=400,
                policy=whole_games_by(weights),
            )
            won += played.wins[seat]
        return won / (games * self.seats)


class Strategy:
    """Separable CMA-ES over weights in units of their first size."""

    def __init__(self, start: np.ndarray, candidates: int, width: float, seed: int) -> None:
        self.unit, n = np.maximum(np.abs(start), 0.1), len(start)
        self.mean, self.size = start / self.unit, width
        self.spread, self.path, self.step_path = np.ones(n), np.zeros(n), np.zeros(n)
        self.generator = np.random.default_rng(seed)
        self.count, half = candidates, candidates // 2
        ranks = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
        self.ranks = ranks / ranks.sum()
        self.effective = 1 / (self.ranks**2).sum()

    def draw(self) -> np.ndarray:
        """Candidates: (candidates, n)."""
        self.drawn = self.generator.standard_normal((self.count, len(self.mean)))
        return (self.mean + self.size * np.sqrt(self.spread) * self.drawn) * self.unit

    def learn(self, shares: np.ndarray) -> None:
        """Move towards those that won most."""
        n, mu = len(self.mean), self.effective
        best = self.drawn[np.argsort(-shares)[: len(self.ranks)]]
        step = self.ranks @ best
        self.mean = self.mean + self.size * np.sqrt(self.spread) * step
        rate = (mu + 2) / (n + mu + 5)
        self.step_path = (1 - rate) * self.step_path + np.sqrt(rate * (2 - rate) * mu) * step
        length = np.linalg.norm(self.step_path) / np.sqrt(n)
        self.size *= np.exp(rate / (1 + rate) * (length - 1))
        slow = 4 / (n + 4)
        moved = np.sqrt(self.spread) * step
        self.path = (1 - slow) * self.path + np.sqrt(slow * (2 - slow) * mu) * moved
        one = (n + 2) / 3 * 2 / ((n + 1.3) ** 2 + mu)
        many = min(1 - one, (n + 2) / 3 * mu / ((n + 2) ** 2 + mu))
        seen = self.ranks @ (self.spread * best**2)
        self.spread = (1 - one - many) * self.spread + one * self.path**2 + many * seen


def weights_in(path: str) -> np.ndarray:
    """The weights in a file; ValueError with its name if it has other contents."""
    try:
        weights = load(path)
    except KeyError as error:
        raise ValueError(f"{path}: it has no weight {error}") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
    if not np.isfinite(weights).all():
        name = NAMES[int(np.isfinite(weights).argmin())]
        raise ValueError(f"{path}: the weight {name!r} is not finite")
    return weights


def tune(args: Args) -> np.ndarray:
    """The best weights found; each new champion is written immediately."""
    trial, champion, is_written = Trial(args.seats), weights_in(args.start), False
    strategy = Strategy(champion, args.popsize, args.sigma, args.seed)
    for generation in range(1, args.generations + 1):
        seed = args.seed * 1_000_003 + generation
        shares = np.array(
            [trial.share(weights, champion, seed, args.games) for weights in strategy.draw()]
        )
        strategy.learn(shares)
        mean = strategy.mean * strategy.unit
        share = trial.share(mean, champion, seed + 500_009, 4 * args.games)
        said_of = f"{generation}: best {shares.max():.3f}, mean {share:.3f}, {strategy.size:.3f}"
        print(said_of, flush=True)
        if share * args.seats > 2 * CLEARLY:
            champion = mean
            tables = (2,) if args.seats == 2 else (3, 4)
            calibrations = {
                seats: calibration(seats, trial.rules, rounded(champion)) for seats in tables
            }
            command = f"python -m catan_env.training.value_function.tune {as_typed(args)}"
            with replacing(Path(args.out)) as file:
                save(file, champion, calibrations, command)
            print("a new champion", dict(zip(NAMES, champion.round(2).tolist(), strict=True)))
            is_written = True
    nothing = "no better weights were found; nothing was written"
    print(f"{args.out}: written" if is_written else nothing)
    return champion


def as_typed(args: Args) -> str:
    """The arguments as they are typed."""
    return " ".join(f"--{name} {quote(str(value))}" for name, value in vars(args).items())


def main(given: Sequence[str] | None = None) -> None:
    """Tune by the command line."""
    prog = "python -m catan_env.training.value_function.tune"
    parser = argparse.ArgumentParser(prog=prog, description=__doc__.split("\n")[0])
    for name, _, value, text in options_of(Args):
        parser.add_argument(
            f"--{name}", type=type(value), default=value, help=f"{text} (default: %(default)s)"
        )
    args = Args(**vars(parser.parse_args(given)))
    with ends_in_one_line(prog):
        check_values(Args, vars(args))
        check_not_read(args.out, args.start)
        make_folder_of(args.out)
        tune(args)


if __name__ == "__main__":
    main()
