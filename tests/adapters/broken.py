"""The dice game of the examples, with one promise broken: the games that tests plant."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from catan_env.adapters.aec import GameAEC
from catan_env.adapters.learning import LearningBatch
from catan_env.adapters.many import ManyGames
from catan_env.adapters.one_seat import OneSeatEnv
from catan_env.adapters.plain import PlainEpisode
from examples import fourth_game

Array = np.ndarray[Any, Any]


def unchanged(found: Any, game: Any) -> Any:
    """A game's result as it is."""
    return found


@dataclass(frozen=True, kw_only=True)
class Broken(fourth_game.Options):
    """Dice of which a method returns what a function makes of it and of the game."""

    totals_as: Callable[[Any, Any], Any] = unchanged
    observed_as: Callable[[Any, Any], Any] = unchanged
    mask_as: Callable[[Any, Any], Any] = unchanged
    game: type[fourth_game.Game] = fourth_game.Game

    def new_episode(self, seed: int) -> PlainEpisode:
        return BrokenEpisode(self.game(seed), self)

    def totals(self, episode: PlainEpisode) -> Any:
        return self.totals_as(super().totals(episode), episode.played)


class BrokenEpisode(PlainEpisode):
    """An episode of `Broken`."""

    def __init__(self, game: Any, options: Broken) -> None:
        super().__init__(game, ValueError)
        self._options = options

    def observation(self, seat: int) -> Array:
        seen: Array = self._options.observed_as(super().observation(seat), self.played)
        return seen

    def action_mask(self) -> Array:
        mask: Array = self._options.mask_as(super().action_mask(), self.played)
        return mask

    def is_legal(self, index: int) -> bool:
        return super().is_legal(index) and bool(self.action_mask()[index])

    def view(self, seat: int) -> Any:
        view = super().view(seat)
        if seat == self.seat:
            view.action_mask = self._options.mask_as(view.action_mask, self.played)
        return view


class BrokenAEC(GameAEC):
    kind = Broken
    metadata = {"name": "broken_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012


class BrokenEnv(OneSeatEnv):
    kind = Broken


class BrokenVectorEnv(ManyGames):
    kind = Broken


def batch(num_games: int, *, seed: int = 0, threads: int = 1, **options: Any) -> LearningBatch:
    """The batch for training."""
    return LearningBatch(Broken.of(options), num_games, seed, threads)
