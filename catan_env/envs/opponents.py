"""The policies that play the seats which do not learn, in many games at once."""

from typing import Any

import numpy as np

from catan_env.batch import STAY, Batch
from catan_env.envs.checks import legal_actions
from catan_env.envs.single import one_each
from catan_env.game.board import Board
from catan_env.game.errors import IllegalActionError
from catan_env.policy import Policy, as_policy, decide

Array = np.ndarray[Any, Any]


class Opponents:
    """One policy for every other seat, clockwise from the seat that learns, in each of n games.

    "random" for all of them is left to the batch itself. A policy with
    `act_batch(observations, action_masks)`, (k, OBSERVATION_SIZE) and (k, 848) int8, answers (k,)
    indices for all games that wait for it; it is made once. Of any other name or class, each game
    has one of its own.
    """

    def __init__(self, opponents: Any, seats: int, n: int) -> None:
        self._choices = one_each(opponents, seats - 1)
        self.play_at_random = all(isinstance(c, str) and c == "random" for c in self._choices)
        self._first = _made_once(self._choices)
        self._policies: list[list[Policy] | None] = [None] * n
        self._boards: list[Board | None] = [None] * n

    def begin(self, i: int, generator: np.random.Generator, is_seeded: bool) -> None:
        """Sit down to a new game i; those made for it are made anew if it was seeded."""
        self._boards[i] = None
        if is_seeded or self._policies[i] is None:
            seeds = [draw_seed(generator) for _ in self._choices]
            self._policies[i] = [] if self.play_at_random else self._made(seeds)

    def _made(self, seeds: list[int]) -> list[Policy]:
        return [
            first if hasattr(first, "act_batch") else as_policy(choice, seed)
            for choice, first, seed in zip(self._choices, self._first, seeds, strict=True)
        ]

    def answer(self, batch: Batch, seat: Array, waits: Array) -> Array:
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
                actions[rows] = self._act_batch(policy, batch, rows)
        for i in np.flatnonzero(waits & (actions == STAY)).tolist():
            actions[i] = self._act(batch, i, int(places[i]))
        return actions

    def _batched(self) -> list[tuple[Any, list[int]]]:
        """Each policy that answers for many games, with the places it sits on."""
        places: dict[int, tuple[Any, list[int]]] = {}
        for place, policy in enumerate(self._first):
            if hasattr(policy, "act_batch"):
                places.setdefault(id(policy), (policy, []))[1].append(place)
        return list(places.values())

    def _act(self, batch: Batch, i: int, place: int) -> int:
        view = batch.view(i, int(batch.seat[i]), self._boards[i])
        self._boards[i] = view.board
        policies = self._policies[i]
        assert policies is not None
        return decide(policies[place], view)

    def _act_batch(self, policy: Any, batch: Batch, rows: Array) -> Array:
        assert batch.observations is not None and batch.action_masks is not None
        masks = batch.action_masks[rows]
        answers = np.asarray(policy.act_batch(batch.observations[rows], masks))
        if answers.shape != rows.shape or not np.issubdtype(answers.dtype, np.integer):
            raise IllegalActionError(
                f"{type(policy).__name__}.act_batch answered an array of shape {answers.shape} "
                f"and dtype {answers.dtype}; allowed are {rows.shape} integers"
            )
        for k in np.flatnonzero(~legal_actions(answers, masks)[1]):
            raise IllegalActionError(
                f"{type(policy).__name__}.act_batch answered {answers[k]} in row {k}; "
                f"the action mask allows {', '.join(map(str, np.flatnonzero(masks[k])[:8]))} ..."
            )
        return answers


def draw_seed(generator: np.random.Generator) -> int:
    """A seed for a game or a policy."""
    return int(generator.integers(1 << 63))


def _made_once(choices: list[Any]) -> list[Policy]:
    """A policy of each choice; equal choices are one policy."""
    made: list[Policy] = []
    for k, choice in enumerate(choices):
        same = [policy for policy, other in zip(made, choices[:k], strict=True) if other is choice]
        made.append(same[0] if same else as_policy(choice))
    return made
