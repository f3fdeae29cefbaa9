"""A match: the same policies over many games, the seats rotating."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from catan_env.adapters.contest import play_game
from catan_env.arena.outcome import Outcome, outcome_of
from catan_env.arena.schedule import entrants_by_seat
from catan_env.game.board import Board
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.kernel.numbers import wrapped_seed
from catan_env.policy import check_policy, decide, load_policy

Watcher = Callable[[Game, Event], None]
Keeper = Callable[[int, Game], None]
"""Called with the number of a game and the game when it has ended."""


@dataclass(frozen=True)
class Match:
    """Policies by name, and the table that they play at.

    Seats rotate (`arena.schedule`), so that each policy begins equally often. Game k is the same
    for any number of games in the match.

    >>> match = Match(("builder", "random"), seed=3)
    >>> match.entrants_by_seat(0), match.entrants_by_seat(1)
    ((0, 1), (1, 0))
    >>> [result.winner for result in match.results(2)]  # seats
    [0, 1]
    >>> [result.winning_entrant for result in match.results(2)]
    [0, 0]
    """

    names: tuple[str, ...]
    seed: int = 0
    rules: Rules | str | None = None
    board: Board | str = "spiral"
    max_turns: int = 1000
    """The turns after which a game is cut off; 0: no limit."""

    def check(self) -> None:
        """Raise ValueError or ImportError if no game could be played."""
        for name in self.names:
            check_policy(name)
        self.new_game(0)
        for name in self.names:
            load_policy(name)

    def new_game(self, k: int) -> Game:
        """Game number k before its first decision."""
        return Game(len(self.names), self.seed + k, self.rules, self.board)

    def entrants_by_seat(self, k: int) -> tuple[int, ...]:
        """The entrants by seat in game number k."""
        return entrants_by_seat(k, len(self.names))

    def results(
        self, games: int, watch: Watcher | None = None, keep: Keeper | None = None
    ) -> Iterator[Outcome]:
        """Play that many games; `watch` receives every event of the first, `keep` every game."""
        for k in range(games):
            yield self.play(k, watch if k == 0 else None, keep)

    def play(self, k: int, watch: Watcher | None = None, keep: Keeper | None = None) -> Outcome:
        """Play game number k."""
        game, entrants = self.new_game(k), self.entrants_by_seat(k)
        policies = [
            load_policy(self.names[entrant], wrapped_seed(game.seed * len(entrants) + entrant))
            for entrant in entrants
        ]
        decisions = play_game(game, policies, decide, self._is_cut_off, watch)
        if keep is not None:
            keep(k, game)
        return outcome_of(game, k, entrants, decisions, self.max_turns)

    def _is_cut_off(self, game: Game) -> bool:
        return 0 < self.max_turns < game.turn
