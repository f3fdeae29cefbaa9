"""A network that decides in many games at once, and learns from its decisions by PPO."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from catan_env.training.configuration import named
from catan_env.training.experience import Experience
from catan_env.training.networks import LEARN_LUCK, Shared, has_bfloat16, network_called
from catan_env.training.rollout import Decided
from catan_env.training.settings import Args

Array = np.ndarray[Any, Any]
SHOWN = ("policy/loss", "value/loss", "policy/entropy", "policy/apart", "policy/clipped",
         "policy/unlike_teacher", "luck/loss")  # fmt: skip
NEVER = -1e9
"""The output of an action that is not legal."""
PADDING = 64
"""Rows are filled up to a multiple of this: the processor's routines are made by shape."""


class Learner:
    """The network, how it decides, and how it learns."""

    def __init__(self, args: Args, batch: Any, device: str) -> None:
        self.args, self.device = args, torch.device(device)
        torch.manual_seed(args.seed)
        widths = args.widths
        if args.luck:
            if args.network not in LEARN_LUCK:
                raise ValueError(f"{args.network!r} does not learn what luck is worth")
            widths = widths | {"swings": named(args.luck)(batch).size}
        self.network = network_called(args.network)(batch, **widths).to(self.device)
        if args.start:
            self.network.load(args.start)
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=args.learning_rate, eps=1e-5, fused=True
        )
        if has_bfloat16(self.device):
            self.network.working_type = torch.bfloat16
        self.shifts = torch.arange(7, -1, -1, dtype=torch.uint8, device=self.device)

    def decide(self, observations: Array, masks: Array) -> Decided:
        """Draw an action for each row, as `Decide` says."""
        return self.decide_by(self.network, observations, masks)

    @torch.inference_mode()
    def decide_by(self, network: Shared, observations: Array, masks: Array) -> Decided:
        """As `decide`, by a network that need not be the one that learns."""
        n = len(observations)
        rows = np.minimum(np.arange(-(-n // PADDING) * PADDING), n - 1)
        legal = torch.from_numpy(masks[rows].view(np.bool_)).to(self.device)
        facts = network.facts(torch.from_numpy(observations[rows]).to(self.device))
        outputs, values, swings = forward(network, facts, legal)
        drawn = draw(outputs)
        chosen = torch.log_softmax(outputs, 1).gather(1, drawn)[:, 0]
        found = drawn[:, 0], chosen, values, swings, facts
        return Decided(*(column[:n].cpu().numpy() for column in found))

    @torch.inference_mode()
    def outputs(self, observations: Array, masks: Array) -> Array:
        """The outputs, (n, outputs) float32: NEVER where the mask is 0."""
        network = self.network
        facts = network.facts(torch.from_numpy(observations).to(self.device))
        legal = torch.from_numpy(masks.view(np.bool_)).to(self.device)
        result: Array = forward(network, facts, legal)[0].cpu().numpy()
        return result

    def learn(self, given: Experience, decisions: int) -> dict[str, float]:
        """Some epochs over the decisions `given`; returns what to show of them.

        So many `decisions` were learned from before.
        """
        args, advantages, errors = self.args, given.advantages, given.errors
        returns = advantages + given.values
        lucky = (given.swings * given.surprises).sum(axis=1)
        foreseen = 1 - (errors - lucky).var() / (errors.var() + 1e-8)
        spread = returns.var()
        explained = 1 - advantages.var() / (spread + 1e-8)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        advantages[~given.own] = 0
        self._set_rate(decisions / args.decisions)
        weights = self._weights(decisions)
        sums = np.zeros(len(SHOWN))
        for _ in range(args.epochs):
            order = torch.randperm(len(returns)).numpy()
            parts = np.array_split(order, max(1, len(order) // args.minibatch))
            for part in parts:
                samples = self._samples(given, part, advantages[part], returns[part])
                sums += self._learn_from(*samples, weights=weights) / (len(parts) * args.epochs)
        shown = {"value/explained": float(explained), "luck/explained": float(foreseen)}
        shown |= zip(SHOWN, sums, strict=True)
        return {name: number for name, number in shown.items() if args.luck or "luck/" not in name}

    def _weights(self, decisions: int) -> Tensor:
        """How much each part of the loss counts, in the order of `_learn_from`: (5,)."""
        args = self.args
        progress = decisions / args.decisions
        entropy = args.entropy + (args.final_entropy - args.entropy) * progress
        taught = args.teacher_weight * max(0.0, 1 - decisions / args.taught)
        policy = (0.0, 0.0, 0.0) if decisions < args.warm_up else (1.0, -entropy, taught)
        weights = [args.value_weight, *policy, args.luck_weight]
        return torch.tensor(weights, device=self.device)

    def _samples(self, given: Experience, rows: Array, *worth: Array) -> list[Tensor]:
        columns = given.facts, given.masks, given.actions, given.log_odds, given.surprises
        taught = given.taught[rows].astype(np.int64), given.shares[rows]
        samples = [column[rows] for column in columns] + [*worth, given.errors[rows], *taught]
        return [torch.from_numpy(column).to(self.device, non_blocking=True) for column in samples]

    def _learn_from(
        self, facts: Tensor, masks: Tensor, actions: Tensor, old: Tensor, surprises: Tensor,
        advantages: Tensor, returns: Tensor, errors: Tensor, taught: Tensor, shares: Tensor, *,
        weights: Tensor,
    ) -> Array:  # fmt: skip
        """One step of PPO's clipped objective (Schulman et al., 2017); returns what SHOWN names.

        Beside it, what the teacher would choose, by cross-entropy.
        """
        args = self.args
        outputs, values, swings = forward(self.network, facts, self._unpacked(masks))
        log = torch.log_softmax(outputs, 1)
        chosen = log.gather(1, actions[:, None])[:, 0]
        ratio = (chosen - old).exp()
        clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
        policy_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
        value_loss = (values - returns).square().mean()
        entropy = -(torch.softmax(outputs, 1) * log).sum(1).mean()
        unlike = -(log.gather(1, taught) * shares).sum(1).mean()
        luck_loss = ((swings * surprises).sum(1) - errors).square().mean()
        loss = (weights * torch.stack([value_loss, policy_loss, entropy, unlike, luck_loss])).sum()
        self.optimizer.zero_grad()
        loss.backward()
        share_gradients(self.network)
        nn.utils.clip_grad_norm_(self.network.parameters(), args.max_norm)
        self.optimizer.step()
        with torch.no_grad():
            apart = (ratio - 1 - (chosen - old)).mean()
            beyond = ((ratio - 1).abs() > args.clip).float().mean()
            shown = torch.stack(
                [policy_loss, value_loss, entropy, apart, beyond, unlike, luck_loss]
            )
        result: Array = shown.double().cpu().numpy()
        return result

    def _unpacked(self, masks: Tensor) -> Tensor:
        """Packed masks (n, bytes) as booleans (n, 8 bytes)."""
        return ((masks[:, :, None] >> self.shifts) & 1).bool().reshape(len(masks), -1)

    def _set_rate(self, progress: float) -> None:
        args = self.args
        wave = (1 + np.cos(np.pi * min(progress, 1.0))) / 2
        for group in self.optimizer.param_groups:
            group["lr"] = float(args.final_rate + (args.learning_rate - args.final_rate) * wave)


class PastSelf:
    """The network as its weights were once, an opponent that draws its actions like the learner."""

    def __init__(self, learner: Learner, path: Path) -> None:
        self._learner, self._network = learner, copy.deepcopy(learner.network)
        self._network.load(path)

    def choose(self, batch: Any, rows: Array) -> Array:
        """Actions for the games `rows`."""
        shown = batch.observations[rows], batch.action_masks[rows]
        return self._learner.decide_by(self._network, *shown).actions


def forward(network: Shared, facts: Tensor, masks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Outputs, (n, outputs), very low where the mask is not, values, (n,), and swings: float32."""
    outputs, values, swings = network.judged(facts)
    outputs = outputs.float()
    never = outputs.masked_fill(~masks[:, : outputs.shape[1]], NEVER)
    return never, values.float(), swings.float()


def draw(outputs: Tensor) -> Tensor:
    """One of the columns of each row, by the softmax of its outputs: (n, 1)."""
    sums = torch.softmax(outputs, 1).cumsum(1)
    below = torch.rand(len(sums), 1, device=sums.device) * (1 - 1e-6) * sums[:, -1:]
    return torch.searchsorted(sums, below, right=True)


def share_gradients(network: nn.Module) -> None:
    """Bring the gradients of all processes to their mean, where `torchrun` started several."""
    if dist.is_initialized():
        for weights in network.parameters():
            if weights.grad is not None:
                dist.all_reduce(weights.grad)
                weights.grad /= dist.get_world_size()
