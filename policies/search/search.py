"""Search: plays out the most valuable moves in many worlds, dropping the worse half per stage.

With three and four seats, a network that ships with the package (`policies/rerank`) rates the moves
before any playout, and reorders the seat's own moves in playouts. In duels, and at four seats that
trade, another one (`policies/set_up`) rates the settlements of the set-up. Their playouts are
longer; at four seats the other seats settle by several tastes in them. The numbers of moves and of
rounds were chosen by games played on to their ends, see "Ten moves, four rounds" and "Settling for
the whole game" in docs/research/search.md.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any
from zlib import crc32

import numpy as np

from catan_env import SeatView
from catan_env.core import doors as core_doors
from catan_env.core.constants import Phase
from catan_env.core.state import doorway, new_states
from catan_env.kernel.compiled import ensure_compiled
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.kernel.lockstep import STAY
from catan_env.policies.rerank import doors as rerank_doors
from catan_env.policies.rerank.reranker import ensure_reranker, open_reranker, sample_network
from catan_env.policies.rerank.shipped import shipped_network
from catan_env.policies.search.placements import try_placements
from catan_env.policies.search.playouts import WORLDS, deal, try_candidates
from catan_env.policies.search.reranked import try_reranked
from catan_env.policies.set_up import SetUp
from catan_env.policies.set_up.network import network_for
from catan_env.policies.set_up.set_up import SPREAD, ensure_set_up, open_set_up
from catan_env.policies.value import doors
from catan_env.policies.value.choice import MOST
from catan_env.policies.value.compiled import open_value, sample_game
from catan_env.policies.value.evaluation import WON
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import log_odds_of, weights_for
from catan_env.policies.value.win_network import WinNetwork

Array = np.ndarray[Any, Any]

CANDIDATES = 10
"""Moves in the first stage."""
ROUNDS = 4
"""Turns of every seat before a playout stops."""
PRIOR = 30
"""The number of worlds that a candidate's rating counts as, before any playout."""
SET_UP_TURNS, SET_UP_PRIOR = {(2, False): 32, (4, True): 48}, 60
"""The same for settlements of the set-up, in turns, at tables where a network rates them."""
SET_UP_WAYS = {2: 1, 4: 32}
"""The ways in which the other seats settle in those ratings, by the number of seats."""
PIECE = 0.002
"""Seconds of playouts between two looks at the clock."""
PLAYOUT = 0.0 if MACHINE_CODE else 0.25
"""Seconds to allow per playout of ROUNDS; with less time for each candidate, none is started."""
NODES = "nodes is now playouts"


def playouts_of(playouts: int | None, nodes: int | None) -> int | None:
    """The number of playouts that a search is made with, perhaps by its old name."""
    if nodes is None:
        return playouts
    if playouts is not None:
        raise TypeError(f"{NODES}: give one of them")
    warnings.warn(NODES, DeprecationWarning, stacklevel=3)
    return nodes


