"""A phase of self-play: who sits at the tables, and the model that learns there."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sb3_contrib import MaskablePPO

from catan_env.envs.sb3 import CatanVecEnv, per_seat


@dataclass
class Args:
    """What a configuration file of `catan_env.training.ppo` may say."""

    seed: int = 1
    seats: int = 4
    rules: str = "base"
    max_turns: int = 400
    reward: str = "sparse"
    clone: str = ""
    """A model to start from; empty: from random weights."""
    value_first: int = 2
    """Phases at the start in which only the value learns, so that a clone is not unlearned."""
    fixed: list[str] = field(default_factory=lambda: ["random", "greedy"])
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
    hidden: int = 512
    local: int = 32
    value: list[int] = field(default_factory=lambda: [256, 256])

    def options(self) -> dict[str, Any]:
        """The keyword arguments of `fresh_model`."""
        names = (
            "n_steps", "batch_size", "n_epochs", "learning_rate", "gamma", "gae_lambda",
            "ent_coef", "clip_range", "target_kl", "hidden", "local", "value", "seed",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}


class TrainingPhase(NamedTuple):
    """All seats learn, or one against the opponents of those names."""

    seed: int
    """Of game 0; game k has `seed + k`."""
    opponents: list[str]
    folder: Path = Path()
    """Where the weights of past selves lie."""

    @property
    def is_self_play(self) -> bool:
        """Whether all seats learn."""
        return not self.opponents

    @property
    def policies(self) -> list[str]:
        """The opponents by the names that `catan_env.policy` looks up."""
        return [
            str(self.folder / name) if name.endswith(".npz") else name for name in self.opponents
        ]


def environments(args: Args, phase: TrainingPhase, num_envs: int, first: int = 0) -> CatanVecEnv:
    """The phase's games from number `first` on."""
    options = {
        "seats": args.seats, "rules": args.rules, "max_turns": args.max_turns,
        "reward": args.reward,
    }  # fmt: skip
    if phase.is_self_play:
        games = CatanVecEnv(num_envs, self_play=True, **options)
    else:
        games = CatanVecEnv(num_envs, opponents=phase.policies, **options)
    games.seed(phase.seed + first)
    return games


def at_table(model: MaskablePPO, games: CatanVecEnv) -> MaskablePPO:
    """The model at other games, with the buffer that belongs to them."""
    model.set_env(games)
    if games.self_play:
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
