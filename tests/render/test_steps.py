"""The steps of a game as its page receives them, also after some were taken back."""

from itertools import pairwise

from catan_env.game.game import Game
from catan_env.notation import loads, to_sgn
from catan_env.render.steps import Steps
from tests.notation.random_games import random_game


def moments(seed: int) -> list[Game]:
    """A game after each of its events."""
    _, *later = loads(to_sgn(random_game(seed, seats=3, events=300))).replay()
    return [game.copy() for _, game in later if isinstance(game, Game)]


def test_steps_that_were_taken_back_and_made_again_are_the_same() -> None:
    games = moments(5)
    straight, zigzag = (Steps(["Ann", "Ben", "Cleo"]) for _ in range(2))
    for k, (before, game) in enumerate(pairwise(games)):
        events = game.events[len(before.events) :]
        for steps in (straight, zigzag):
            steps.add(events, game, (k % 3,))
        if k % 5 == 4:
            zigzag.rewind(len(zigzag) - 4)
            for back in range(k - 3, k + 1):
                events = games[back + 1].events[len(games[back].events) :]
                zigzag.add(events, games[back + 1], (back % 3,))
    assert len(straight) > 200 and zigzag.written == straight.written


def test_all_steps_can_be_taken_back() -> None:
    game = moments(6)[0]
    steps = Steps(["Ann", "Ben", "Cleo"])
    first = steps.add(game.events, game)
    steps.rewind(0)
    assert len(steps) == 0 and steps.add(game.events, game) == first
