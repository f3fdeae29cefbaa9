"""`python -m catan_env.training.sb3.train CONFIG.toml FOLDER`: MaskablePPO in self-play.

Training runs in phases. In some, all seats of every game learn, each from its own decisions; in the
others one seat learns against opponents from a pool of fixed policies and past selves, preferring
those near its rating. After each phase everything is saved; the same command resumes from there.
`tensorboard --logdir FOLDER` shows the curves.
"""

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from catan_env.envs.sb3 import CatanVecEnv, per_seat
from catan_env.extras import ends_in_one_line
from catan_env.policy import load_policy
from catan_env.training import command_line, config
from catan_env.training.cards import machine, write_card
from catan_env.training.folder import announce_lost_state, only_run_in, write_json
from catan_env.training.functions import check_opponents
from catan_env.training.opponents import Pool
from catan_env.training.ranges import (
    COUNT,
    FRACTION,
    NOT_NEGATIVE,
    POSITIVE,
    SEED,
    Range,
    Ranges,
    in_ranges,
)
from catan_env.training.sb3.export import export
from catan_env.training.sb3.model import begin_from, fresh_model, load_model


@dataclass
class Args:
    """The options of training by MaskablePPO."""

    RANGES: ClassVar[Ranges] = in_ranges(
        {
            Range(2, 4): "seats",
            COUNT: "max_turns total_timesteps rollouts_per_phase past_self_every num_envs "
            "num_steps minibatch_size update_epochs hidden local",
            SEED: "seed",
            NOT_NEGATIVE: "value_warmup_phases ent_coef",
            POSITIVE: "learning_rate clip_coef target_kl",
            FRACTION: "self_play_fraction gamma gae_lambda",
        }
    )

    seed: int = 1
    """seed of the weights and the games"""
    seats: int = 4
    """seats of a game"""
    rules: str = "base"
    """name of the rules"""
    max_turns: int = 400
    """turn limit of a game"""
    reward: str = "sparse"
    """the environment's reward, sparse or shaped"""
    initial_weights: str = ""
    """model (.zip) to start from; none: random weights"""
    value_warmup_phases: int = 2
    """phases at the start in which only the value learns, to protect initial weights"""
    opponents: list[str] = field(default_factory=lambda: ["random", "greedy"])
    """fixed policies of the pool"""
    self_play_fraction: float = 0.5
    """probability that all seats learn in a phase"""
    total_timesteps: int = 2_000_000
    """decisions in all"""
    rollouts_per_phase: int = 8
    """rollouts between two draws of opponents"""
    past_self_every: int = 4
    """phases after which the learner joins the pool as it is"""
    num_envs: int = 64
    """parallel games"""
    num_steps: int = 256
    """decisions per game and rollout"""
    minibatch_size: int = 2048
    """decisions per gradient step"""
    update_epochs: int = 2
    """passes over each rollout"""
    learning_rate: float = 1e-4
    """learning rate"""
    gamma: float = 0.999
    """discount"""
    gae_lambda: float = 0.95
    """lambda of the generalized advantage estimation"""
    ent_coef: float = 0.003
    """coefficient of the entropy bonus"""
    clip_coef: float = 0.15
    """clipping of the probability ratio"""
    target_kl: float = 0.03
    """approx_kl that ends an update early"""
    hidden: int = 512
    """width of the trunk"""
    local: int = 32
    """width at each vertex"""

    def __post_init__(self) -> None:
        """Raise ValueError if a minibatch would have one decision, or a rollout.

        Its advantage divided by its deviation is NaN, and so are all weights after it.
        """
        decisions = self.num_envs * self.num_steps
        if min(decisions, self.minibatch_size) == 1 or decisions % self.minibatch_size == 1:
            raise ValueError(
                f"minibatch_size is {self.minibatch_size}; of the {decisions} decisions of a "
                "rollout (num_envs * num_steps) one would be a minibatch alone"
            )

    def options(self) -> dict[str, Any]:
        """The keyword arguments of `fresh_model`."""
        names = (
            "learning_rate", "gamma", "gae_lambda", "ent_coef", "target_kl", "hidden", "local",
            "seed",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names} | {
            "n_steps": self.num_steps, "batch_size": self.minibatch_size,
            "n_epochs": self.update_epochs, "clip_range": self.clip_coef,
        }  # fmt: skip


class Phase(NamedTuple):
    """All seats learn, or one against the opponents of those names."""

    seed: int
    """Of game 0; game k has `seed + k`."""
    opponents: list[str]


def environments(args: Args, phase: Phase) -> CatanVecEnv:
    """The games of a phase."""
    options: dict[str, Any] = {
        "seats": args.seats, "rules": args.rules, "max_turns": args.max_turns,
        "reward": args.reward,
    }  # fmt: skip
    if phase.opponents:
        games = CatanVecEnv(args.num_envs, opponents=phase.opponents, **options)
    else:
        games = CatanVecEnv(args.num_envs, self_play=True, **options)
    games.seed(phase.seed)
    return games


def at_games(model: MaskablePPO, games: CatanVecEnv) -> MaskablePPO:
    """The model with other games, and the buffer that belongs to them."""
    model.set_env(games)
    if games.self_play:
        return per_seat(model)
    make: Any = model.rollout_buffer_class
    model.rollout_buffer = make(
        model.n_steps,
        model.observation_space,
        model.action_space,
        model.device,
        gamma=model.gamma,
        gae_lambda=model.gae_lambda,
        n_envs=model.n_envs,
    )
    return model


