"""The games whose environments `tests/adapters` tests: to add one, add a line to `GAMES`."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np

from catan_env.game.rules import Rules
from tests.adapters import redeals

CATAN, HANABI = "catan_env.envs", "catan_env.guests.hanabi"
RENAISSANCE, DICE = "catan_env.guests.renaissance", "examples.fourth_game"
SMALL = Rules("short", small_map=True, player_trade=False, points_to_win=5)


@dataclass(frozen=True)
class GameUnderTest:
    """A game's environments, and options that keep its games short."""

    name: str
    aec: str
    one: str
    many: str
    vec: str
    seats: int
    limit: str = "max_turns"
    others: str = "opponents"
    options: dict[str, Any] = field(default_factory=dict)
    redealt: Callable[[Any, int, int], Any] | None = None
    """Another game, of a game, a seat and a seed, that the seat cannot tell from it; None if that
    position has none. Without it the suite does not see leaks of hidden cards."""

    def made(self, form: str, *given: Any, **options: Any) -> Any:
        """An environment: form "aec", "one", "many" or "vec"."""
        return _named(getattr(self, form))(*given, **{**self.options, **options})

    def new_game(self, seed: int) -> Any:
        """`Game(seed=...)` with the same options."""
        return self.made("aec").options.new_episode(seed)


def _named(name: str) -> Callable[..., Any]:
    module, _, attribute = name.partition(":")
    made: Callable[..., Any] = getattr(import_module(module), attribute)
    return made


def action_of(mask: Any, chance: np.random.Generator) -> int:
    """A uniformly random legal action."""
    return int(chance.choice(np.flatnonzero(mask)))


def illegal_in(mask: Any) -> int:
    """An action that the mask does not allow."""
    return int(np.flatnonzero(np.asarray(mask) == 0)[-1])


# fmt: off
GAMES = [
    GameUnderTest("catan", f"{CATAN}.aec:CatanAEC", f"{CATAN}.single:CatanEnv", f"{CATAN}.vector:CatanVectorEnv", f"{CATAN}.sb3:CatanVecEnv", 2, options={"seats": 2, "rules": "duel"}),  # noqa: E501
    GameUnderTest("catan_small", f"{CATAN}.aec:CatanAEC", f"{CATAN}.single:CatanEnv", f"{CATAN}.vector:CatanVectorEnv", f"{CATAN}.sb3:CatanVecEnv", 3, options={"seats": 3, "rules": SMALL}),  # noqa: E501
    GameUnderTest("hanabi", f"{HANABI}.aec:HanabiAEC", f"{HANABI}.single:HanabiEnv", f"{HANABI}.vector:HanabiVectorEnv", f"{HANABI}.sb3:HanabiVecEnv", 3, others="partners", options={"players": 3}, redealt=redeals.hanabi),  # noqa: E501
    GameUnderTest("renaissance", f"{RENAISSANCE}.aec:RenaissanceAEC", f"{RENAISSANCE}.single:RenaissanceEnv", f"{RENAISSANCE}.vector:RenaissanceVectorEnv", f"{RENAISSANCE}.sb3:RenaissanceVecEnv", 2, limit="max_rounds", options={"seats": 2}, redealt=redeals.renaissance),  # noqa: E501
    GameUnderTest("dice", f"{DICE}:DiceAEC", f"{DICE}:DiceEnv", f"{DICE}:DiceVectorEnv", f"{DICE}_sb3:DiceVecEnv", 3, redealt=redeals.dice),  # noqa: E501
]
# fmt: on


def _with_seats(name: str, option: str, seats: int) -> GameUnderTest:
    game = next(game for game in GAMES if game.name == name)
    return replace(game, name=f"{name}_{seats}", seats=seats, options={option: seats})


OTHER_SEATS = [
    *(_with_seats("hanabi", "players", players) for players in (2, 5)),
    *(_with_seats("renaissance", "seats", seats) for seats in (1, 3, 4)),
]
"""The same games with other numbers of seats, which the libraries' checkers also test."""
