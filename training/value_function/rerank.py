"""`python -m catan_env.training.value_function.rerank out --seats 4 --no-trade`: learn to reorder.

In some decisions of games, `greedy`'s six best moves are each played in the same worlds, with the
same dice, for some rounds, as `search` does; the mean of the win probabilities there is the move's
worth. A network learns the differences between the moves of a decision, from the positions right
after them (`catan_env.policies.rerank`). The games of the first round are `greedy`'s, those of each
later round are played by the network so far; it learns from the decisions of all rounds.

`out` gets a file per round, and `rerank.npz`, the network. The same command resumes after the last
complete round.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from catan_env.batch import STAY, Batch
from catan_env.core.doors import redact
from catan_env.core.state import doorway, new_states
from catan_env.game.rules import Rules
from catan_env.policies.greedy import rank
from catan_env.policies.rerank import Reranker, doors, save
from catan_env.policies.rerank.doors import CANDIDATES, MARGIN, MOST_ODDS
from catan_env.policies.rerank.features import FEATURES
from catan_env.policies.rerank.reranker import ensure_reranker
from catan_env.policies.search import playouts
from catan_env.policies.search.search import ensure_search
from catan_env.policies.value.evaluation import WON
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import odds_for, weights_for
from catan_env.policies.value.win_network import WinNetwork
from catan_env.training.optimizers import AdamW
from catan_env.training.value_function.win_probability import choices

Array = np.ndarray[Any, Any]
AT_ONCE, MAX_TURNS, BEFORE = 128, 400, 100
"""Games at once, their turns, and the decisions that each makes before the first one is asked."""
ASKED, STRAYS = 0.04, 0.06
"""The fractions of decisions whose moves are played, and of choices that are not the policy's."""
UNITS, EPOCHS, MINIBATCH, RATE, DECAY = 128, 10, 1024, 3e-3, 1.0
LEAST = 20
"""Decisions per round."""
UNSEEN = 10
"""Every tenth decision is not learned from."""


class Decisions(NamedTuple):
    """Moves, grouped by decision, the most valuable first."""

    inputs: Array
    """(n, FEATURES) float16."""
    odds: Array
    """(n,) float32: the log odds by value."""
    wins: Array
    """(n,) float32: the mean win probability where the move was played on."""
    group: Array
    """(n,) int64: the decision, counted from 0."""


class Labels:
    """Plays the moves of decisions on in worlds that the acting seat cannot tell apart."""

    def __init__(self, seats: int, worlds: int, rounds: int) -> None:
        ensure_search()
        ensure_reranker()
        self._worlds, self._count, self._turns = doorway(new_states(2)), worlds, rounds * seats
        self._weights, self._scratch = row(weights_for(seats)), Scratch()
        self._memory = *WinNetwork(seats).memory, self._weights, *self._scratch.memory

    def label(self, state: Array, moves: Array, odds: Array, word: int) -> tuple[Array, Array]:
        """The inputs, (k, FEATURES), and win probabilities, (k,), of moves of the acting seat."""
        seen = state.copy()
        redact(doorway(seen), 0, int(state["seat"][0]))
        view, inputs, sums = doorway(seen), np.zeros((len(moves), FEATURES)), np.zeros(len(moves))
        places = self._weights, self._scratch.tries, self._scratch.vertex_scores
        doors.write_siblings(view, 0, moves, odds, *places, inputs)
        of_worlds = word, 0, self._count, self._turns
        playouts.try_candidates(
            view, self._worlds, moves, len(moves), sums, *of_worlds, *self._memory
        )
        return inputs.astype(np.float16), (sums / self._count).astype(np.float32)


