"""A batch that records its actions, and policies that follow its games."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.guests.hanabi.batch import REFUSED, STAY, Batch
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.policies import Policy, decide, load_policy

Array = np.ndarray[Any, Any]
MOST_MOVES = 128
"""More than any game has: a card is used at most 60 times, and each use allows one more hint."""


class RecordedBatch(Batch):
    """A `Batch` whose games are available as Game objects, with their past.

    Recording costs little; a game is reconstructed only on request.

    >>> games = RecordedBatch(3, players=2, seed=5)
    >>> for _ in range(10):
    ...     games.step(games.sample_legal())
    >>> bool((games.current_game(2).observe(0) == games.observations[2]).all())
    True
    """

    def __init__(self, num_games: int, **options: Any) -> None:
        self._history = np.zeros((num_games, MOST_MOVES), np.int8)
        self._followed: dict[int, tuple[bytes, Game]] = {}
        self._players: dict[tuple[str, int, int], Policy] = {}
        super().__init__(num_games, **options)

    def current_game(self, i: int) -> Game:
        """Game i in its current position; the batch reuses the object, so do not change it."""
        deck, moves = self.states["deck"][i].tobytes(), int(self.states["moves"][i])
        followed, game = self._followed.get(i, (None, None))
        if game is None or followed != deck:
            game = self.game(i)
            self._followed[i] = (deck, game)
        for action in self._history[i, len(game.events) : moves].tolist():
            game.play(action)
        return game

    def ask(self, policy: str, i: int) -> int:
        """The action of the named policy in game i; the policy follows the whole game."""
        game = self.current_game(i)
        seat = (policy, i, game.seat)
        if seat not in self._players:
            self._players[seat] = load_policy(policy, seed=i * self.players + game.seat)
        return decide(self._players[seat], game.view(game.seat))

    def reset(self, seed: int | ArrayLike | None = None) -> None:
        """See `Batch`."""
        self._followed.clear()
        super().reset(seed)

    def begin(self, i: int, seed: int) -> None:
        """See `Batch`."""
        self._followed.pop(i, None)
        super().begin(i, seed)

    def deal(self, decks: list[list[Card]]) -> None:
        """See `Batch`."""
        self._followed.clear()
        super().deal(decks)

    def play_others(self, seats: ArrayLike) -> None:
        """Not supported: native actions of other seats would not be recorded."""
        raise TypeError("a RecordedBatch plays only the actions passed to `step` and `play`")

    def _step(self, actions: ArrayLike, shown: Array | None, masks: Array | None) -> None:
        moves = self.states["moves"].copy()
        super()._step(actions, shown, masks)
        rows = np.flatnonzero((self.done != REFUSED) & (np.asarray(actions) != STAY))
        self._history[rows, moves[rows]] = np.asarray(actions)[rows]


def best(batch: RecordedBatch, k: int) -> tuple[Array, Array]:
    """The actions of the policy `best`, as a teacher for `training.self_play`.

    Actions and their worth, (n, k) each: one action of worth 0 if a game's mask is not empty,
    STAY elsewhere.
    """
    actions = np.full((batch.num_games, k), STAY)
    for i in np.flatnonzero(batch.masks).tolist():
        actions[i, 0] = batch.ask("best", i)
    return actions, np.zeros(actions.shape)
