"""`python -m catan_env.training.outlook --seats 2`: learn how often a position is won.

`greedy` plays itself, and strays from its best choice now and then, so that what `search` tries is
known, too. Where turns begin the facts of a seat are written down, and whether it won. A network of
one layer learns from that; `search` asks it where a playout stops.
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
from catan_env.policies.greedy import rank
from catan_env.policies.value import outlook
from catan_env.policies.value.odds import file_for, num_facts
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.training.outcome import explained

Array = np.ndarray[Any, Any]
AT_ONCE = 1024
ASKED = 0.06
"""The share of the turns at whose beginning a seat is looked at; those of a game are much alike."""
STRAYS = 0.08
"""The share of the choices that are not the best, but one of the three after it."""
UNITS = 32
EPOCHS, MINIBATCH, RATE = 12, 4096, 2e-3
UNSEEN = 0.1
"""The share of the positions, the last ones, that is not learned from."""


class Positions(NamedTuple):
    """Where turns began."""

    facts: Array
    """(n, num_facts) float16."""
    won: Array
    """(n,) float32: 1 where the seat won, else 0."""


def positions(seats: int, rules: str, wanted: int, seed: int) -> Positions:
    """At least so many positions, of whole games that somebody won."""
    batch = Batch(
        AT_ONCE, seats=seats, rules=rules, seed=seed, max_turns=400, observations=False
    )  # fmt: skip
    draw = np.random.default_rng(seed)
    waiting: list[list[tuple[Array, int]]] = [[] for _ in range(AT_ONCE)]
    facts: list[Array] = []
    won: list[bool] = []
    while len(won) < wanted:
        rows = np.flatnonzero(_begins_a_turn(batch) & (draw.random(AT_ONCE) < ASKED))
        asked = draw.integers(seats, size=len(rows))
        for i, seat, told in zip(rows, asked, tell(batch, rows, asked), strict=True):
            waiting[i].append((told, seat))
        batch.play(_choices(batch, draw))
        for i in np.flatnonzero(batch.done):
            if batch.winner[i] >= 0:
                facts += [told for told, _ in waiting[i]]
                won += [seat == batch.winner[i] for _, seat in waiting[i]]
            waiting[i].clear()
    return Positions(np.stack(facts), np.array(won, np.float32))


def tell(batch: Batch, rows: Array, asked: Array) -> Array:
    """The facts of a seat in each of those games: (k, num_facts) float16."""
    facts = np.zeros((len(rows), num_facts(batch.seats)))
    states = doorway(batch.states[rows].copy())
    weights, worth = row(weights_for(batch.seats)), Scratch().worth
    outlook.tell_games(states, asked, weights, worth, facts, 0, len(rows))
    return facts.astype(np.float16)


def _begins_a_turn(batch: Batch) -> Array:
    """Where the dice are to be rolled and no card has been played."""
    states = batch.states
    begins: Array = (states["phase"] == Phase.ROLL) & (states["card_played"] == 0)
    return begins


def _choices(batch: Batch, draw: np.random.Generator) -> Array:
    """The best action of each game, and sometimes one of the next three."""
    moves = rank(batch, 4)[0]
    place = draw.integers(1, 4, size=len(moves)) * (draw.random(len(moves)) < STRAYS)
    strayed = moves[np.arange(len(moves)), place]
    return np.where(strayed == STAY, moves[:, 0], strayed)


def learned(known: Positions, seed: int) -> tuple[Array, float]:
    """The network as `outlook` takes it, and what it explains of the results not learned from."""
    torch.manual_seed(seed)
    count = int(len(known.won) * (1 - UNSEEN))
    facts, won = torch.from_numpy(known.facts), torch.from_numpy(known.won)
    seen = known.facts[:count].astype(np.float32)
    scale = _Scale(seen.mean(axis=0), seen.std(axis=0) + 1e-6)
    net = nn.Sequential(scale, nn.Linear(facts.shape[1], UNITS - 1), nn.ReLU(),
                        nn.Linear(UNITS - 1, 1))  # fmt: skip
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-4)
    steps = EPOCHS * (count // MINIBATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for step in range(steps):
        if step % (count // MINIBATCH) == 0:
            order = torch.randperm(count)
        rows = order[torch.arange(MINIBATCH) + step % (count // MINIBATCH) * MINIBATCH]
        said = net(facts[rows].float())[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(said, won[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    with torch.no_grad():
        chances = torch.sigmoid(net(facts[count:].float())[:, 0]).numpy()
    return folded(net), explained(chances, known.won[count:])


class _Scale(nn.Module):
    """Brings facts to the mean 0 and the deviation 1."""

    def __init__(self, mean: Array, deviation: Array) -> None:
        super().__init__()
        self.mean, self.deviation = torch.from_numpy(mean), torch.from_numpy(deviation)

    def forward(self, facts: torch.Tensor) -> torch.Tensor:
        """(n, facts)."""
        return (facts - self.mean) / self.deviation


def folded(net: nn.Sequential) -> Array:
    """The network over facts as they are: (facts + 2, UNITS) float32; its last unit is always 1."""
    scale, body, head = (net[k] for k in (0, 1, 3))
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
        prog="python -m catan_env.training.outlook",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--positions", type=int, default=800_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="default: where the shipped one lies")
    wanted = parser.parse_args(given)
    torch.set_num_threads(1)
    rules = "duel" if wanted.seats == 2 else "base"
    known = positions(wanted.seats, rules, wanted.positions, wanted.seed)
    net, share = learned(known, wanted.seed)
    out = wanted.out or file_for(wanted.seats)
    out.parent.mkdir(parents=True, exist_ok=True)
    np.save(out, net)
    print(
        f"{len(known.won):,} positions; explains {share:.1%} of the results of unseen ones: {out}"
    )


if __name__ == "__main__":
    main()
