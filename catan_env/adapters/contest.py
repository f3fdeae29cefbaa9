"""Games between policies, many at once: the loop of evaluations, matches, leagues and guests.

Each policy decides in all games that wait for it by one call; one that is compiled plays on until
another is to decide. Results are by seat; a separate map records the entrant of each seat.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from catan_env.adapters.games import CUT_OFF, ENDED, REFUSED, STAY, Games
from catan_env.adapters.history import History
from catan_env.adapters.plain import PlainEpisode, PlainGame, PlainGames
from catan_env.adapters.policies import BatchedPolicy, ByView, Policy, RunPolicy, result_of

Array = np.ndarray[Any, Any]
NO_ANSWER = -2
"""Instead of an action: the policy has failed."""


@dataclass(frozen=True, kw_only=True)
class SeatOutcome:
    """The result of a game, by seat."""

    seats: tuple[int, ...]
    """The entrant of each seat."""
    winner: int | None
    """The seat that won; None if the game was cut off."""
    points: tuple[int, ...]
    """By seat, hidden ones counted."""

    @property
    def winning_entrant(self) -> int | None:
        """The entrant that won."""
        return None if self.winner is None else self.seats[self.winner]

    def by_entrant(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Values given by seat, in the order of the entrants."""
        return tuple(value for _, value in sorted(zip(self.seats, values, strict=True)))


class FiniteGames(Games, Protocol):
    """Games that are played to their ends and do not begin again."""

    @property
    def over(self) -> Array:
        """True if a game has ended or was cut off: (n,) bool."""


class Referee(BatchedPolicy, Protocol):
    """Decides what follows from an illegal answer, and for the seats that were removed.

    Its `choose` may answer STAY, to pass on to the next decision.
    """

    def remove(self, i: int, seat: int, answer: int, /) -> None:
        """The seat's policy answered this in game i; from now on the referee decides for it."""


class Contest:
    """Games and their policies; `players`, (n, seats), is the policy of each seat by its number."""

    def __init__(
        self,
        games: FiniteGames,
        policies: Sequence[BatchedPolicy],
        players: Array,
        history: History | None = None,
        referee: Referee | None = None,
    ) -> None:
        self._games, self._players, self._referee = games, players.copy(), referee
        self._policies = [*policies] if referee is None else [*policies, referee]
        self._referees = len(policies)
        self._rows, self._goes_on = np.arange(games.num_games), ~games.over
        self.history = history or History(games.num_games, games.seats)

    def play(self) -> None:
        """Play all games to their ends."""
        runs = [(k, one) for k, one in enumerate(self._policies) if isinstance(one, RunPolicy)]
        while self._goes_on.any():
            for k, policy in runs:
                self._play_runs(k, policy)
            self._step()

    def _play_runs(self, k: int, policy: RunPolicy) -> None:
        mine, history = (self._players == k) & self._goes_on[:, None], self.history
        if mine[self._rows, self._games.seat].any():
            with history.timed():
                given = self._games, mine, history.actions, history.lengths, history.decisions
                result_of(policy, policy.play_runs, *given)
            self._goes_on &= ~self._games.over

    def _step(self) -> None:
        """One decision in every unfinished game."""
        games, seats = self._games, self._games.seat.copy()
        decides = np.where(self._goes_on, self._players[self._rows, seats], STAY)
        answers, asked = self._ask(decides)
        must_play = self._goes_on & (decides != self._referees)
        actions = np.where(must_play & (answers == STAY), NO_ANSWER, answers)
        games.play(actions)
        refused = games.done == REFUSED
        for rows, seconds in asked:
            rows = rows[(actions[rows] != STAY) & ~refused[rows]]
            self.history.note(rows, seats[rows], actions[rows], seconds)
        for i in np.flatnonzero(refused).tolist():
            self._remove(i, int(seats[i]), int(answers[i]))
        self._goes_on &= (games.done != ENDED) & (games.done != CUT_OFF)
        if self._referee is not None:
            self._goes_on &= ~games.over

    def _ask(self, decides: Array) -> tuple[Array, list[tuple[Array, float]]]:
        """The answers, (n,) int64, and for each policy its games and the seconds of a decision."""
        answers, asked, is_shown = np.full(len(decides), STAY, np.int64), [], False
        for k, policy in enumerate(self._policies):
            rows = np.flatnonzero(decides == k)
            if len(rows):
                if policy.reads_arrays and not is_shown:
                    self._games.refresh()
                    is_shown = True
                begun = perf_counter()
                answers[rows] = result_of(policy, policy.choose, self._games, rows)
                asked.append((rows, (perf_counter() - begun) / len(rows)))
        return answers, asked

    def _remove(self, i: int, seat: int, answer: int) -> None:
        policy = self._players[i, seat]
        if self._referee is None:
            name = type(self._policies[policy]).__name__
            raise ValueError(f"policy {policy + 1}, {name}, answered {answer}, which is illegal")
        self._players[i, seat] = self._referees
        self._referee.remove(i, seat, answer)


def play_games(
    games: FiniteGames,
    policies: Sequence[BatchedPolicy],
    players: Array,
    history: History | None = None,
    referee: Referee | None = None,
) -> History:
    """Play games to their ends; returns the actions, and decisions and seconds by seat.

    `players`, (n, seats), is the policy of each seat by its number. Without a `referee`, an illegal
    answer raises ValueError.
    """
    contest = Contest(games, policies, players, history, referee)
    contest.play()
    return contest.history


def play_game(
    game: PlainGame,
    policies: Sequence[Policy],
    decide: Callable[[Policy, Any], int],
    is_too_long: Callable[[Any], bool] = lambda game: False,
    watch: Callable[[Any, Any], None] | None = None,
) -> int:
    """Play one game to its end, a policy at each seat; returns the number of decisions.

    `decide` raises an error for an illegal answer; `watch` is given the game and each event.
    """
    seats, episode = len(policies), _WatchedEpisode(game, watch)
    games = PlainGames(1, seats, lambda _: episode, lambda _: is_too_long(game))
    by_seat = [ByView(lambda *_, one=one: one, decide) for one in policies]
    return int(play_games(games, by_seat, np.arange(seats)[None]).decisions.sum())


class _WatchedEpisode(PlainEpisode):
    """A game whose events are shown, and whose actions were checked by `decide`."""

    def __init__(self, game: PlainGame, watch: Callable[[Any, Any], None] | None) -> None:
        super().__init__(game, ValueError)
        self._watch = watch

    def is_legal(self, index: int) -> bool:
        """True, since the game itself refuses illegal actions."""
        return True

    def play(self, index: int) -> None:
        """Play an index, and show the event."""
        event = self._game.play(index)
        if self._watch is not None:
            self._watch(self._game, event)
