"""`python -m catan_env.training.imitate CONFIG.toml OUT.zip`: clone a teacher, know who will win.

The policy learns the teacher's choice in many positions (cross-entropy over the legal actions), or
how it would share one out among its best actions, if it tells what they are worth.
The value learns the final result of the seat, and beside it the final points of every seat, which
are known more closely and sooner. Then DAgger: the student plays, and the teacher says what it
would have done where the student came to. The result is a model of MaskablePPO, for
`catan_env.training.export` and for `catan_env.training.ppo` to start from.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from math import cos, pi
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch import Tensor, nn
from tqdm import tqdm

from catan_env.batch import Batch
from catan_env.training.card import machine
from catan_env.training.command import as_typed, parsed, parser_of
from catan_env.training.configuration import named, read
from catan_env.training.demonstrations import (
    Demonstrations,
    DemonstrationTable,
    Recorder,
    Samples,
    Teacher,
)
from catan_env.training.model import begin_from, fresh_model

Say = Callable[[str], None]


@dataclass
class Args:
    """What a configuration file may say; tables are `[[tables]]`."""

    teacher: str = "catan_env.policies.greedy:rank"
    """A function of a Batch: (n,) actions; or (n, k), the best first, and what they are worth."""
    choices: int = 6
    """Of the teacher's best actions so many are learned from."""
    temperature: float = 0.2
    """How much less an action may be worth to have 1/e of the best one's share."""
    start: str = ""
    """A clone to go on from, of the same layers; empty: random weights."""
    seed: int = 1
    decisions: int = 400_000
    """Written down in each round."""
    rounds: int = 4
    """The first is the teacher's, unless a clone is gone on from; then the student plays, too."""
    student: float = 0.5
    """The chance that a seat is the student's in those rounds."""
    capacity: int = 1_500_000
    """Decisions kept, 1.1 kB each."""
    validation: int = 20_000
    """Decisions of games that are never learned from."""
    epochs: float = 2.0
    """How often a round goes over all decisions kept."""
    minutes: float = 1e9
    """Wall time to be done in; the learning rate falls with the steps or with it, if faster."""
    batch_size: int = 1024
    learning_rate: float = 1e-3
    last_learning_rate: float = 3e-5
    value_weight: float = 0.5
    points_weight: float = 0.5
    """The final points of all seats, as against the result."""
    hidden: int = 512
    local: int = 32
    value: list[int] = field(default_factory=lambda: [256, 256])
    tables: list[DemonstrationTable] = field(default_factory=lambda: [DemonstrationTable()])


def teacher_called(name: str) -> Teacher:
    """The function called "module:name"; where it gives the best action alone, that has it all."""
    function = named(name)

    def labelled(batch: Batch) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        given = function(batch)
        if isinstance(given, tuple):
            return given
        actions = np.array(given, np.int64)[:, None]
        return actions, np.zeros(actions.shape)

    return labelled


