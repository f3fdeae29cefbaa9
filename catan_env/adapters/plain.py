"""Games in plain Python as episodes, and many of them in lockstep."""

import copy
from collections.abc import Callable
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from catan_env.adapters.games import CUT_OFF, ENDED, GOES_ON, REFUSED, STAY, Array, Episode
from catan_env.adapters.promises import check_any_legal, check_mask, check_observation


class PlainGame(Protocol):
    """A game in progress, with everything hidden in it."""

    @property
    def seat(self) -> int:
        """The acting seat."""

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""

    @property
    def action_mask(self) -> Array:
        """1 at each legal index of the acting seat: int8, a fresh array."""

    def play(self, action: int, /) -> Any:
        """Play an index; an illegal one raises the game's error and changes nothing."""

    def observe(self, seat: int) -> Array:
        """The seat's observation: a fresh array."""

    def view(self, seat: int) -> Any:
        """A copy of the seat's view, as a policy's `act` takes it, with `action_mask`."""

    def copy(self) -> Self:
        """A game with the same past and the same future."""


def refusal_of(game: Any, index: int, error: type[Exception]) -> str:
    """The reason why an illegal index is refused; the game is not used again."""
    try:
        game.play(index)
    except error as refused:
        return str(refused)
    raise AssertionError(f"the index {index} is legal")


class PlainEpisode:
    """A game as an environment plays it; `error` is raised for an illegal index."""

    def __init__(self, game: Any, error: type[Exception]) -> None:
        self._game, self._error = game, error

    @property
    def played(self) -> Any:
        """The game itself, for rewards and endings to read."""
        return self._game

    @property
    def seat(self) -> int:
        """The acting seat."""
        return int(self._game.seat)

    @property
    def is_over(self) -> bool:
        """True if the game has ended by its rules."""
        return bool(self._game.is_over)

    def is_legal(self, index: int) -> bool:
        """True if the acting seat may play this index, which may be any integer."""
        mask = self._game.action_mask
        return 0 <= index < len(mask) and bool(mask[index])

    def play(self, index: int) -> None:
        """Play a legal index."""
        self._game.play(index)

    def refusal(self, index: int) -> str:
        """The reason why an illegal index is refused."""
        check_any_legal(self.action_mask(), f"of seat {self.seat}")
        return refusal_of(self._game.copy(), index, self._error)

    def observation(self, seat: int) -> Array:
        """The seat's observation: a fresh array."""
        known: Array = self._game.observe(seat)
        return known

    def action_mask(self) -> Array:
        """1 at each legal index of the acting seat: int8, a fresh array."""
        mask: Array = self._game.action_mask
        return mask

    def view(self, seat: int) -> Any:
        """The seat's view, as a policy's `act` takes it."""
        return self._game.view(seat)

    def game(self) -> Any:
        """A copy of the current game."""
        return self._game.copy()


class PlainGames:
    """N episodes in lockstep (`games.Games`), by one Python call after another."""

    def __init__(
        self,
        n: int,
        seats: int,
        new_episode: Callable[[int], Episode],
        is_too_long: Callable[[Any], bool],
    ) -> None:
        self.num_games, self.seats = n, seats
        self._new, self._is_too_long = new_episode, is_too_long
        self.episodes: list[Any] = [new_episode(i) for i in range(n)]
        self.seeds = np.arange(n, dtype=np.uint64)
        """The seeds of the games, from which policies that are given by name draw theirs."""
        first = self.episodes[0]
        self.observations = np.zeros((n, *first.observation(0).shape), first.observation(0).dtype)
        self.action_masks = np.zeros((n, *first.action_mask().shape), np.int8)
        self.seat = np.array([episode.seat for episode in self.episodes], np.int8)
        self.done = np.zeros(n, np.int8)
        self._chance = [np.random.default_rng(i) for i in range(n)]

    @property
    def over(self) -> Array:
        """True if a game has ended or was cut off: (n,) bool."""
        return np.array([not self._goes_on(i) for i in range(self.num_games)])

    def begin(self, i: int, seed: int) -> None:
        """Begin game i with a seed."""
        self.episodes[i], self._chance[i] = self._new(seed), np.random.default_rng(seed)
        self.seeds[i] = seed
        self.seat[i], self.done[i] = self.episodes[i].seat, GOES_ON

    def play(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one in each game."""
        self.done[:] = GOES_ON
        for i, action in enumerate(np.asarray(actions).tolist()):
            if action != STAY:
                self._play(i, action)

    def play_others(self, seats: ArrayLike) -> None:
        """Let other seats play at random until seat `seats[i]` decides in game i."""
        for i, seat in enumerate(np.asarray(seats).tolist()):
            while self.seat[i] != seat and self._goes_on(i):
                legal = np.flatnonzero(self.episodes[i].action_mask())
                check_any_legal(legal + 1, f"of seat {self.seat[i]} in game {i}")
                self._play(i, int(self._chance[i].choice(legal)))

    def refresh(self) -> None:
        """Write `observations` and `action_masks`."""
        first, num_actions = self.observations[0], self.action_masks.shape[1]
        for i, episode in enumerate(self.episodes):
            seen = episode.observation(max(episode.seat, 0))
            check_observation(seen, first, i)
            self.observations[i] = seen
            self.action_masks[i] = 0
            if not episode.is_over:
                mask = episode.action_mask()
                check_mask(mask, num_actions, i)
                self.action_masks[i] = mask
        for i in np.flatnonzero(~self.action_masks.any(axis=1)).tolist():
            if self._goes_on(i):
                place = f"of seat {self.episodes[i].seat} in game {i}"
                check_any_legal(self.action_masks[i], place)

    def observation(self, i: int, seat: int) -> Array:
        """A seat's observation in game i: a fresh array."""
        return self.episodes[i].observation(seat)

    def view(self, i: int, seat: int) -> Any:
        """A copy of a seat's view in game i."""
        return self.episodes[i].view(seat)

    def game(self, i: int) -> Any:
        """A copy of game i."""
        return self.episodes[i].game()

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def _goes_on(self, i: int) -> bool:
        return not self.episodes[i].is_over and not self._is_too_long(self.episodes[i])

    def _play(self, i: int, action: int) -> None:
        episode = self.episodes[i]
        if not episode.is_legal(action):
            self.done[i] = REFUSED
            return
        episode.play(action)
        self.seat[i] = episode.seat
        if episode.is_over:
            self.done[i] = ENDED
        elif self._is_too_long(episode):
            self.done[i] = CUT_OFF
