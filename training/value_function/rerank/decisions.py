"""Decisions whose moves were played on: what the network learns from."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from catan_env.batch import STAY, Batch
from catan_env.core.actions import DISCARD_START, OFFER_START, REJECT_ACTION, ROLL_ACTION
from catan_env.core.doors import redact
from catan_env.core.state import doorway, new_states
from catan_env.policies.greedy import rank
from catan_env.policies.rerank import RerankNetwork, doors
from catan_env.policies.rerank.doors import CANDIDATES
from catan_env.policies.rerank.features import FEATURES, KINDS, kind_of
from catan_env.policies.rerank.reranker import ensure_reranker
from catan_env.policies.search import playouts
from catan_env.policies.search.reranked import try_reranked
from catan_env.policies.search.search import ensure_search
from catan_env.policies.value.evaluation import WON
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import log_odds_of, weights_for
from catan_env.policies.value.win_network import WinNetwork

Array = np.ndarray[Any, Any]
Choose = Callable[[Batch, np.random.Generator], Array]
BEFORE = 100
"""The decisions that each game makes before the first one is asked."""
STRAYS = 0.06
"""The fraction of choices that are not the policy's."""
ASKED = np.full(KINDS, 0.16)
"""The fractions of decisions whose moves are played, by the kind of the most valuable one."""
ASKED[[kind_of(action) for action in (ROLL_ACTION, REJECT_ACTION, DISCARD_START, OFFER_START)]] /= 4


class Decisions(NamedTuple):
    """The moves of n decisions, the most valuable first."""

    inputs: Array
    """(n, CANDIDATES, FEATURES) float16."""
    odds: Array
    """(n, CANDIDATES) float32: the log odds by value, under their name in files."""
    wins: Array
    """(n, CANDIDATES) float32: the mean win probability where the move was played on.

    It is NaN where a decision has fewer moves.
    """


def none_yet(count: int) -> Decisions:
    """Room for that many decisions, without moves."""
    shape = count, CANDIDATES
    inputs = np.zeros((*shape, FEATURES), np.float16)
    return Decisions(inputs, np.zeros(shape, np.float32), np.full(shape, np.nan, np.float32))


class Labels:
    """Plays the moves of decisions on in worlds that the acting seat cannot tell apart.

    There `greedy` plays every seat, or a network the acting seat and `greedy` the others.
    """

    def __init__(
        self, seats: int, worlds: int, rounds: int, network: RerankNetwork | None = None
    ) -> None:
        ensure_search()
        ensure_reranker()
        self._worlds, self._count, self._turns = doorway(new_states(2)), worlds, rounds * seats
        self._weights, self._scratch = row(weights_for(seats)), Scratch()
        self._try: Callable[..., None] = try_reranked if network else playouts.try_candidates
        leaf = *WinNetwork(seats).memory, self._weights, *self._scratch.memory
        self._memory = (*network.memory(), *leaf) if network else leaf

    def label(self, state: Array, moves: Array, log_odds: Array, word: int) -> tuple[Array, Array]:
        """The inputs, (k, FEATURES), and win probabilities, (k,), of moves of the acting seat."""
        seen = state.copy()
        redact(doorway(seen), 0, int(state["seat"][0]))
        view, inputs, sums = doorway(seen), np.zeros((len(moves), FEATURES)), np.zeros(len(moves))
        places = self._weights, self._scratch.tries, self._scratch.vertex_scores
        doors.write_siblings(view, 0, moves, log_odds, *places, inputs)
        of_worlds = word, 0, self._count, self._turns
        self._try(view, self._worlds, moves, len(moves), sums, *of_worlds, *self._memory)
        return inputs, sums / self._count


def decisions(
    labels: Labels, batch: Batch, choose: Choose, wanted: int, draw: np.random.Generator
) -> Decisions:
    """That many decisions of the seats that learn, labelled, of games in which `choose` plays."""
    found, count = none_yet(wanted), 0
    for _ in range(BEFORE):
        batch.play(choose(batch, draw))
    while count < wanted:
        moves, values = rank(batch, CANDIDATES)
        for i in asked(batch, moves, values, draw)[: wanted - count].tolist():
            k, word = int((moves[i] != STAY).sum()), int(draw.integers(1 << 62))
            log_odds = log_odds_of(values[i, :k], batch.seats)
            inputs, wins = labels.label(batch.states[i : i + 1], moves[i, :k], log_odds, word)
            for array, label in zip(found, (inputs, log_odds, wins), strict=True):
                array[count, :k] = label
            count += 1
        batch.play(choose(batch, draw))
    return found


def asked(batch: Batch, moves: Array, values: Array, draw: np.random.Generator) -> Array:
    """Games in which a seat that learns has more than one move: a random fraction of them."""
    is_open = (moves[:, 1] != STAY) & (values[:, 0] < WON) & learns(batch)
    kinds = [kind_of(action) for action in np.maximum(moves[:, 0], 0).tolist()]
    return np.flatnonzero(is_open & (draw.random(len(moves)) < ASKED[kinds]))


def learns(batch: Batch) -> Array:
    """True where the acting seat learns, (n,) bool: every seat of even games, one of odd ones."""
    game = np.arange(batch.num_games)
    learns: Array = (game % 2 == 0) | (batch.states["seat"] == game // 2 % batch.seats)
    return learns


def choices_of(policy: Any) -> Choose:
    """The choices of a batched policy for the seats that learn, and of `greedy` for the others.

    Some are one of `greedy`'s next three instead.
    """

    def choose(batch: Batch, draw: np.random.Generator) -> Array:
        chosen = policy.choose(batch, np.arange(batch.num_games))
        moves, at = rank(batch, 4)[0], draw.integers(1, 4, size=batch.num_games)
        other = moves[np.arange(batch.num_games), at]
        astray = (draw.random(batch.num_games) < STRAYS) & (other != STAY)
        return np.where(astray, other, np.where(learns(batch), chosen, moves[:, 0]))

    return choose