class Student:
    """A model that is being cloned into, and the head that guesses everybody's final points."""

    def __init__(self, model: MaskablePPO, args: Args, steps: int) -> None:
        self.model, self.args = model, args
        self.policy = model.policy
        self.points = nn.Linear(args.value[-1], 4)
        learned = [*self.policy.parameters(), *self.points.parameters()]
        self.optimizer = torch.optim.Adam(learned, lr=args.learning_rate)
        self.steps, self.planned = 0, steps
        self._begun = time.monotonic()

    @property
    def progress(self) -> float:
        """From 0 to 1, when all is learned or time is up."""
        minutes = (time.monotonic() - self._begun) / 60
        return min(max(self.steps / max(self.planned, 1), minutes / self.args.minutes), 1.0)

    def _set_learning_rate(self) -> None:
        first, last = self.args.learning_rate, self.args.last_learning_rate
        for group in self.optimizer.param_groups:
            group["lr"] = last + (first - last) * (1 + cos(pi * self.progress)) / 2

    @torch.no_grad()
    def __call__(self, batch: Batch) -> np.ndarray[Any, Any]:
        """The likeliest action of each game."""
        logits = self.policy.mlp_extractor.forward_actor(
            torch.from_numpy(batch.observations).float()
        )
        masks = torch.from_numpy(batch.action_masks) == 0
        return logits.masked_fill(masks, -torch.inf).argmax(dim=1).numpy()

    def losses(self, samples: Samples) -> dict[str, Tensor]:
        """The policy's, the result's and the points' loss, and the share of equal choices."""
        observations = torch.from_numpy(samples.observations).float()
        actions, shares = torch.from_numpy(samples.actions), torch.from_numpy(samples.shares)
        outputs, value_latent = self.policy.mlp_extractor(observations)
        logits = outputs.masked_fill(~torch.from_numpy(samples.masks), -1e8).log_softmax(dim=1)
        results, points = torch.from_numpy(samples.results), torch.from_numpy(samples.points)
        known = ~results.isnan()
        value = self.policy.value_net(value_latent)[:, 0]
        guessed = self.points(value_latent)
        return {
            "policy": -(logits.gather(1, actions) * shares).sum(dim=1).mean(),
            "value": _mean_square(value[known] - results[known]),
            "points": _mean_square(guessed[known] - points[known]),
            "agreement": (logits.argmax(dim=1) == actions[:, 0]).float().mean(),
        }

    def learn(self, samples: Samples) -> None:
        """One step of gradient descent."""
        losses, args = self.losses(samples), self.args
        loss = losses["policy"] + args.value_weight * (
            losses["value"] + args.points_weight * losses["points"]
        )
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 5.0)
        self._set_learning_rate()
        self.optimizer.step()
        self.steps += 1

    @torch.no_grad()
    def validate(self, kept: Demonstrations) -> dict[str, float]:
        """The mean losses over decisions that are not learned from."""
        chunks = np.array_split(np.arange(kept.size), max(kept.size // 4096, 1))
        by_chunk = [self.losses(kept.samples(rows)) for rows in chunks]
        sizes = np.array([len(rows) for rows in chunks])
        return {
            name: float(np.average([float(losses[name]) for losses in by_chunk], weights=sizes))
            for name in by_chunk[0]
        }


def _mean_square(errors: Tensor) -> Tensor:
    return errors.square().mean() if len(errors) else errors.sum()


def planned_steps(args: Args) -> int:
    """The steps of gradient descent in all rounds."""
    sizes = [min((k + 1) * args.decisions, args.capacity) for k in range(args.rounds)]
    return sum(int(args.epochs * size / args.batch_size) for size in sizes)


def record(recorders: list[Recorder], decisions: int, student: Student | None, share: float) -> int:
    """Write down decisions from all tables by their shares; returns how many."""
    total = sum(recorder.table.share for recorder in recorders)
    bar = tqdm(recorders, desc="playing", unit="table", disable=None)
    return sum(
        recorder.record(int(decisions * recorder.table.share / total), student, share)
        for recorder in bar
    )


def learn(student: Student, kept: Demonstrations, epochs: float, draw: np.random.Generator) -> None:
    """Go over the decisions `epochs` times, in minibatches drawn at random."""
    size = student.args.batch_size
    for _ in tqdm(range(int(epochs * kept.size / size)), desc="learning", disable=None):
        if student.progress >= 1:
            break
        student.learn(kept.samples(draw.integers(kept.size, size=size)))


def imitate(
    args: Args, say: Say = print, finished: Callable[[MaskablePPO, Any], None] | None = None
) -> tuple[MaskablePPO, list[dict[str, float]]]:
    """The clone, and what was measured after each round; `finished` is given each round's model."""
    begun = time.monotonic()
    torch.manual_seed(args.seed)
    draw = np.random.default_rng(args.seed)
    model = fresh_model(hidden=args.hidden, local=args.local, value=args.value, seed=args.seed)
    if args.start:
        begin_from(model, args.start)
    student = Student(model, args, planned_steps(args))
    teacher = teacher_called(args.teacher)
    kept = Demonstrations(args.capacity, args.choices)
    unseen = Demonstrations(args.validation, args.choices)
    _record_unseen(args, teacher, unseen)
    recorders = [
        Recorder(table, teacher, kept, 1000 * args.seed + k, args.temperature)
        for k, table in enumerate(args.tables)
    ]
    curve: list[dict[str, float]] = []
    for k in range(args.rounds):
        if k and student.progress >= 1:
            break
        is_taught = k == 0 and not args.start
        record(recorders, args.decisions, None if is_taught else student, args.student)
        learn(student, kept, args.epochs, draw)
        point = {
            "round": k,
            "decisions": kept.added,
            **student.validate(unseen),
            "seconds": time.monotonic() - begun,
        }
        curve.append(point)
        say("  ".join(f"{name} {value:.4g}" for name, value in point.items()))
        if finished is not None:
            finished(student.model, curve)
    return student.model, curve


def _record_unseen(args: Args, teacher: Teacher, unseen: Demonstrations) -> None:
    """Few games of other seeds at a time, so that most of them end."""
    for k, table in enumerate(args.tables):
        few = replace(table, games=min(table.games, 16))
        recorder = Recorder(few, teacher, unseen, 10**6 + 1000 * args.seed + k, args.temperature)
        share = table.share / sum(t.share for t in args.tables)
        recorder.record(int(args.validation * share))


def facts(args: Args, curve: list[dict[str, float]], command: str) -> dict[str, Any]:
    """What the card of the weights says of how they came about."""
    last = curve[-1]
    return {
        "command": f"`{command}`",
        "teacher": f"`{args.teacher}`",
        "begun from": f"`{args.start}`" if args.start else "random weights",
        "seed": args.seed,
        "decisions": f"{last['decisions']:,.0f} in {len(curve)} rounds",
        "tables": ", ".join(
            f"{t.share:g} × {t.seats} seats {t.rules}{'' if t.trade else ' without trade'}"
            for t in args.tables
        ),
        "wall time": f"{last['seconds'] / 60:.1f} minutes, threads: {torch.get_num_threads()}",
        "machine": machine(),
        "validation": f"policy {last['policy']:.3f} nats, same choice {last['agreement']:.1%}, "
        f"value {last['value']:.3f} mean square",
    }


def main(given: list[str] | None = None) -> None:
    """Imitate as a configuration says; the model is written after each round."""
    parser = parser_of("imitate", __doc__)
    parser.add_argument("out", help="the model, a .zip; its facts lie beside it as .json")
    wanted = parsed(parser, given)
    args = read(Args, wanted.config, tables=DemonstrationTable)
    command = as_typed(parser, given)

    def keep(model: MaskablePPO, curve: list[dict[str, float]]) -> None:
        out = Path(wanted.out)
        out.parent.mkdir(parents=True, exist_ok=True)
        model.save(out)
        record = {**facts(args, curve, command), "curve": curve, "args": asdict(args)}
        out.with_suffix(".json").write_text(json.dumps(record, indent=1))

    imitate(args, tqdm.write, keep)


if __name__ == "__main__":
    main()
