"""`python -m catan_env.training.self_play CONFIG.toml FOLDER`: PPO at the engine's speed.

A thousand games are played side by side by one network that sits at all seats. Every seat learns
from its own decisions; a decision with one legal action is played and not learned. A game goes on
from one rollout to the next until it ends. The same command goes on where it was stopped, after a
kill, too; `tensorboard --logdir FOLDER` shows the curves. Works with any game that has a batch
with the habits of `catan_env.batch.Batch`. On several processors, cards or machines:

    torchrun --nproc-per-node 2 -m catan_env.training.self_play CONFIG.toml FOLDER

plays and learns in each; `--workers 4` has other processes play for one that learns, and `--ray`
the machines of a cluster.

What can be configured stands in `settings.py`; how decisions are collected and what they were worth
in `rollout.py`, who sits at the tables in `tables.py`, and by how many processes they are played in
`spread.py`; how the network learns from them in `learner.py`; what is kept of a run, here.
"""

import ctypes
import json
import os
import sys
import time
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from catan_env.training.card import machine, write_card
from catan_env.training.command import ends_in_one_line, parsed, parser_of
from catan_env.training.configuration import check_same, named, read
from catan_env.training.learner import Learner
from catan_env.training.pool import LEARNER, Pool
from catan_env.training.settings import Args
from catan_env.training.spread import SpreadTables
from catan_env.training.tables import Tables


class Run:
    """A run in its folder: `state.pt`, past selves, and the curves."""

    def __init__(
        self, args: Args, folder: Path, device: str, threads: int,
        workers: int = 0, ray: bool = False,
    ) -> None:  # fmt: skip
        self.args, self.folder, self.workers = args, folder, workers
        self.rank = dist.get_rank() if dist.is_initialized() else 0
        self.processes = dist.get_world_size() if dist.is_initialized() else 1
        folder.mkdir(parents=True, exist_ok=True)
        self.rollouts = self.decisions = 0
        self.seconds = self.cpu_seconds = 0.0
        state = folder / "state.pt"
        kept = torch.load(state, map_location="cpu") if state.exists() else None
        if kept is not None:
            check_same(folder, args, kept["args"], "decisions")
            for name in ("rollouts", "decisions", "seconds", "cpu_seconds"):
                setattr(self, name, kept[name])
        seed = (args.seed * 1_000_003 + self.rollouts) * 1_009 + self.rank
        batch = named(args.game)(args.num_games, seed=seed, threads=threads, **args.options)
        self.learner = Learner(args, batch, device)
        self.pool = Pool(
            {LEARNER: 1000.0} | dict.fromkeys(args.opponents, 1000.0), args.past_selves
        )
        if kept is not None:
            self.learner.network.load_state_dict(kept["network"])
            self.learner.optimizer.load_state_dict(kept["optimizer"])
            self.pool.ratings = kept["ratings"]
        self.tables: Tables | SpreadTables
        if workers:
            self.tables = SpreadTables(args, self.learner, self.pool, folder, seed, workers, ray)
        else:
            self.tables = Tables(args, self.learner, batch, self.pool, folder, seed)
        torch.manual_seed(seed)
        self.writer = SummaryWriter(str(folder)) if self.rank == 0 else None
        self.curves: Any = None
        """A run of Weights & Biases, where it is wanted."""

    def learn(self) -> None:
        """Rollouts until there were enough decisions."""
        args = self.args
        with tqdm(total=args.decisions, initial=self.decisions, disable=None) as bar:
            while self.decisions < args.decisions:
                before = self.decisions
                self.rollout()
                bar.update(self.decisions - before)
                if self.rollouts % args.keep_every == 0 or self.decisions >= args.decisions:
                    self._keep()

    def rollout(self) -> None:
        """Play until there are decisions enough, learn from them, and show how it went."""
        wall, cpu = time.perf_counter(), self._cpu()
        experience = self.tables.play(self.decisions)
        played = self._cpu() - cpu
        shown = self.learner.learn(experience, self.decisions)
        learned = self.args.rollout * self.processes
        self.decisions += learned
        self.rollouts += 1
        self.seconds += time.perf_counter() - wall
        spent = self._cpu() - cpu
        self.cpu_seconds += spent * self.processes
        shown |= {
            "speed/decisions_a_second": learned / (time.perf_counter() - wall),
            "speed/decisions_a_processor_second": learned / spent / self.processes,
            "speed/share_of_playing": played / spent,
            **self.tables.news(),
        }
        self._show(shown)

    def _cpu(self) -> float:
        """Seconds of processors so far, of this process and of those that play for it."""
        return time.process_time() + self.tables.seconds

    def _show(self, shown: dict[str, float]) -> None:
        if self.writer is not None:
            for name, number in shown.items():
                self.writer.add_scalar(name, number, self.decisions)
            self.writer.add_scalar("run/processor_minutes", self.cpu_seconds / 60, self.decisions)
            self.writer.flush()
        if self.curves is not None:
            self.curves.log(shown, step=self.decisions)

    def _keep(self) -> None:
        """Write the weights as a past self, and then, at one stroke, what a later start needs."""
        if self.rank != 0:
            return
        past_self = f"past_{self.decisions}.npz"
        self.learner.network.save(self.folder / past_self)
        if self.args.past_selves:
            self.pool.add(past_self)
        self.learner.network.save(self.folder / "final.npz")
        kept = {
            "args": asdict(self.args),
            "network": self.learner.network.state_dict(),
            "optimizer": self.learner.optimizer.state_dict(),
            "ratings": self.pool.ratings,
            **{name: getattr(self, name) for name in
               ("rollouts", "decisions", "seconds", "cpu_seconds")},
        }  # fmt: skip
        (self.folder / "final.json").write_text(json.dumps(self.facts(), indent=1))
        write_card(self.folder / "final.npz", self.facts(), [])
        torch.save(kept, self.folder / "state.pt.new")
        os.replace(self.folder / "state.pt.new", self.folder / "state.pt")

    def facts(self) -> dict[str, Any]:
        """What the card of the weights says of how they came about."""
        args, processes = self.args, self.processes + self.workers
        table = ", ".join(f"{name} {value}" for name, value in args.options.items())
        return {
            "begun from": f"`{args.start}`" if args.start else "random weights",
            "self-play": f"{args.network}, {table}",
            "seed": args.seed,
            "decisions": f"{self.decisions:,} learned from, in {self.rollouts} rollouts",
            "processor time": f"{self.cpu_seconds / 60:.1f} minutes",
            "wall time": f"{self.seconds / 60:.1f} minutes, processes: {processes}",
            "machine": machine(),
        }


