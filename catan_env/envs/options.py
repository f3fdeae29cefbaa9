"""What the environments let their user choose, and the spaces that follow from it."""

from dataclasses import dataclass, replace
from operator import index as index_of
from typing import Any

import numpy as np
from gymnasium import spaces

from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.envs.human import Human
from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.game.start import checked_seed, rules_of

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
UNMASKED = (
    "actions that the mask does not allow end episodes; a learner that takes no mask plays "
    "little else: use the mask (docs/actions.md), or illegal='ignore'"
)
PIXELS = 800  # the width of a picture
LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Options:
    """The options that both environments share; the table in `catan_env.envs.aec` explains them."""

    seats: int = 4
    rules: Rules | str | None = None
    board: Board | str = "spiral"
    mask_in: str = "observation"
    illegal: str = "penalty"
    reward: str = "sparse"
    max_turns: int | None = 1000
    render_mode: str | None = None

    def __post_init__(self) -> None:
        _check("mask_in", self.mask_in, ("observation", "info", "both"))
        _check("illegal", self.illegal, ("penalty", "raise", "ignore"))
        _check("reward", self.reward, ("sparse", "shaped"))
        _check("render_mode", self.render_mode, (None, *RENDER_MODES))
        if self.max_turns is not None:
            limit = checked_count("max_turns", self.max_turns, also=", and None")
            object.__setattr__(self, "max_turns", limit)
        object.__setattr__(self, "rules", rules_of(self.rules))
        self.new_game(0)

    @property
    def mask_in_observation(self) -> bool:
        """Whether an observation is a dict with the mask in it."""
        return self.mask_in != "info"

    @property
    def mask_in_info(self) -> bool:
        """Whether the infos hold the mask."""
        return self.mask_in != "observation"

    def new_game(self, seed: int) -> Game:
        """A game with these options, before its first decision."""
        return Game(self.seats, seed, self.rules, self.board)

    def observation_space(self) -> spaces.Space[Any]:
        """A fresh space that holds every observation."""
        vector = spaces.Box(0, 127, (OBSERVATION_SIZE,), np.int8)
        if not self.mask_in_observation:
            return vector
        mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
        return spaces.Dict({"observation": vector, "action_mask": mask})

    def action_space(self) -> spaces.Discrete:
        """A fresh space that holds every flat index."""
        return spaces.Discrete(NUM_ACTIONS)

    def loss(self) -> float:
        """The reward of losing; a win is worth 1."""
        return -1.0 / (self.seats - 1)

    def potential(self, points: int) -> float:
        """What standing at so many points is worth to the shaped reward."""
        assert isinstance(self.rules, Rules)
        return points / self.rules.points_to_win

    def render(self, game: Game, human: Human) -> Any:
        """The position in this render mode: text, pixels, an SVG document, or shown to a person."""
        if self.render_mode is None:
            raise ValueError(
                f"nothing is rendered without a render_mode; allowed are {', '.join(RENDER_MODES)}"
            )
        if self.render_mode == "human":
            return human.show(game)
        if self.render_mode == "ansi":
            return str(game)
        from catan_env.render import board_svg, rasterize

        svg = board_svg(game, width=PIXELS)
        return svg if self.render_mode == "svg" else rasterize(svg, PIXELS)


def options_from(given: dict[str, Any]) -> Options:
    """Options by name; TypeError names those that there are."""
    try:
        return replace(Options(), **given)
    except TypeError:
        unknown = sorted(given.keys() - Options.__dataclass_fields__.keys())
        if not unknown:
            raise
        said = f"unknown option {', '.join(unknown)}; there are "
        said += ", ".join(Options.__dataclass_fields__)
        if "max_episode_steps" in unknown:
            said += "; max_turns limits the length of a game"
        raise TypeError(said) from None


def plain_seed(seed: Any) -> int | None:
    """`seed` as a plain int, or None; TypeError or ValueError where it is no seed."""
    return None if seed is None else checked_seed(seed)


def action_index(action: Any) -> int:
    """The action as a plain int; TypeError when it is no integer."""
    try:
        return index_of(action)
    except TypeError:
        described = (
            f"an array of shape {action.shape} and dtype {action.dtype}"
            if isinstance(action, np.ndarray)
            else repr(action)
        )
        raise TypeError(
            f"an action is one integer in 0..{NUM_ACTIONS - 1}, not {described}"
        ) from None


def checked_count(name: str, value: Any, most: int = LARGEST, also: str = "") -> int:
    """`value` as a plain int; TypeError when it is no integer, ValueError outside 1..most."""
    said = f"{name} is {value!r}; allowed are integers in 1..{most}{also}"
    try:
        count = index_of(value)
    except TypeError:
        raise TypeError(said) from None
    if not 1 <= count <= most:
        raise ValueError(said)
    return count


def checked_bool(name: str, value: Any) -> bool:
    """`value` as a plain bool; TypeError when it is none."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is {value!r}; allowed are True and False")
    return bool(value)


def _check(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; allowed are {', '.join(map(repr, allowed))}")
