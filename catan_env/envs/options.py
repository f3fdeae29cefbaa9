"""The options, rewards and endings of Catan's environments; the rest is in `catan_env.adapters`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike

from catan_env.adapters.endings import LOSS, WIN
from catan_env.adapters.games import ENDED, GOES_ON, REFUSED, STAY
from catan_env.adapters.opponents import play_picks
from catan_env.adapters.options import Options as GameOptions
from catan_env.batch import Batch
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import SEATS, VICTORY_POINT, Placement
from catan_env.core.rules_shown import SIZES
from catan_env.envs.episode import Episode
from catan_env.envs.human import Human
from catan_env.envs.rewards import ArrayReward, EventReward, checked_reward, name_of
from catan_env.game.board import Board, refuse_more_harbours
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.game.observation import checked_version
from catan_env.game.rules import Rules
from catan_env.game.start import rules_of
from catan_env.game.view import SeatView
from catan_env.policy import Policy, as_policy, decide

Array = np.ndarray[Any, Any]
PIXELS = 800  # the width of a picture


@dataclass(frozen=True, kw_only=True)
class Options(GameOptions):
    """The options of Catan's environments; the table in `catan_env.envs.aec` explains them."""

    render_modes: ClassVar[tuple[str, ...]] = ("human", "ansi", "rgb_array", "svg")
    illegal_error: ClassVar[type[Exception]] = IllegalActionError

    seats: int = 4
    rules: Rules | str | None = None
    board: Board | str = "spiral"
    reward: str | Mapping[str, float] | ArrayReward | EventReward = "sparse"
    max_turns: int | None = 1000
    observation_version: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_reward(self.reward)
        checked_version(self.observation_version)
        object.__setattr__(self, "rules", rules_of(self.rules))
        refuse_more_harbours(self.new_game(0).board)

    @cached_property
    def own_reward(self) -> ArrayReward | EventReward | None:
        """The function that pays, unless the reward is "sparse" or "shaped"."""
        return checked_reward(self.reward)

    @property
    def num_seats(self) -> int:
        """The number of seats."""
        return self.seats

    @property
    def num_actions(self) -> int:
        """The number of flat indices."""
        return NUM_ACTIONS

    @cached_property
    def is_paid_on_the_way(self) -> bool:  # type: ignore[override]
        """True if seats are paid before the end."""
        return self.reward != "sparse"

    def vector_space(self) -> spaces.Box:
        """A fresh space of observations without the mask."""
        return spaces.Box(0, 127, (SIZES[self.observation_version],), np.int8)

    def new_game(self, seed: int) -> Game:
        """A game with these options, before its first decision."""
        return Game(self.seats, seed, self.rules, self.board)

    def new_episode(self, seed: int) -> Episode:
        """The game of that seed before its first decision."""
        return Episode(self.new_game(seed), self.own_reward, self.observation_version)

    def new_games(self, n: int, threads: int) -> "CatanGames":
        """N games that have yet to begin, with observations and masks."""
        reward = self.own_reward
        if not isinstance(reward, ArrayReward | None):
            raise TypeError(
                f"reward is the function {name_of(reward)}; many games take an ArrayReward "
                "(catan_env.envs.rewards), which pays all of them in one call"
            )
        return CatanGames(
            n,
            reward,
            seats=self.seats,
            rules=self.rules,
            board=self.board,
            max_turns=self.max_turns,
            autoreset=False,
            threads=threads,
            observation_version=self.observation_version,
        )

    def is_too_long(self, episode: Episode) -> bool:
        """True if the turn limit cuts off a game that is not over."""
        return self.max_turns is not None and episode.turn > self.max_turns

    def totals(self, episode: Episode) -> list[float]:
        """The total paid to each seat so far: its potential, or its result at the end."""
        if self.own_reward is not None:
            return episode.earned[: self.seats]
        if episode.is_over:
            return [1.0 if s == episode.winner else self._loss() for s in range(self.seats)]
        if self.reward == "sparse" or self.is_too_long(episode):
            return [0.0] * self.seats
        return [float(self._potential(episode.points(seat))) for seat in range(self.seats)]

    def totals_in(self, games: "CatanGames", done: Array) -> Array:
        """`totals` in each of the games, whose `done` is given: (n, 4) float64."""
        if games.reward is not None:
            return games.earned.copy()
        totals = np.zeros((games.num_games, SEATS))
        if self.reward == "shaped":
            points = games.states["points"] + games.states["cards"][:, :, VICTORY_POINT]
            np.copyto(totals, self._potential(points), where=(done == GOES_ON)[:, None])
        won = np.flatnonzero(done == ENDED)
        if len(won):
            totals[won, : self.seats] = self._loss()
            totals[won, games.states["winner"][won]] = 1.0
        return totals

    def reason(self, episode: Episode, seat: int) -> str:
        """The ending of a finished game from a seat's perspective."""
        return WIN if seat == episode.winner else LOSS

    def reason_in(self, games: Batch, i: int, seat: int) -> str:
        """`reason` in game i."""
        return WIN if seat == games.states["winner"][i] else LOSS

    def as_policy(self, choice: Any, seed: int) -> Policy:
        """A policy from its name, its class, itself, or a function of a view."""
        return as_policy(choice, seed)

    def decide(self, policy: Policy, view: SeatView) -> int:
        """A policy's action."""
        return decide(policy, view)

    def check_seat(self, seat: int | str) -> None:
        """Raise ValueError if the turn limit ends games before the seat's first turn."""
        first_turn, limit = self.seats if isinstance(seat, str) else seat + 1, self.max_turns
        assert isinstance(self.rules, Rules)
        if self.rules.placement != Placement.SEATS and limit is not None and limit < first_turn:
            raise ValueError(
                f"max_turns is {limit}; where the table places the first pieces and the seat is "
                f"{seat!r}, allowed are {first_turn} or more, and None"
            )

    def new_page(self) -> Human:
        """The page on which render mode "human" shows games."""
        return Human()

    def render(self, game: Game, page: Any = None) -> Any:
        """The position in this render mode: text, pixels, an SVG document, or shown to a person."""
        if self.render_mode == "human":
            return page.show(game)
        if self.render_mode not in ("svg", "rgb_array"):
            return super().render(game)
        from catan_env.render import board_svg, rasterize

        svg = board_svg(game, width=PIXELS)
        return svg if self.render_mode == "svg" else rasterize(svg, PIXELS)

    def _loss(self) -> float:
        """The reward of losing; a win is worth 1."""
        return -1.0 / (self.seats - 1)

    def _potential(self, points: Any) -> Any:
        """The shaped reward of a number of points."""
        assert isinstance(self.rules, Rules)
        return points / self.rules.points_to_win


