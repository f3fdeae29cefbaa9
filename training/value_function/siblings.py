"""`python -m catan_env.training.value_function.siblings --seats 4`: what tells siblings apart.

A search compares the positions that follow from different actions with the same luck (siblings),
which no played game contains side by side. Here `greedy`'s best actions are played in the same
world for two rounds, as `search` does, and each position is then played to its end twice. A network
learns who wins; its differences between siblings are compared with the results' differences, and
with the most that can be known: the two results of one position have nothing but it in common.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from catan_env.batch import STAY, Batch
from catan_env.core.constants import OVER
from catan_env.core.doors import redact
from catan_env.core.state import doorway, new_states
from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import replacing
from catan_env.policies.greedy import rank
from catan_env.policies.search import playouts
from catan_env.policies.search.search import ensure_search
from catan_env.policies.value import doors, win_probability
from catan_env.policies.value.compiled import ensure_runs
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork, net_for, num_features
from catan_env.training.folder import make_folder_of
from catan_env.training.ranges import check_least, check_seed
from catan_env.training.value_function.explained import explained_variance
from catan_env.training.value_function.win_probability import LEAST as LEARNED
from catan_env.training.value_function.win_probability import Positions, choices, learned

Array = np.ndarray[Any, Any]
GAMES = 256
CANDIDATES = 6
"""The actions of a decision that are played."""
ASKED = 0.02
"""The fraction of decisions whose actions are played."""
MAX_TURNS, MOST_DECISIONS = 400, 4000
UNSEEN_SHARE = 0.1
"""The fraction of the groups, the last ones, that is not learned from."""
LEAST = int((LEARNED + CANDIDATES) / (1 - UNSEEN_SHARE)) + 1
"""Positions of a run: those of a group are together on one side."""


class Siblings(NamedTuple):
    """Positions two rounds after the actions of a decision, of games that go on."""

    features: Array
    """(n, num_features) float16."""
    won: Array
    """(n, 2) float32: the seat's results of both continuations, 1 for a win, else 0."""
    group: Array
    """(n,) int64: the decision, in ascending order."""

    def split(self, fraction: float) -> tuple["Siblings", "Siblings"]:
        """The groups before and after that fraction of the positions."""
        at = int(np.searchsorted(self.group, self.group[int(len(self.group) * fraction)]))
        before, after = ([a[:at] for a in self], [a[at:] for a in self])
        return Siblings(*before), Siblings(*after)


class Leaf(NamedTuple):
    """A position at the end of a playout, for the seat that chose."""

    state: Array
    """(1,) GAME."""
    seat: int
    decision: int
    word: int
    """A random number that the leaf's siblings share."""


class Labels:
    """Plays the actions of decisions to leaves, and the leaves to their ends."""

    def __init__(self, seats: int) -> None:
        ensure_search()
        ensure_runs()
        self.seats = seats
        self._games = new_states(playouts.WORLDS)
        self._worlds = doorway(self._games)
        self._weights, self._scratch = row(weights_for(seats)), Scratch()
        self._memory = *WinNetwork(seats).memory, self._weights, *self._scratch.memory

    def leaves(self, state: Array, actions: Array, decision: int, word: int) -> list[Leaf]:
        """The positions two rounds after each action, in one world: of games that go on."""
        seat, view = int(state["seat"][0]), doorway(state.copy())
        redact(view, 0, seat)
        found = []
        for action in actions:
            tried = row(np.array([action])), 1, row(np.zeros(1)), word, 0, 1
            turns = playouts.SHORT * self.seats
            playouts.try_candidates(view, self._worlds, *tried, turns, *self._memory)
            leaf = self._games[playouts.FUTURE : playouts.FUTURE + 1].copy()
            if leaf["phase"][0] != OVER:
                found.append(Leaf(leaf, seat, decision, word))
        return found

    def siblings(self, leaves: list[Leaf]) -> Siblings:
        """The leaves with their features, and the results of playing each to its end twice."""
        states = np.concatenate([leaf.state for leaf in leaves])
        seats = np.array([leaf.seat for leaf in leaves])
        features = np.zeros((len(leaves), num_features(self.seats)))
        win_probability.write_features_of_games(
            doorway(states), seats, self._weights, self._scratch.vertex_scores,
            features, 0, len(leaves),
        )  # fmt: skip
        words = np.array([leaf.word for leaf in leaves], np.uint64)
        won = [self._winners(states, words + np.uint64(k)) == seats for k in (1, 2)]
        group = np.array([leaf.decision for leaf in leaves])
        return Siblings(features.astype(np.float16), np.stack(won, 1).astype(np.float32), group)

    def _winners(self, states: Array, seeds: Array) -> Array:
        """The winner of each game, played on by `greedy` with the chance of these seeds."""
        ends = states.copy()
        ends["seed"], ends["draws"] = seeds, 0
        n = len(ends)
        mine, actions = np.ones((n, self.seats), np.bool_), np.zeros((n, MOST_DECISIONS), np.uint16)
        lengths, decisions = np.zeros(n, np.int64), np.zeros((n, self.seats), np.int64)
        doors.play_runs(
            doorway(ends), mine, MAX_TURNS, actions, lengths, decisions,
            self._weights, *self._scratch.memory, 0, n,
        )  # fmt: skip
        winners: Array = ends["winner"]
        return winners


