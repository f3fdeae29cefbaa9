"""`python -m catan_env.training.ppo CONFIG.toml FOLDER`: MaskablePPO in self-play.

Learning goes in phases. In some, all seats of every game learn, each from its own decisions; in
the others one seat learns against a pool of fixed policies and past selves, of whom those of a
like rating are met more often. After each phase everything is written into the folder; the same
command goes on from there, however it was stopped. `tensorboard --logdir FOLDER` shows the curves.
With `--workers` or `--ray` several processes play, and this one learns.
"""

import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from catan_env.training.card import machine, write_card
from catan_env.training.collect import Collectors, SpreadPPO
from catan_env.training.command import as_typed, ends_in_one_line, parsed, parser_of
from catan_env.training.configuration import check_same, read
from catan_env.training.export import export
from catan_env.training.model import begin_from, fresh_model, load_model
from catan_env.training.phase import Args, TrainingPhase, at_table, environments
from catan_env.training.pool import LEARNER, Pool


class Scores(BaseCallback):
    """Tells the pool who won, and the bar how far it is."""

    def __init__(self, pool: Pool, names: list[str], bar: Any) -> None:
        super().__init__()
        self.pool, self.names, self.bar = pool, names, bar
        self.wins = self.games = 0

    def _on_step(self) -> bool:
        self.bar.update(self.num_timesteps - self.bar.n)
        for info in self.locals["infos"]:
            if self.names and "episode" in info:
                self._ended(info)
        return True

    def _ended(self, info: dict[str, Any]) -> None:
        won = info["reason"] == "win"
        self.games += 1
        self.wins += won
        if info["reason"] in ("win", "loss"):
            self.pool.tell(self.names, won)

    def _on_rollout_end(self) -> None:
        for name, rating in self.pool.ratings.items():
            self.logger.record(f"elo/{Path(name).stem}", rating)
        if self.games:
            self.logger.record("pool/win_rate", self.wins / self.games)


class Run:
    """A run in its folder: the model, `state.json`, which names it, and the pool's past selves."""

    def __init__(self, args: Args, folder: Path, collectors: Collectors | None = None) -> None:
        self.args, self.folder, self.collectors = args, folder, collectors
        folder.mkdir(parents=True, exist_ok=True)
        state = folder / "state.json"
        if state.exists():
            kept = json.loads(state.read_text())
            check_same(folder, args, kept["args"], "steps")
            self.phase, self.steps = kept["phase"], kept["steps"]
            self.seconds: float = kept["seconds"]
            self.pool = Pool(**kept["pool"])
            self.model = load_model(folder / kept["model"], kind=SpreadPPO)
        else:
            self.phase = self.steps = 0
            self.seconds = 0.0
            self.pool = Pool({LEARNER: 1000.0, **dict.fromkeys(args.fixed, 1000.0)})
            self.model = self._first_model()

    def _first_model(self) -> SpreadPPO:
        args = self.args
        games = environments(args, TrainingPhase(args.seed, []), args.num_envs)
        model = fresh_model(games, kind=SpreadPPO, **args.options())
        if args.clone:
            begin_from(model, args.clone)
        return model

    def play_phase(self, bar: Any) -> None:
        """One phase: choose whom to meet, learn, write everything down."""
        begun = time.monotonic()
        args, model = self.args, self.model
        draw = np.random.default_rng([args.seed, self.phase])
        is_self_play = bool(draw.random() < args.self_play)
        names = [] if is_self_play else self.pool.pick(draw, args.seats - 1)
        phase = TrainingPhase(args.seed + 10_000 * self.phase, names, self.folder.resolve())
        at_table(model, environments(args, phase, args.num_envs))
        if self.collectors is not None:
            self.collectors.begin(phase)
        model.collectors = self.collectors
        model.tensorboard_log = str(self.folder)
        model.set_random_seed(phase.seed)  # the games', too
        only_value = self.phase < args.value_first and bool(args.clone)
        for name, weight in model.policy.named_parameters():
            weight.requires_grad = "value" in name or not only_value
        model.learn(
            args.rollouts * args.n_steps * args.num_envs,
            callback=Scores(self.pool, names, bar),
            reset_num_timesteps=False,
            tb_log_name="ppo",
        )
        model.logger.close()
        self.steps = model.num_timesteps
        self.phase += 1
        self.seconds += time.monotonic() - begun
        self._keep()

    def _keep(self) -> None:
        """Write the model first and then, at one stroke, the state that names it."""
        if self.phase % self.args.past_self_every == 0:
            name = f"past_{self.steps}.npz"
            export(self.model, self.folder / name)
            self.pool.add(name)
        name = f"model_{self.phase % 2}.zip"
        self.model.save(self.folder / name)
        pool = json.loads(self.pool.dumps())
        state = {"phase": self.phase, "steps": self.steps, "model": name, "pool": pool}
        state["seconds"] = self.seconds
        state["args"] = asdict(self.args)
        fresh = self.folder / "state.json.new"
        fresh.write_text(json.dumps(state, indent=1))
        os.replace(fresh, self.folder / "state.json")

    def facts(self, command: str) -> dict[str, Any]:
        """What the card of the weights says of how they came about."""
        args = self.args
        return {
            "command": f"`{command}`",
            "begun from": f"`{args.clone}`" if args.clone else "random weights",
            "seed": args.seed,
            "decisions": f"{self.steps:,} in {self.phase} phases",
            "table": f"{args.seats} seats {args.rules}",
            "wall time": f"{self.seconds / 60:.1f} minutes, threads: {torch.get_num_threads()}",
            "machine": machine(),
        }

    def learn(self) -> SpreadPPO:
        """Phases until all steps are done."""
        with tqdm(total=self.args.steps, initial=self.steps, unit="step", disable=None) as bar:
            while self.steps < self.args.steps:
                self.play_phase(bar)
        return self.model


def main(given: list[str] | None = None) -> None:
    """Begin or go on with a run."""
    parser = parser_of("ppo", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, help="in place of the configuration's")
    parser.add_argument("--workers", type=int, default=0, help="processes that play for this one")
    parser.add_argument(
        "--ray", action="store_true", help="they are actors of Ray, 2 unless --workers is given"
    )
    wanted = parsed(parser, given)
    with ends_in_one_line(parser):
        args = read(Args, wanted.config)
    args.steps = args.steps if wanted.steps is None else wanted.steps
    workers = wanted.workers or 2 * wanted.ray
    if not 0 <= workers <= args.num_envs:
        parser.error(f"--workers is {workers}; allowed are 0..{args.num_envs}, games at once")
    collectors = Collectors(args, workers, wanted.ray) if workers else None
    try:
        with ends_in_one_line(parser):
            run = Run(args, wanted.folder, collectors)
        model = run.learn()
    finally:
        if collectors is not None:
            collectors.close()
    export(model, wanted.folder / "final.npz")
    write_card(wanted.folder / "final.npz", run.facts(as_typed(parser, given)), [])
    print(f"{run.steps} steps; {wanted.folder / 'final.npz'}")
    for name, rating in sorted(run.pool.ratings.items(), key=lambda item: -item[1]):
        print(f"{rating:6.0f}  {name}")


if __name__ == "__main__":
    main()
