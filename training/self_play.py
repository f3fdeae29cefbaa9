"""`python -m catan_env.training.self_play CONFIG.toml FOLDER`: PPO in self-play.

One network plays all seats of a thousand parallel games, and every seat learns from its own
decisions. The same command resumes a run that was stopped or killed, with the same result as if it
had not been; `tensorboard --logdir FOLDER` shows the curves. On several processors or machines:

    torchrun --nproc-per-node 2 -m catan_env.training.self_play CONFIG.toml FOLDER

plays and learns in each process; with `--workers 4` other processes play for one that learns, and
with `--ray` the machines of a cluster.

From a game to the gradient: `rollouts.Collector` plays the games and asks `agent.Agent` for
actions, `rollout_buffer.py` estimates advantages, and `ppo_update.PPO` learns from them.
`options.py` has the options, `opponents.py` decides which policies play the other seats,
`networks/` what the network reads and computes, `control_variate.py` what is subtracted for the
luck of the dice, `actors/` in which processes games are played, `metrics.py` what is logged,
`run_state.py` what a run resumes from.
"""

import ctypes
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from catan_env.adapters.promises import PromiseError
from catan_env.extras import BadInput, ends_in_one_line, missing
from catan_env.notation.whole_files import replacing
from catan_env.training import command_line, config, metrics
from catan_env.training.actors import LocalActor, RemoteActors
from catan_env.training.agent import Agent
from catan_env.training.batches import batch_of
from catan_env.training.cards import machine, write_card
from catan_env.training.devices import check_device
from catan_env.training.folder import only_run_in, write_json
from catan_env.training.functions import check_functions
from catan_env.training.opponents import LEARNER, Pool
from catan_env.training.options import FREE
from catan_env.training.options import Args as Args
from catan_env.training.run_state import (
    load_state,
    packed,
    pickled,
    random_state,
    restore_random_state,
    save_state,
    unpacked,
    unpickled,
)

