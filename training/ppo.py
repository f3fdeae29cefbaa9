"""`python -m training.ppo CONFIG.toml FOLDER`: MaskablePPO in self-play, from a clone or nothing.

Learning goes in phases. In some, all seats of every game learn, each from its own decisions; in
the others one seat learns against a pool of fixed policies and past selves, of whom those of a
like rating are met more often. After each phase everything is written into the folder; the same
command goes on from there, however it was stopped. `tensorboard --logdir FOLDER` shows the curves.
"""

import argparse
import json
import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from catan_env.envs.sb3 import CatanVecEnv, per_seat
from training.export import export
from training.model import fresh_model, load_model
from training.pool import LEARNER, Pool, opponent


@dataclass
class Args:
    """What a configuration file may say."""

    seed: int = 1
    seats: int = 4
    rules: str = "base"
    max_turns: int = 400
    reward: str = "sparse"
    clone: str = ""
    """A model to start from; empty: from random weights."""
    value_first: int = 2
    """Phases at the start in which only the value learns, so that a clone is not unlearned."""
    fixed: list[str] = field(default_factory=lambda: ["random", "value"])
    """Policies of the pool that do not change."""
    self_play: float = 0.5
    """The chance that all seats learn in a phase."""
    steps: int = 2_000_000
    """Decisions in all."""
    rollouts: int = 8
    """Rollouts in a phase."""
    past_self_every: int = 4
    """Phases after which the learner joins the pool as it is."""
    num_envs: int = 64
    n_steps: int = 256
    batch_size: int = 2048
    n_epochs: int = 2
    learning_rate: float = 1e-4
    gamma: float = 0.999
    gae_lambda: float = 0.95
    ent_coef: float = 0.003
    clip_range: float = 0.15
    target_kl: float = 0.03
    hidden: list[int] = field(default_factory=lambda: [512, 512])
    value: list[int] = field(default_factory=lambda: [256, 256])

    def ppo(self) -> dict[str, Any]:
        """What MaskablePPO is told."""
        names = (
            "n_steps", "batch_size", "n_epochs", "learning_rate", "gamma", "gae_lambda",
            "ent_coef", "clip_range", "target_kl",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}


def read_args(path: str | Path) -> Args:
    """The arguments in a TOML file; ValueError names what is none."""
    with open(path, "rb") as file:
        told = tomllib.load(file)
    unknown = sorted(set(told) - {f.name for f in fields(Args)})
    if unknown:
        allowed = ", ".join(f.name for f in fields(Args))
        raise ValueError(f"{str(path)!r} says {', '.join(unknown)}; allowed are {allowed}")
    return Args(**told)


class Scores(BaseCallback):
    """Tells the pool who won, and the bar how far it is."""

    def __init__(self, pool: Pool, names: list[str], bar: Any) -> None:
        super().__init__()
        self.pool, self.names, self.bar = pool, names, bar
        self.wins = self.games = 0

    def _on_step(self) -> bool:
        self.bar.update(self.training_env.num_envs)
        for info in self.locals["infos"]:
            if self.names and "episode" in info:
                self._ended(info)
        return True

    def _ended(self, info: dict[str, Any]) -> None:
        won = info["reason"] == "win"
        self.games += 1
        self.wins += won
        if info["reason"] in ("win", "loss"):
            for name in set(self.names):
                self.pool.tell(name, won)

    def _on_rollout_end(self) -> None:
        for name, rating in self.pool.ratings.items():
            self.logger.record(f"elo/{Path(name).stem}", rating)
        if self.games:
            self.logger.record("pool/win_rate", self.wins / self.games)


