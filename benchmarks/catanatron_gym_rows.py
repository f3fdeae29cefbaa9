"""catanatron's Gymnasium environment (`pip install --no-deps catanatron_gym`, with catanatron)."""

import random
from collections.abc import Iterator

import catanatron_gym  # type: ignore[import-not-found]  # noqa: F401 (named if it is missing)
from catanatron import Color, RandomPlayer
from catanatron_gym.envs.catanatron_env import CatanatronEnv  # type: ignore[import-not-found]

from benchmarks.ours import ENVIRONMENT
from benchmarks.rows import Row, Work, until

ENEMIES = (Color.RED, Color.ORANGE, Color.WHITE)


def rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Steps of the environment: blue acts, three random players play in between."""
    env = CatanatronEnv(config={"enemies": [RandomPlayer(color) for color in ENEMIES]})

    def some() -> Work:
        env.reset()
        steps, over = 0, False
        while not over:
            action = random.choice(env.get_valid_actions())
            _, _, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
            steps += 1
        return Work(steps, 1)

    yield Row("catanatron gym", ENVIRONMENT, 1, False, True, lambda seconds: until(seconds, some))
