"""`python -m catan_env.training.imitation CONFIG.toml OUT.zip`: clone a teacher's policy.

The policy learns the teacher's choice in many positions (cross-entropy over the legal actions), or
its distribution over its best actions, if it gives their values. The value head learns the final
result of the seat, and a second head the final points of every seat, a denser signal. Then DAgger:
the student plays, and the teacher labels the positions that the student reaches. The result is a
model of MaskablePPO, which `catan_env.training.sb3.export` writes as a weights file and
`catan_env.training.sb3.train` can start from. With `data`, the decisions are those of saved games,
and each round is more passes over them.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch import Tensor, nn
from tqdm import tqdm

from catan_env.batch import Batch
from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import check_not_read, replacing
from catan_env.training import command_line, config
from catan_env.training.cards import machine
from catan_env.training.folder import make_folder_of, write_json
from catan_env.training.imitation.arrays import load_demonstrations
from catan_env.training.imitation.demonstrations import (
    Demonstrations,
    Ranking,
    Recorder,
    Samples,
    Source,
)
from catan_env.training.optimizers import Adam, set_learning_rate
from catan_env.training.ranges import (
    COUNT,
    FRACTION,
    NOT_NEGATIVE,
    POSITIVE,
    SEED,
    Ranges,
    in_ranges,
)
from catan_env.training.sb3.model import begin_from, fresh_model

Say = Callable[[str], None]


@dataclass
class Args:
    """The options of imitation; sources are `[[sources]]`."""

    RANGES: ClassVar[Ranges] = in_ranges(
        {
            COUNT: "choices steps_per_round rounds buffer_size validation_size minibatch_size "
            "hidden local",
            SEED: "seed",
            NOT_NEGATIVE: "minutes final_learning_rate vf_coef points_coef",
            POSITIVE: "temperature update_epochs learning_rate",
            FRACTION: "student_fraction",
        }
    )

    teacher: str = "catan_env.policies.greedy:rank"
    """ranking of a batch's actions: (n,) the best, or (n, k) with their values"""
    data: str = ""
    """folder of `training.datasets` to clone instead of a teacher: no games are played"""
    choices: int = 6
    """number of the teacher's best actions to learn from"""
    temperature: float = 0.2
    """of the teacher's policy over their values"""
    initial_weights: str = ""
    """model to start from, of the same widths; none: random weights"""
    seed: int = 1
    """seed of the weights and the games"""
    steps_per_round: int = 400_000
    """decisions recorded in each round"""
    rounds: int = 4
    """the first is the teacher's, unless there are initial weights; then the student plays, too"""
    student_fraction: float = 0.5
    """probability that a seat is the student's in those rounds"""
    buffer_size: int = 1_500_000
    """latest decisions to learn from, 1.1 kB each; of `data`, all"""
    validation_size: int = 20_000
    """decisions of games that are never learned from"""
    update_epochs: float = 2.0
    """passes over the buffer in each round"""
    minutes: float = 0.0
    """wall time at most, 0: no limit; the learning rate falls with it, or with the steps if that
    is faster"""
    minibatch_size: int = 1024
    """decisions per gradient step"""
    learning_rate: float = 1e-3
    """learning rate at the start"""
    final_learning_rate: float = 3e-5
    """learning rate at the end of the cosine schedule"""
    vf_coef: float = 0.5
    """coefficient of the value losses"""
    points_coef: float = 0.5
    """coefficient of the final points of all seats, relative to the result"""
    hidden: int = 512
    """width of the trunk"""
    local: int = 32
    """width at each vertex"""
    sources: list[Source] = field(default_factory=lambda: [Source()])
    """the games"""

    def __post_init__(self) -> None:
        """Raise ValueError if there are fewer decisions than sources of them."""
        if self.data:
            return
        if not self.sources:
            raise ValueError("sources is []; allowed are one [[sources]] or more")
        least = len(self.sources)
        for name in ("steps_per_round", "validation_size"):
            if getattr(self, name) < least:
                allowed = f"{least} or more, one from each of the sources"
                raise ValueError(f"{name} is {getattr(self, name)}; allowed are {allowed}")


def ranking_called(name: str) -> Ranking:
    """The function called "module:name"; a best action alone has the probability 1.

    ValueError if it is not a ranking of a batch's actions.
    """
    function = config.named(name)

    def labelled(batch: Batch) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        given = function(batch)
        if isinstance(given, tuple):
            return given
        actions = np.array(given, np.int64)[:, None]
        return actions, np.zeros(actions.shape)

    config.call("teacher", _check_labels, labelled)
    return labelled


def _check_labels(ranking: Ranking) -> None:
    actions, values = map(np.shape, ranking(Batch(1)))
    if len(actions) != 2 or actions != values:
        raise ValueError(f"its actions and values have the shapes {actions} and {values}")


