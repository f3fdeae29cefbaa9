"""`python -m catan_env.training.self_play CONFIG.toml FOLDER`: PPO at the engine's speed.

A thousand games are played side by side by one network that sits at all seats. Every seat learns
from its own decisions; a decision with one legal action is played and not learned. A game goes on
from one rollout to the next until it ends. The same command goes on where it was stopped, after a
kill, too; `tensorboard --logdir FOLDER` shows the curves. Works with any game that has a batch
with the habits of `catan_env.batch.Batch`. On several processors, cards or machines:

    torchrun --nproc-per-node 2 -m catan_env.training.self_play CONFIG.toml FOLDER

The file is read from top to bottom: what can be configured, how decisions are collected, what
they were worth, how the network learns from them, and what is kept.
"""

import argparse
import copy
import ctypes
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from catan_env.policies.players import Player, player
from catan_env.training.card import machine, write_card
from catan_env.training.configuration import read
from catan_env.training.networks import Shared, has_bfloat16, network_called
from catan_env.training.opponents import Opponents
from catan_env.training.pool import LEARNER, Pool
from catan_env.training.teacher import CHOICES, Teacher

Array = np.ndarray[Any, Any]
OPEN, ENDED = -1, -2
"""What follows a decision: nothing yet, or the game's end."""
SHOWN = ("policy/loss", "value/loss", "policy/entropy", "policy/apart", "policy/clipped",
         "policy/unlike_teacher")  # fmt: skip
NEVER = -1e9
"""The output of an action that is not legal."""
PADDING = 64
"""Rows are filled up to a multiple of this: the processor's routines are made by shape."""


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