class Scores(BaseCallback):
    """Reports results to the pool and progress to the bar."""

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
            self.pool.update_ratings(self.names, won)

    def _on_rollout_end(self) -> None:
        for name, rating in self.pool.ratings.items():
            self.logger.record(f"opponents/elo_{Path(name).stem}", rating)
        if self.games:
            self.logger.record("opponents/win_rate", self.wins / self.games)


class Run:
    """A run in its folder: the model, `state.json`, which names it, and the pool's past selves."""

    def __init__(self, args: Args, folder: Path) -> None:
        self.args, self.folder = args, folder
        check_opponents(args.opponents, load_policy)
        folder.mkdir(parents=True, exist_ok=True)
        state = folder / "state.json"
        if state.exists():
            saved = state_in(state)
            config.check_same(folder, args, saved["args"], ("total_timesteps",))
            self.phase, self.timesteps = saved["phase"], saved["steps"]
            self.seconds: float = saved["seconds"]
            self.pool = Pool(**{"fixed": args.opponents} | saved["pool"])
            self.pool.check_files(folder)
            self.model = load_model(folder / saved["model"])
        else:
            announce_lost_state(folder, state.name)
            self.phase = self.timesteps = 0
            self.seconds = 0.0
            self.pool = Pool(args.opponents)
            self.model = self._first_model()

    def _first_model(self) -> MaskablePPO:
        args = self.args
        model: MaskablePPO = fresh_model(environments(args, Phase(args.seed, [])), **args.options())
        if args.initial_weights:
            begin_from(model, args.initial_weights)
        return model

    def play_phase(self, bar: Any) -> None:
        """One phase: draw the opponents, learn, save."""
        begun = time.monotonic()
        args, model = self.args, self.model
        draw = np.random.default_rng([args.seed, self.phase])
        is_self_play = bool(draw.random() < args.self_play_fraction)
        names = [] if is_self_play else self.pool.pick(draw, args.seats - 1)
        policies = [self._policy(name) for name in names]
        phase = Phase(args.seed + 10_000 * self.phase, policies)
        at_games(model, environments(args, phase))
        model.tensorboard_log = str(self.folder)
        model.set_random_seed(phase.seed)  # the games', too
        only_value = self.phase < args.value_warmup_phases and bool(args.initial_weights)
        for name, weight in model.policy.named_parameters():
            weight.requires_grad = "value" in name or not only_value
        model.learn(
            args.rollouts_per_phase * args.num_steps * args.num_envs,
            callback=Scores(self.pool, names, bar),
            reset_num_timesteps=False,
            tb_log_name="ppo",
        )
        model.logger.close()
        self.timesteps = model.num_timesteps
        self.phase += 1
        self.seconds += time.monotonic() - begun
        self.checkpoint()

    def _policy(self, name: str) -> str:
        """An opponent by the name that `catan_env.policy` looks up."""
        return str(self.folder.resolve() / name) if self.pool.is_past_self(name) else name

    def checkpoint(self) -> None:
        """Write the model first and then, atomically, the state that names it."""
        if self.phase % self.args.past_self_every == 0:
            name = f"past_{self.timesteps}.npz"
            export(self.model, self.folder / name)
            self.pool.add(name)
        name = f"model_{self.phase % 2}.zip"
        self.model.save(self.folder / name)
        state = {
            "phase": self.phase, "steps": self.timesteps, "model": name,
            "pool": json.loads(self.pool.dumps()), "seconds": self.seconds,
            "args": asdict(self.args),
        }  # fmt: skip
        write_json(self.folder / "state.json", state)

    def metadata(self, command: str) -> dict[str, Any]:
        """The training of the weights, for their card."""
        args = self.args
        return {
            "command": f"`{command}`",
            "begun from": f"`{args.initial_weights}`" if args.initial_weights else "random weights",
            "seed": args.seed,
            "decisions": f"{self.timesteps:,} in {self.phase} phases",
            "games": f"{args.seats} seats {args.rules}",
            "wall time": f"{self.seconds / 60:.1f} minutes, threads: {torch.get_num_threads()}",
            "machine": machine(),
        }

    def learn(self) -> MaskablePPO:
        """Phases until all decisions are made."""
        total = self.args.total_timesteps
        with tqdm(total=total, initial=self.timesteps, unit="decision", disable=None) as bar:
            while self.timesteps < total:
                self.play_phase(bar)
        return self.model


def state_in(path: Path) -> dict[str, Any]:
    """The state of a run; ValueError if the file is damaged."""
    try:
        state: dict[str, Any] = json.loads(path.read_text())
    except ValueError:
        raise ValueError(
            f"{path}: it is damaged; restore it, or begin in another folder with model_0.zip or "
            "model_1.zip as initial_weights"
        ) from None
    return state


def main(given: list[str] | None = None) -> None:
    """Begin or resume a run."""
    parser = command_line.parser_of("sb3.train", __doc__, Args)
    wanted = command_line.parsed(parser, given)
    with ends_in_one_line(parser.prog):
        args = command_line.args_in(Args, wanted)
    with only_run_in(wanted.folder):
        with ends_in_one_line(parser.prog):
            run = Run(args, wanted.folder)
        export(run.learn(), wanted.folder / "final.npz")
        command = command_line.as_typed(parser, given)
        write_card(wanted.folder / "final.npz", run.metadata(command), [])
    print(f"{run.timesteps:,} decisions: {wanted.folder / 'final.npz'}")
    for name, rating in sorted(run.pool.ratings.items(), key=lambda item: -item[1]):
        print(f"{rating:6.0f}  {name}")


if __name__ == "__main__":
    main()
