"""The luck of games, for measurements with fewer games.

Every event of chance, a roll, a theft or a bought card, changes the seats' win probabilities. Its
luck is the change beyond the average over all its outcomes, so that the luck of a game has the mean
0 for any estimate of the win probabilities, and a result minus its luck has the same mean as the
result and less noise (as in AIVAT: Burch, Schmid, Moravcik and Bowling, 2018). `arena.fair`
subtracts it.

The estimate after an outcome is that of the value function's network at the beginning of the next
turn, to which the value function plays on from each outcome. A better one would remove more noise,
and none adds a bias. The luck of who gets which seat and board is not in it: seats rotate over the
same boards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np

from catan_env.core import doors
from catan_env.core.actions import BUY_ACTION, OFFER_START, ROBBER_START, ROLL_ACTION
from catan_env.core.constants import DRAW
from catan_env.core.dice import OUTCOMES, total_of
from catan_env.core.state import doorway, new_states
from catan_env.game.apply import apply_action
from catan_env.game.event import HIDDEN, Event, to_code
from catan_env.game.game import Game
from catan_env.policies.judge.futures import play_futures
from catan_env.policies.judge.judge import ensure_judge
from catan_env.policies.search.playouts import WORLDS
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork

Array = np.ndarray[Any, Any]
BY_TOTAL: dict[int, list[int]] = {}
"""The codes of the pairs of dice with each total."""
for _code in range(OUTCOMES):
    BY_TOTAL.setdefault(total_of(_code), []).append(_code)


@dataclass(frozen=True)
class Draw:
    """An event of chance: the positions after each of its outcomes."""

    outcomes: Array
    """Positions, (k,)."""
    probabilities: Array
    """(k,) float64."""
    happened: int
    """The index of the outcome that came."""


def luck_of_moves(begun: Array, actions: Array, lengths: Array, seats: int) -> Array:
    """The luck of each seat in each game, in win probability: (n, seats) float64.

    `begun` (n,) are the games at their beginnings, `actions` (n, m) those chosen in them and
    `lengths` (n,) the number of each game's.
    """
    games = [
        luck_of(draws_of_moves(begun[i : i + 1], actions[i, :length].tolist()), seats)
        for i, length in enumerate(lengths.tolist())
    ]
    return np.array(games).reshape(len(begun), seats)


def luck_of_game(begun: Game, events: Sequence[Event]) -> Array:
    """The luck of each seat in a game of these events, in win probability: (seats,) float64.

    `events` begin with those of `begun`, such as the table's placements. Cards that an event hides
    are left out.
    """
    return luck_of(draws_of_game(begun, events), begun.seats)


def luck_of(draws: Iterator[Draw] | Sequence[Draw], seats: int) -> Array:
    """The luck of each seat in these events together: (seats,) float64."""
    futures, total = Futures(seats), np.zeros(seats)
    for draw in draws:
        chances = futures.win_probabilities(draw.outcomes)
        total += chances[draw.happened] - draw.probabilities @ chances
    return total


def draws_of_moves(begun: Array, actions: list[int]) -> Iterator[Draw]:
    """The events of chance in one game, (1,), which is replayed from its beginning."""
    states = new_states(1)
    states[:] = begun
    game = doorway(states)
    for action in actions:
        yield from _played(states, action)
        decided = doors.next_table_action(game, 0)
        while decided >= 0:
            yield from _played(states, decided)
            decided = doors.next_table_action(game, 0)


def draws_of_game(begun: Game, events: Sequence[Event]) -> Iterator[Draw]:
    """The events of chance in one game, which is replayed with their outcomes."""
    game = begun.copy()
    for event in events[len(begun.events) :]:
        code = DRAW if event.outcome is None else to_code(event.action, event.outcome, game.seats)
        index = event.action.index
        if index is not None and event.outcome not in (None, HIDDEN):
            yield from draws_at(game._array, index, code)
        apply_action(game, event.action, code, event.seat)


def _played(states: Array, action: int) -> Iterator[Draw]:
    """Play an action in a game, (1,); its draw if chance had a part in it."""
    before = states.copy()
    code = doors.play(doorway(states), 0, action, DRAW)
    yield from draws_at(before, action, code)


def draws_at(states: Array, action: int, code: int) -> Iterator[Draw]:
    """The draw of an action in a game, (1,), with the outcome of that code, if it has one."""
    chances = chances_of(states, action)
    if not chances:
        return
    outcomes = new_states(len(chances))
    outcomes[:] = states
    games = doorway(outcomes)
    for k, (possible, _) in enumerate(chances):
        doors.play(games, k, action, possible)
    happened = [_kind(action, possible) for possible, _ in chances].index(_kind(action, code))
    yield Draw(outcomes, np.array([chance for _, chance in chances]), happened)


def _kind(action: int, code: int) -> int:
    """The total of the dice, or the card."""
    return int(total_of(code)) if action == ROLL_ACTION else code


def chances_of(states: Array, action: int) -> list[tuple[int, float]]:
    """The codes of an action's possible outcomes and their probabilities; empty without chance."""
    state = states[0]
    if action == ROLL_ACTION:
        return _totals(states)
    if action == BUY_ACTION:
        return _shares(state["deck"])
    if ROBBER_START <= action < OFFER_START:
        step = (action - ROBBER_START) % 4
        victim = (int(state["seat"]) + step) % int(state["seats"])
        return _shares(state["hand"][victim]) if step else []
    return []


def _shares(cards: Array) -> list[tuple[int, float]]:
    """Each kind of card that is there, and its share."""
    total = int(cards.sum())
    return [(kind, n / total) for kind, n in enumerate(cards.tolist()) if n]


def _totals(states: Array) -> list[tuple[int, float]]:
    """The code of a possible pair of dice for each total, and the total's probability."""
    weights = np.zeros(OUTCOMES, np.int64)
    doors.write_dice_weights(doorway(states.copy()), 0, weights)
    sums = {total: int(weights[codes].sum()) for total, codes in BY_TOTAL.items()}
    return [
        (next(code for code in BY_TOTAL[total] if weights[code]), weight / int(weights.sum()))
        for total, weight in sums.items()
        if weight
    ]


class Futures:
    """Estimates of win probabilities, from games that are played on to the next turn."""

    def __init__(self, seats: int) -> None:
        ensure_judge()
        self._seats, self._weights = seats, row(weights_for(seats))
        self._worlds = doorway(new_states(WORLDS))
        self._memory, self._scratch = WinNetwork(seats).memory, _scratch().memory

    def win_probabilities(self, states: Array) -> Array:
        """Each seat's win probability in positions that share their chance: (n, seats) float64.

        That chance follows from the first position without its own chance, whichever outcome
        happened.
        """
        first = states[:1].copy()
        first["seed"] = first["draws"] = 0
        seed = crc32(first.tobytes())
        result = np.zeros((len(states), self._seats))
        for k in range(len(states)):
            play_futures(
                doorway(states[k : k + 1]), self._worlds, row(result[k]), seed, 1, 1,
                *self._memory, self._weights, *self._scratch,
            )  # fmt: skip
        result /= result.sum(axis=1, keepdims=True)
        return result


@cache
def _scratch() -> Scratch:
    return Scratch()