PROGRESS = ("rollouts", "timesteps", "seconds", "cpu_seconds")
ENDLESS = 2000
"""Decisions per game, of which none has ended, after which that is said."""


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
        self.rollouts = self.timesteps = 0
        self._said_unpicklable, self._endless = False, 0
        self.seconds = self.cpu_seconds = 0.0
        saved = load_state(folder)
        if saved is not None:
            config.check_same(folder, args, saved["args"], FREE)
            for name in PROGRESS:
                setattr(self, name, saved[name])
        seed = (args.seed * 1_000_003 + self.rollouts) * 1_009 + self.rank
        self.agent = Agent.of(args, device)
        check_functions(args)
        self.algorithm = config.call("algorithm", config.named(args.algorithm), self.agent, args)
        self.pool = Pool(args.opponents, saved["ratings"] if saved else {}, args.past_selves)
        self.pool.check_files(folder)
        self.actors: LocalActor | RemoteActors
        if workers:
            self.actors = RemoteActors(args, self.agent, self.pool, folder, seed, workers, ray)
        else:
            batch = batch_of(args, args.num_envs, seed=seed, threads=threads)
            self.actors = LocalActor(args, self.agent, batch, self.pool, folder, seed)
        torch.manual_seed(seed)
        if saved is not None:
            self._resume(saved)
        self.writer = (
            None if self.rank else SummaryWriter(str(folder), purge_step=self.timesteps + 1)
        )
        self.wandb: Any = None
        """A run of Weights & Biases, if wanted."""

    def learn(self) -> None:
        """Repeat rollouts until all decisions have been learned from."""
        args = self.args
        with tqdm(total=args.total_timesteps, initial=self.timesteps, disable=None) as bar:
            while self.timesteps < args.total_timesteps:
                before = self.timesteps
                self.rollout()
                bar.update(self.timesteps - before)
                is_due = self.rollouts % args.checkpoint_every == 0
                if is_due or self.timesteps >= args.total_timesteps:
                    self.checkpoint(is_due)

    def rollout(self) -> None:
        """Collect a rollout, learn from it, and log the metrics."""
        begun, cpu = time.perf_counter(), self._cpu()
        decisions = self.actors.collect(self.timesteps)
        collecting = self._cpu() - cpu
        found = self.algorithm.update(decisions, self.timesteps)
        elapsed, spent = time.perf_counter() - begun, self._cpu() - cpu
        learned = self.args.batch_size * self.processes
        self.timesteps += learned
        self.rollouts += 1
        self.seconds += elapsed
        self.cpu_seconds += spent * self.processes
        rating = self.pool.ratings[LEARNER] if self.args.opponent_fraction else None
        times = metrics.Times(elapsed, spent, collecting, self.processes)
        counts = self.actors.counts()
        self._note_endless(counts)
        found |= metrics.of_games(counts, rating)
        self._log(found | metrics.of_time(times, learned, self.cpu_seconds))

    def _note_endless(self, counts: metrics.Counts) -> None:
        """Say once that no game ends: such a run learns nothing."""
        before = self._endless
        self._endless = 0 if counts.ended else before + counts.decisions
        most = ENDLESS * self.args.num_envs
        if before <= most < self._endless:
            self._say(
                f"no game has ended in {self._endless:,} decisions; does the game have a limit?"
            )

    def _cpu(self) -> float:
        """Processor seconds so far, of this process and its actors."""
        return time.process_time() + self.actors.seconds

    def _log(self, found: dict[str, float]) -> None:
        """Write the metrics to TensorBoard, and to Weights & Biases if wanted."""
        if self.writer is not None:
            for name, number in found.items():
                self.writer.add_scalar(name, number, self.timesteps)
            self.writer.flush()
        if self.wandb is not None:
            self.wandb.log(found, step=self.timesteps)

    def checkpoint(self, is_past_self: bool = True) -> None:
        """Write the weights, as a past self too, and then, atomically, what resuming needs."""
        network = self.agent.network
        if self.rank != 0:
            return
        name = f"past_{self.timesteps}.npz"
        for weights in (name, "final.npz"):
            with replacing(self.folder / weights) as file:
                network.save(file)
        if self.args.past_selves and is_past_self:
            self.pool.add(name)
        write_json(self.folder / "final.json", self.metadata())
        write_card(self.folder / "final.npz", self.metadata(), [])
        actors, unpicklable = pickled(self.actors.state_dict())
        if unpicklable and not self._said_unpicklable:
            self._said_unpicklable = True
            self._say(f"its games cannot be pickled ({unpicklable}): resumed, it has new games")
        state = {
            "args": asdict(self.args),
            "network": network.state_dict(),
            "optimizer": self.algorithm.optimizer.state_dict(),
            "algorithm": packed(self.algorithm.state_dict()) if self._has_state else None,
            "ratings": self.pool.ratings,
            "random": random_state(),
            "actors": actors,
            "unpicklable": unpicklable,
            "layout": (self.workers, self.processes),
            **{name: getattr(self, name) for name in PROGRESS},
        }
        save_state(state, self.folder)

    def _resume(self, saved: dict[str, Any]) -> None:
        """Continue exactly, or with new games if processes have changed or games have no pickle."""
        self.agent.network.load_state_dict(saved["network"])
        self._resume_algorithm(saved)
        is_alike = saved["layout"] == (self.workers, self.processes) == (self.workers, 1)
        if is_alike and saved["actors"] is not None:
            self.actors.load_state_dict(unpickled(saved["actors"]))
            restore_random_state(saved["random"])
        elif saved["actors"] is None:
            reason = saved.get("unpicklable", "")
            self._say(
                "resumed with new games: the checkpoint has none, which cannot be pickled "
                f"({reason})"
            )
        else:
            self._say("resumed with new games: there are several processes, or were")

    def _resume_algorithm(self, saved: dict[str, Any]) -> None:
        algorithm, state = self.algorithm, saved.get("algorithm")
        algorithm.optimizer.load_state_dict(saved["optimizer"])
        if state is not None:
            algorithm.load_state_dict(unpacked(state, self.agent.device))
        elif self._has_state:
            self._say("resumed without the algorithm's state, which its checkpoint does not have")

    def _say(self, line: str) -> None:
        print(f"{self.folder}: {line}", file=sys.stderr)

    @property
    def _has_state(self) -> bool:
        """True if the algorithm keeps more than its optimizer."""
        return hasattr(self.algorithm, "state_dict")

    def metadata(self) -> dict[str, Any]:
        """The training of the weights, for their card."""
        args, processes = self.args, self.processes + self.workers
        options = ", ".join(f"{name} {value}" for name, value in args.env_options.items())
        return {
            "begun from": f"`{args.initial_weights}`" if args.initial_weights else "random weights",
            "self-play": f"{args.network}, {options}",
            "seed": args.seed,
            "decisions": f"{self.timesteps:,} trained on, in {self.rollouts} rollouts",
            "processor time": f"{self.cpu_seconds / 60:.1f} minutes",
            "wall time": f"{self.seconds / 60:.1f} minutes, processes: {processes}",
            "machine": machine(),
        }