class Rollout:
    """Decisions in the order in which they were made; `next` is the same seat's next one."""

    def __init__(self, capacity: int, num_facts: int, actions: int, choices: int = 0) -> None:
        self.n = 0
        self.starts: list[int] = []
        """Where each step of the batch begins; no seat decides twice within one."""
        self.facts = np.zeros((capacity, num_facts), np.int8)
        self.masks = np.zeros((capacity, -(-actions // 8)), np.uint8)
        self.actions = np.zeros(capacity, np.int64)
        self.log_odds, self.values, self.potentials, self.rewards = np.zeros(
            (4, capacity), np.float32
        )
        self.taught = np.zeros((capacity, choices), np.int16)
        self.shares = np.zeros((capacity, choices), np.float32)
        self.own = np.ones(capacity, np.bool_)
        """Whether the action was played; else the teacher's was."""
        self.next = np.full(capacity, OPEN)
        self.games, self.seats = np.zeros((2, capacity), np.int64)

    def columns(self) -> Iterator[Array]:
        """All arrays, a row for each decision."""
        return (column for column in vars(self).values() if isinstance(column, np.ndarray))

    def carry_over(self) -> Array:
        """Keep the decisions that nothing follows yet, in front; returns where they were."""
        kept = np.flatnonzero(self.next[: self.n] == OPEN)
        for column in self.columns():
            column[: len(kept)] = column[kept]
        self.n, self.starts = len(kept), [0]
        return kept

    def advantages(self, gamma: float, gae_lambda: float) -> tuple[Array, Array]:
        """Those decisions that something follows, and their advantages: (k,) each.

        Generalized advantage estimation along each seat's own decisions (Schulman et al., 2016),
        over rewards and what the potential rises by; at the end of a game it is taken back.
        """
        result = np.zeros(self.n + 1, np.float32)  # the last for what has no successor
        values = np.append(self.values[: self.n], np.float32(0))
        promised = np.append(self.potentials[: self.n], np.float32(0))
        following = np.where(self.next[: self.n] < 0, self.n, self.next[: self.n])
        for start, stop in zip(self.starts[::-1], [self.n, *self.starts[:0:-1]], strict=True):
            then = following[start:stop]
            rise = gamma * promised[then] - promised[start:stop]
            error = self.rewards[start:stop] + rise + gamma * values[then] - values[start:stop]
            result[start:stop] = error + gamma * gae_lambda * result[then]
            result[start:stop][self.next[start:stop] == OPEN] = 0
        learned = np.flatnonzero(self.next[: self.n] != OPEN)
        return learned, result[learned]


Decide = Callable[[Array, Array], tuple[Array, Array, Array, Array]]
"""Given observations (n, size) and masks (n, actions): actions, the logarithms of how likely they
were, values, (n,) each, and what of the observations to learn from, (n, num_facts)."""


class Games:
    """All games, and the decisions that come of them."""

    def __init__(
        self, args: Args, batch: Any, num_facts: int, opponents: Opponents | None = None
    ) -> None:
        self.batch, self.opponents = batch, opponents
        self.potential = made(args.shaping) if args.shaping else None
        games, seats = self.batch.rewards.shape
        masks = self.batch.action_masks
        capacity = args.rollout + games * (seats + 1)
        self.teacher = (
            Teacher(made(args.teacher), args.teacher_temperature) if args.teacher else None
        )
        choices = 0 if self.teacher is None else CHOICES
        self.rollout = Rollout(capacity, num_facts, masks.shape[1], choices)
        self.wanted, self.worth = args.rollout, args.reward
        self.led = 0
        """The teacher's choices are played in so many games, and the learner's in the others."""
        self._last = np.full((games, seats), OPEN)
        self._owed = np.zeros((games, seats), np.float32)
        self._ended = self._played = self._decided = self._forced = 0

    def collect(self, decide: Decide) -> Rollout:
        """Play until enough decisions can be learned from."""
        rollout = self.rollout
        self._find_again(rollout.carry_over())
        kept = rollout.n
        while rollout.n - kept < self.wanted:
            self._step(decide)
        return rollout

    def _step(self, decide: Decide) -> None:
        batch = self.batch
        masks = batch.action_masks
        legal = np.add.reduce(masks, axis=1, dtype=np.int16)
        actions = masks.argmax(axis=1)
        rows = np.flatnonzero(legal > 1)
        self._forced += len(masks) - len(rows)
        if self.opponents is not None:
            rows = self.opponents.choose(actions, rows)
        if len(rows):
            shown = masks[rows]
            answer = decide(batch.observations[rows], shown)
            self._record(rows, shown, *answer)
            actions[rows] = self._played_in(rows, answer[0])
        batch.step(actions)
        self._reward()
        self._played += len(masks)
        self._decided += len(rows)

    def _played_in(self, rows: Array, chosen: Array) -> Array:
        """What is played in the games `rows`, which were recorded last: what the teacher leads
        is not what the learner has `chosen`."""
        rollout = self.rollout
        newest = slice(rollout.n - len(rows), rollout.n)
        rollout.own[newest] = rows >= self.led
        if self.led == 0:
            return chosen
        return np.where(rollout.own[newest], chosen, rollout.taught[newest, 0])

    def _record(
        self, rows: Array, masks: Array, actions: Array, log: Array, values: Array, facts: Array
    ) -> None:
        rollout, batch = self.rollout, self.batch
        seats = batch.seat[rows].astype(np.int64)
        start, stop = rollout.n, rollout.n + len(rows)
        new = np.arange(start, stop)
        rollout.facts[new] = facts
        rollout.masks[new] = np.packbits(masks, axis=1)
        rollout.actions[new], rollout.log_odds[new], rollout.values[new] = actions, log, values
        if self.teacher is not None:
            rollout.taught[new], rollout.shares[new] = self.teacher.choices(batch, rows)
        if self.potential is not None:
            rollout.potentials[new] = self.potential(batch)[rows, seats]
        rollout.next[new] = OPEN
        rollout.games[new], rollout.seats[new] = rows, seats
        self._follow(self._last[rows, seats], new, self._owed[rows, seats])
        self._last[rows, seats], self._owed[rows, seats] = new, 0
        rollout.starts.append(start)
        rollout.n = stop

    def _follow(self, before: Array, after: Array | int, rewards: Array) -> None:
        """Note what followed decisions, and what they had earned by then."""
        there = before != OPEN
        self.rollout.next[before[there]] = after[there] if isinstance(after, np.ndarray) else after
        self.rollout.rewards[before[there]] = rewards[there]

    def _reward(self) -> None:
        batch = self.batch
        self._owed += self.worth * batch.rewards
        over = np.flatnonzero(batch.done)
        if len(over):
            if (batch.done[over] > 2).any():
                raise ValueError("the network chose an action that the mask does not allow")
            self._follow(self._last[over].ravel(), ENDED, self._owed[over].ravel())
            self._last[over], self._owed[over] = OPEN, 0
            self._ended += len(over)
            if self.opponents is not None:
                self.opponents.end(over)

    def news(self) -> dict[str, float]:
        """What was played since this was asked last."""
        counted = {
            "games/ended": float(self._ended),
            "games/forced": self._forced / self._played,
            "games/decisions_a_game": self._decided / max(self._ended, 1),
        }
        self._ended = self._played = self._decided = self._forced = 0
        return counted | (self.opponents.news() if self.opponents is not None else {})

    def _find_again(self, kept: Array) -> None:
        """The decisions `kept` have moved to the front."""
        rollout = self.rollout
        self._last[:] = OPEN
        self._last[rollout.games[: len(kept)], rollout.seats[: len(kept)]] = np.arange(len(kept))


class Learner:
    """The network, how it decides, and how it learns."""

    def __init__(self, args: Args, batch: Any, device: str) -> None:
        self.args, self.device = args, torch.device(device)
        torch.manual_seed(args.seed)
        self.network = network_called(args.network)(batch, **args.widths).to(self.device)
        if args.start:
            self.network.load(args.start)
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=args.learning_rate, eps=1e-5, fused=True
        )
        if has_bfloat16(self.device):
            self.network.working_type = torch.bfloat16
        self.shifts = torch.arange(7, -1, -1, dtype=torch.uint8, device=self.device)

    def decide(self, observations: Array, masks: Array) -> tuple[Array, Array, Array, Array]:
        """Draw an action for each row, as `Decide` says."""
        return self.decide_by(self.network, observations, masks)

    @torch.inference_mode()
    def decide_by(
        self, network: Shared, observations: Array, masks: Array
    ) -> tuple[Array, Array, Array, Array]:
        """As `decide`, by a network that need not be the one that learns."""
        n = len(observations)
        rows = np.minimum(np.arange(-(-n // PADDING) * PADDING), n - 1)
        legal = torch.from_numpy(masks[rows].view(np.bool_)).to(self.device)
        facts = network.facts(torch.from_numpy(observations[rows]).to(self.device))
        outputs, values = forward(network, facts, legal)
        drawn = draw(outputs)
        chosen = torch.log_softmax(outputs, 1).gather(1, drawn)[:, 0]
        actions, chances, worth, kept = (
            column[:n].cpu().numpy() for column in (drawn[:, 0], chosen, values, facts)
        )
        return actions, chances, worth, kept

    def learn(self, rollout: Rollout, decisions: int) -> dict[str, float]:
        """Some epochs over the decisions that something follows; returns what to show of them.

        So many `decisions` were learned from before.
        """
        args = self.args
        learned, advantages = rollout.advantages(args.gamma, args.gae_lambda)
        returns = advantages + rollout.values[learned]
        spread = returns.var()
        explained = 1 - advantages.var() / (spread + 1e-8)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        advantages[~rollout.own[learned]] = 0
        self._set_rate(decisions / args.decisions)
        weights = self._weights(decisions)
        sums = np.zeros(len(SHOWN))
        for _ in range(args.epochs):
            order = torch.randperm(len(learned)).numpy()
            parts = np.array_split(order, max(1, len(order) // args.minibatch))
            for part in parts:
                samples = self._samples(rollout, learned[part], advantages[part], returns[part])
                sums += self._learn_from(*samples, weights=weights) / (len(parts) * args.epochs)
        return {"value/explained": float(explained), **dict(zip(SHOWN, sums, strict=True))}

    def _weights(self, decisions: int) -> Tensor:
        """How much each part of the loss counts, in the order of `_learn_from`: (4,)."""
        args = self.args
        progress = decisions / args.decisions
        entropy = args.entropy + (args.final_entropy - args.entropy) * progress
        taught = args.teacher_weight * max(0.0, 1 - decisions / args.taught)
        policy = (0.0, 0.0, 0.0) if decisions < args.warm_up else (1.0, -entropy, taught)
        return torch.tensor([args.value_weight, *policy], device=self.device)

    def _samples(self, rollout: Rollout, rows: Array, *worth: Array) -> list[Tensor]:
        columns = (rollout.facts, rollout.masks, rollout.actions, rollout.log_odds)
        taught = rollout.taught[rows].astype(np.int64), rollout.shares[rows]
        given = [column[rows] for column in columns] + [*worth, *taught]
        return [torch.from_numpy(column).to(self.device, non_blocking=True) for column in given]

    def _learn_from(
        self, facts: Tensor, masks: Tensor, actions: Tensor, old: Tensor, advantages: Tensor,
        returns: Tensor, taught: Tensor, shares: Tensor, *, weights: Tensor,
    ) -> Array:  # fmt: skip
        """One step of PPO's clipped objective (Schulman et al., 2017); returns what SHOWN names.

        Beside it, what the teacher would choose, by cross-entropy.
        """
        args = self.args
        outputs, values = forward(self.network, facts, self._unpacked(masks))
        log = torch.log_softmax(outputs, 1)
        chosen = log.gather(1, actions[:, None])[:, 0]
        ratio = (chosen - old).exp()
        clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
        policy_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
        value_loss = (values - returns).square().mean()
        entropy = -(torch.softmax(outputs, 1) * log).sum(1).mean()
        unlike = -(log.gather(1, taught) * shares).sum(1).mean()
        loss = (weights * torch.stack([value_loss, policy_loss, entropy, unlike])).sum()
        self.optimizer.zero_grad()
        loss.backward()
        share_gradients(self.network)
        nn.utils.clip_grad_norm_(self.network.parameters(), args.max_norm)
        self.optimizer.step()
        with torch.no_grad():
            apart = (ratio - 1 - (chosen - old)).mean()
            beyond = ((ratio - 1).abs() > args.clip).float().mean()
            shown = torch.stack([policy_loss, value_loss, entropy, apart, beyond, unlike])
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
        return self._learner.decide_by(self._network, *shown)[0]


def forward(network: Shared, facts: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
    """Outputs, (n, outputs), very low where the mask is not, and values, (n,): float32."""
    outputs, values = network(facts)
    outputs = outputs.float()
    return outputs.masked_fill(~masks[:, : outputs.shape[1]], NEVER), values.float()


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


class Run:
    """A run in its folder: `state.pt`, past selves, and the curves."""

    def __init__(self, args: Args, folder: Path, device: str, threads: int) -> None:
        self.args, self.folder = args, folder
        self.rank = dist.get_rank() if dist.is_initialized() else 0
        self.processes = dist.get_world_size() if dist.is_initialized() else 1
        folder.mkdir(parents=True, exist_ok=True)
        self.rollouts = self.decisions = 0
        self.seconds = self.cpu_seconds = 0.0
        state = folder / "state.pt"
        kept = torch.load(state, map_location="cpu") if state.exists() else None
        if kept is not None:
            check_same(folder, asdict(args), kept["args"])
            for name in ("rollouts", "decisions", "seconds", "cpu_seconds"):
                setattr(self, name, kept[name])
        seed = (args.seed * 1_000_003 + self.rollouts) * 1_009 + self.rank
        batch = made(args.game)(args.num_games, seed=seed, threads=threads, **args.options)
        self.learner = Learner(args, batch, device)
        self.pool = Pool(
            {LEARNER: 1000.0} | dict.fromkeys(args.opponents, 1000.0), args.past_selves
        )
        if kept is not None:
            self.learner.network.load_state_dict(kept["network"])
            self.learner.optimizer.load_state_dict(kept["optimizer"])
            self.pool.ratings = kept["ratings"]
        opponents = None
        if args.opponents_share:
            opponents = Opponents(self.pool, args.opponents_share, batch, self._player, seed)
        self.games = Games(args, batch, self.learner.network.num_facts, opponents)
        torch.manual_seed(seed)
        self.writer = SummaryWriter(str(folder)) if self.rank == 0 else None
        self.curves: Any = None
        """A run of Weights & Biases, where it is wanted."""

    def _player(self, name: str) -> Player:
        """An opponent by its name in the pool."""
        is_past_self = name.startswith("past_")
        return PastSelf(self.learner, self.folder / name) if is_past_self else player(name)

    def learn(self) -> None:
        """Rollouts until there were enough decisions."""
        args = self.args
        with tqdm(total=args.decisions, initial=self.decisions, disable=None) as bar:
            while self.decisions < args.decisions:
                before = self.decisions
                self.rollout()
                bar.update(self.decisions - before)
                if self.rollouts % args.keep_every == 0 or self.decisions >= args.decisions:
                    self._keep()

    def rollout(self) -> None:
        """Play until there are decisions enough, learn from them, and show how it went."""
        wall, cpu = time.perf_counter(), time.process_time()
        self._let_teacher_lead()
        rollout = self.games.collect(self.learner.decide)
        played = time.process_time() - cpu
        shown = self.learner.learn(rollout, self.decisions)
        learned = self.args.rollout * self.processes
        self.decisions += learned
        self.rollouts += 1
        self.seconds += time.perf_counter() - wall
        spent = time.process_time() - cpu
        self.cpu_seconds += spent * self.processes
        shown |= {
            "speed/decisions_a_second": learned / (time.perf_counter() - wall),
            "speed/decisions_a_processor_second": learned / spent / self.processes,
            "speed/share_of_playing": played / spent,
            **self.games.news(),
        }
        self._show(shown)

    def _let_teacher_lead(self) -> None:
        args = self.args
        left = max(0.0, 1 - self.decisions / args.taught)
        share = args.teacher_plays * left if args.teacher else 0.0
        self.games.led = int(share * args.num_games)
        if left == 0:
            self.games.teacher = None

    def _show(self, shown: dict[str, float]) -> None:
        if self.writer is not None:
            for name, number in shown.items():
                self.writer.add_scalar(name, number, self.decisions)
            self.writer.add_scalar("run/processor_minutes", self.cpu_seconds / 60, self.decisions)
            self.writer.flush()
        if self.curves is not None:
            self.curves.log(shown, step=self.decisions)

    def _keep(self) -> None:
        """Write the weights as a past self, and then, at one stroke, what a later start needs."""
        if self.rank != 0:
            return
        past_self = f"past_{self.decisions}.npz"
        self.learner.network.save(self.folder / past_self)
        if self.args.past_selves:
            self.pool.add(past_self)
        self.learner.network.save(self.folder / "final.npz")
        kept = {
            "args": asdict(self.args),
            "network": self.learner.network.state_dict(),
            "optimizer": self.learner.optimizer.state_dict(),
            "ratings": self.pool.ratings,
            **{name: getattr(self, name) for name in
               ("rollouts", "decisions", "seconds", "cpu_seconds")},
        }  # fmt: skip
        (self.folder / "final.json").write_text(json.dumps(self.facts(), indent=1))
        write_card(self.folder / "final.npz", self.facts(), [])
        torch.save(kept, self.folder / "state.pt.new")
        os.replace(self.folder / "state.pt.new", self.folder / "state.pt")

    def facts(self) -> dict[str, Any]:
        """What the card of the weights says of how they came about."""
        args = self.args
        table = ", ".join(f"{name} {value}" for name, value in args.options.items())
        return {
            "begun from": f"`{args.start}`" if args.start else "random weights",
            "self-play": f"{args.network}, {table}",
            "seed": args.seed,
            "decisions": f"{self.decisions:,} learned from, in {self.rollouts} rollouts",
            "processor time": f"{self.cpu_seconds / 60:.1f} minutes",
            "wall time": f"{self.seconds / 60:.1f} minutes, processes: {self.processes}",
            "machine": machine(),
        }


def check_same(folder: Path, now: dict[str, Any], begun: dict[str, Any]) -> None:
    """ValueError where a run is gone on with that was begun otherwise; `decisions` may differ."""
    for name in sorted({*now, *begun} - {"decisions"}):
        if now.get(name) != begun.get(name):
            raise ValueError(
                f"{str(folder)!r} was begun with {name} = {begun.get(name)}, which is now "
                f"{now.get(name)}; choose another folder or the old configuration"
            )


def curves_of(project: str, folder: Path, args: Args) -> Any:
    """A run of Weights & Biases; one of the same folder is gone on with."""
    try:
        import wandb
    except ImportError:
        raise SystemExit("--wandb needs wandb: pip install 'catan-env[wandb]'") from None
    name = folder.resolve().name
    return wandb.init(
        project=project, name=name, id=name, resume="allow", dir=folder, config=asdict(args)
    )


def keep_memory() -> None:
    """Have glibc keep what is freed: taking it from the system anew costs a third of the time."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        for option in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
            if mallopt is not None:
                mallopt(option, 2_000_000_000)


def made(place: str) -> Any:
    """What `module:name` names."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def main(given: list[str] | None = None) -> None:
    """Begin or go on with a run."""
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.self_play", description=__doc__
    )
    parser.add_argument("config", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--decisions", type=int, help="in place of the configuration's")
    parser.add_argument("--threads", type=int, default=1, help="of torch and the engine (1)")
    parser.add_argument(
        "--wandb", metavar="PROJECT", help="show the curves at Weights & Biases, too"
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    wanted = parser.parse_args(given)
    keep_memory()
    torch.set_num_threads(wanted.threads)
    args = read(Args, wanted.config)
    args.decisions = args.decisions if wanted.decisions is None else wanted.decisions
    device = wanted.device
    if "RANK" in os.environ:
        dist.init_process_group("nccl" if device == "cuda" else "gloo")
        device = f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" else device
    run = Run(args, wanted.folder, device, wanted.threads)
    if wanted.wandb and run.rank == 0:
        run.curves = curves_of(wanted.wandb, wanted.folder, args)
    run.learn()
    if run.curves is not None:
        run.curves.finish()
    if run.rank == 0:
        print(
            f"{run.decisions:,} decisions in {run.cpu_seconds / 60:.1f} processor minutes: "
            f"{wanted.folder / 'final.npz'}"
        )


if __name__ == "__main__":
    main()
