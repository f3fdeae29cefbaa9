"""The cost of user-defined rewards in a vector of games, compared with the sparse reward."""

import argparse
import time
from typing import Any

import numpy as np
from numba import njit

from catan_env.core.constants import NOBODY
from catan_env.envs.rewards import ArrayReward
from catan_env.envs.vector import CatanVectorEnv


def win_and_points(before: Any, actions: Any, after: Any) -> Any:
    """A tenth of the open points gained, and the result at the end: (n, 4)."""
    paid = np.zeros((len(after), 4))
    for i in range(len(after)):
        game, past = after[i], before[i]
        for seat in range(game.seats):
            paid[i, seat] = 0.1 * (game.points[seat] - past.points[seat])
            if game.winner == seat:
                paid[i, seat] += 1
            elif game.winner != NOBODY:
                paid[i, seat] -= 1 / (game.seats - 1)
    return paid


REWARDS: dict[str, Any] = {
    "sparse": "sparse",
    "shaped": "shaped",
    "points": {"win": 1, "points": 0.1},
    "production": {"win": 1, "production": 0.1},
    "compiled": ArrayReward(njit(win_and_points)),
}
"""The last one is a function of one's own, compiled by Numba."""


def arguments() -> argparse.Namespace:
    """The command line's arguments."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.own_rewards", description=__doc__)
    parser.add_argument("--opponents", default="random", help="a policy's name (random)")
    parser.add_argument("--num-envs", type=int, default=1024, help="games (1024)")
    parser.add_argument("--num-steps", type=int, default=150, help="timed steps (150)")
    parser.add_argument("--repeats", type=int, default=3, help="the best of these is shown (3)")
    return parser.parse_args()


def seconds_per_step(args: argparse.Namespace, reward: Any) -> float:
    """Processor seconds of one step."""
    environments = CatanVectorEnv(
        args.num_envs, opponents=args.opponents, reward=reward, copy=False
    )
    environments.reset(seed=1)
    games = environments._games.batch
    start = time.process_time()
    for _ in range(args.num_steps):
        environments.step(np.maximum(games.sample_legal(), 0))
    return (time.process_time() - start) / args.num_steps


def main() -> None:
    """Print the best of several repeats for each reward."""
    args = arguments()
    best = dict.fromkeys(REWARDS, float("inf"))
    for _ in range(args.repeats):
        for name, reward in REWARDS.items():
            best[name] = min(best[name], seconds_per_step(args, reward))
    for name, seconds in best.items():
        print(f"{name:12} {1e3 * seconds:7.2f} ms per step {seconds / best['sparse']:6.2f}")


if __name__ == "__main__":
    main()