def curves_of(project: str, folder: Path, args: Args) -> Any:
    """A run of Weights & Biases; one of the same folder is gone on with."""
    try:
        import wandb
    except ImportError:
        raise SystemExit("--wandb needs wandb: pip install 'catan-env[wandb]'") from None
    name = folder.resolve().name
    return wandb.init(
        project=project, name=name, id=name, resume="allow", dir=folder, config=asdict(args)
    )


def keep_memory() -> None:
    """Have glibc keep what is freed: taking it from the system anew costs a third of the time."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        for option in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
            if mallopt is not None:
                mallopt(option, 2_000_000_000)


def main(given: list[str] | None = None) -> None:
    """Begin or go on with a run."""
    parser = parser_of("self_play", __doc__)
    add = parser.add_argument
    add("folder", type=Path)
    add("--decisions", type=int, help="in place of the configuration's")
    add("--wandb", metavar="PROJECT", help="show the curves at Weights & Biases, too")
    add("--workers", type=int, default=0, help="processes that play for this one")
    add("--ray", action="store_true", help="they are actors of Ray, 2 unless --workers is given")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    wanted = parsed(parser, given)
    keep_memory()
    with ends_in_one_line(parser):
        args = read(Args, wanted.config)
        args.decisions = args.decisions if wanted.decisions is None else wanted.decisions
        workers = workers_of(wanted, args)
        device = joined(wanted.device)
        run = Run(args, wanted.folder, device, wanted.threads, workers, wanted.ray)
    if wanted.wandb and run.rank == 0:
        run.curves = curves_of(wanted.wandb, wanted.folder, args)
    try:
        run.learn()
    finally:
        run.tables.close()
    if run.curves is not None:
        run.curves.finish()
    if run.rank == 0:
        print(
            f"{run.decisions:,} decisions in {run.cpu_seconds / 60:.1f} processor minutes: "
            f"{wanted.folder / 'final.npz'}"
        )


def workers_of(wanted: Namespace, args: Args) -> int:
    """How many processes play for this one; ValueError where they cannot be that many."""
    workers: int = wanted.workers or 2 * wanted.ray
    if not 0 <= workers <= args.num_games:
        raise ValueError(f"--workers is {workers}; allowed are 0..{args.num_games}, games at once")
    if workers and "RANK" in os.environ:
        raise ValueError("--workers and --ray play for one process that learns: no torchrun")
    return workers


def joined(device: str) -> str:
    """Join the other processes where `torchrun` started several; this one's device."""
    if "RANK" not in os.environ:
        return device
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    return f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" else device


if __name__ == "__main__":
    main()
