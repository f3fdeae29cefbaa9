"""Games between policies, seats rotating from game to game."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from catan_env.adapters.contest import SeatOutcome, play_game
from catan_env.adapters.policies import Policy, decide
from catan_env.guests.renaissance.batch import MAX_ROUNDS
from catan_env.guests.renaissance.errors import IllegalActionError
from catan_env.guests.renaissance.game import LORENZO, Game
from catan_env.guests.renaissance.policies import find_policy
from catan_env.guests.renaissance.search import Search
from catan_env.kernel.numbers import wrapped_seed


def play_one(
    policies: Sequence[str],
    number: int,
    seed: int,
    cards: str = "printed",
    playouts: int | None = None,
) -> tuple[SeatOutcome, Game]:
    """The outcome of game `number`, in which policy k is at seat (k + number) modulo seats.

    `playouts` limits those of `search` for a decision.
    """
    seats = len(policies)
    makers = [maker_of(name, playouts) for name in policies]
    game = Game(seats, seed + number, cards)
    entrants = tuple((seat - number) % seats for seat in range(seats))
    players = [
        makers[entrant](wrapped_seed(seed + seats * number + entrant)) for entrant in entrants
    ]
    checked = partial(decide, error=IllegalActionError)
    play_game(game, players, checked, lambda game: game.round > MAX_ROUNDS)
    winner = game.winner if 0 <= game.winner < seats else None
    return SeatOutcome(seats=entrants, winner=winner, points=tuple(game.scores())), game


def maker_of(name: str, playouts: int | None) -> Callable[[int], Policy]:
    """A function that makes the named policy from a seed."""
    if name == "search" and playouts is not None:
        return partial(Search, playouts=playouts)
    return find_policy(name)


def play_all(
    policies: Sequence[str],
    games: int,
    seed: int,
    cards: str = "printed",
    playouts: int | None = None,
) -> list[tuple[SeatOutcome, Game]]:
    """The outcomes of that many games."""
    return [play_one(policies, number, seed, cards, playouts) for number in range(games)]


def results(policies: Sequence[str], played: Sequence[tuple[SeatOutcome, Game]]) -> Iterator[str]:
    """One line of results for each policy, and for Lorenzo."""
    games = len(played)
    for k, name in enumerate(policies):
        wins = sum(outcome.winning_entrant == k for outcome, _ in played)
        points = sum(outcome.by_entrant(outcome.points)[k] for outcome, _ in played) / games
        yield f"{name:12} {wins:5} wins of {games}, {points:6.1f} points a game"
    if len(policies) == 1:
        wins = sum(game.winner == LORENZO for _, game in played)
        yield f"{'Lorenzo':12} {wins:5} wins of {games}"
