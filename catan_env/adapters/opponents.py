"""The policies of the seats that do not learn, in many games at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.adapters.checks import checked_answers, one_each, rows_where
from catan_env.adapters.games import GOES_ON, STAY, Games
from catan_env.adapters.options import Options
from catan_env.adapters.policies import ArrayPolicy, ByArrays, Policy

Array = np.ndarray[Any, Any]


class Opponents:
    """One policy for every other seat, clockwise from the seat that learns, in each of n games.

    "random" for all of them is left to the batch itself. A policy with
    `act_batch(observations, action_masks)`, (k, size) and (k, actions), returns (k,)
    indices for all games that wait for it, and is made once. For any other name or class, each game
    has its own instance.
    """

    def __init__(self, name: str, opponents: Any, options: Options, n: int) -> None:
        self._options = options
        self._choices = one_each(name, opponents, options.num_seats - 1)
        self.play_at_random = all(isinstance(c, str) and c == "random" for c in self._choices)
        self._first = _made_once(self._choices, options)
        self._policies: list[list[Policy] | None] = [None] * n

    def begin(self, i: int, generator: np.random.Generator, is_seeded: bool) -> None:
        """Take the seats of a new game i; policies are made again for it if it was seeded."""
        if is_seeded or self._policies[i] is None:
            seeds = [draw_seed(generator) for _ in self._choices]
            self._policies[i] = [] if self.play_at_random else self._made(seeds)

    def _made(self, seeds: list[int]) -> list[Policy]:
        return [
            first if isinstance(first, ArrayPolicy) else self._options.as_policy(choice, seed)
            for choice, first, seed in zip(self._choices, self._first, seeds, strict=True)
        ]

    def choose(self, batch: Games, seat: Array, waits: Array) -> Array:
        """The actions of the games that wait, (n,) bool, for another seat; STAY in the rest."""
        actions = np.full(batch.num_games, STAY, np.int64)
        places = (batch.seat - seat) % batch.seats - 1
        is_shown = False
        for policy, at in self._batched():
            rows = np.flatnonzero(waits & np.isin(places, at))
            if len(rows):
                if not is_shown:
                    batch.refresh()
                    is_shown = True
                actions[rows] = self._checked(policy, batch, rows)
        for i in rows_where(waits & (actions == STAY)):
            actions[i] = self._act(batch, i, int(places[i]))
        return actions

    def _batched(self) -> list[tuple[ArrayPolicy, list[int]]]:
        """Each policy that answers for many games, with the places it sits on."""
        places: dict[int, tuple[ArrayPolicy, list[int]]] = {}
        for place, policy in enumerate(self._first):
            if isinstance(policy, ArrayPolicy):
                places.setdefault(id(policy), (policy, []))[1].append(place)
        return list(places.values())

    def _act(self, batch: Games, i: int, place: int) -> int:
        view = batch.view(i, int(batch.seat[i]))
        policies = self._policies[i]
        assert policies is not None
        return self._options.decide(policies[place], view)

    def _checked(self, policy: ArrayPolicy, batch: Games, rows: Array) -> Array:
        assert batch.action_masks is not None
        answers, name = ByArrays(policy).choose(batch, rows), f"{type(policy).__name__}.act_batch"
        return checked_answers(name, answers, batch.action_masks[rows], self._options.illegal_error)


def draw_seed(generator: np.random.Generator) -> int:
    """A seed for a game or a policy."""
    return int(generator.integers(1 << 63))


def _made_once(choices: list[Any], options: Options) -> list[Policy]:
    """A policy for each choice; equal choices share one policy."""
    made: list[Policy] = []
    for k, choice in enumerate(choices):
        same = [policy for policy, other in zip(made, choices[:k], strict=True) if other is choice]
        made.append(same[0] if same else options.as_policy(choice, 0))
    return made


def play_picks(games: Games, seats: ArrayLike, pick: Callable[[Array], Array]) -> None:
    """Play what `pick` chooses until seat `seats[i]` decides in game i; adds to `games.done`.

    `pick` takes the seat that each game waits for, (n,), and returns an action of another seat or
    STAY: (n,). A game that ends waits for the seat that acts in it.
    """
    done = games.done.copy()
    while (actions := pick(np.where(done == GOES_ON, seats, games.seat))).max() != STAY:
        games.play(actions)
        np.maximum(done, games.done, out=done)
    games.done[:] = done
