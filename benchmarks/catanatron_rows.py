"""catanatron's rows (Python; `pip install catanatron`); it has no trade between seats."""

from collections.abc import Iterator

from catanatron import Color, Game, RandomPlayer  # type: ignore[import-not-found]

from benchmarks.ours import WHOLE_GAMES
from benchmarks.rows import Row, Work, until

COLORS = (Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE)


def rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Whole games of four random players."""
    yield whole_games()


def whole_games() -> Row:
    """Four random players, to the end of the game."""

    def some() -> Work:
        game = Game([RandomPlayer(color) for color in COLORS])
        game.play()
        return Work(len(game.state.actions), 1)

    return Row("catanatron", WHOLE_GAMES, 1, False, False, lambda seconds: until(seconds, some))
