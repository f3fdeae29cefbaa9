"""PPO's update: a few epochs of gradient steps over the decisions of a rollout.

The loss is the clipped objective (Schulman et al., 2017), the value's squared error, an entropy
bonus, cross-entropy with a teacher's policy, and the error of the control variate. A class with the
same `__init__`, `optimizer` and `update` replaces it (`algorithm` in the configuration); if it
keeps more than the optimizer, `state_dict` and `load_state_dict` save and restore that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from catan_env.training import metrics
from catan_env.training.agent import Agent
from catan_env.training.decisions import Decisions
from catan_env.training.metrics import Losses
from catan_env.training.optimizers import Adam, set_learning_rate
from catan_env.training.options import Args

Array = np.ndarray[Any, Any]


class PPO:
    """The optimizer and the update of an agent's network."""

    def __init__(self, agent: Agent, args: Args) -> None:
        self.agent, self.args = agent, args
        self.optimizer = Adam(
            agent.network.parameters(), lr=args.learning_rate, eps=1e-5, fused=True
        )

    def update(self, decisions: Decisions, timesteps: int) -> dict[str, float]:
        """Learn from the decisions of a rollout, the run's first after `timesteps`; the metrics."""
        args, advantages = self.args, decisions.advantages
        returns = advantages + decisions.values
        normalized = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        normalized[~decisions.is_own] = 0
        progress = timesteps / args.total_timesteps
        learning_rate = set_learning_rate(
            self.optimizer, args.learning_rate, args.final_learning_rate, progress
        )
        coefficients, is_warmup = self._coefficients(timesteps), self._is_warmup(timesteps)
        minibatches = smallest(max(1, len(decisions) // args.minibatch_size), self.agent.device)
        steps = []
        for _ in range(args.update_epochs):
            order = torch.randperm(len(decisions)).numpy()
            for rows in np.array_split(order, minibatches):
                minibatch = decisions.take(rows).map(self._tensor)
                targets = self._tensor(normalized[rows]), self._tensor(returns[rows])
                steps.append(self._step(minibatch, *targets, coefficients, is_warmup))
        found = metrics.of_update(decisions, steps, args)
        return found | {"charts/learning_rate": learning_rate}

    def _tensor(self, column: Array) -> Tensor:
        return torch.from_numpy(column).to(self.agent.device, non_blocking=True)

    def _coefficients(self, timesteps: int) -> Tensor:
        """The coefficient of each part of the loss, in the order of `Losses`: (5,)."""
        args = self.args
        progress = timesteps / args.total_timesteps
        entropy = args.ent_coef + (args.final_ent_coef - args.ent_coef) * progress
        teacher = args.teacher_coef * max(0.0, 1 - timesteps / args.teacher_steps)
        policy = (0.0, 0.0, 0.0) if self._is_warmup(timesteps) else (1.0, -entropy, teacher)
        parts = [args.vf_coef, *policy, args.control_variate_coef]
        return torch.tensor(parts, device=self.agent.device)

    def _is_warmup(self, timesteps: int) -> bool:
        return timesteps < self.args.value_warmup_steps

    def _step(
        self, batch: Decisions, advantages: Tensor, returns: Tensor, coefficients: Tensor,
        is_warmup: bool,
    ) -> dict[str, Tensor]:  # fmt: skip
        """One gradient step on a minibatch; returns its metrics."""
        args, network = self.args, self.agent.network
        logits, values, chance_values = self.agent.forward(network, batch.features, batch.masks)
        log_policy = torch.log_softmax(logits, 1)
        log_ratio = log_policy.gather(1, batch.actions[:, None])[:, 0] - batch.log_probs
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
        policy_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
        value_loss = (values - returns).square().mean()
        entropy = -(torch.softmax(logits, 1) * log_policy).sum(1).mean()
        taught = log_policy.gather(1, batch.teacher_actions.long())
        teacher_loss = -(taught * batch.teacher_probs).sum(1).mean()
        expected = (chance_values * batch.chance_residuals).sum(1)
        chance_loss = (expected - batch.td_errors).square().mean()
        losses = Losses(value_loss, policy_loss, entropy, teacher_loss, chance_loss)
        kept = weights_read(logits, network) if is_warmup else []
        self.optimizer.zero_grad()
        (coefficients * torch.stack(losses)).sum().backward()
        for weights in kept:
            weights.grad = None
        average_gradients(network)
        nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
        self.optimizer.step()
        return metrics.of_gradient_step(losses, log_ratio, args.clip_coef)


def weights_read(logits: Tensor, network: nn.Module) -> list[nn.Parameter]:
    """The weights that the policy reads, from the graph of its logits.

    The value shares most of them: while only the value learns, they take no step.
    """
    weights = [one for one in network.parameters() if one.requires_grad]
    found = torch.autograd.grad(logits.sum(), weights, retain_graph=True, allow_unused=True)
    return [one for one, gradient in zip(weights, found, strict=True) if gradient is not None]


def smallest(number: int, device: torch.device) -> int:
    """The smallest of the numbers of all processes, if `torchrun` started several.

    Rollouts differ a little in length, and every gradient step waits for all processes.
    """
    if not dist.is_initialized():
        return number
    shared = torch.tensor(number, device=device)
    dist.all_reduce(shared, dist.ReduceOp.MIN)
    return int(shared)


def average_gradients(network: nn.Module) -> None:
    """Bring the gradients of all processes to their mean, if `torchrun` started several."""
    if dist.is_initialized():
        for weights in network.parameters():
            if weights.grad is not None:
                dist.all_reduce(weights.grad)
                weights.grad /= dist.get_world_size()