def imported_wandb() -> Any:
    """The library; ImportError names the extra if it is missing."""
    try:
        import wandb
    except ImportError as error:
        raise missing("--wandb", "wandb", error) from None
    return wandb


def wandb_run(project: str, folder: Path, args: Args) -> Any:
    """A run of Weights & Biases; the one of the same folder is resumed."""
    name = folder.resolve().name
    return imported_wandb().init(
        project=project, name=name, id=name, resume="allow", dir=folder, config=asdict(args)
    )


def keep_memory() -> None:
    """Let glibc retain freed memory: requesting it again costs a third of the run time."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        for option in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
            if mallopt is not None:
                mallopt(option, 2_000_000_000)


def parser() -> ArgumentParser:
    """The command's options: those of the process, then those of `Args`."""
    made = command_line.parser_of("self_play", __doc__, Args)
    add = made.add_argument
    add("--wandb", metavar="PROJECT", help="log to Weights & Biases, too")
    add("--workers", type=int, default=0, help="processes that play for this one (default: 0)")
    add("--ray", action="store_true", help="they are Ray actors, 2 unless --workers is given")
    add(
        "--device",
        default="cuda" if torch.cuda.is_available() else "cpu",
        help="that learns (default: cuda where there is one, else cpu)",
    )
    return made


def main(given: list[str] | None = None) -> None:
    """Begin or resume a run."""
    made = parser()
    wanted = command_line.parsed(made, given)
    keep_memory()
    with ends_in_one_line(made.prog):
        args = args_of(wanted)
        workers = workers_of(wanted, args)
        check_device(wanted.device)
        if wanted.wandb:
            imported_wandb()
    writes = os.environ.get("RANK", "0") == "0"
    with only_run_in(wanted.folder) if writes else nullcontext():
        learn(made, wanted, args, workers)


def learn(made: ArgumentParser, wanted: Namespace, args: Args, workers: int) -> None:
    """Begin or resume a run in a folder that no other run uses."""
    with ends_in_one_line(made.prog):
        device = joined_device(wanted.device)
        run = Run(args, wanted.folder, device, wanted.threads, workers, wanted.ray)
    if wanted.wandb and run.rank == 0:
        run.wandb = wandb_run(wanted.wandb, wanted.folder, args)
    try:
        run.learn()
    except PromiseError as error:
        raise BadInput(f"{made.prog}: {error}") from None
    finally:
        run.actors.close()
    if run.wandb is not None:
        run.wandb.finish()
    if run.rank == 0:
        print(
            f"{run.timesteps:,} decisions in {run.cpu_seconds / 60:.1f} processor minutes: "
            f"{wanted.folder / 'final.npz'}"
        )


def args_of(wanted: Namespace) -> Args:
    """The configuration; `--num-steps` also overrides a `batch_size` in the file."""
    if wanted.num_steps is not None and wanted.batch_size is None:
        wanted.batch_size = 0
    return command_line.args_in(Args, wanted)


def workers_of(wanted: Namespace, args: Args) -> int:
    """The number of processes that play for this one; ValueError if there cannot be that many."""
    workers: int = wanted.workers or 2 * wanted.ray
    most = min(args.num_envs, args.batch_size)
    if not 0 <= workers <= most:
        what = "the games" if most == args.num_envs else "the decisions of a rollout"
        raise ValueError(f"--workers is {workers}; allowed are 0..{most}, {what}")
    if workers and "RANK" in os.environ:
        raise ValueError("--workers and --ray need a single learning process: no torchrun")
    return workers


def joined_device(device: str) -> str:
    """This process's device, after joining the others if `torchrun` started several."""
    if "RANK" not in os.environ:
        return device
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    return f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" else device


if __name__ == "__main__":
    main()
