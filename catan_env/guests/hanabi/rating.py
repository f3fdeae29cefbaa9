"""Self-play scores of a policy."""

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from catan_env.adapters import contest
from catan_env.guests.hanabi.blueprint.self_play import scores_of_best
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.policies import Policy, as_policy, decide
from catan_env.guests.hanabi.rules import Rules, rules_of
from catan_env.kernel.numbers import whole, wrapped_seed


class Rating(NamedTuple):
    """Scores of many games.

    >>> print(Rating(np.array([20, 22, 24])))
    22.00 +- 2.26 over 3 games
    """

    scores: "np.ndarray[Any, Any]"
    """(n,) integers."""

    @property
    def mean(self) -> float:
        """The mean score."""
        return float(self.scores.mean())

    @property
    def interval(self) -> float:
        """Half of the 95 % interval of the mean."""
        return 1.96 * float(self.scores.std(ddof=1)) / sqrt(len(self.scores))

    def __str__(self) -> str:
        return f"{self.mean:.2f} +- {self.interval:.2f} over {len(self.scores)} games"


def rate(
    policy: Any, players: int, games: int = 1000, seed: int = 0, rules: Rules | str = "official"
) -> Rating:
    """Play `games` games, each with a separate seed and new policies; those of "best" natively."""
    rules = rules_of(rules)
    players, games = rules.check_players(players), whole("games", games, 1)
    if policy == "best":
        return Rating(scores_of_best(players, games, seed, rules))
    scores = [
        play_game(
            [as_policy(policy, wrapped_seed(seed + i * players + seat)) for seat in range(players)],
            Game(players, seed + i, rules),
        )
        for i in range(games)
    ]
    return Rating(np.array(scores))


class Gain(NamedTuple):
    """Scores of games with one policy at some seats, and of the same decks without it."""

    rating: Rating
    without: Rating

    @property
    def mean(self) -> float:
        """The mean difference."""
        return self.rating.mean - self.without.mean

    @property
    def interval(self) -> float:
        """Half of the 95 % interval of the mean difference, by pairs of games."""
        return Rating(self.rating.scores.astype(int) - self.without.scores).interval

    def __str__(self) -> str:
        gain = f"{self.mean:+.2f} +- {self.interval:.2f}"
        return f"{self.rating}; without it {self.without.mean:.2f}, gain {gain}"


def rate_among(
    policy: Any,
    among: Any,
    players: int,
    games: int = 100,
    seed: int = 0,
    rules: Rules | str = "official",
    seats: int = 1,
) -> Gain:
    """Play `policy` at some seats and `among` at the others, and the same games by `among` alone.

    The seats move on by one after each game.
    """

    def score(i: int) -> int:
        chosen = [policy if (seat - i) % players < seats else among for seat in range(players)]
        team = [
            as_policy(one, wrapped_seed(seed + i * players + seat))
            for seat, one in enumerate(chosen)
        ]
        return play_game(team, Game(players, seed + i, rules))

    scores = [score(i) for i in range(whole("games", games, 1))]
    return Gain(Rating(np.array(scores)), rate(among, players, games, seed, rules))


def play_game(policies: Sequence[Policy], game: Game) -> int:
    """Play a game to its end, a policy at each seat; returns its score."""
    contest.play_game(game, policies, decide)
    return game.score
