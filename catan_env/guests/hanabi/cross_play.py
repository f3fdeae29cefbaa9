"""Cross-play: the scores of every policy with every other one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.permuted import PermutedGame
from catan_env.guests.hanabi.policies import load_policy
from catan_env.guests.hanabi.rating import Rating, play_game
from catan_env.guests.hanabi.rules import Rules
from catan_env.kernel.numbers import whole, wrapped_seed


class CrossPlay(NamedTuple):
    """Ratings by the row's and the column's policy; with themselves on the diagonal."""

    names: tuple[str, ...]
    ratings: tuple[tuple[Rating, ...], ...]

    @property
    def self_play(self) -> float:
        """The mean score of the diagonal."""
        return float(np.mean([row[i].mean for i, row in enumerate(self.ratings)]))

    @property
    def cross_play(self) -> float:
        """The mean score off the diagonal; NaN for one policy."""
        others = [
            rating.mean for i, row in enumerate(self.ratings) for j, rating in enumerate(row)
            if i != j
        ]  # fmt: skip
        return float(np.mean(others)) if others else float("nan")

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        short = [Path(name).name if name.endswith(".npz") else name for name in self.names]
        width = max(15, *(len(name) + 2 for name in short))
        yield "".join(name.rjust(width) for name in ("", *short))
        for name, row in zip(short, self.ratings, strict=True):
            cells = (f"{rating.mean:.2f} +- {rating.interval:.2f}" for rating in row)
            yield "".join(cell.rjust(width) for cell in (name, *cells))
        yield f"self-play {self.self_play:.2f}, cross-play {self.cross_play:.2f}"


def cross_play(
    names: Sequence[str],
    players: int = 2,
    games: int = 100,
    seed: int = 0,
    rules: Rules | str = "official",
    other_play: bool = False,
) -> CrossPlay:
    """Play every pair: one seat of the column's policy, in turn, among those of the row's.

    Every cell has the same decks. Policies are names or weights files, as of several training
    seeds; two players are each other's partners, so a cell and its mirror image differ by chance
    only.
    """
    kind, games = PermutedGame if other_play else Game, whole("games", games, 1)

    def score(row: str, column: str, i: int) -> int:
        team = [
            load_policy(
                column if seat == i % players else row, wrapped_seed(seed + i * players + seat)
            )
            for seat in range(players)
        ]
        return play_game(team, kind(players, seed + i, rules))

    return CrossPlay(
        tuple(names),
        tuple(
            tuple(Rating(np.array([score(r, c, i) for i in range(games)])) for c in names)
            for r in names
        ),
    )
