"""`search`: tries its best-looking actions out in games that agree with its view.

Where a command begins, it takes the actions that `greedy` values most, plays each of them in worlds
drawn from the view, lets `greedy` play at every seat for some rounds, and takes the action after
which its seat stands best, or that of `greedy` unless another one is better. Decisions within a
command are those of `greedy`, and so is the set-up.
"""

import numpy as np

from catan_env.adapters.paired import Race, check_budget
from catan_env.guests.renaissance.batch import STAY, Batch
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.native.state import NONE, OVER
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.values import action_values, prospects
from catan_env.guests.renaissance.view import SeatView, views_of
from catan_env.guests.renaissance.worlds import draw_worlds

PLAYOUTS = 160
CANDIDATES = 5
WORSE = 4.0  # points that a candidate may be below the best value
RACE = Race(worlds=8, dropped=2.0, clearly=1.0)
"""The usual action is that of `greedy`."""
HORIZON = 3  # rounds of a playout with rivals; the solo game is played to its end
POINTS = 10.0  # a lead of that many points is worth tanh(1)


class Search:
    """The searching player: at most `playouts` per decision, and about `seconds` of time."""

    def __init__(
        self, seed: int = 0, playouts: int = PLAYOUTS, seconds: float | None = None
    ) -> None:
        check_budget(playouts, seconds)
        self.playouts, self.seconds = playouts, seconds
        self._greedy, self._chance = Greedy(seed), np.random.default_rng(seed)

    def act(self, view: SeatView) -> int:
        """A flat index that is 1 in `view.action_mask`."""
        actions = candidates(view, self._greedy.values(view))

        def play(alive: Array, _: int) -> Array:
            worlds = draw_worlds(view, RACE.worlds, self._chance)
            return outcomes(worlds, actions[alive], view.seat)

        return int(actions[RACE.best_of(len(actions), 0, play, self.playouts, self.seconds)])


def candidates(view: SeatView, values: Array) -> Array:
    """The action of `greedy`, and the next best ones where a command begins: (k,)."""
    best = np.argsort(-values, kind="stable")[:CANDIDATES]
    begins = view.is_playing and view.state["transaction"] == NONE
    return best[values[best] >= values[best[0]] - WORSE] if begins else best[:1]


def outcomes(worlds: Array, actions: Array, seat: int) -> Array:
    """The worth to a seat of each of the actions, (m,), in each world: (n, m), from -1 to 1."""
    n, m = len(worlds), len(actions)
    games = Batch(
        n * m, seats=int(worlds["seats"][0]), observations=False, action_masks=False,
        autoreset=False,
    )  # fmt: skip
    games.states[:] = np.repeat(worlds, m)
    games.done[:] = 0
    last = int(worlds["round"][0]) + HORIZON if games.seats > 1 else games.max_rounds
    games.play(np.tile(actions, n))
    while (on := (games.states["phase"] != OVER) & (games.states["round"] < last)).any():
        played = np.full(n * m, STAY)
        played[on] = greedy_actions(games.states[on])
        games.play(played)
    return worth_of(games.states, seat).reshape(n, m)


def greedy_actions(states: Array) -> Array:
    """The action of `greedy` in each game, by the view of its seat to decide: (n,) int64."""
    best: Array = action_values(views_of(states)).argmax(axis=1)
    return best


def worth_of(states: Array, seat: int) -> Array:
    """1 for a game that the seat has won, -1 for a lost one, else by its lead: (n,).

    The lead is that of the next turn in this world, with its covered cards.
    """
    seats = int(states["seats"][0])
    ahead = prospects(states)
    rivals = np.delete(ahead[:, :seats], seat, axis=1)
    lead = ahead[:, seat] - rivals.max(axis=1) if seats > 1 else np.full(len(states), -np.inf)
    over = states["phase"] == OVER
    return np.where(over, np.where(states["winner"] == seat, 1.0, -1.0), np.tanh(lead / POINTS))
