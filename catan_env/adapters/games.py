"""The contract: the parts of a game from which the adapters make its environments.

A game provides two things that play and one that describes them: an `Episode` is one game,
`Games` are many in lockstep, and its `Options` (options.py) make both and define rewards and
endings. A game in plain Python needs only an `Episode`: plain.py runs many of them in lockstep.

| promise | of every environment |
|---|---|
| seed | `reset(seed=7)` plays `Game(seed=7)`; without a seed, another game of the same sequence |
| action | one integer; another type raises TypeError, an illegal one is treated as `illegal` says |
| illegal | "penalty": the episode ends with a return of -1; "raise"; "ignore": it acts again |
| mask | 1 where legal; all zeros for a seat that is not acting, and at the end |
| end | `info["reason"]` gives the reason; a step after it raises ResetNeeded (AEC: takes None) |
| error | an opponent's error breaks the episode off: the mask is zero, a step raises ResetNeeded |
| limit | a game beyond it is truncated, reason "turn limit" |
| game, view | copies: changes to them do not reach the environment |
"""

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from catan_env.kernel.lockstep import CUT_OFF, ENDED, GOES_ON, REFUSED, STAY

Array = np.ndarray[Any, Any]


class Episode(Protocol):
    """One game from its first decision to its end, played by flat index."""

    @property
    def seat(self) -> int:
        """The acting seat."""

    @property
    def is_over(self) -> bool:
        """True if the game has ended by its rules."""

    def is_legal(self, index: int) -> bool:
        """True if the acting seat may play this index, which may be any integer."""

    def play(self, index: int) -> None:
        """Play a legal index."""

    def refusal(self, index: int) -> str:
        """The reason why an illegal index is refused."""

    def observation(self, seat: int) -> Array:
        """The seat's observation: a fresh array."""

    def action_mask(self) -> Array:
        """1 at each legal index of the acting seat: int8, a fresh array."""

    def view(self, seat: int) -> Any:
        """A copy of the seat's view, as a policy's `act` takes it."""

    def game(self) -> Any:
        """A copy of the current game."""


@runtime_checkable
class EpisodeWithAbsence(Episode, Protocol):
    """An episode that continues when a seat is removed from it."""

    def play_for_absent(self) -> None:
        """Decide for a seat that was removed."""


class Games(Protocol):
    """N games in lockstep; a finished game stays as it is until `begin`.

    The arrays are written in place and stay the same objects; n is `num_games`.
    """

    num_games: int
    seats: int
    seat: Array
    """The acting seat of each game: (n,) int8."""
    done: Array
    """The result of the last `play`: (n,) int8 of GOES_ON, ENDED, CUT_OFF, REFUSED."""

    @property
    def observations(self) -> Array | None:
        """The acting seats' observations, as `refresh` wrote them: (n, size)."""

    @property
    def action_masks(self) -> Array | None:
        """Their legal actions, as `refresh` wrote them: (n, actions) int8."""

    def begin(self, i: int, seed: int) -> None:
        """Begin game i with a seed: the game of `Game(seed=...)`."""

    def play(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one in each game."""

    def play_others(self, seats: ArrayLike) -> None:
        """Let others play at random until seat `seats[i]` decides in game i; adds to `done`."""

    def refresh(self) -> None:
        """Write `observations` and `action_masks`."""

    def observation(self, i: int, seat: int) -> Array:
        """A seat's observation in game i: a fresh array."""

    def view(self, i: int, seat: int) -> Any:
        """A copy of a seat's view in game i, as a policy's `act` takes it."""

    def game(self, i: int) -> Any:
        """A copy of game i."""


__all__ = [
    "CUT_OFF",
    "ENDED",
    "GOES_ON",
    "REFUSED",
    "STAY",
    "Array",
    "Episode",
    "EpisodeWithAbsence",
    "Games",
]
