"""The settings in which random games are played, and the games by number."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from catan_env import Board, Game, Rules
from catan_env.core.actions import OFFER_START
from catan_env.core.constants import Layout
from catan_env.game.event import Event


class Setting(NamedTuple):
    """The settings of a game."""

    seats: int
    rules: Rules
    board: str
    first_seat: int = 0

    def __str__(self) -> str:
        placed = f"-{self.rules.placement.name.lower()}" if self.rules.name == "tournament" else ""
        return f"{self.seats}-{self.rules.name}{placed}-{self.board}-from-{self.first_seat}"


COLONIST_1V1 = replace(Rules.colonist_1v1(), points_to_win=8)
"""Random games of two seats can run out of places for 15 points, and then never end."""
SMALL_BY_PIPS = replace(Rules.tournament(), name="small_by_pips", small_map=True, points_to_win=6)
"""With 10 points, too, random games of three seats may never end."""
SETTINGS = (
    Setting(4, Rules.base(), "spiral"),
    Setting(3, Rules.base(), "random_tokens", 1),
    Setting(2, Rules.base(), "beginner", 1),
    Setting(2, Rules.duel(), "spiral"),
    Setting(4, Rules.tournament(), "random_tokens", 2),
    Setting(3, Rules.tournament("random"), "spiral"),
    Setting(2, Rules.tournament("seats"), "random_tokens"),
    Setting(4, Rules.base(), "random_tokens", 3),
    Setting(2, COLONIST_1V1, "spiral"),
    Setting(3, Rules.colonist(), "random_tokens", 1),
    Setting(3, Rules.small(), "spiral", 2),
    Setting(2, replace(Rules.small(), friendly_robber=True), "random_tokens"),
    Setting(3, SMALL_BY_PIPS, "spiral"),
)
SHARES = 8
"""Each setting plays this part of the games that a run asks for."""


LAYOUTS = {"spiral": Layout.SPIRAL, "random_tokens": Layout.RANDOM_TOKENS}


def board_of(setting: Setting) -> Board | None:
    """The board; None if it follows from the seed."""
    return Board.beginner() if setting.board == "beginner" else None


def game_number(n: int) -> Game:
    """Random game number n: its seed is n, its settings are the n-th in rotation."""
    setting = SETTINGS[n % len(SETTINGS)]
    return Game(setting.seats, n, setting.rules, setting.board, setting.first_seat)


def name_of(n: int) -> str:
    """Instructions to reproduce game n, for an assertion's message."""
    return f"game {n}: {SETTINGS[n % len(SETTINGS)]}, seed {n}"


def pick(game: Game, chance: Random) -> int:
    """A legal index; offers to other seats are chosen less often than uniformly."""
    indices = game.legal_actions.indices
    fewer = indices[indices < OFFER_START]
    if len(fewer) and chance.random() < 0.9:
        indices = fewer
    return int(indices[chance.randrange(len(indices))])


def play_out(game: Game, seed: int, most: int = 10_000) -> Iterator[list[Event]]:
    """Play at random to the end, or `most` decisions; yield the events of each."""
    chance, seen = Random(seed), len(game.events)
    for _ in range(most):
        if game.is_over:
            return
        game.play(pick(game, chance))
        events = game.events
        yield list(events[seen:])
        seen = len(events)
