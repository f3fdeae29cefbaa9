"""Native games whose memory has no history: the actions of each are stored next to them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.adapters.games import CUT_OFF, GOES_ON, REFUSED, STAY, Array
from catan_env.adapters.opponents import play_picks

FIRST_WIDTH = 64


class Past:
    """The actions of each game, and on request the game that they lead to."""

    def __init__(self, n: int, new_game: Callable[[int], Any]) -> None:
        self._new = new_game
        self._seeds = [0] * n
        self._actions = np.zeros((n, FIRST_WIDTH), np.int16)
        self.length = np.zeros(n, np.int64)
        self._followed: dict[int, tuple[Any, int]] = {}
        self._rows = np.arange(n)

    def begin(self, i: int, seed: int) -> None:
        """Forget the actions of game i, which restarts."""
        self._seeds[i], self.length[i] = int(seed), 0
        self._followed.pop(i, None)

    def note(self, actions: Array, is_played: Array) -> None:
        """Store the actions, (n,), of a step."""
        try:
            self._actions[self._rows, self.length] = actions
        except IndexError:
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)], axis=1)
            self._actions[self._rows, self.length] = actions
        self.length += is_played

    def game(self, i: int) -> Any:
        """Game i; further actions are played in it later, so copy it."""
        game, played = self._followed.get(i) or (self._new(self._seeds[i]), 0)
        for action in self._actions[i, played : self.length[i]].tolist():
            game.play(action)
        self._followed[i] = game, int(self.length[i])
        return game


class WithPast:
    """Completes a native batch to `games.Games`; precedes it among a class's bases."""

    num_games: int
    seat: Array
    done: Array
    past: Past
    most_actions: int | None = None
    """The number of actions after which a game is cut off, unless the batch does that."""

    def begin(self, i: int, seed: int) -> None:
        """Begin game i with a seed."""
        super().begin(i, seed)  # type: ignore[misc]
        self.past.begin(i, seed)

    def play(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one in each game."""
        given = np.asarray(actions)
        super().play(given)  # type: ignore[misc]
        is_played = (given != STAY) & (self.done != REFUSED)
        self.past.note(given, is_played)
        if self.most_actions is not None:
            is_too_long = self.past.length >= self.most_actions
            self.done[is_played & is_too_long & (self.done == GOES_ON)] = CUT_OFF

    def play_others(self, seats: ArrayLike) -> None:
        """Let others play at random until seat `seats[i]` decides in game i; adds to `done`.

        Each pick depends on the game's seed and on the number of its actions alone.
        """
        play_picks(self, seats, self._pick_others)  # type: ignore[arg-type]

    def _pick_others(self, waits: Array) -> Array:
        """Random actions of other seats than those that the games wait for; STAY elsewhere."""
        actions: Array = self.pick_others(waits, self.past.length)  # type: ignore[attr-defined]
        return actions

    def view(self, i: int, seat: int) -> Any:
        """A copy of a seat's view in game i, as a policy's `act` takes it."""
        return self.past.game(i).view(seat)

    def game(self, i: int) -> Any:
        """A copy of game i, with its history."""
        return self.past.game(i).copy()
