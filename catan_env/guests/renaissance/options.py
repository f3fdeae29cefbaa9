"""The environments of this game: options, rewards, endings; `catan_env.adapters` does the rest."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from catan_env.adapters.checks import check
from catan_env.adapters.endings import LOSS, WIN
from catan_env.adapters.games import ENDED
from catan_env.adapters.options import Options as GameOptions
from catan_env.adapters.pasts import Past, WithPast
from catan_env.adapters.plain import PlainEpisode
from catan_env.adapters.policies import Policy
from catan_env.guests.renaissance.batch import MAX_ROUNDS, Batch
from catan_env.guests.renaissance.errors import IllegalActionError
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.cards import DECKS
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.native.state import SEATS
from catan_env.guests.renaissance.policies import as_policy
from catan_env.guests.renaissance.position import Array
from catan_env.kernel.numbers import whole

NO_LIMIT = 2**31 - 1
POINTS = 100  # points that are worth as much as a win, with reward="points"


@dataclass(frozen=True, kw_only=True)
class Options(GameOptions):
    """The options of the environments; the table in `renaissance.aec` explains them."""

    illegal_error: ClassVar[type[Exception]] = IllegalActionError

    seats: int = 2
    cards: str = "printed"
    reward: str = "sparse"
    max_rounds: int | None = MAX_ROUNDS

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("seats", self.seats, 1, SEATS)
        check("cards", self.cards, DECKS)
        check("reward", self.reward, ("sparse", "points"))

    @property
    def num_seats(self) -> int:
        """The number of players."""
        return self.seats

    @property
    def num_actions(self) -> int:
        """The number of flat indices."""
        return NUM_ACTIONS

    def vector_space(self) -> spaces.Box:
        """A new observation space, without the mask."""
        return spaces.Box(0, 255, (OBSERVATION_SIZE,), np.uint8)

    def new_game(self, seed: int) -> Game:
        """The game of that seed before its first decision."""
        return Game(self.seats, seed, self.cards)

    def new_episode(self, seed: int) -> PlainEpisode:
        """The game of that seed before its first decision."""
        return PlainEpisode(self.new_game(seed), IllegalActionError)

    def new_games(self, n: int, threads: int) -> "RenaissanceGames":
        """N new games, with observations and masks."""
        return RenaissanceGames(n, self, threads)

    def is_too_long(self, episode: PlainEpisode) -> bool:
        """True if the limit of rounds cuts off a game that is not over."""
        return self.max_rounds is not None and episode.played.round > self.max_rounds

    def totals(self, episode: PlainEpisode) -> list[float]:
        """Each seat's return in this episode: 0 before the end."""
        game = episode.played
        if not game.is_over:
            return [0.0] * self.seats
        totals = [1.0 if game.winner == seat else self._loss() for seat in range(self.seats)]
        if self.reward == "points":
            return [total + n / POINTS for total, n in zip(totals, game.scores(), strict=True)]
        return totals

    def totals_in(self, games: Batch, done: Array) -> Array:
        """Like `totals` for each of the games, whose state is `done`: (n, seats) float64."""
        totals = np.zeros((games.num_games, self.seats))
        over = np.flatnonzero(done == ENDED)
        if len(over):
            is_won = np.arange(self.seats) == games.states["winner"][over, None]
            totals[over] = np.where(is_won, 1.0, self._loss())
            if self.reward == "points":
                totals[over] += games.states["score"][over, : self.seats] / POINTS
        return totals

    def reason(self, episode: PlainEpisode, seat: int) -> str:
        """The reason why a finished game ended, from a seat's perspective."""
        return WIN if episode.played.winner == seat else LOSS

    def reason_in(self, games: Batch, i: int, seat: int) -> str:
        """Like `reason`, for game i."""
        return WIN if games.states["winner"][i] == seat else LOSS

    def as_policy(self, choice: Any, seed: int) -> Policy:
        """A policy from its name, its class, itself, or a function of a view."""
        return as_policy(choice, seed)

    def _loss(self) -> float:
        """The reward of losing; a win is worth 1."""
        return -1.0 / max(self.seats - 1, 1)


class RenaissanceGames(WithPast, Batch):
    """Games in lockstep that are available with their past."""

    def __init__(self, n: int, options: Options, threads: int) -> None:
        self.past = Past(n, options.new_game)
        super().__init__(
            n,
            seats=options.seats,
            cards=options.cards,
            max_rounds=NO_LIMIT if options.max_rounds is None else options.max_rounds,
            threads=threads,
            autoreset=False,
        )

    def view(self, i: int, seat: int) -> Any:
        """The view of `seat` in game i; the past adds nothing to it."""
        return Batch.view(self, i, seat)


def seated(opponents: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options with the seats that the opponents need: solo without any, else one each."""
    if "seats" in options:
        return options
    if isinstance(opponents, list | tuple):
        return {**options, "seats": len(opponents) + 1}
    return {**options, "seats": 1 if opponents is None else 2}
