"""What a seat's candidate actions lead to: one step of its own decisions ahead, many games at once.

Every candidate is played in some worlds that the seat cannot tell from the real one, with dice of
their own, the same for all candidates. There the network plays for everybody, until the seat is to
choose again, where its value says what the position is worth, or until the game has ended.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_env.batch import GOES_ON, REFUSED, STAY, Batch
from catan_env.core.doors import redact
from catan_env.core.state import doorway
from catan_env.policies.search.playouts import deal
from catan_env.policies.search.search import ensure_search

Array = np.ndarray[Any, Any]
Answer = Callable[[Array, Array], tuple[Array, Array]]
"""Given observations (n, 913) and masks (n, 848): actions and values, (n,) each."""


class Lookahead:
    """Looks ahead in up to `games` positions of a batch, by so many candidates and worlds."""

    def __init__(
        self, batch: Batch, games: int, candidates: int, worlds: int, seed: int, answer: Answer
    ) -> None:
        ensure_search()
        self.candidates, self.worlds, self._answer = candidates, worlds, answer
        self._random = np.random.default_rng(seed)
        self.imagined = Batch(
            games * candidates * worlds, seats=batch.seats, rules=batch.rules,
            max_turns=batch.max_turns or None, autoreset=False,
        )  # fmt: skip

    def worth(self, states: Array, seats: Array, actions: Array) -> Array:
        """What `actions`, (k, candidates), are worth to `seats`, who decide in `states`: (k,).

        (k, candidates) float32: means over worlds, of 1 for a win, less for a loss, values between.
        """
        k, n = len(states), len(states) * self.worlds * self.candidates
        imagined = self.imagined
        imagined.states[:n] = self._dealt(states, seats).repeat(self.candidates)
        viewers = seats.repeat(self.worlds * self.candidates).astype(np.int64)
        moves = np.full(imagined.num_games, STAY)
        moves[:n] = actions.repeat(self.worlds, axis=0).ravel()
        worth = np.zeros(n, np.float32)
        goes_on = np.arange(n)
        while len(goes_on):
            imagined.step(moves)
            moves[goes_on] = STAY
            goes_on = self._stop_where_over(goes_on, viewers, worth)
            goes_on = self._ask(goes_on, viewers, worth, moves)
        mean: Array = worth.reshape(k, self.worlds, self.candidates).mean(axis=1)
        return mean

    def _dealt(self, states: Array, seats: Array) -> Array:
        """Each of the positions in as many worlds as wanted, one after the other."""
        dealt = states.repeat(self.worlds)
        door, words = doorway(dealt), self._random.integers(1 << 63, size=len(dealt))
        for i, seat in enumerate(seats.repeat(self.worlds).tolist()):
            redact(door, i, seat)
            deal(door, i, int(words[i]))
        return dealt

    def _stop_where_over(self, goes_on: Array, viewers: Array, worth: Array) -> Array:
        imagined = self.imagined
        if (imagined.done[goes_on] == REFUSED).any():
            raise ValueError("a candidate that the mask does not allow")
        over = goes_on[imagined.done[goes_on] != GOES_ON]
        worth[over] = imagined.rewards[over, viewers[over]]
        return goes_on[imagined.done[goes_on] == GOES_ON]

    def _ask(self, goes_on: Array, viewers: Array, worth: Array, moves: Array) -> Array:
        """Write what is played next where it goes on, and what a position is worth where not."""
        imagined = self.imagined
        masks = imagined.action_masks[goes_on]
        is_choice = np.add.reduce(masks, axis=1, dtype=np.int16) > 1
        moves[goes_on] = masks.argmax(axis=1)
        asked = goes_on[is_choice]
        if not len(asked):
            return goes_on
        actions, values = self._answer(imagined.observations[asked], masks[is_choice])
        arrived = imagined.seat[asked] == viewers[asked]
        worth[asked[arrived]] = values[arrived]
        moves[asked] = np.where(arrived, STAY, actions)
        return np.setdiff1d(goes_on, asked[arrived], assume_unique=True)
