"""catanatron's rows (Python; `pip install catanatron catanatron_gym`); it has no seat trade."""

import random
from collections.abc import Iterator

from catanatron import Color, Game, RandomPlayer  # type: ignore[import-not-found]

from benchmarks.ours import ENVIRONMENT, WHOLE_GAMES
from benchmarks.rows import Row, Work, until

COLORS = (Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE)


def rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Whole games of four random players, and its Gymnasium environment where installed."""
    yield whole_games()
    try:
        yield environment()
    except ImportError:
        return


def whole_games() -> Row:
    """Four random players to the end."""

    def some() -> Work:
        game = Game([RandomPlayer(color) for color in COLORS])
        game.play()
        return Work(len(game.state.actions), 1)

    return Row("catanatron", WHOLE_GAMES, 1, False, False, lambda seconds: until(seconds, some))


def environment() -> Row:
    """Steps of its Gymnasium environment: blue acts, three random players in between."""
    from catanatron_gym.envs.catanatron_env import CatanatronEnv  # type: ignore[import-not-found]

    env = CatanatronEnv(
        config={"enemies": [RandomPlayer(color) for color in COLORS if color != Color.BLUE]}
    )

    def some() -> Work:
        env.reset()
        steps, over = 0, False
        while not over:
            action = random.choice(env.get_valid_actions())
            _, _, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
            steps += 1
        return Work(steps, 1)

    return Row("catanatron gym", ENVIRONMENT, 1, False, True, lambda seconds: until(seconds, some))