def siblings(seats: int, rules: str, wanted: int, seed: int) -> Siblings:
    """At least `wanted` positions of decisions in `greedy`'s games, some choices not its best."""
    batch = Batch(
        GAMES, seats=seats, rules=rules, seed=seed, max_turns=MAX_TURNS, observations=False
    )
    draw, labels = np.random.default_rng(seed), Labels(seats)
    leaves: list[Leaf] = []
    found: list[Siblings] = []
    decision, count = 0, 0
    while count < wanted:
        moves = rank(batch, CANDIDATES)[0]
        asked = (moves[:, 1] != STAY) & (draw.random(GAMES) < ASKED)
        for i in np.flatnonzero(asked).tolist():
            actions, word = moves[i][moves[i] != STAY], int(draw.integers(1 << 62))
            leaves += labels.leaves(batch.states[i : i + 1], actions, decision, word)
            decision += 1
        batch.play(choices(batch, draw))
        if len(leaves) >= min(wanted - count, GAMES):
            found.append(labels.siblings(leaves))
            count += len(leaves)
            leaves = []
    return Siblings(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


class Explained(NamedTuple):
    """The fractions of the variance of results that a network explains."""

    of_all: float
    of_differences: float
    """Of the results' differences from the mean of their siblings."""
    can_be: float
    """The most that any function of the positions could explain of these."""

    def __str__(self) -> str:
        return (
            f"explains {self.of_all:.1%} of the results, {self.of_differences:.2%} of the "
            f"differences between siblings, of which {self.can_be:.2%} can be explained"
        )


def explained(chances: Array, known: Siblings) -> Explained:
    """The results of siblings that chances of winning, (n,), explain."""
    _, place, size = np.unique(known.group, return_inverse=True, return_counts=True)

    def apart(values: Array) -> Array:
        """The differences from the mean of the siblings."""
        means = np.bincount(place, values) / size
        differences: Array = values - means[place]
        return differences

    first, second = (apart(won.astype(np.float64)) for won in known.won.T)
    squares = (np.square(first).sum() + np.square(second).sum()) / 2
    missed = np.square((first + second) / 2 - apart(chances)).sum()
    noise = np.square((first - second) / 2).sum()
    return Explained(
        explained_variance(np.tile(chances, 2), known.won.T.ravel()),
        float(1 - (missed + noise) / squares),
        float(first @ second / squares),
    )


def chances_of(net: Array, features: Array) -> Array:
    """The chances of winning by a network as `win_probability` takes it: (n,)."""
    units = np.maximum(features.astype(np.float32) @ net[:-2] + net[-2], 0)
    chances: Array = 1 / (1 + np.exp(-(units @ net[-1])))
    return chances


def main(given: list[str] | None = None) -> None:
    """Label positions, and compare the shipped network with one that learned from them."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.value_function.siblings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--seats", type=int, choices=(2, 3, 4), default=4,
        help="seats of a game (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--positions", type=int, default=500_000,
        help="positions of the games, at least (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=int, default=1,
        help="seed of the games and the network (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, help="write the new network to this file")
    wanted = parser.parse_args(given)
    with ends_in_one_line(parser.prog):
        check_least(wanted, positions=LEAST)
        check_seed(wanted.seed)
        if wanted.out is not None:
            make_folder_of(wanted.out)
    torch.set_num_threads(1)
    rules = "duel" if wanted.seats == 2 else "base"
    known, unseen = siblings(wanted.seats, rules, wanted.positions, wanted.seed).split(
        1 - UNSEEN_SHARE
    )
    net, _ = learned(Positions(known.features, known.won.mean(1)), wanted.seed)
    if wanted.out is not None:
        with replacing(wanted.out) as path, path.open("wb") as file:
            np.save(file, net)
    print(f"{len(known.group):,} positions learned from, {len(unseen.group):,} unseen")
    for name, each in (("shipped", net_for(wanted.seats)), ("new", net)):
        print(f"{name}: {explained(chances_of(each, unseen.features), unseen)}")


if __name__ == "__main__":
    main()
