"""Whole games, played natively one after another."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from catan_env.batch.start import template_of, turn_limit
from catan_env.core import batch
from catan_env.core.compiled import ensure_batch
from catan_env.core.constants import NOBODY, SEATS
from catan_env.core.state import doorway, new_states
from catan_env.game.board import Board
from catan_env.game.rules import Rules
from catan_env.game.start import checked_seed, rules_of
from catan_env.kernel.numbers import whole
from catan_env.kernel.threads import run_in_parts

MOST_AT_ONCE, SLOW_AT_ONCE = 256, 64
"""Games per call: some tenths of a second."""

Array = np.ndarray[Any, Any]


class PlayOut(NamedTuple):
    """Results of whole games: three arrays with one entry per game.

    >>> result = play_out(20, seats=2, seed=1)
    >>> result.games, sum(result.wins) + result.cut_off
    (20, 20)
    """

    winners: Array
    """The winning seats: (n,) int8, NOBODY (-1) if a game was cut off."""
    turns: Array
    """Turns begun in each game: (n,) int32, one more than `max_turns` if it was cut off."""
    decisions: Array
    """Actions played in each game: (n,) int32."""

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.winners)

    @property
    def cut_off(self) -> int:
        """The number of games without a winner."""
        return int(np.count_nonzero(self.winners == NOBODY))

    @property
    def wins(self) -> tuple[int, int, int, int]:
        """The number of wins of each seat."""
        a, b, c, d = (int(np.count_nonzero(self.winners == seat)) for seat in range(SEATS))
        return a, b, c, d

    @property
    def total_turns(self) -> int:
        """The turns of all games."""
        return int(self.turns.sum(dtype=np.int64))

    @property
    def total_decisions(self) -> int:
        """The decisions of all games."""
        return int(self.decisions.sum(dtype=np.int64))


def play_out(
    games: int,
    *,
    seats: int = 4,
    rules: Rules | str | None = None,
    board: Board | str = "spiral",
    seed: int | None = None,
    max_turns: int = 10_000,
    threads: int = 1,
    policy: str | Callable[..., None] = "random",
) -> PlayOut:
    """Play whole games natively, one after another per thread.

    `policy` plays every seat: "random", uniformly among the legal actions; or a function called
    like `core.batch.play_out`, such as `catan_env.policies.greedy.whole_games(seats)` returns.
    Game k has the seed `game_seeds(seed, games)[k]` and depends on nothing else, whatever `games`
    and `threads` are. An interrupt or an error takes effect after the current parts, at most 256
    games each. Raises ValueError for arguments out of range.

    >>> result = play_out(3, seats=3, seed=1, threads=2)
    >>> result.winners.shape, result.turns.dtype, result.total_decisions > 300
    ((3,), dtype('int32'), True)
    """
    limit = turn_limit(max_turns)
    template = template_of(seats, rules_of(rules), board, first_seat=0)
    template["seed"] = checked_seed(seed)
    games, threads = whole("games", games, 1), whole("threads", threads, 1)
    play_some = _whole_games(policy)
    most = MOST_AT_ONCE if policy == "random" else SLOW_AT_ONCE
    result = PlayOut(np.zeros(games, np.int8), np.zeros(games, np.int32), np.zeros(games, np.int32))

    def play_part(start: int, stop: int) -> None:
        place = doorway(new_states(1))
        play_some(place, doorway(template), limit, *result, start, stop)

    run_in_parts(play_part, games, most, threads)
    return result


def _whole_games(policy: str | Callable[..., None]) -> Callable[..., None]:
    """The compiled function that plays whole games by that policy (see `core.batch.play_out`)."""
    if policy == "random":
        ensure_batch()
        at_random: Callable[..., None] = batch.play_out
        return at_random
    if callable(policy) and not isinstance(policy, type):
        return policy
    raise ValueError(
        f"policy is {policy!r}; played out are 'random' and functions called as "
        "core.batch.play_out, such as catan_env.policies.greedy.whole_games(seats)"
    )
