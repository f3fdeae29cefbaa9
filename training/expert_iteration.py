"""`python -m catan_env.training.expert_iteration CONFIG.toml FOLDER`: learn what search finds.

In each round many games are played side by side. Wherever a seat has a choice, some actions are
drawn from the network without replacement (by Gumbel noise), and looking ahead says what they are
worth: by the network one of the seat's own decisions ahead (`training.lookahead`), or by `greedy`
some rounds ahead (`training.playouts`). The policy learns exp(output + worth /
temperature) over them (Danihelka et al., 2022), the value the result of the game; so the next
round's search has a better guide and a better judge. `FOLDER/round_N.npz` plays with NumPy alone.
"""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import torch
from torch import nn
from tqdm import tqdm

from catan_env.batch import Batch
from catan_env.policies.players import player
from catan_env.training import settings
from catan_env.training.card import machine, write_card
from catan_env.training.command import as_typed, ends_in_one_line, parsed, parser_of
from catan_env.training.configuration import check_same, read
from catan_env.training.demonstrations import Demonstrations, Samples
from catan_env.training.expert import Ahead, Expert
from catan_env.training.games import catan
from catan_env.training.learner import Learner, forward
from catan_env.training.lookahead import Lookahead
from catan_env.training.opponents import Opponents
from catan_env.training.outcome import explained, foretold
from catan_env.training.playouts import Playouts
from catan_env.training.pool import LEARNER, Pool

Array = np.ndarray[Any, Any]


@dataclass
class Args:
    """What a configuration file may say."""

    seed: int = 1
    network: str = "pointer"
    widths: dict[str, int] = field(default_factory=dict)
    start: str = ""
    """A weights file to begin with; empty: random weights."""
    options: dict[str, Any] = field(default_factory=dict)
    """Of the table, as `training.games.catan` takes them."""
    ahead: str = "network"
    """Who plays on where it looks ahead: the `network` itself, or `greedy`."""
    opponents: list[str] = field(default_factory=list)
    """Policies that the learner meets in some games; their decisions are not searched."""
    opponents_share: float = 0.0
    """The share of games in which one seat is the learner's and all others are an opponent's."""
    turns: int = 0
    """Of `greedy`'s turns ahead, this one the first; 0: two of every seat."""
    num_games: int = 128
    """Side by side."""
    candidates: int = 4
    """Actions looked at in each decision."""
    valued: int = 0
    """How many of these are those that `greedy` values most, whatever the network thinks."""
    worlds: int = 4
    """In which each is tried."""
    temperature: float = 0.2
    """How much less an action may be worth to have 1/e of the share it had."""
    prior: float = 1.0
    """How much the network's own output counts beside that. At 1 what is found adds up from round
    to round; below it, worth decides in the end, by a temperature of `temperature` (1 - prior)."""
    sure: float = 1.0
    """No search where the network draws one action with a probability above this."""
    rounds: int = 4
    decisions: int = 20_000
    """Searched in each round."""
    capacity: int = 200_000
    """Decisions kept, the latest."""
    warm_up: int = 0
    """Rounds in which only the value learns: weights begun with know another one."""
    unseen: int = 200
    """Games without search after each round, from which nothing is learned."""
    epochs: float = 2.0
    """How often a round goes over all decisions kept."""
    minibatch: int = 512
    learning_rate: float = 5e-4
    rate_left: float = 1.0
    """How much of the learning rate is left in the last round; it falls in half a cosine wave."""
    value_weight: float = 1.0