def decisions(
    labels: Labels,
    batch: Batch,
    choose: Callable[[Batch, np.random.Generator], Array],
    wanted: int,
    draw: np.random.Generator,
) -> Decisions:
    """That many decisions, labelled, of games in which `choose` plays for every seat."""
    slope, offset = odds_for(batch.seats)
    for _ in range(BEFORE):
        batch.play(choose(batch, draw))
    found: list[tuple[Array, Array, Array]] = []
    while len(found) < wanted:
        moves, values = rank(batch, CANDIDATES)
        is_open = (moves[:, 1] != STAY) & (values[:, 0] < WON)
        for i in np.flatnonzero(is_open & (draw.random(len(moves)) < ASKED)):
            there = moves[i] != STAY
            odds = np.clip(offset + slope * values[i][there], -MOST_ODDS, MOST_ODDS)
            word = int(draw.integers(1 << 62))
            seen = labels.label(batch.states[i : i + 1], moves[i][there], odds, word)
            found.append((seen[0], odds.astype(np.float32), seen[1]))
        batch.play(choose(batch, draw))
    inputs, odds, wins = map(np.concatenate, zip(*found[:wanted], strict=True))
    sizes = [len(wins) for _, _, wins in found[:wanted]]
    return Decisions(inputs, odds, wins, np.repeat(np.arange(wanted), sizes))


def choices_of(policy: Any) -> Callable[[Batch, np.random.Generator], Array]:
    """The choices of a batched policy, of which some are one of `greedy`'s next three instead."""

    def choose(batch: Batch, draw: np.random.Generator) -> Array:
        chosen: Array = policy.choose(batch, np.arange(batch.num_games))
        moves, at = rank(batch, 4)[0], draw.integers(1, 4, size=batch.num_games)
        other = moves[np.arange(batch.num_games), at]
        astray = (draw.random(batch.num_games) < STRAYS) & (other != STAY)
        return np.where(astray, other, chosen)

    return choose


def joined(parts: Sequence[Decisions]) -> Decisions:
    """The decisions of several rounds, counted on."""
    before = np.cumsum([0, *(part.group[-1] + 1 for part in parts)])
    groups = [part.group + start for part, start in zip(parts, before, strict=False)]
    inputs, odds, wins, _ = map(np.concatenate, zip(*parts, strict=True))
    return Decisions(inputs, odds, wins, np.concatenate(groups))


class Net(nn.Module):
    """The log odds by value, and what one layer of rectified units adds."""

    def __init__(self, mean: Array, deviation: Array) -> None:
        super().__init__()
        self.mean, self.deviation = torch.from_numpy(mean), torch.from_numpy(deviation)
        self.body, self.head = nn.Linear(FEATURES, UNITS), nn.Linear(UNITS, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, inputs: torch.Tensor, odds: torch.Tensor) -> torch.Tensor:
        """Win probabilities: (n,)."""
        scaled = (inputs - self.mean) / self.deviation
        added: torch.Tensor = self.head(torch.relu(self.body(scaled)))[:, 0]
        return torch.sigmoid(odds + added)

    def arrays(self) -> tuple[Array, Array]:
        """The network over inputs as they are, as `save` takes it."""
        weights = (self.body.weight / self.deviation).detach().numpy()
        biases = self.body.bias.detach().numpy() - weights @ self.mean.numpy()
        head = self.head.weight.detach().numpy()[0], self.head.bias.detach().numpy()
        return np.vstack([weights.T, biases]), np.concatenate(head)


def of_groups(known: Decisions, groups: Array) -> tuple[torch.Tensor, ...]:
    """Inputs, odds, wins and the number of the group, of the moves of some decisions."""
    starts = np.searchsorted(known.group, groups)
    sizes = np.searchsorted(known.group, groups, side="right") - starts
    first = np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
    rows = first + np.arange(sizes.sum())
    number = torch.from_numpy(np.repeat(np.arange(len(groups)), sizes))
    arrays = (known.inputs[rows].astype(np.float32), known.odds[rows], known.wins[rows])
    return *map(torch.from_numpy, arrays), number


def apart(values: torch.Tensor, number: torch.Tensor) -> torch.Tensor:
    """The differences from the mean of their group."""
    count = int(number[-1]) + 1
    sums = torch.zeros(count).index_add_(0, number, values)
    sizes = torch.zeros(count).index_add_(0, number, torch.ones_like(values))
    return values - (sums / sizes)[number]


