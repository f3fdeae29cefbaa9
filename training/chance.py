"""Results of games without the luck in them, for measurements with fewer games.

Every event of chance, a roll, a theft or a bought card, changes the seats' win probabilities. Its
luck is the change beyond the average over all its outcomes, so that the luck of a game has the mean
0 for any estimate of the win probabilities, and a result minus its luck has the same mean as the
result and less noise (as in AIVAT: Burch, Schmid, Moravcik and Bowling, 2018). Estimates are
those of the value function's networks; a better one would remove more noise, and none adds a bias.

The luck of who gets which seat and board is not in it: seats rotate over the same boards.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from catan_env.core import doors
from catan_env.core.actions import BUY_ACTION, OFFER_START, ROBBER_START, ROLL_ACTION
from catan_env.core.constants import DRAW, NOBODY
from catan_env.core.state import doorway, new_states
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import net_for, num_features
from catan_env.policies.value.win_probability import write_features_of_games
from catan_env.training.control_variate import PROBS, TOTALS

Array = np.ndarray[Any, Any]
FACES = 6


@dataclass(frozen=True)
class Event:
    """An action with a random outcome: the positions after each outcome."""

    outcomes: Array
    """Positions, (k,)."""
    probabilities: Array
    """(k,) float64."""
    happened: int
    """The index of the outcome that came."""


def luck(begun: Array, words: Array, played: Array, seats: int) -> Array:
    """The luck of each seat in each game, in win probability: (n, seats) float64.

    `begun` (n,) are the games at their beginnings, `words` (n, m) the actions chosen in them and
    `played` (n,) the number of each game's.
    """
    result = np.zeros((len(begun), seats))
    for i, count in enumerate(played.tolist()):
        events = list(events_of(begun[i : i + 1], words[i, :count].tolist()))
        if events:
            result[i] = luck_of(events, seats)
    return result


def luck_of(events: list[Event], seats: int) -> Array:
    """The luck of each seat in these events together: (seats,) float64."""
    odds = win_probabilities(np.concatenate([event.outcomes for event in events]), seats)
    total = np.zeros(seats)
    for event in events:
        after, odds = odds[: len(event.outcomes)], odds[len(event.outcomes) :]
        total += after[event.happened] - event.probabilities @ after
    return total


def events_of(begun: Array, words: list[int]) -> Iterator[Event]:
    """The events of chance in one game, which is replayed from its beginning."""
    states = new_states(1)
    states[:] = begun
    game = doorway(states)
    for word in words:
        yield from _played(states, game, word)
        decided = doors.next_table_action(game, 0)
        while decided >= 0:
            yield from _played(states, game, decided)
            decided = doors.next_table_action(game, 0)


def _played(states: Array, game: Any, action: int) -> Iterator[Event]:
    """Play an action; its event if chance had a part in it."""
    chances = chances_of(states[0], action)
    outcomes = new_states(len(chances))
    outcomes[:] = states
    for k, (code, _) in enumerate(chances):
        doors.play(doorway(outcomes), k, action, code)
    code = doors.play(game, 0, action, DRAW)
    if chances:
        happened = [_kind(action, possible) for possible, _ in chances].index(_kind(action, code))
        yield Event(outcomes, np.array([chance for _, chance in chances]), happened)


def _kind(action: int, code: int) -> int:
    """The total of the dice, or the card."""
    return code // FACES + code % FACES if action == ROLL_ACTION else code


def chances_of(state: Any, action: int) -> list[tuple[int, float]]:
    """The codes of an action's possible outcomes and their probabilities; empty without chance."""
    if action == ROLL_ACTION:
        return ROLLS
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


def _rolls() -> list[tuple[int, float]]:
    """The code of a pair of dice with each total, and the total's probability."""
    exact = np.round(FACES**2 * PROBS.astype(np.float64)) / FACES**2
    firsts = [min(int(total) - 1, FACES) for total in TOTALS]
    return [
        ((first - 1) * FACES + int(total) - first - 1, float(chance))
        for first, total, chance in zip(firsts, TOTALS, exact, strict=True)
    ]


ROLLS = _rolls()


def win_probabilities(states: Array, seats: int) -> Array:
    """The estimated win probability of each seat, with the sum 1: (n, seats) float64."""
    net = net_for(seats)
    hidden = np.maximum(features_of(states, seats) @ net[:-2] + net[-2], 0)
    odds = 1 / (1 + np.exp(-np.clip(hidden @ net[-1], -30, 30)))
    result: Array = odds.reshape(-1, seats)
    result /= result.sum(axis=1, keepdims=True)
    over = np.flatnonzero(states["winner"] != NOBODY)
    result[over] = np.arange(seats) == states["winner"][over, None]
    return result


def features_of(states: Array, seats: int) -> Array:
    """The network's inputs for every seat of each position: (n * seats, num_features) float64."""
    each = np.repeat(states, seats)
    asked = np.tile(np.arange(seats), len(states))
    features = np.zeros((len(each), num_features(seats)))
    write_features_of_games(
        doorway(each), asked, row(weights_for(seats)), Scratch().vertex_scores, features,
        0, len(each),
    )  # fmt: skip
    return features
