"""The page of `render_mode="human"`: the live table's, opened at the first position."""

from typing import Any

from catan_env.game.game import Game


class Human:
    """A page in the browser, opened when there is something to show; a copy opens its own."""

    def __init__(self) -> None:
        self._window: Any = None

    def show(self, game: Game) -> None:
        """Show the current position."""
        if self._window is None:
            from catan_env.web.window import Window

            self._window = Window()
        self._window.show(game)

    def close(self) -> None:
        """Close the page's connection, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __reduce__(self) -> Any:
        return Human, ()
