"""`python -m catan_env.training.expert_iteration CONFIG.toml FOLDER`: learn what search finds.

In each round many games are played in parallel. Wherever a seat has a choice, some actions are
drawn from the network without replacement (by Gumbel noise), and playouts of `greedy` estimate
their values. The policy learns exp(logit + value / temperature) over them (Danihelka et al., 2022),
the value the result of the game, so the next round's search has a better prior.
`FOLDER/round_N.npz` plays with NumPy alone.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, ClassVar

import numpy as np
import torch
from torch import nn
from tqdm import tqdm

from catan_env.batch import Batch
from catan_env.extras import BadInput, ends_in_one_line
from catan_env.notation.whole_files import replacing
from catan_env.policies.players import player
from catan_env.training import command_line, config, options
from catan_env.training.agent import Agent
from catan_env.training.batches import batch_of
from catan_env.training.cards import machine, write_card
from catan_env.training.expert_iteration.playouts import Playouts
from catan_env.training.expert_iteration.search import Expert, NothingSearched
from catan_env.training.folder import only_run_in, write_json
from catan_env.training.functions import check_opponents
from catan_env.training.games import catan
from catan_env.training.imitation.demonstrations import Demonstrations, Samples
from catan_env.training.opponents import Opponents, Pool
from catan_env.training.optimizers import set_learning_rate
from catan_env.training.ppo_update import PPO, weights_read
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
from catan_env.training.run_state import load_state, save_state
from catan_env.training.value_function.explained import explained_variance, played_out

Array = np.ndarray[Any, Any]


@dataclass
class Args:
    """The options of expert iteration."""

    RANGES: ClassVar[Ranges] = in_ranges(
        {
            COUNT: "num_envs candidates worlds rounds steps_per_round buffer_size eval_games "
            "minibatch_size",
            SEED: "seed",
            NOT_NEGATIVE: "playout_turns greedy_candidates prior_coef value_warmup_rounds "
            "final_learning_rate_fraction vf_coef",
            POSITIVE: "temperature update_epochs learning_rate",
            FRACTION: "opponent_fraction",
            Range(0, 1, is_above=True): "search_threshold",
        }
    )

    seed: int = 1
    """seed of the weights, the games and the search"""
    network: str = "pointer"
    """as in self-play"""
    network_options: dict[str, int] = field(default_factory=dict)
    """its widths"""
    initial_weights: str = ""
    """weights file to start from; none: random weights"""
    env_options: dict[str, Any] = field(default_factory=dict)
    """of the games, as `training.games.catan` takes them"""
    num_envs: int = 128
    """parallel games"""
    opponents: list[str] = field(default_factory=list)
    """policies that the agent meets in some of the games; their decisions are not searched"""
    opponent_fraction: float = 0.0
    """fraction of the games in which an opponent has all seats but one"""
    playout_turns: int = 0
    """turns of a playout, the current one the first; 0: two of every seat"""
    candidates: int = 4
    """actions searched in each decision"""
    greedy_candidates: int = 0
    """how many of these are those that `greedy` values most"""
    worlds: int = 4
    """worlds in which each is played"""
    temperature: float = 0.2
    """of the values in the policy that is learned"""
    prior_coef: float = 1.0
    """coefficient of the network's logits there; at 1 the rounds' findings add up, below it the
    values decide in the end, at a temperature of temperature * (1 - prior_coef)"""
    search_threshold: float = 1.0
    """no search where the network gives one action a higher probability"""
    rounds: int = 4
    """rounds of search and learning"""
    steps_per_round: int = 20_000
    """decisions searched in each round"""
    buffer_size: int = 200_000
    """latest decisions to learn from"""
    value_warmup_rounds: int = 0
    """rounds at the start in which only the value learns: weights that the policy reads stay as
    they are"""
    eval_games: int = 200
    """games without search after each round, from which nothing is learned"""
    update_epochs: float = 2.0
    """passes over the buffer in each round"""
    minibatch_size: int = 512
    """decisions per gradient step"""
    learning_rate: float = 5e-4
    """learning rate of the first round"""
    final_learning_rate_fraction: float = 1.0
    """the part of it that the last round has; half a cosine wave in between"""
    vf_coef: float = 1.0
    """coefficient of the value loss"""


UNSEEN = 500_009
"""Added to the seed for games that are not learned from: more than the rounds of any run."""


class Run:
    """Rounds in their folder: `state.pt`, the weights of each, and its measurements."""

    def __init__(self, args: Args, folder: Path) -> None:
        self.args, self.folder = args, folder
        folder.mkdir(parents=True, exist_ok=True)
        before = self._before()
        self.pool = Pool(args.opponents, before["ratings"] if before else {})
        self.curve: list[dict[str, float]] = before["curve"] if before else []
        seed = args.seed * 1_000_003 + len(self.curve)
        of_agent = options.Args(
            seed=args.seed, network=args.network, network_options=args.network_options,
            initial_weights=args.initial_weights, learning_rate=args.learning_rate,
            env_options=args.env_options,
        )  # fmt: skip
        batch = batch_of(of_agent, args.num_envs, seed=seed)
        check_opponents(args.opponents, player)
        self.agent = Agent.of(of_agent, "cpu")
        self._check_candidates(batch)
        self.optimizer = PPO(self.agent, of_agent).optimizer
        self.buffer = Demonstrations(args.buffer_size, args.candidates, batch.observations.shape[1])
        if before:
            self.agent.network.load_state_dict(before["network"])
            self.optimizer.load_state_dict(before["optimizer"])
            self.buffer.from_bytes(before["kept"].numpy().tobytes())
        self.expert = Expert(
            self.agent, batch,
            Playouts(batch, args.candidates, args.worlds, seed, args.playout_turns),
            self.buffer, args.temperature, seed, self._opponents(batch, seed), args.prior_coef,
            args.greedy_candidates, args.search_threshold,
        )  # fmt: skip
        self._random = np.random.default_rng(seed)
        torch.manual_seed(seed)

    def _check_candidates(self, batch: Batch) -> None:
        """Raise ValueError for more candidates than the network has actions."""
        assert batch.observations is not None and batch.action_masks is not None
        packed = np.packbits(batch.action_masks[:1], axis=1)
        actions = self.agent.logits(batch.observations[:1], packed).shape[1]
        if self.args.candidates > actions:
            allowed = f"1..{actions}, the actions of these games"
            raise ValueError(f"candidates is {self.args.candidates}; allowed are {allowed}")

    def _opponents(self, batch: Batch, seed: int) -> Opponents | None:
        args = self.args
        if not args.opponent_fraction:
            return None
        return Opponents(self.pool, args.opponent_fraction, batch, player, seed)

    def _before(self) -> dict[str, Any] | None:
        """The state after the last whole round; ValueError if it was configured otherwise."""
        before: dict[str, Any] | None = load_state(self.folder)
        if before is None:
            return None
        config.check_same(self.folder, self.args, before["args"], ("rounds",))
        return before

    def round(self) -> dict[str, float]:
        """Search, learn, and measure in new games how well the value explains results."""
        args, begun = self.args, process_time()
        self.expert.record(args.steps_per_round)
        searched = process_time() - begun
        losses = self._learn(with_policy=len(self.curve) >= args.value_warmup_rounds)
        point = {
            "round": len(self.curve) + 1,
            "decisions": self.buffer.added,
            "SPS": args.steps_per_round / searched,
            "cpu_minutes": (process_time() - begun) / 60,
            "losses/policy_loss": losses[0],
            "losses/value_loss": losses[1],
            "explained_variance": self._explained(),
        }
        self.curve.append(point)
        return point

    def _explained(self) -> float:
        args = self.args
        batch = catan(
            args.eval_games,
            seed=args.seed * 1_000_003 + UNSEEN + len(self.curve),
            autoreset=False,
            **args.env_options,
        )
        played = played_out(self.agent, batch)
        return explained_variance(played.values, played.results)

    def _learn(self, with_policy: bool) -> tuple[float, float]:
        buffer, args = self.buffer, self.args
        self._set_rate()
        steps = max(1, int(args.update_epochs * buffer.size / args.minibatch_size))
        losses = np.zeros((steps, 2))
        for k in tqdm(range(steps), desc="learning", disable=None):
            rows = self._random.integers(buffer.size, size=args.minibatch_size)
            losses[k] = self._learn_from(buffer.samples(rows), with_policy)
        return float(losses[:, 0].mean()), mean_of_known(losses[:, 1])

    def _set_rate(self) -> None:
        args, progress = self.args, len(self.curve) / max(self.args.rounds - 1, 1)
        last = args.learning_rate * args.final_learning_rate_fraction
        set_learning_rate(self.optimizer, args.learning_rate, last, progress)

    def _learn_from(self, samples: Samples, with_policy: bool) -> Array:
        """One step of gradient descent; the policy's cross-entropy and the value's square error."""
        network = self.agent.network
        features = network.features(torch.from_numpy(samples.observations))
        logits, values, _ = self.agent.forward(network, features, torch.from_numpy(samples.masks))
        log_probs = torch.log_softmax(logits, 1).gather(1, torch.from_numpy(samples.actions))
        policy = -(log_probs * torch.from_numpy(samples.probs)).sum(1).mean()
        results = torch.from_numpy(samples.results)
        value = (values - results)[~results.isnan()].square().mean()  # NaN where no game has ended
        loss = with_policy * policy + self.args.vf_coef * value.nan_to_num()
        kept = [] if with_policy else weights_read(logits, network)
        self.optimizer.zero_grad()
        loss.backward()
        for weights in kept:
            weights.grad = None
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        self.optimizer.step()
        shown: Array = torch.stack([policy, value]).detach().double().numpy()
        return shown

    @property
    def weights(self) -> Path:
        """Of the last round."""
        return self.folder / f"round_{len(self.curve)}.npz"

    def checkpoint(self, command: str) -> None:
        """Write the weights of the last round and their card, and then, atomically, `state.pt`."""
        args, last, path = self.args, self.curve[-1], self.weights
        with replacing(path) as file:
            self.agent.network.save(file)
        metadata = {
            "command": f"`{command}`",
            "begun from": f"`{args.initial_weights}`" if args.initial_weights else "random weights",
            "expert iteration": f"{len(self.curve)} rounds, {last['decisions']:,} decisions",
            "search": f"{args.candidates} candidates in {args.worlds} worlds each",
            "seed": args.seed,
            "machine": machine(),
        }
        record = {**metadata, "curve": self.curve, "args": asdict(args)}
        write_json(path.with_suffix(".json"), record)
        write_card(path, metadata, [])
        self._save_state()

    def _save_state(self) -> None:
        state = {
            "args": asdict(self.args),
            "curve": self.curve,
            "ratings": self.pool.ratings,
            "network": self.agent.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "kept": torch.frombuffer(bytearray(self.buffer.to_bytes()), dtype=torch.uint8),
        }
        save_state(state, self.folder)


def mean_of_known(losses: Array) -> float:
    """The mean of those that are numbers; NaN if none is."""
    known = losses[~np.isnan(losses)]
    return float(known.mean()) if len(known) else float("nan")


def main(given: list[str] | None = None) -> None:
    """Begin or resume the rounds of a configuration."""
    parser = command_line.parser_of("expert_iteration", __doc__, Args)
    wanted = command_line.parsed(parser, given)
    with ends_in_one_line(parser.prog):
        args = command_line.args_in(Args, wanted)
    with only_run_in(wanted.folder):
        with ends_in_one_line(parser.prog):
            run = Run(args, wanted.folder)
        while len(run.curve) < run.args.rounds:
            try:
                point = run.round()
            except NothingSearched as error:
                raise BadInput(f"{parser.prog}: {error}") from None
            run.checkpoint(command_line.as_typed(parser, given))
            tqdm.write("  ".join(f"{name} {value:.4g}" for name, value in point.items()))
    print(f"{len(run.curve)} rounds, {run.buffer.added:,} decisions: {run.weights}")


if __name__ == "__main__":
    main()