class Search:
    """Plays the move with the best playouts in worlds that it cannot distinguish from the real one.

    It searches for `seconds` per decision, or for about `playouts` playouts, at least one for each
    move left in each stage, which makes the answer a function of the view and the seed alone. With
    an interpreted engine a playout takes some tenths of a second: with less time it plays the move
    rated best before any playout.

    >>> from catan_env import Game
    >>> Search(seed=1, playouts=24).act(Game(seats=2, seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(
        self,
        seed: int = 0,
        seconds: float = 0.05,
        playouts: int | None = None,
        *,
        nodes: int | None = None,
    ) -> None:
        playouts = playouts_of(playouts, nodes)
        if seconds <= 0 or (playouts is not None and playouts < 1):
            raise ValueError(f"{seconds} seconds and {playouts} playouts; both must be above 0")
        ensure_search()
        self.seconds, self.playouts = seconds, playouts
        self._seed = seed & 0xFFFF_FFFF_FFFF
        self._scratch = Scratch()
        self._worlds = doorway(new_states(WORLDS))
        self._networks: dict[tuple[int, bool], tuple[Any, ...]] = {}
        self._set_ups: dict[tuple[int, bool], SetUp] = {}

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        begun = perf_counter()
        trial = Trial(self, view)
        while len(trial.candidates) > 1 and trial.stages > 0:
            if self.playouts is None:
                trial.play_for((begun + self.seconds - perf_counter()) / trial.stages)
            else:
                trial.play((self.playouts - trial.played) // (trial.stages * len(trial.candidates)))
            trial.drop_half()
        return int(trial.candidates[0])

    @property
    def nodes(self) -> int | None:
        """The old name of `playouts`, with a warning."""
        warnings.warn(NODES, DeprecationWarning, stacklevel=2)
        return self.playouts

    @nodes.setter
    def nodes(self, playouts: int | None) -> None:
        warnings.warn(NODES, DeprecationWarning, stacklevel=2)
        self.playouts = playouts

    def network_at(self, view: SeatView) -> tuple[Any, ...]:
        """The network of such a table with memory to compute in, as doors take it; () if none."""
        table = view.seats, view.rules.player_trade
        if table not in self._networks:
            network = shipped_network(*table)
            self._networks[table] = network.memory() if network else ()
        return self._networks[table]

    def set_up_at(self, view: SeatView) -> SetUp | None:
        """The rating of the moves if a network rates such settlements, otherwise None."""
        table = view.seats, view.rules.player_trade
        if view.phase is not Phase.PLACE_SETTLEMENT or table not in SET_UP_TURNS:
            return None
        if table not in self._set_ups and (network := network_for(*table)):
            self._set_ups[table] = SetUp(network, SET_UP_WAYS[view.seats] if MACHINE_CODE else 1)
        return self._set_ups.get(table)

    def candidates(self, view: SeatView) -> tuple[Array, Array]:
        """The moves to try and their values, the best first: (k,) each."""
        moves, scores = self.valued(view)
        return moves[:CANDIDATES], scores[:CANDIDATES]

    def valued(self, view: SeatView) -> tuple[Array, Array]:
        """The moves worth trying, with one offer at most, and their values, the best first."""
        moves, scores = np.zeros((1, MOST), np.int64), np.zeros((1, MOST))
        weights = row(weights_for(view.seats))
        doors.rank_actions(view._states, weights, *self._scratch.memory, moves, scores, 0, 1)
        there = moves != STAY
        return moves[there], scores[there]


class Trial:
    """One decision: the remaining candidates, the best first, and their results so far."""

    def __init__(self, search: Search, view: SeatView) -> None:
        self._views, self._worlds = view._states, search._worlds
        self._scratch, self._weights = search._scratch, row(weights_for(view.seats))
        self._seed = crc32(view.state_bytes()) << 16 ^ search._seed
        self._leaf = WinNetwork(view.seats)
        self._reranker = search.network_at(view)
        self.played = self._tried = 0
        set_up, normal = search.set_up_at(view), ROUNDS * view.seats
        table = view.seats, view.rules.player_trade
        turns, prior = (SET_UP_TURNS[table], SET_UP_PRIOR) if set_up else (normal, PRIOR)
        moves, wins = set_up.rated(view) if set_up else self._candidates(search, view)
        self._door: tuple[Any, ...] = try_candidates, ()
        if self._reranker:
            self._door = (try_placements, (SPREAD,)) if set_up else (try_reranked, self._reranker)
        order = np.argsort(-wins, kind="stable")[:CANDIDATES]
        self.candidates, self._sums = moves[order], prior * wins[order]
        self.stages = int(np.ceil(np.log2(len(order))))
        self._turns, self._playout = turns, PLAYOUT * turns / normal

    def _candidates(self, search: Search, view: SeatView) -> tuple[Array, Array]:
        """The moves to try, only one if it wins, and their win probabilities: (k,) each."""
        moves, scores = search.candidates(view)
        if scores.max() >= WON:
            moves, scores = moves[:1], scores[:1]
        return moves, self._rated(view.seats, moves, scores)

    def _rated(self, seats: int, moves: Array, scores: Array) -> Array:
        """The win probabilities of moves by the network, or by their values: (k,)."""
        log_odds = log_odds_of(scores, seats)
        wins: Array = 1 / (1 + np.exp(-log_odds))
        if self._reranker:
            places = self._weights, self._scratch.tries, self._scratch.vertex_scores
            rated = row(moves), row(log_odds), row(wins)
            rerank_doors.rate_siblings(self._views, 0, *rated, *self._reranker[1:], *places)
        return wins

    def play(self, worlds: int) -> None:
        """Play every remaining candidate in `worlds` more worlds, at least one."""
        worlds = max(worlds, 1)
        self._try(self.candidates, self._sums, worlds)
        self._count(worlds)

    def play_for(self, seconds: float) -> None:
        """Play in small pieces until the time is up; nothing if it is too short for one world."""
        now = perf_counter()
        until = now + seconds
        worlds = 1
        while until - now > self._playout * len(self.candidates):
            if worlds > 1:
                self.play(worlds)
            elif not self.play_once(until):
                return
            spent, now = perf_counter() - now, perf_counter()
            worlds = max(1, int(worlds * min(PIECE, until - now) / spent))

    def play_once(self, until: float) -> bool:
        """Like `play` in one world, unless the time runs out during it: then none of it counts."""
        sums = self._sums.copy()
        for k in range(len(self.candidates)):
            if perf_counter() > until:
                return False
            self._try(self.candidates[k : k + 1], sums[k : k + 1], 1)
        self._sums = sums
        self._count(1)
        return True

    def _try(self, candidates: Array, sums: Array, worlds: int) -> None:
        try_in_worlds, network = self._door
        try_in_worlds(
            self._views,
            self._worlds,
            row(candidates),
            len(candidates),
            row(sums),
            self._seed,
            self._tried,
            worlds,
            self._turns,
            *network,
            *self._leaf.memory,
            self._weights,
            *self._scratch.memory,
        )

    def _count(self, worlds: int) -> None:
        self._tried += worlds
        self.played += worlds * len(self.candidates)

    def drop_half(self) -> None:
        """Drop the worse half; the other half's playouts still count."""
        order = np.argsort(-self._sums, kind="stable")[: (len(self.candidates) + 1) // 2]
        self.candidates, self._sums = self.candidates[order], self._sums[order]
        self.stages -= 1


def open_search() -> None:
    """Compile the doors of the search, each called once on its own game."""
    view, worlds = sample_game(), doorway(new_states(WORLDS))
    core_doors.redact(view, 0, 0)
    first, sums, weights = np.zeros(1, np.int64), np.zeros(1), row(weights_for(2))
    one_world, memory = (row(first), 1, row(sums), 0, 0, 1, 1), Scratch().memory
    leaf = *WinNetwork(2).memory, weights
    try_candidates(view, worlds, *one_world, *leaf, *memory)
    try_placements(view, worlds, row(np.full(1, 52, np.int64)), *one_world[1:], 0, *leaf, *memory)
    try_reranked(view, worlds, *one_world, *sample_network(), *leaf, *memory)
    deal(view, 0, 1)


@cache
def ensure_search() -> None:
    """Compile the search unless this machine has done so, and load it before time is measured."""
    if MACHINE_CODE:
        ensure_reranker()
        ensure_set_up()
        ensure_compiled("search", open_search, Path(__file__).parent)
        open_value()
        open_reranker()
        open_set_up()
        open_search()


__all__ = ["Search", "ensure_search", "open_search"]