class CatanGames(Batch):
    """Games in lockstep that pay a user-defined reward."""

    def __init__(self, n: int, reward: ArrayReward | None, **options: Any) -> None:
        self.reward = reward
        self.earned = np.zeros((n, SEATS))
        """The total that `reward` has paid to each seat: (n, 4) float64."""
        super().__init__(n, **options)

    def begin(self, i: int, seed: int) -> None:
        """Begin game i with a seed; the next `refresh` shows it."""
        super().begin(i, seed)
        self.earned[i] = 0

    def play(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one in each game."""
        if self.reward is None:
            super().play(actions)
            return
        given = np.asarray(actions)
        rows = np.flatnonzero(given != STAY)
        before = self._copies(rows)
        super().play(actions)
        if (self.done[rows] == REFUSED).any():
            played = self.done[rows] != REFUSED
            rows, before = rows[played], before[played]
        if len(rows):
            self.earned[rows] += self.reward.checked(before, given[rows], self._copies(rows))

    def play_others(self, seats: ArrayLike) -> None:
        """Let others play at random until seat `seats[i]` decides in game i; adds to `done`."""
        if self.reward is None:
            super().play_others(seats)
            return
        play_picks(self, seats, self.pick_others)

    def _copies(self, rows: Array) -> Array:
        """Copies of the positions in these games."""
        raw = self.states.view(np.uint8).reshape(self.num_games, -1)
        copies: Array = raw[rows].view(self.states.dtype)[:, 0]
        return copies
