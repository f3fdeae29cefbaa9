"""The metrics of self-play: each number that a run logs, by name, and how it is computed.

`Run` logs them after each rollout. An algorithm of your own may return any others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from catan_env.training.decisions import Decisions

Array = np.ndarray[Any, Any]
METRICS = {
    "losses/policy_loss": "clipped objective; this and the next four: mean over the minibatches",
    "losses/value_loss": "squared error of the value",
    "losses/entropy": "of the policy, nats",
    "losses/approx_kl": "estimate of the divergence from the policy that collected the rollout",
    "losses/clipfrac": "fraction of the decisions whose ratio is clipped",
    "losses/teacher_loss": "cross-entropy with the teacher's policy, with a teacher",
    "losses/control_variate_loss": "squared error of the chance values, with a control variate",
    "losses/explained_variance": "of the returns, by the values before the update",
    "control_variate/explained_variance": "of the one-step errors, by the chance values",
    "charts/learning_rate": "of this update",
    "charts/SPS": "decisions learned from per second",
    "charts/SPS_per_processor": "the same per processor second",
    "charts/rollout_fraction": "fraction of the processor time spent on playing",
    "charts/processor_minutes": "of the run so far",
    "games/ended": "games that ended in the rollout",
    "games/forced_fraction": "fraction of the actions that were the only legal one",
    "games/decisions_per_game": "decisions learned from per game that ended",
    "opponents/win_rate_NAME": "of the agent against each opponent, actions drawn from its policy",
    "opponents/elo": "rating of the agent, with opponents",
}
"""The metrics of PPO by name, with their meaning."""


class Losses(NamedTuple):
    """The parts of the loss of a gradient step."""

    value: Tensor
    policy: Tensor
    entropy: Tensor
    teacher: Tensor
    control_variate: Tensor


@torch.no_grad()
def of_gradient_step(losses: Losses, log_ratio: Tensor, clip_coef: float) -> dict[str, Tensor]:
    """The metrics of a gradient step; `log_ratio`: new minus old log-probability, (n,)."""
    ratio = log_ratio.exp()
    return {
        "losses/policy_loss": losses.policy,
        "losses/value_loss": losses.value,
        "losses/entropy": losses.entropy,
        "losses/approx_kl": (ratio - 1 - log_ratio).mean(),
        "losses/clipfrac": ((ratio - 1).abs() > clip_coef).float().mean(),
        "losses/teacher_loss": losses.teacher,
        "losses/control_variate_loss": losses.control_variate,
    }


def of_update(
    decisions: Decisions, steps: Sequence[dict[str, Tensor]], options: Any
) -> dict[str, float]:
    """The metrics of an update: the means of its gradient steps, and the variance explained."""
    means = torch.stack([torch.stack(list(step.values())) for step in steps]).double().mean(0)
    found = dict(zip(steps[0], means.tolist(), strict=True))
    advantages, errors = decisions.advantages, decisions.td_errors
    found["losses/explained_variance"] = explained(advantages, advantages + decisions.values)
    if options.control_variate:
        chance = (decisions.chance_values * decisions.chance_residuals).sum(axis=1)
        found["control_variate/explained_variance"] = explained(errors - chance, errors)
    else:
        del found["losses/control_variate_loss"]
    if not options.teacher:
        del found["losses/teacher_loss"]
    return found


def explained(errors: Array, targets: Array) -> float:
    """The fraction of the variance of `targets` that is not in the `errors`."""
    return float(1 - errors.var() / (targets.var() + 1e-8))


@dataclass
class Counts:
    """Counts of the games of a rollout; those of several processes can be added."""

    actions: int = 0
    forced: int = 0
    decisions: int = 0
    ended: int = 0
    results: dict[str, list[float]] = field(default_factory=dict)
    """By opponent: for each game with it, 1 if the agent won, 0 if not, a share if in a tie."""

    def __add__(self, other: Counts) -> Counts:
        names = dict.fromkeys([*self.results, *other.results])
        return Counts(
            self.actions + other.actions,
            self.forced + other.forced,
            self.decisions + other.decisions,
            self.ended + other.ended,
            {name: self.results.get(name, []) + other.results.get(name, []) for name in names},
        )


def of_games(counts: Counts, rating: float | None) -> dict[str, float]:
    """The metrics of a rollout's games; `rating` is the agent's where it meets opponents."""
    found = {
        "games/ended": float(counts.ended),
        "games/forced_fraction": counts.forced / counts.actions,
        "games/decisions_per_game": counts.decisions / max(counts.ended, 1),
    }
    for name, won in counts.results.items():
        found[f"opponents/win_rate_{name}"] = float(np.mean(won))
    return found if rating is None else found | {"opponents/elo": rating}


class Times(NamedTuple):
    """The time that a rollout and its update took."""

    seconds: float
    cpu_seconds: float
    """Of one process that learns, with its actors."""
    collecting: float
    """The part of them in which games were played."""
    processes: int
    """That learn."""


def of_time(times: Times, decisions: int, run_cpu_seconds: float) -> dict[str, float]:
    """The metrics of the time in which a run learned from that many decisions."""
    return {
        "charts/SPS": decisions / times.seconds,
        "charts/SPS_per_processor": decisions / times.cpu_seconds / times.processes,
        "charts/rollout_fraction": times.collecting / times.cpu_seconds,
        "charts/processor_minutes": run_cpu_seconds / 60,
    }