class Student:
    """The model that is trained."""

    def __init__(self, model: MaskablePPO, args: Args, steps: int) -> None:
        self.model, self.args = model, args
        self.policy = model.policy
        self.optimizer = Adam(self.policy.parameters(), lr=args.learning_rate)
        self.steps, self.planned = 0, steps
        self._begun = time.monotonic()

    @property
    def progress(self) -> float:
        """From 0 to 1, when all steps are done or the time is up."""
        done = self.steps / max(self.planned, 1)
        if self.args.minutes:
            done = max(done, (time.monotonic() - self._begun) / 60 / self.args.minutes)
        return min(done, 1.0)

    @torch.no_grad()
    def __call__(self, batch: Batch) -> np.ndarray[Any, Any]:
        """The most probable action of each game."""
        assert batch.observations is not None and batch.action_masks is not None
        logits = self.policy.mlp_extractor.forward_actor(
            torch.from_numpy(batch.observations).float()
        )
        masks = torch.from_numpy(batch.action_masks) == 0
        return logits.masked_fill(masks, -torch.inf).argmax(dim=1).numpy()

    def losses(self, samples: Samples) -> dict[str, Tensor]:
        """The losses of policy, result and points, and the fraction of equal choices."""
        observations = torch.from_numpy(samples.observations).float()
        actions, probs = torch.from_numpy(samples.actions), torch.from_numpy(samples.probs)
        masks = np.unpackbits(samples.masks, axis=1).view(np.bool_)
        outputs, predictions = self.policy.mlp_extractor(observations)
        log_probs = outputs.masked_fill(~torch.from_numpy(masks), -1e8).log_softmax(dim=1)
        results, points = torch.from_numpy(samples.results), torch.from_numpy(samples.points)
        known, counted = ~results.isnan(), ~points.isnan()
        value, guessed = predictions[:, 0], predictions[:, 1:]
        return {
            "policy": -(log_probs.gather(1, actions) * probs).sum(dim=1).mean(),
            "value": _mean_square(value[known] - results[known]),
            "points": _mean_square(guessed[counted] - points[counted]),
            "agreement": (log_probs.argmax(dim=1) == actions[:, 0]).float().mean(),
        }

    def learn(self, samples: Samples) -> None:
        """One step of gradient descent."""
        losses, args = self.losses(samples), self.args
        loss = losses["policy"] + args.vf_coef * (
            losses["value"] + args.points_coef * losses["points"]
        )
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 5.0)
        rates = args.learning_rate, args.final_learning_rate
        set_learning_rate(self.optimizer, *rates, self.progress)
        self.optimizer.step()
        self.steps += 1

    @torch.no_grad()
    def validate(self, unseen: Demonstrations) -> dict[str, float]:
        """The mean losses over decisions that are not learned from; NaN where none is known."""
        chunks = np.array_split(np.arange(unseen.size), max(unseen.size // 4096, 1))
        losses, known = [], []
        for rows in chunks:
            samples = unseen.samples(rows)
            losses.append(self.losses(samples))
            known.append(known_in(samples))
        return {name: _mean_of(name, losses, known) for name in losses[0]}


def known_in(samples: Samples) -> dict[str, int]:
    """The numbers that each loss is a mean of: results and points are known where a game ended."""
    size = len(samples.results)
    value, points = (int((~np.isnan(a)).sum()) for a in (samples.results, samples.points))
    return {"policy": size, "value": value, "points": points, "agreement": size}


def _mean_of(name: str, losses: list[dict[str, Tensor]], known: list[dict[str, int]]) -> float:
    """The mean over all chunks of a loss that is the mean of the known numbers of each."""
    values, counts = [float(one[name]) for one in losses], [one[name] for one in known]
    return float(np.average(values, weights=counts)) if any(counts) else float("nan")


def _mean_square(errors: Tensor) -> Tensor:
    return errors.square().mean() if len(errors) else errors.sum()


def planned_steps(args: Args, given: int = 0) -> int:
    """The steps of gradient descent in all rounds, or those for `given` saved decisions.

    ValueError if there are none.
    """
    rounds = range(1, args.rounds + 1)
    sizes = [given or min(k * args.steps_per_round, args.buffer_size) for k in rounds]
    steps = sum(int(args.update_epochs * size / args.minibatch_size) for size in sizes)
    if not steps:
        raise ValueError(
            f"minibatch_size is {args.minibatch_size}, more than the {sizes[-1]:,} decisions and "
            "update_epochs give: nothing would be learned"
        )
    return steps


def record(
    recorders: list[Recorder], decisions: int, student: Student | None, fraction: float
) -> int:
    """Record decisions from all sources by their fractions; returns the number."""
    total = sum(recorder.source.fraction for recorder in recorders)
    bar = tqdm(recorders, desc="playing", unit="source", disable=None)
    return sum(
        recorder.record(part_of(decisions, recorder.source, total), student, fraction)
        for recorder in bar
    )


def part_of(decisions: int, source: Source, total: float) -> int:
    """The decisions of a source, by its fraction of the `total` of all fractions."""
    return int(decisions * source.fraction / total)


def learn(
    student: Student, buffer: Demonstrations, epochs: float, draw: np.random.Generator
) -> None:
    """Learn from `epochs` times as many decisions as there are, in random minibatches."""
    size = student.args.minibatch_size
    for _ in tqdm(range(int(epochs * buffer.size / size)), desc="learning", disable=None):
        if student.progress >= 1:
            break
        student.learn(buffer.samples(draw.integers(buffer.size, size=size)))


def imitate(
    args: Args,
    say: Say = print,
    finished: Callable[[MaskablePPO, Any], None] | None = None,
    data: tuple[Demonstrations, Demonstrations] | None = None,
) -> tuple[MaskablePPO, list[dict[str, float]]]:
    """The clone, and the measurements after each round; `finished` receives each round's model.

    `data` are saved decisions to learn from and to validate by, instead of a teacher's.
    """
    begun = time.monotonic()
    steps = planned_steps(args, data[0].size if data else 0)
    torch.manual_seed(args.seed)
    draw = np.random.default_rng(args.seed)
    model: MaskablePPO = fresh_model(hidden=args.hidden, local=args.local, seed=args.seed)
    if args.initial_weights:
        begin_from(model, args.initial_weights)
    buffer, unseen, recorders = (*data, []) if data else _demonstrations(args)
    student = Student(model, args, steps)
    curve: list[dict[str, float]] = []
    for k in range(args.rounds):
        if k and student.progress >= 1:
            break
        is_teachers = k == 0 and not args.initial_weights
        player = None if is_teachers else student
        if recorders:
            record(recorders, args.steps_per_round, player, args.student_fraction)
        learn(student, buffer, args.update_epochs, draw)
        point = {
            "round": k,
            "decisions": buffer.added,
            **student.validate(unseen),
            "seconds": time.monotonic() - begun,
        }
        curve.append(point)
        say("  ".join(f"{name} {value:.4g}" for name, value in point.items()))
        if finished is not None:
            finished(student.model, curve)
    return student.model, curve


def _demonstrations(args: Args) -> tuple[Demonstrations, Demonstrations, list[Recorder]]:
    """The decisions to learn from and to validate by, and the games that add to the first."""
    teacher = ranking_called(args.teacher)
    buffer = Demonstrations(args.buffer_size, args.choices)
    unseen = Demonstrations(args.validation_size, args.choices)
    _record_unseen(args, teacher, unseen)
    recorders = [
        Recorder(source, teacher, buffer, 1000 * args.seed + k, args.temperature)
        for k, source in enumerate(args.sources)
    ]
    return buffer, unseen, recorders


def _record_unseen(args: Args, teacher: Ranking, unseen: Demonstrations) -> None:
    """Few games of other seeds at a time, so that most of them end."""
    total = sum(source.fraction for source in args.sources)
    for k, source in enumerate(args.sources):
        few = replace(source, num_envs=min(source.num_envs, 16))
        recorder = Recorder(few, teacher, unseen, 10**6 + 1000 * args.seed + k, args.temperature)
        recorder.record(part_of(args.validation_size, source, total))


def metadata(args: Args, curve: list[dict[str, float]], command: str) -> dict[str, Any]:
    """The training of the weights, for their card."""
    last = curve[-1]
    return {
        "command": f"`{command}`",
        **({"data": f"`{args.data}`"} if args.data else {"teacher": f"`{args.teacher}`"}),
        "begun from": f"`{args.initial_weights}`" if args.initial_weights else "random weights",
        "seed": args.seed,
        "decisions": f"{last['decisions']:,.0f} in {len(curve)} rounds",
        "games": "saved ones"
        if args.data
        else ", ".join(
            f"{s.fraction:g} × {s.seats} seats {s.rules}{'' if s.trade else ' without trade'}"
            for s in args.sources
        ),
        "wall time": f"{last['seconds'] / 60:.1f} minutes, threads: {torch.get_num_threads()}",
        "machine": machine(),
        "validation": f"policy {last['policy']:.3f} nats, same choice {last['agreement']:.1%}, "
        f"value {last['value']:.3f} mean square",
    }


def main(given: list[str] | None = None) -> None:
    """Imitate by a configuration; the model is written after each round."""
    target = "out", "the model, a .zip; its metadata is next to it as .json"
    parser = command_line.parser_of("imitation", __doc__, Args, target)
    wanted = command_line.parsed(parser, given)
    out = wanted.out if wanted.out.suffix else wanted.out.with_suffix(".zip")
    with ends_in_one_line(parser.prog):
        args = command_line.args_in(Args, wanted, sources=Source)
        data = load_demonstrations(Path(args.data), args.choices) if args.data else None
        check_not_read(out, wanted.config, args.initial_weights)
        make_folder_of(out)
    command = command_line.as_typed(parser, given)

    def save(model: MaskablePPO, curve: list[dict[str, float]]) -> None:
        with replacing(out) as file:
            model.save(file)
        record = {**metadata(args, curve, command), "curve": curve, "args": asdict(args)}
        write_json(out.with_suffix(".json"), record)

    with ends_in_one_line(parser.prog):
        imitate(args, tqdm.write, save, data)


if __name__ == "__main__":
    main()
