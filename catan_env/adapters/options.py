"""The options of environments in every game, and the parts that each game fills in."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from gymnasium import spaces

from catan_env.adapters.checks import check, checked_limit
from catan_env.adapters.games import Array, Episode, Games
from catan_env.adapters.plain import PlainGames, refusal_of
from catan_env.adapters.policies import Policy, decide
from catan_env.adapters.promises import (
    check_any_legal,
    check_mask,
    check_observation,
    checked_totals,
    checked_totals_of_all,
)

COMMON = ["mask_in", "illegal", "render_mode"]
MOST_SKIPPED = 1000
"""Games in a row without a decision of the seat, after which a reset is refused."""


class UnknownOptionError(TypeError):
    """An option that neither the game nor the contract has."""


@dataclass(frozen=True, kw_only=True)
class Options(ABC):
    """The options that all games share; each game adds its own, and the methods below.

    - `mask_in`: "observation", a dict with the mask in it; "info", with a plain Box; "both"
    - `illegal`: "penalty", "raise" or "ignore"
    - `render_mode`: one of `render_modes`, or None

    An option whose name begins with `max_` limits the length of a game; None means no limit.
    """

    render_modes: ClassVar[tuple[str, ...]] = ("human", "ansi")
    illegal_error: ClassVar[type[Exception]] = ValueError
    """The error of illegal="raise"."""
    is_paid_on_the_way: ClassVar[bool] = False
    """True if `totals` changes before the end."""
    is_reward_shared: ClassVar[bool] = False
    """True if all seats receive the same, so that their steps can be one trajectory."""
    game_name: ClassVar[str]
    """The game's name in weights files: the module of the class, unless the class sets it."""

    mask_in: str = "observation"
    illegal: str = "penalty"
    render_mode: str | None = None

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        cls.game_name = vars(cls).get("game_name", cls.__module__)

    def __post_init__(self) -> None:
        check("mask_in", self.mask_in, ("observation", "info", "both"))
        check("illegal", self.illegal, ("penalty", "raise", "ignore"))
        check("render_mode", self.render_mode, (None, *self.render_modes))
        for name in self.names():
            if name.startswith("max_"):
                object.__setattr__(self, name, checked_limit(name, getattr(self, name)))

    @classmethod
    def of(cls, given: dict[str, Any]) -> Self:
        """Options by name; TypeError for an unknown one."""
        names = cls.names()
        if unknown := sorted(given.keys() - set(names)):
            limit = next((name for name in names if name.startswith("max_")), None)
            text = f"unknown option {', '.join(unknown)}; there are {', '.join(names)}"
            if "max_episode_steps" in unknown and limit:
                text += f"; {limit} limits the length of a game"
            raise UnknownOptionError(text)
        return cls(**given)

    @classmethod
    def names(cls) -> list[str]:
        """The options' names, the game's own first."""
        names = [field.name for field in fields(cls)]
        return [*(name for name in names if name not in COMMON), *COMMON]

    def never_acts(self, seat: int | str) -> ValueError:
        """The error of a reset that found no game with a decision of the seat."""
        limits = [name for name in self.names() if name.startswith("max_")]
        given = "".join(f"; {name} is {getattr(self, name)}" for name in limits)
        return ValueError(f"seat {seat!r} has no decision in {MOST_SKIPPED:,} games{given}")

    @cached_property
    def mask_in_observation(self) -> bool:
        """True if an observation is a dict with the mask in it."""
        return self.mask_in != "info"

    @cached_property
    def mask_in_info(self) -> bool:
        """True if the infos contain the mask."""
        return self.mask_in != "observation"

    def observation_space(self) -> spaces.Space[Any]:
        """A fresh space that holds every observation."""
        if not self.mask_in_observation:
            return self.vector_space()
        mask = spaces.Box(0, 1, (self.num_actions,), np.int8)
        return spaces.Dict({"observation": self.vector_space(), "action_mask": mask})

    def action_space(self) -> spaces.Discrete:
        """A fresh space that holds every flat index."""
        return spaces.Discrete(self.num_actions)

    def no_mask(self) -> Array:
        """A mask without legal actions: a fresh array."""
        return np.zeros(self.num_actions, np.int8)

    @property
    @abstractmethod
    def num_seats(self) -> int:
        """The number of seats."""

    @property
    @abstractmethod
    def num_actions(self) -> int:
        """The number of flat indices."""

    @abstractmethod
    def vector_space(self) -> spaces.Box:
        """A fresh space of observations without the mask."""

    @abstractmethod
    def new_episode(self, seed: int) -> Episode:
        """The game of that seed before its first decision."""

    @abstractmethod
    def new_games(self, n: int, threads: int) -> Games:
        """N games that have yet to begin, with observations and masks."""

    @abstractmethod
    def is_too_long(self, episode: Any) -> bool:
        """True if an unfinished game is beyond the limit."""

    @abstractmethod
    def totals(self, episode: Any) -> Sequence[float]:
        """The total paid to each seat by the episode so far."""

    @abstractmethod
    def reason(self, episode: Any, seat: int) -> str:
        """The reason, for a seat, for which a game that is over has ended."""

    @abstractmethod
    def totals_in(self, games: Any, done: Array) -> Array:
        """`totals` in each of the games, whose `done` is given: (n, seats) float64."""

    @abstractmethod
    def reason_in(self, games: Any, i: int, seat: int) -> str:
        """`reason` in game i."""

    @abstractmethod
    def as_policy(self, choice: Any, seed: int) -> Policy:
        """A policy from its name, its class or itself; an error if there is none."""

    def check_episode(self, episode: Any) -> None:
        """PromiseError if the acting seat's observation or mask does not fit the spaces."""
        if episode.is_over:
            return
        mask = episode.action_mask()
        check_observation(episode.observation(episode.seat), self._vector)
        check_mask(mask, self.num_actions)
        check_any_legal(mask, f"of seat {episode.seat}")

    @cached_property
    def _vector(self) -> spaces.Box:
        return self.vector_space()

    def checked_totals(self, episode: Any) -> list[float]:
        """`totals`; PromiseError unless they are a finite number for each seat."""
        return checked_totals(self.totals(episode), self.num_seats)

    def refusal_in(self, games: Any, i: int, index: int) -> str:
        """The reason why an illegal action is refused in game i."""
        return refusal_of(games.game(i), index, self.illegal_error)

    def decide(self, policy: Policy, view: Any) -> int:
        """A policy's action; `illegal_error` if it is not legal."""
        return decide(policy, view, self.illegal_error)

    def check_seat(self, seat: int | str) -> None:  # noqa: B027 (most games have nothing to check)
        """Raise ValueError if a seat, or "random", would never act."""

    def end_info(self, episode: Any) -> dict[str, Any]:
        """Further entries of the info at an episode's end."""
        return {}

    def end_info_in(self, games: Any, i: int) -> dict[str, Any]:
        """`end_info` in game i."""
        return {}

    def render(self, game: Any, page: Any = None) -> Any:
        """The position in the render mode: text, or shown to a person."""
        if self.render_mode is None:
            allowed = ", ".join(self.render_modes)
            raise ValueError(f"nothing is rendered without a render_mode; allowed are {allowed}")
        return print(game) if self.render_mode == "human" else str(game)

    def new_page(self) -> Any:
        """The page on which render mode "human" shows games; None if they are printed."""
        return None


class PlainOptions(Options):
    """The options of a game in plain Python: questions about many games are put to each."""

    def new_games(self, n: int, threads: int) -> Games:
        """N games that have yet to begin, with observations and masks; `threads` has no effect.

        PromiseError if the game observes another array than `vector_space` describes.
        """
        self.check_episode(self.new_episode(0))
        return PlainGames(n, self.num_seats, self.new_episode, self.is_too_long)

    def totals_in(self, games: Any, done: Array) -> Array:
        """`totals` in each of the games: (n, seats) float64."""
        found = [self.totals(episode) for episode in games.episodes]
        return checked_totals_of_all(found, self.num_seats)

    def reason_in(self, games: Any, i: int, seat: int) -> str:
        """`reason` in game i."""
        return self.reason(games.episodes[i], seat)

    def end_info_in(self, games: Any, i: int) -> dict[str, Any]:
        """`end_info` in game i."""
        return self.end_info(games.episodes[i])


def checked_options(options: Any) -> Any:
    """The options themselves; TypeError for their class."""
    if isinstance(options, type):
        name = options.__name__
        raise TypeError(f"options is the class {name}; expected an object, {name}(...)")
    return options
