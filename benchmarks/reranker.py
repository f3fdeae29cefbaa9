"""`python -m benchmarks.reranker`: how many positions a shipped network evaluates per second.

In positions of `greedy`'s games in which at least six moves are legal, one processor plays each of
the six best, writes the features of the position after it and computes the network's output.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from catan_env.batch import STAY, Batch
from catan_env.core.state import doorway
from catan_env.game.rules import Rules
from catan_env.policies.greedy import rank
from catan_env.policies.rerank import RerankNetwork, doors
from catan_env.policies.rerank.doors import CANDIDATES
from catan_env.policies.rerank.reranker import ensure_reranker
from catan_env.policies.rerank.shipped import FILES, shipped_network
from catan_env.policies.value import doors as value_doors
from catan_env.policies.value.choice import MOST
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for

Array = np.ndarray[Any, Any]
GAMES, PLAYED, SEED = 1024, 150, 1
"""The games that the positions are from, and the decisions made in them before."""


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reranker", description=__doc__)
    parser.add_argument("--turns", type=int, default=30, help="of the positions (default: 30)")
    turns = parser.parse_args().turns
    ensure_reranker()
    print(f"{'network':24}{'units':>6}{'evaluations per second':>24}{'µs per decision':>17}")
    for (seats, trade), name in FILES.items():
        network = shipped_network(seats, trade)
        assert network is not None
        ranking, choosing = (t / 1000 for t in times(network, positions(seats, trade), turns))
        rate = CANDIDATES / (choosing - ranking) * 1e6
        print(f"{name:24}{network.units.shape[1]:6}{rate:24,.0f}{choosing:17.1f}")


def positions(seats: int, trade: bool) -> Array:
    """Positions with at least six moves to choose from, in which their seats act."""
    rules = replace(Rules.base(), player_trade=trade)
    batch = Batch(GAMES, seats=seats, rules=rules, seed=SEED, observations=False)
    for _ in range(PLAYED):
        batch.play(rank(batch, 1)[0][:, 0])
    has_six = rank(batch, CANDIDATES)[0][:, CANDIDATES - 1] != STAY
    found: Array = batch.states[has_six].copy()
    return found


def times(network: RerankNetwork, states: Array, turns: int) -> tuple[float, float]:
    """Nanoseconds per position to rank the moves by value, and to choose one by the network."""
    games, count, scratch = doorway(states), len(states), Scratch()
    weights, network_memory = row(weights_for(network.seats)), network.memory()
    moves, scores = np.zeros((count, MOST), np.int64), np.zeros((count, MOST))
    chosen = row(np.zeros(count, np.int64))

    def ranks() -> None:
        value_doors.rank_actions(games, weights, *scratch.memory, moves, scores, 0, count)

    def chooses() -> None:
        memory = *network_memory, weights, *scratch.memory
        doors.choose_reranked(games, *memory, chosen, 0, count)

    taken = [(time_of(ranks), time_of(chooses)) for _ in range(turns)]
    ranking, choosing = (statistics.median(each) / count for each in zip(*taken, strict=True))
    return ranking, choosing


def time_of(call: Callable[[], None]) -> int:
    """The nanoseconds of this thread's processor time that a call takes."""
    start = time.thread_time_ns()
    call()
    return time.thread_time_ns() - start


if __name__ == "__main__":
    main()
