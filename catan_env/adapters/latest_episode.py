"""The latest episode of an environment of one game at a time, and its picture."""

from typing import Any

from gymnasium.error import ResetNeeded

from catan_env.adapters.games import Episode
from catan_env.adapters.options import Options


class LatestEpisode:
    """The part that environments of one game at a time share; `reset` sets the episode."""

    options: Options
    _episode: Episode
    _page: Any = None

    @property
    def game(self) -> Any:
        """A copy of the current game, including everything hidden."""
        return self._begun().game()

    def render(self) -> Any:
        """The position in the render mode."""
        return self.options.render(self._begun().game(), self._page)

    def close(self) -> None:
        """Close the page of render mode "human", if it is open."""
        if self._page is not None:
            self._page.close()

    def _begun(self) -> Episode:
        """The latest episode; ResetNeeded before the first."""
        if not hasattr(self, "_episode"):
            raise ResetNeeded("no episode has begun: call reset()")
        return self._episode
