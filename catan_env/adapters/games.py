"""The contract: what a game has so that the adapters make its environments.

A game gives two things that play, and one that explains them: an `Episode` is one game, `Games` are
many in lockstep, and its `Options` (options.py) make both and define rewards and endings. A game in
plain Python needs an `Episode` only: plain.py puts many of them in lockstep.

| promise | of every environment |
|---|---|
| seed | `reset(seed=7)` plays `Game(seed=7)`; without a seed, another game of the same sequence |
| action | one integer; another type raises TypeError, an illegal one is treated as `illegal` says |
| illegal | "penalty": the episode ends, worth -1 in all; "raise"; "ignore": asked again |
| mask | 1 where legal; all zeros for a seat that is not to decide, and at the end |
| end | `info["reason"]` says why; a step after it raises ResetNeeded (AEC: takes None) |
| limit | a game beyond it is truncated, reason "turn limit" |
| game, view | copies: what is done to them changes no environment |
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray[Any, Any]

STAY = -1
"""In place of an action: the game stays as it is."""
GOES_ON, ENDED, CUT_OFF, REFUSED = 0, 1, 2, 3
"""`Games.done`: still played, over by the rules, beyond the limit, an action that is not legal."""


class Episode(Protocol):
    """One game from its first decision to its end, played by flat index."""

    @property
    def seat(self) -> int:
        """Whose decision it is."""

    @property
    def is_over(self) -> bool:
        """True if the game has ended by its rules."""

    def is_legal(self, index: int) -> bool:
        """True if the seat to decide may play this, which may be any integer."""

    def play(self, index: int) -> None:
        """Play an index that is legal."""

    def refusal(self, index: int) -> str:
        """Why an index that is not legal is refused."""

    def observation(self, seat: int) -> Array:
        """What a seat knows: a fresh array."""

    def action_mask(self) -> Array:
        """1 at each legal index of the seat to decide: int8, a fresh array."""

    def view(self, seat: int) -> Any:
        """What a seat knows, as a policy's `act` takes it: a copy."""

    def game(self) -> Any:
        """The game as it stands: a copy."""


class EpisodeWithAbsence(Episode, Protocol):
    """An episode that continues when a seat is thrown out of it."""

    def play_for_absent(self) -> None:
        """Decide for a seat that was thrown out."""


class Games(Protocol):
    """N games in lockstep; a game that ended stays as it ended until `begin`.

    The arrays are written in place and stay the same objects; n is `num_games`.
    """

    num_games: int
    seats: int
    seat: Array
    """Whose decision it is: (n,) int8."""
    done: Array
    """What the last `play` ended: (n,) int8 of GOES_ON, ENDED, CUT_OFF, REFUSED."""

    @property
    def observations(self) -> Array | None:
        """Of the seat to decide, as `refresh` wrote them: (n, size)."""

    @property
    def action_masks(self) -> Array | None:
        """Its legal actions, as `refresh` wrote them: (n, actions) int8."""

    def begin(self, i: int, seed: int) -> None:
        """Begin game i with a seed: the game of `Game(seed=...)`."""

    def play(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one in each game."""

    def play_others(self, seats: ArrayLike) -> None:
        """Let others play at random until seat `seats[i]` decides in game i; adds to `done`."""

    def refresh(self) -> None:
        """Write `observations` and `action_masks`."""

    def observation(self, i: int, seat: int) -> Array:
        """What a seat knows of game i: a fresh array."""

    def view(self, i: int, seat: int) -> Any:
        """What a seat knows of game i, as a policy's `act` takes it: a copy."""

    def game(self, i: int) -> Any:
        """Game i as it stands: a copy."""


class Policy(Protocol):
    """What decides for a seat."""

    def act(self, view: Any) -> int:
        """A flat index that is 1 in `view.action_mask`."""
