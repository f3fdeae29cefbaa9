"""The value of trade between seats: a policy's win rate with it and without it, by its partners.

    python -m benchmarks.trade [--policy greedy] [--pairs 2000] [--json runs/trade.json]

Each pair is one game with trade and one without, on the same board, from the same seat and with the
same dice: in the second the policy makes no offers and accepts none, while its three partners still
trade with each other. The difference in win rates is in points (percentage points), with its
95 % interval over the pairs. Games are saved in the file, and a run resumes from it; a larger
`--pairs` adds to the saved games. Partners:

- `value`: greedy, which offers and accepts trades by its value function
- `silent`: greedy without trades with other seats
- `generous`: greedy, but it accepts every offer that it can afford
- `haggler`: greedy, but it accepts an offer only if it gets more cards than it gives
- `network`: the shipped network for four seats
"""

import argparse
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import write_whole
from catan_env.policies.players import SILENT, player
from catan_env.training.evaluate import Bout, play

PARTNERS = {
    "value": "greedy",
    "silent": "silent:greedy",
    "generous": "benchmarks.trading_partners:Generous",
    "haggler": "benchmarks.trading_partners:Haggler",
    "network": "network",
}
"""The policies of the other three seats."""
SEATS = 4
AT_ONCE = 40
"""Pairs between two writes of the file; a multiple of the seats."""
Games = dict[str, list[bool]]
"""True for each game that the policy won: "with" trade and "without"."""


class Worth(NamedTuple):
    """Win rates in percent, and their difference in points with its 95 % interval."""

    pairs: int
    with_trade: float
    without: float
    difference: float
    reach: float


def worth(games: Games) -> Worth:
    """The value of trade in these pairs.

    >>> worth({"with": [True, True, False, True], "without": [True, False, False, False]})[:4]
    (4, 75.0, 25.0, 50.0)
    """
    won, lost = (100.0 * np.array(games[name], float) for name in ("with", "without"))
    pairs = len(won)
    spread = float(np.std(won - lost, ddof=1)) if pairs > 1 else 100.0
    return Worth(
        pairs, float(won.mean()), float(lost.mean()), float((won - lost).mean()),
        1.96 * spread / pairs**0.5,
    )  # fmt: skip


def more(policy: str, partner: str, seed: int, numbers: np.ndarray[Any, Any]) -> Games:
    """Play the pairs with these numbers."""
    won: Games = {}
    for name, entrant in (("with", policy), ("without", SILENT + policy)):
        bout = Bout((entrant, *[PARTNERS[partner]] * (SEATS - 1)), int(numbers[-1]) + 1, seed)
        won[name] = [winner == 0 for winner in play(bout, numbers)["winners"]]
    return won


def run(policy: str, partner: str, seed: int, pairs: int, file: Path) -> Games:
    """All pairs; the missing ones are played, and the file is written after each part."""
    key = f"{policy} with {partner}, seed {seed}"
    while True:
        kept = json.loads(file.read_text()) if file.exists() else {}
        games: Games = kept.get(key, {"with": [], "without": []})
        done = len(games["with"])
        if done >= pairs:
            return {name: won[:pairs] for name, won in games.items()}
        new = more(policy, partner, seed, np.arange(done, min(done + AT_ONCE, pairs)))
        kept[key] = {name: games[name] + new[name] for name in games}
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(kept))


def table(policy: str, rows: dict[str, Worth]) -> str:
    """The results as a Markdown table."""
    lines = [
        f"| partners of `{policy}` | pairs | with trade | without | value of trade, points |",
        "|---|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {name} | {row.pairs} | {row.with_trade:.1f} % | {row.without:.1f} % | "
        f"{row.difference:+.1f} ± {row.reach:.1f} |"
        for name, row in rows.items()
    ]
    return "\n".join(lines)


def main(given: list[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.trade",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--policy", default="greedy", help="a policy's name (greedy)")
    parser.add_argument("--partners", nargs="+", default=list(PARTNERS), choices=PARTNERS)
    parser.add_argument("--pairs", type=int, default=2000, help="for each partner (2000)")
    parser.add_argument("--seed", type=int, default=1, help="of the boards (1)")
    parser.add_argument("--json", type=Path, default=Path("runs/trade.json"), help="the games")
    wanted = parser.parse_args(given)
    if wanted.pairs < 1:
        parser.error(f"--pairs is {wanted.pairs}; allowed are 1 or more")
    with ends_in_one_line(parser.prog):
        player(wanted.policy)
        rows = {
            partner: worth(run(wanted.policy, partner, wanted.seed, wanted.pairs, wanted.json))
            for partner in wanted.partners
        }
    print(table(wanted.policy, rows))


if __name__ == "__main__":
    main()
