"""Evaluate actions by random playouts in copies of an environment.

A copy has the original's future, including chance. So this player cheats: it knows the dice and the
hidden cards, as a study of an environment may. A policy gets a `SeatView`, which hides them.
"""

import copy
import sys

import numpy as np

from catan_env.envs.single import CatanEnv


def value_of(environment: CatanEnv, action: int, generator: np.random.Generator) -> float:
    """The rewards of an episode that starts with `action` and continues at random."""
    ahead = copy.deepcopy(environment)
    _, total, terminated, truncated, _ = ahead.step(action)
    while not (terminated or truncated):
        legal = np.flatnonzero(ahead.action_masks())
        _, reward, terminated, truncated, _ = ahead.step(int(generator.choice(legal)))
        total += reward
    return total


def best_action(environment: CatanEnv, generator: np.random.Generator, tries: int = 6) -> int:
    """The best of some legal actions, each tried once."""
    legal = np.flatnonzero(environment.action_masks())
    tried = generator.permutation(legal)[:tries].tolist()
    return max(tried, key=lambda action: value_of(environment, action, generator))


def main(decisions: int = 10) -> None:
    """Play the first decisions of a game with `best_action`."""
    generator = np.random.default_rng(1)
    environment = CatanEnv("random", seats=2, rules="duel", reward="shaped", max_turns=60)
    environment.reset(seed=1)
    for _ in range(decisions):
        _, reward, terminated, truncated, _ = environment.step(best_action(environment, generator))
        print(f"{reward:+.1f}  {environment.game.events[-1]}")
        if terminated or truncated:
            break


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
