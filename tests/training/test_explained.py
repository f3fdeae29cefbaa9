"""Values are compared with who won, in each quarter of a game."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from catan_env.training.agent import Choices  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.value_function.explained import (  # noqa: E402
    PlayedOut,
    explained_variance,
    played_out,
    report,
)


class Coin:
    """Draws any legal action, and thinks the first seat will win."""

    def __init__(self):
        self.draw = np.random.default_rng(1)

    def act(self, observations, masks):
        legal = np.unpackbits(masks, axis=1)
        actions = np.where(legal == 1, self.draw.random(legal.shape), -1).argmax(axis=1)
        return Choices(actions, None, np.full(len(masks), 0.5, np.float32), None, None)


def test_what_was_foretold_is_compared_with_who_won():
    batch = catan(6, seats=3, rules="base", trade=False, seed=2, autoreset=False)
    played = played_out(Coin(), batch)
    assert (np.diff(played.games) >= 0).all()
    for game in np.unique(played.games):
        mine = played.games == game
        assert set(np.round(played.results[mine], 3)) <= {1.0, -0.5}
        assert played.progress[mine].min() == 0 and played.progress[mine].max() == 1
    assert explained_variance(played.values, played.results) < 0
    assert explained_variance(played.results, played.results) == 1


def test_games_that_the_turn_limit_cut_off_tell_nothing():
    batch = catan(3, seats=2, rules="duel", seed=2, max_turns=6, autoreset=False)
    assert not len(played_out(Coin(), batch).games)


def test_a_value_without_its_potential_gets_that_of_the_seat_that_decides():
    """The values of a winner's decisions have the winner's potential, here ten times its seat."""
    batch = catan(6, seats=3, rules="base", trade=False, seed=2, autoreset=False)
    played = played_out(Coin(), batch, lambda batch: np.tile([0, 10, 20], (6, 1)))
    seats = (played.values - 0.5) / 10
    assert set(seats) == {0, 1, 2}
    winners = batch.states["winner"][played.games]
    assert ((seats == winners) == (played.results == 1)).all()


def test_a_report_has_a_line_for_each_quarter_of_a_games_decisions():
    """Game 0 is won and game 1 lost; errors are 1 and 1, 0.5 and 0.5, 0.1 and 0.1, 0 and 1.2."""
    values = np.array([0, 0.5, 0.9, 1.0, 0, -0.5, -0.9, 0.2])
    results = np.repeat([1.0, -1.0], 4)
    progress = np.tile(np.arange(4) / 3, 2)
    lines = report(PlayedOut(values, results, np.repeat([0, 1], 4), progress)).splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "decisions mean square explained",
        "1. quarter 1.000 0.0%",
        "2. quarter 0.250 75.0%",
        "3. quarter 0.010 99.0%",
        "4. quarter 0.720 28.0%",
        "all 0.495 50.5%",
        "at a game's last choice its sign was right in 50.0%",
    ]