def gain(net: Net, known: Decisions, groups: Array) -> float:
    """The win probability by which the network's choices exceed `greedy`'s, per decision."""
    inputs, odds, wins, number = of_groups(known, groups)
    with torch.no_grad():
        chances = net(inputs, odds).numpy()
    firsts = np.searchsorted(number.numpy(), np.arange(len(groups)))
    chances[firsts] += MARGIN
    order = np.lexsort((-chances, number.numpy()))
    return float((wins.numpy()[order[firsts]] - wins.numpy()[firsts]).mean())


def learn(known: Decisions, seed: int) -> tuple[Net, float]:
    """A network and its gain in the decisions that it has not seen."""
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    scale = known.inputs[:200_000].astype(np.float32)
    net = Net(scale.mean(axis=0), np.where(scale.std(axis=0) < 0.02, 1, scale.std(axis=0)))
    groups = np.arange(known.group[-1] + 1)
    unseen, seen = groups[groups % UNSEEN == 0], groups[groups % UNSEEN != 0]
    size = min(MINIBATCH, len(seen))
    optimizer = AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * (len(seen) // size)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(EPOCHS):
        draw.shuffle(seen)
        for start in range(0, len(seen) - size + 1, size):
            inputs, odds, wins, number = of_groups(known, seen[start : start + size])
            missed = net(inputs, odds) - wins
            loss = 50 * apart(missed, number).square().mean() + 2 * missed.square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return net, gain(net, known, unseen)


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line."""
    raw = argparse.RawDescriptionHelpFormatter
    prog = "python -m catan_env.training.value_function.rerank"
    parser = argparse.ArgumentParser(prog=prog, description=__doc__, formatter_class=raw)
    add = parser.add_argument
    add("out", type=Path, help="the folder of the run")
    add("--seats", type=int, choices=(2, 3, 4), default=4)
    add("--no-trade", dest="trade", action="store_false", help="seats trade with the bank only")
    add("--rounds", type=int, default=4, help="of games (default: 4)")
    add("--decisions", type=int, default=120_000, help="per round (default: 120000)")
    add("--worlds", type=int, default=4, help="that a move is played in (default: 4)")
    add("--ahead", type=int, default=4, help="rounds played there (default: 4)")
    add("--seed", type=int, default=1)
    wanted = parser.parse_args(given)
    if min(wanted.rounds, wanted.worlds, wanted.ahead) < 1 or wanted.decisions < LEAST:
        parser.error(f"at least 1 round, 1 world, 1 round ahead and {LEAST} decisions are needed")
    return wanted


def main(given: Sequence[str] | None = None) -> None:
    """Play, label and learn, round by round."""
    wanted = arguments(given)
    torch.set_num_threads(1)
    rules = replace(Rules.base(), player_trade=wanted.trade)
    labels = Labels(wanted.seats, wanted.worlds, wanted.ahead)
    wanted.out.mkdir(parents=True, exist_ok=True)
    file, parts = wanted.out / "rerank.npz", []
    for k in range(wanted.rounds):
        path = wanted.out / f"round_{k}.npz"
        if not path.exists():
            draw = np.random.default_rng((wanted.seed, k))
            batch = Batch(
                AT_ONCE, seats=wanted.seats, rules=rules, seed=int(draw.integers(1 << 30)),
                max_turns=MAX_TURNS, observations=False,
            )  # fmt: skip
            choose = choices if k == 0 else choices_of(Reranker(file).batched())
            found = decisions(labels, batch, choose, wanted.decisions, draw)
            kept = path.with_suffix(".part.npz")
            np.savez_compressed(kept, **found._asdict())
            kept.rename(path)
        with np.load(path) as arrays:
            parts.append(Decisions(**arrays))
        net, gained = learn(joined(parts), wanted.seed)
        save(file, *net.arrays(), wanted.seats, wanted.trade)
        count = sum(int(part.group[-1]) + 1 for part in parts)
        print(f"round {k}: {count:,} decisions; gains {gained:.2%} per unseen one: {file}")


if __name__ == "__main__":
    main()
