"""Games between policies, seats rotating from game to game."""

from collections.abc import Iterator, Sequence

import numpy as np

from catan_env.guests.renaissance.batch import MAX_ROUNDS
from catan_env.guests.renaissance.game import LORENZO, Game
from catan_env.guests.renaissance.policies import find_policy


def play_one(
    policies: Sequence[str], number: int, seed: int, cards: str = "printed"
) -> tuple[int, Game]:
    """Game `number`, in which policy k sits at seat (k + number) modulo seats; who has won it.

    The winner is a policy's place in the list, LORENZO, or NOBODY where the game was cut off.
    """
    seats = len(policies)
    makers = [find_policy(name) for name in policies]
    game = Game(seats, seed + number, cards)
    players = [make(seed + seats * number + k) for k, make in enumerate(makers)]
    while not game.is_over and game.round <= MAX_ROUNDS:
        player = players[(game.seat - number) % seats]
        game.play(player.act(game.view(game.seat)))
    winner = game.winner
    return (winner - number) % seats if 0 <= winner < seats else winner, game


def play_games(
    policies: Sequence[str], games: int, seed: int, cards: str = "printed"
) -> Iterator[str]:
    """Lines that say how each policy fared."""
    seats = len(policies)
    wins, scores = np.zeros(LORENZO + 1, int), np.zeros(seats)
    for number in range(games):
        winner, game = play_one(policies, number, seed, cards)
        if winner >= 0:
            wins[winner] += 1
        scores += [game.scores()[(k + number) % seats] for k in range(seats)]
    for k, name in enumerate(policies):
        yield f"{name:12} {wins[k]:5} wins of {games}, {scores[k] / games:6.1f} points a game"
    if seats == 1:
        yield f"{'Lorenzo':12} {wins[LORENZO]:5} wins of {games}"
