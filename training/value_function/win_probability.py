"""`python -m catan_env.training.value_function.win_probability --seats 2`: learn who wins.

`greedy` plays itself, and sometimes not its best choice, so that positions which `search` reaches
are covered, too. At the beginning of turns the features of a seat are recorded, and whether it won.
A network of one layer learns from that; `search` evaluates it where a playout ends.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from catan_env.batch import STAY, Batch
from catan_env.core.constants import Phase
from catan_env.core.state import doorway
from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import replacing
from catan_env.policies.greedy import rank
from catan_env.policies.value import win_probability
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import file_for, num_features
from catan_env.training.folder import make_folder_of
from catan_env.training.optimizers import AdamW
from catan_env.training.ranges import check_least, check_seed
from catan_env.training.value_function.explained import explained_variance

Array = np.ndarray[Any, Any]
AT_ONCE = 1024
ASKED = 0.06
"""The fraction of the turns at whose beginning a seat is recorded; those of a game correlate."""
STRAYS = 0.08
"""The fraction of the choices that are not the best, but one of the three after it."""
UNITS = 32
EPOCHS, MINIBATCH, RATE = 12, 4096, 2e-3
UNSEEN_SHARE = 0.1
"""The fraction of the positions, the last ones, that is not learned from."""


LEAST = int(MINIBATCH / (1 - UNSEEN_SHARE)) + 1
"""Positions that are learned from: a minibatch, and those that are not."""


class Positions(NamedTuple):
    """Positions at the beginning of turns."""

    features: Array
    """(n, num_features) float16."""
    won: Array
    """(n,) float32: 1 where the seat won, else 0."""


def positions(seats: int, rules: str, wanted: int, seed: int) -> Positions:
    """At least `wanted` positions, of whole games that were won."""
    batch = Batch(
        AT_ONCE, seats=seats, rules=rules, seed=seed, max_turns=400, observations=False
    )  # fmt: skip
    draw = np.random.default_rng(seed)
    waiting: list[list[tuple[Array, int]]] = [[] for _ in range(AT_ONCE)]
    features: list[Array] = []
    won: list[bool] = []
    while len(won) < wanted:
        rows = np.flatnonzero(_begins_a_turn(batch) & (draw.random(AT_ONCE) < ASKED))
        asked = draw.integers(seats, size=len(rows))
        for i, seat, seen in zip(rows, asked, features_of(batch, rows, asked), strict=True):
            waiting[i].append((seen, seat))
        batch.play(choices(batch, draw))
        for i in np.flatnonzero(batch.done):
            if batch.winner[i] >= 0:
                features += [seen for seen, _ in waiting[i]]
                won += [seat == batch.winner[i] for _, seat in waiting[i]]
            waiting[i].clear()
    return Positions(np.stack(features), np.array(won, np.float32))


def features_of(batch: Batch, rows: Array, asked: Array) -> Array:
    """The features of a seat in each of those games: (k, num_features) float16."""
    features = np.zeros((len(rows), num_features(batch.seats)))
    states = doorway(batch.states[rows].copy())
    weights, values = row(weights_for(batch.seats)), Scratch().vertex_scores
    win_probability.write_features_of_games(states, asked, weights, values, features, 0, len(rows))
    return features.astype(np.float16)


def _begins_a_turn(batch: Batch) -> Array:
    """True where the dice come next and no card has been played."""
    states = batch.states
    begins: Array = (states["phase"] == Phase.ROLL) & (states["card_played"] == 0)
    return begins


def choices(batch: Batch, draw: np.random.Generator) -> Array:
    """The best action of each game, and sometimes one of the next three."""
    moves = rank(batch, 4)[0]
    place = draw.integers(1, 4, size=len(moves)) * (draw.random(len(moves)) < STRAYS)
    strayed = moves[np.arange(len(moves)), place]
    return np.where(strayed == STAY, moves[:, 0], strayed)


def learned(known: Positions, seed: int) -> tuple[Array, float]:
    """The network as `win_probability` takes it, and its explained variance of unseen results."""
    torch.manual_seed(seed)
    count = int(len(known.won) * (1 - UNSEEN_SHARE))
    features, won = torch.from_numpy(known.features), torch.from_numpy(known.won)
    seen = known.features[:count].astype(np.float32)
    scale = _Scale(seen.mean(axis=0), seen.std(axis=0) + 1e-6)
    net = nn.Sequential(scale, nn.Linear(features.shape[1], UNITS - 1), nn.ReLU(),
                        nn.Linear(UNITS - 1, 1))  # fmt: skip
    optimizer = AdamW(net.parameters(), weight_decay=1e-4)
    steps = EPOCHS * (count // MINIBATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for step in range(steps):
        if step % (count // MINIBATCH) == 0:
            order = torch.randperm(count)
        rows = order[torch.arange(MINIBATCH) + step % (count // MINIBATCH) * MINIBATCH]
        logits = net(features[rows].float())[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(logits, won[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    with torch.no_grad():
        chances = torch.sigmoid(net(features[count:].float())[:, 0]).numpy()
    return folded(net), explained_variance(chances, known.won[count:])


class _Scale(nn.Module):
    """Standardizes features."""

    def __init__(self, mean: Array, deviation: Array) -> None:
        super().__init__()
        self.mean, self.deviation = torch.from_numpy(mean), torch.from_numpy(deviation)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(n, features)."""
        return (features - self.mean) / self.deviation


def folded(net: nn.Sequential) -> Array:
    """The network over raw features: (features + 2, UNITS) float32; its last unit is always 1."""
    scale, body, head = net[0], net[1], net[3]
    assert isinstance(scale, _Scale)
    assert isinstance(body, nn.Linear) and isinstance(head, nn.Linear)
    weights = (body.weight / scale.deviation).detach().numpy()
    result = np.zeros((weights.shape[1] + 2, UNITS), np.float32)
    result[:-2, :-1] = weights.T
    result[-2, :-1] = body.bias.detach().numpy() - weights @ scale.mean.numpy()
    result[-1, :-1] = head.weight.detach().numpy()[0]
    result[-2, -1], result[-1, -1] = 1, head.bias.item()
    return result


def main(given: list[str] | None = None) -> None:
    """Play, learn, and write the network."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.value_function.win_probability",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--seats", type=int, choices=(2, 3, 4), default=2,
        help="seats of a game (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--positions", type=int, default=800_000,
        help="positions of the games, at least (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=int, default=1,
        help="seed of the games and the network (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, help="default: the shipped file")
    wanted = parser.parse_args(given)
    out = wanted.out or file_for(wanted.seats)
    with ends_in_one_line(parser.prog):
        check_least(wanted, positions=LEAST)
        check_seed(wanted.seed)
        make_folder_of(out)
    torch.set_num_threads(1)
    rules = "duel" if wanted.seats == 2 else "base"
    known = positions(wanted.seats, rules, wanted.positions, wanted.seed)
    net, share = learned(known, wanted.seed)
    with replacing(out) as path, path.open("wb") as file:
        np.save(file, net)
    print(
        f"{len(known.won):,} positions; explains {share:.1%} of the results of unseen ones: {out}"
    )


if __name__ == "__main__":
    main()