class Run:
    """Rounds in their folder: `state.pt`, the weights of each, and what was measured after it."""

    def __init__(self, args: Args, folder: Path) -> None:
        self.args, self.folder = args, folder
        folder.mkdir(parents=True, exist_ok=True)
        before = self._before()
        fixed = {LEARNER: 1000.0} | dict.fromkeys(args.opponents, 1000.0)
        self.pool = Pool(before["ratings"] if before else fixed)
        self.curve: list[dict[str, float]] = before["curve"] if before else []
        seed = args.seed * 1_000_003 + len(self.curve)
        batch = catan(args.num_games, seed=seed, **args.options)
        of_learner = settings.Args(
            seed=args.seed, network=args.network, widths=args.widths, start=args.start,
            learning_rate=args.learning_rate,
        )  # fmt: skip
        self.learner = Learner(of_learner, batch, "cpu")
        self.kept = Demonstrations(args.capacity, args.candidates)
        if before:
            self.learner.network.load_state_dict(before["network"])
            self.learner.optimizer.load_state_dict(before["optimizer"])
            self.kept.from_bytes(before["kept"].numpy().tobytes())
        self.expert = Expert(
            self.learner, batch, self._ahead(batch, seed), self.kept, args.temperature, seed,
            self._opponents(batch, seed), args.prior, args.valued, args.sure,
        )  # fmt: skip
        self._random = np.random.default_rng(seed)
        torch.manual_seed(seed)

    def _ahead(self, batch: Batch, seed: int) -> Ahead:
        args = self.args
        if args.ahead == "greedy":
            return Playouts(batch, args.candidates, args.worlds, seed, args.turns)
        if args.ahead != "network":
            raise ValueError(f"ahead = {args.ahead!r}: it has to be 'network' or 'greedy'")
        return Lookahead(
            batch, args.num_games, args.candidates, args.worlds, seed, self._play_on
        )  # fmt: skip

    def _play_on(self, observations: Array, masks: Array) -> tuple[Array, Array]:
        decided = self.learner.decide(observations, masks)
        return decided.actions, decided.values

    def _opponents(self, batch: Batch, seed: int) -> Opponents | None:
        args = self.args
        if not args.opponents_share:
            return None
        return Opponents(self.pool, args.opponents_share, batch, player, seed)

    def _before(self) -> dict[str, Any] | None:
        """What the last whole round left here; ValueError where it was configured otherwise."""
        state = self.folder / "state.pt"
        if not state.exists():
            return None
        before: dict[str, Any] = torch.load(state)
        check_same(self.folder, self.args, before["args"], "rounds")
        return before

    def round(self) -> dict[str, float]:
        """Search, learn, and tell in unseen games how well the value explains results."""
        args, begun = self.args, process_time()
        self.expert.record(args.decisions)
        searched = process_time() - begun
        losses = self._learn(with_policy=len(self.curve) >= args.warm_up)
        point = {
            "round": len(self.curve) + 1,
            "decisions": self.kept.added,
            "searched a second": args.decisions / searched,
            "processor minutes": (process_time() - begun) / 60,
            "policy, nats": losses[0],
            "value, mean square": losses[1],
            "unseen results explained": self._explained(),
        }
        self.curve.append(point)
        return point

    def _explained(self) -> float:
        args = self.args
        batch = catan(
            args.unseen, seed=10**6 + args.seed + len(self.curve), autoreset=False, **args.options
        )
        told = foretold(self.learner, batch)
        return explained(told.values, told.results)

    def _learn(self, with_policy: bool) -> tuple[float, float]:
        kept, args = self.kept, self.args
        self._set_rate()
        steps = max(1, int(args.epochs * kept.size / args.minibatch))
        losses = np.zeros((steps, 2))
        for k in tqdm(range(steps), desc="learning", disable=None):
            rows = self._random.integers(kept.size, size=args.minibatch)
            losses[k] = self._learn_from(kept.samples(rows), with_policy)
        policy, value = losses.mean(axis=0).tolist()
        return policy, value

    def _set_rate(self) -> None:
        args = self.args
        wave = (1 + np.cos(np.pi * len(self.curve) / max(args.rounds - 1, 1))) / 2
        for group in self.learner.optimizer.param_groups:
            group["lr"] = args.learning_rate * float(args.rate_left + (1 - args.rate_left) * wave)

    def _learn_from(self, samples: Samples, with_policy: bool) -> Array:
        """One step of gradient descent; the policy's cross-entropy and the value's square error."""
        learner, network = self.learner, self.learner.network
        facts = network.facts(torch.from_numpy(samples.observations))
        outputs, values, _ = forward(network, facts, torch.from_numpy(samples.masks))
        log = torch.log_softmax(outputs, 1).gather(1, torch.from_numpy(samples.actions))
        policy = -(log * torch.from_numpy(samples.shares)).sum(1).mean()
        results = torch.from_numpy(samples.results)
        value = (values - results)[~results.isnan()].square().mean()  # NaN where no game has ended
        loss = with_policy * policy + self.args.value_weight * value.nan_to_num()
        learner.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        learner.optimizer.step()
        shown: Array = torch.stack([policy, value]).detach().double().numpy()
        return shown

    @property
    def weights(self) -> Path:
        """Of the last round."""
        return self.folder / f"round_{len(self.curve)}.npz"

    def keep(self, command: str) -> None:
        """Write the weights of the last round, and then, at one stroke, what a later start needs.

        Beside the weights lie their facts and their card.
        """
        args, last, path = self.args, self.curve[-1], self.weights
        self.learner.network.save(path)
        facts = {
            "command": f"`{command}`",
            "begun from": f"`{args.start}`" if args.start else "random weights",
            "expert iteration": f"{len(self.curve)} rounds, {last['decisions']:,} decisions",
            "search": f"{args.candidates} candidates in {args.worlds} worlds each",
            "seed": args.seed,
            "machine": machine(),
        }
        record = {**facts, "curve": self.curve, "args": asdict(args)}
        path.with_suffix(".json").write_text(json.dumps(record, indent=1))
        write_card(path, facts, [])
        self._keep_state()

    def _keep_state(self) -> None:
        kept = {
            "args": asdict(self.args),
            "curve": self.curve,
            "ratings": self.pool.ratings,
            "network": self.learner.network.state_dict(),
            "optimizer": self.learner.optimizer.state_dict(),
            "kept": torch.frombuffer(bytearray(self.kept.to_bytes()), dtype=torch.uint8),
        }
        torch.save(kept, self.folder / "state.pt.new")
        os.replace(self.folder / "state.pt.new", self.folder / "state.pt")


def main(given: list[str] | None = None) -> None:
    """Begin or go on with rounds as a configuration says."""
    parser = parser_of("expert_iteration", __doc__)
    parser.add_argument("folder", type=Path)
    wanted = parsed(parser, given)
    with ends_in_one_line(parser):
        run = Run(read(Args, wanted.config), wanted.folder)
    while len(run.curve) < run.args.rounds:
        point = run.round()
        run.keep(as_typed(parser, given))
        tqdm.write("  ".join(f"{name} {value:.4g}" for name, value in point.items()))
    print(f"{len(run.curve)} rounds, {run.kept.added:,} decisions: {run.weights}")


if __name__ == "__main__":
    main()
