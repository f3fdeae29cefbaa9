"""What a configuration file of `training.self_play` may say."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Args:
    """What a configuration file may say."""

    seed: int = 1
    game: str = "catan_env.training.games:catan"
    """What makes a batch of many games."""
    options: dict[str, Any] = field(default_factory=dict)
    """What it is called with, besides the number of games, seed and threads."""
    shaping: str = "catan_env.training.games:lead"
    """A function over the batch, (n, seats) potentials; empty: none."""
    luck: str = ""
    """What says of a batch what chance did, as `catan_env.training.luck:Dice`, so that it is taken
    out of what decisions were worth; empty: it stays in."""
    luck_weight: float = 1.0
    """How much it counts to foresee what chance does, against what pays."""
    network: str = "pointer"
    widths: dict[str, int] = field(default_factory=dict)
    start: str = ""
    """A weights file to begin with; empty: random weights."""
    opponents: list[str] = field(default_factory=list)
    """Policies that the learner meets in some games; those about as strong as it most often."""
    past_selves: int = 0
    """How many of the latest past selves are opponents, too."""
    opponents_share: float = 0.0
    """The share of games in which one seat is the learner's and all others are an opponent's."""
    teacher: str = ""
    """A function that ranks actions, as `catan_env.policies.greedy:rank` does; empty: none."""
    teacher_weight: float = 1.0
    """How much its choices count at first, against what the learner found to pay."""
    taught: int = 2_000_000
    """Decisions over which this weight falls to 0."""
    teacher_plays: float = 0.0
    """The share of games in which its choices are played, at first; it falls as the weight does."""
    teacher_temperature: float = 0.2
    """How far apart two actions' worth must be for the teacher to be firm."""
    num_games: int = 1024
    decisions: int = 10_000_000
    """To learn from, in all."""
    rollout: int = 65_536
    """Decisions between two times of learning."""
    epochs: int = 2
    minibatch: int = 4096
    learning_rate: float = 1e-3
    final_rate: float = 5e-5
    """The learning rate falls to this in a half wave of a cosine."""
    warm_up: int = 0
    """Decisions from which only the value learns, so that weights begun with are not unlearned."""
    reward: float = 1.0
    """What rewards are multiplied with, so that values are about 1."""
    gamma: float = 0.997
    """Discount from a seat's decision to its next."""
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    final_entropy: float = 0.002
    value_weight: float = 0.5
    max_norm: float = 0.5
    keep_every: int = 8
    """Rollouts after which everything is written down, and the weights are kept as a past self."""
