"""Single games of a batch, as the vector environments use them."""

import numpy as np

from catan_env import Game
from catan_env.batch import Batch

SEATS = np.array([1, 2, 3, 0], np.int8)


def boards_after(games: Batch, steps: int) -> list[bytes]:
    for _ in range(steps):
        games.play_others(SEATS[: games.num_games])
        games.refresh()
        games.play(games.action_masks.argmax(axis=1))
    return [state.tobytes() for state in games.states]


def test_reset_with_the_same_seed_gives_the_same_games_again() -> None:
    games = Batch(4, seed=5)
    first = boards_after(games, 50)
    games.reset(5)
    assert boards_after(games, 50) == first


def test_the_opponents_play_in_a_game_does_not_depend_on_other_games() -> None:
    many, one = Batch(4), Batch(1)
    many.reset(np.array([9, 8, 7, 6], np.uint64))
    one.reset(np.array([9], np.uint64))
    assert boards_after(many, 60)[0] == boards_after(one, 60)[0]


def test_one_game_restarts_with_its_own_seed() -> None:
    games = Batch(3, seats=3, seed=1)
    games.step(games.sample_legal())
    others = games.states[[0, 2]].tobytes()
    games.begin(1, seed=77)
    assert games.game(1) == Game(seats=3, seed=77)
    assert games.states[[0, 2]].tobytes() == others


def test_a_view_of_one_game_is_what_the_game_itself_shows() -> None:
    games = Batch(2, seed=4)
    for _ in range(30):
        games.step(games.sample_legal())
    for seat in range(4):
        view = games.game(1).view(seat)
        assert games.view(1, seat) == view
        assert games.observation(1, seat).tobytes() == view.observation.tobytes()
