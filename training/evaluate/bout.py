"""A bout: entrants by name, and the games that they play, many in parallel."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from catan_env.adapters.contest import play_games
from catan_env.arena.schedule import board_number, entrant_at, games_per_board, seat_of
from catan_env.batch import NOBODY, Batch, game_seeds
from catan_env.core.constants import DevelopmentCard
from catan_env.policies.luck import luck_of_moves
from catan_env.policies.players import player
from catan_env.training.games import catan

Array = np.ndarray[Any, Any]
Measured = dict[str, Any]
AT_ONCE = 2048
"""The maximum number of games in a batch."""


@dataclass(frozen=True)
class Bout:
    """Entrants by name, one per seat, and the games that they play."""

    names: tuple[str, ...]
    games: int = 100
    seed: int = 0
    rules: str = "base"
    board: str = "spiral"
    max_turns: int = 1000
    """A longer game has no winner; 0: no limit."""
    trade: bool = True
    """False: no seat trades with another, whatever the rules of that name say."""
    luck: bool = False
    """True: the luck of dice, thefts and cards is recorded, too (`policies.luck`)."""

    def numbers(self, slice_: tuple[int, int] = (1, 1)) -> Array:
        """The numbers of the games in slice i of n, counted from 1: (k,) int64."""
        i, n = slice_
        if not 1 <= i <= n:
            raise ValueError(f"slice {i}/{n}; the first is 1/{n}, the last {n}/{n}")
        return np.array_split(np.arange(self.games), n)[i - 1]

    def seeds(self, numbers: Array) -> Array:
        """The seeds of the games of those numbers: (k,) uint64.

        All rotations of a board have the same one; only rotations that differ are counted, so that
        no game is played twice.
        """
        result: Array = game_seeds(self.seed, self.games)[self.boards(numbers)]
        return result

    def boards(self, numbers: Array) -> Array:
        """The numbers of the boards of the games of those numbers: (k,) int64."""
        result: Array = board_number(numbers, games_per_board(self.names))
        return result

    def batch(self, num_games: int) -> Batch:
        """That many games of these rules, each of which is played once."""
        return catan(
            num_games, seats=len(self.names), rules=self.rules, trade=self.trade,
            board=self.board, max_turns=self.max_turns or None, autoreset=False,
        )  # fmt: skip


def play(bout: Bout, numbers: Array) -> Measured:
    """Play the games of those numbers: winners, points by entrant, turns, time and decisions.

    Games are paired, and seats rotate (`arena.schedule`).
    """
    parts = [_play_some(bout, numbers[k : k + AT_ONCE]) for k in range(0, len(numbers), AT_ONCE)]
    return {
        "numbers": numbers.tolist(),
        "winners": [w for part in parts for w in part["winners"]],
        "points": [p for part in parts for p in part["points"]],
        "turns": [t for part in parts for t in part["turns"]],
        "luck": [row for part in parts for row in part["luck"]],
        **sums_of(parts, len(bout.names)),
    }


def sums_of(parts: Sequence[Measured], entrants: int) -> Measured:
    """The seconds and decisions of all parts together, by entrant."""
    return {
        name: [sum(part[name][e] for part in parts) for e in range(entrants)]
        for name in ("seconds", "decisions")
    }


def _play_some(bout: Bout, numbers: Array) -> Measured:
    seats, n = len(bout.names), len(numbers)
    batch = bout.batch(n)
    batch.reset(bout.seeds(numbers))
    begun = batch.states.copy()
    players = [player(name, e) for e, name in enumerate(bout.names)]
    entrant_of = entrant_at(np.arange(seats)[None, :], numbers[:, None], seats)
    history = play_games(batch, players, entrant_of)
    winner = batch.states["winner"]
    points = batch.states["points"] + batch.states["cards"][:, :, DevelopmentCard.VICTORY_POINT]
    seats_of = seat_of(np.arange(seats)[None, :], numbers[:, None], seats)
    won = np.where(winner != NOBODY, entrant_of[np.arange(n), winner], NOBODY)
    by_seat: Any = (
        luck_of_moves(begun, history.actions, history.lengths, seats) if bout.luck else [[]] * n
    )
    return {
        "winners": [None if w == NOBODY else w for w in won.tolist()],
        "points": np.take_along_axis(points, seats_of, axis=1).tolist(),
        "turns": np.minimum(batch.states["turn"], batch.max_turns).tolist(),
        "luck": np.take_along_axis(by_seat, seats_of, axis=1).tolist() if bout.luck else by_seat,
        "seconds": [float(history.spent[entrant_of == e].sum()) for e in range(seats)],
        "decisions": [int(history.decisions[entrant_of == e].sum()) for e in range(seats)],
    }
