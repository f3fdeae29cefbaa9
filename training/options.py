"""The options of self-play."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from catan_env.training.ranges import (
    COUNT,
    FRACTION,
    NOT_NEGATIVE,
    POSITIVE,
    SEED,
    Ranges,
    in_ranges,
)


@dataclass
class Args:
    """The options of self-play."""

    RANGES: ClassVar[Ranges] = in_ranges(
        {
            COUNT: "num_envs total_timesteps num_steps update_epochs minibatch_size "
            "checkpoint_every teacher_steps",
            SEED: "seed",
            NOT_NEGATIVE: "batch_size value_warmup_steps past_selves "
            "final_learning_rate clip_coef ent_coef final_ent_coef vf_coef "
            "control_variate_coef teacher_coef",
            POSITIVE: "learning_rate max_grad_norm teacher_temperature",
            FRACTION: "gamma gae_lambda opponent_fraction teacher_fraction",
        }
    )

    seed: int = 1
    """seed of the weights, the games and the actions"""
    env: str = "catan_env.training.games:catan"
    """maker of the batch of games, module:function"""
    env_options: dict[str, Any] = field(default_factory=dict)
    """its arguments, besides the number of games, the seed and the threads"""
    num_envs: int = 1024
    """parallel games"""
    total_timesteps: int = 10_000_000
    """decisions to learn from in total"""
    num_steps: int = 64
    """decisions per game and rollout"""
    batch_size: int = 0
    """decisions per rollout; 0: num_envs * num_steps"""
    network: str = "pointer"
    """pointer, mirrored, symmetric, flat, your own module:Class, or a game's module"""
    network_options: dict[str, int] = field(default_factory=dict)
    """its widths"""
    initial_weights: str = ""
    """weights file to start from; none: random weights"""
    algorithm: str = "catan_env.training.ppo_update:PPO"
    """the update, module:Class"""
    update_epochs: int = 2
    """passes over each rollout"""
    minibatch_size: int = 4096
    """decisions per gradient step"""
    learning_rate: float = 1e-3
    """learning rate at the start"""
    final_learning_rate: float = 5e-5
    """learning rate at the end of the cosine schedule"""
    gamma: float = 0.997
    """discount from a seat's decision to its next"""
    gae_lambda: float = 0.95
    """lambda of the generalized advantage estimation"""
    clip_coef: float = 0.2
    """clipping of the probability ratio"""
    ent_coef: float = 0.01
    """coefficient of the entropy bonus at the start"""
    final_ent_coef: float = 0.002
    """coefficient of the entropy bonus at the end"""
    vf_coef: float = 0.5
    """coefficient of the value loss"""
    max_grad_norm: float = 0.5
    """maximum norm of the gradient"""
    value_warmup_steps: int = 0
    """decisions at the start from which only the value learns, to protect initial weights: those
    that the policy reads stay as they are"""
    reward_scale: float = 1.0
    """factor of the rewards, to bring values to about 1"""
    reward_function: str = ""
    """additional reward, module:function of the states before, the actions, and the batch after,
    in which games that ended are as they ended"""
    shaping: str = "catan_env.training.games:lead"
    """potential of potential-based shaping, module:function of a batch; empty: none"""
    control_variate: str = ""
    """control variate of chance, such as catan_env.training.control_variate:Dice"""
    control_variate_coef: float = 1.0
    """coefficient of its loss"""
    opponents: list[str] = field(default_factory=list)
    """policies, weights files or module:Class that the agent meets in some of the games"""
    opponent_fraction: float = 0.0
    """fraction of the games in which an opponent has all seats but one"""
    past_selves: int = 0
    """number of the latest checkpoints that are opponents, too"""
    teacher: str = ""
    """ranking of actions to imitate, such as catan_env.policies.greedy:rank"""
    teacher_coef: float = 1.0
    """coefficient of the cross-entropy with the teacher's policy at the start"""
    teacher_steps: int = 2_000_000
    """decisions over which it falls to 0"""
    teacher_fraction: float = 0.0
    """fraction of the games in which the teacher's actions are played, at the start"""
    teacher_temperature: float = 0.2
    """temperature of the teacher's policy over the values of actions"""
    checkpoint_every: int = 8
    """rollouts between checkpoints"""

    def __post_init__(self) -> None:
        self.batch_size = self.batch_size or self.num_envs * self.num_steps


FREE = ("total_timesteps", "num_steps")
"""Options that may change when a run is resumed; `batch_size` follows from num_steps."""