class Run:
    """A run in its folder: `model.zip`, `state.json` and the past selves of the pool."""

    def __init__(self, args: Args, folder: Path) -> None:
        self.args, self.folder = args, folder
        folder.mkdir(parents=True, exist_ok=True)
        state = folder / "state.json"
        if state.exists():
            told = json.loads(state.read_text())
            self.phase, self.steps = told["phase"], told["steps"]
            self.pool = Pool(**told["pool"])
            self.model = load_model(folder / told["model"])
        else:
            self.phase = self.steps = 0
            self.pool = Pool({LEARNER: 1000.0, **dict.fromkeys(args.fixed, 1000.0)})
            self.model = self._first_model()

    def _first_model(self) -> MaskablePPO:
        args = self.args
        games = self._environments(is_self_play=True, names=[])
        model = fresh_model(
            games, hidden=args.hidden, value=args.value, seed=args.seed, **args.ppo()
        )
        if args.clone:
            model.policy.load_state_dict(load_model(args.clone).policy.state_dict())
        return model

    def _environments(self, is_self_play: bool, names: list[str]) -> CatanVecEnv:
        args = self.args
        options = {
            "seats": args.seats, "rules": args.rules, "max_turns": args.max_turns,
            "reward": args.reward,
        }  # fmt: skip
        if is_self_play:
            games = CatanVecEnv(args.num_envs, self_play=True, **options)
        else:
            opponents = [opponent(name) for name in names]
            games = CatanVecEnv(args.num_envs, opponents=opponents, **options)
        games.seed(args.seed + 10_000 * self.phase)
        return games

    def play_phase(self, bar: Any) -> None:
        """One phase: choose whom to meet, learn, write everything down."""
        args = self.args
        draw = np.random.default_rng([args.seed, self.phase])
        is_self_play = bool(draw.random() < args.self_play)
        names = [] if is_self_play else self.pool.pick(draw, args.seats - 1)
        model = self._model_at(self._environments(is_self_play, names), is_self_play)
        model.set_random_seed(args.seed + self.phase)
        only_value = self.phase < args.value_first and bool(args.clone)
        for name, weight in model.policy.named_parameters():
            weight.requires_grad = not (only_value and ("policy_net" in name or "action" in name))
        model.learn(
            args.rollouts * args.n_steps * args.num_envs,
            callback=Scores(self.pool, names, bar),
            reset_num_timesteps=False,
            tb_log_name="ppo",
        )
        self.steps = model.num_timesteps
        self.phase += 1
        self._keep()

    def _model_at(self, games: CatanVecEnv, is_self_play: bool) -> MaskablePPO:
        """The model at other games, with the buffer that belongs to them."""
        model = self.model
        model.set_env(games)
        model.tensorboard_log = str(self.folder)
        if is_self_play:
            return per_seat(model)
        model.rollout_buffer = model.rollout_buffer_class(
            model.n_steps,
            model.observation_space,
            model.action_space,
            model.device,
            gamma=model.gamma,
            gae_lambda=model.gae_lambda,
            n_envs=model.n_envs,
        )
        return model

    def _keep(self) -> None:
        """Write the model first and then, at one stroke, the state that names it."""
        if self.phase % self.args.past_self_every == 0:
            weights = self.folder / f"past_{self.phase}.npz"
            export(self.model, weights)
            self.pool.add(weights)
        name = f"model_{self.phase % 2}.zip"
        self.model.save(self.folder / name)
        pool = json.loads(self.pool.dumps())
        told = {"phase": self.phase, "steps": self.steps, "model": name, "pool": pool}
        fresh = self.folder / "state.json.new"
        fresh.write_text(json.dumps(told, indent=1))
        os.replace(fresh, self.folder / "state.json")

    def learn(self) -> MaskablePPO:
        """Phases until all steps are done."""
        with tqdm(total=self.args.steps, initial=self.steps, unit="step", disable=None) as bar:
            while self.steps < self.args.steps:
                self.play_phase(bar)
        return self.model


def main(given: list[str] | None = None) -> None:
    """Begin or go on with a run."""
    parser = argparse.ArgumentParser(prog="python -m training.ppo", description=__doc__)
    parser.add_argument("config")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, help="in place of the configuration's")
    parser.add_argument("--threads", type=int, default=1, help="of torch (default 1)")
    wanted = parser.parse_args(given)
    torch.set_num_threads(wanted.threads)
    args = read_args(wanted.config)
    args.steps = args.steps if wanted.steps is None else wanted.steps
    run = Run(args, wanted.folder)
    model = run.learn()
    export(model, wanted.folder / "final.npz")
    print(f"{run.steps} steps; {wanted.folder / 'final.npz'}")
    for name, rating in sorted(run.pool.ratings.items(), key=lambda item: -item[1]):
        print(f"{rating:6.0f}  {name}")


if __name__ == "__main__":
    main()
