"""The network as a player: it draws actions in many games at once."""

import copy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from catan_env.training.batches import batch_of
from catan_env.training.config import call, named
from catan_env.training.devices import has_bfloat16
from catan_env.training.networks import LEARN_CHANCE, Network, network_of
from catan_env.training.options import Args

Array = np.ndarray[Any, Any]
NEVER = -1e9
"""The logit of an illegal action."""
SHOWN = 64
"""Games that a network is made with."""
PADDING = 64
"""Batches are padded to a multiple of this: the processor's routines are compiled per shape."""


class Choices(NamedTuple):
    """Actions, and what is recorded with them; the fields are columns of `Decisions`."""

    actions: Array
    log_probs: Array
    values: Array
    chance_values: Array
    features: Array


class Agent:
    """A network on its device."""

    def __init__(self, args: Args, batch: Any, device: str) -> None:
        self.device = torch.device(device)
        torch.manual_seed(args.seed)
        options = args.network_options
        if args.control_variate:
            if args.network not in LEARN_CHANCE:
                raise ValueError(f"{args.network!r} does not learn the value of chance")
            chance = call("control_variate", named(args.control_variate), batch)
            options = options | {"chance": chance.size}
        self.network: Network = network_of(args.network, batch, options).to(self.device)
        if args.initial_weights:
            self.network.load(args.initial_weights)
        if has_bfloat16(self.device):
            self.network.working_type = torch.bfloat16
        self._shifts = torch.arange(7, -1, -1, dtype=torch.uint8, device=self.device)

    @classmethod
    def of(cls, args: Args, device: str) -> "Agent":
        """The agent of a configuration.

        Its network is made with separate games, the same in every process and run, because it may
        play them.
        """
        return cls(args, batch_of(args, SHOWN, seed=0), device)

    @torch.inference_mode()
    def features_dtype(self, observations: Array) -> Any:
        """The dtype of the network's input, as a rollout stores it."""
        shown = torch.from_numpy(observations[:1]).to(self.device)
        return self.network.features(shown).cpu().numpy().dtype

    def act(self, observations: Array, masks: Array) -> Choices:
        """Draw an action for each of (n, size) observations and (n, bytes) packed masks."""
        return self.act_by(self.network, observations, masks)

    @torch.inference_mode()
    def act_by(self, network: Network, observations: Array, masks: Array) -> Choices:
        """As `act`, by a network that need not be the one that learns."""
        n = len(observations)
        rows = np.minimum(np.arange(-(-n // PADDING) * PADDING), n - 1)
        features = network.features(torch.from_numpy(observations[rows]).to(self.device))
        packed = torch.from_numpy(masks[rows]).to(self.device)
        logits, values, chance_values = self.forward(network, features, packed)
        drawn = draw(logits)
        log_probs = torch.log_softmax(logits, 1).gather(1, drawn)[:, 0]
        found = drawn[:, 0], log_probs, values, chance_values, features
        return Choices(*(column[:n].cpu().numpy() for column in found))

    @torch.inference_mode()
    def logits(self, observations: Array, masks: Array) -> Array:
        """The logits, (n, outputs) float32, for packed masks: NEVER where the mask is 0."""
        features = self.network.features(torch.from_numpy(observations).to(self.device))
        packed = torch.from_numpy(masks).to(self.device)
        result: Array = self.forward(self.network, features, packed)[0].cpu().numpy()
        return result

    def forward(
        self, network: Network, features: Tensor, masks: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Masked logits (n, outputs), values (n,) and chance values (n, chance), float32."""
        logits, values, chance_values = network.outputs(features)
        logits = logits.float()
        legal = self.unpacked(masks)[:, : logits.shape[1]]
        return logits.masked_fill(~legal, NEVER), values.float(), chance_values.float()

    def unpacked(self, masks: Tensor) -> Tensor:
        """Packed masks (n, bytes) as booleans (n, 8 bytes)."""
        return ((masks[:, :, None] >> self._shifts) & 1).bool().reshape(len(masks), -1)


class PastSelf:
    """The agent with the weights of a file: an opponent that draws its actions like the agent."""

    reads_arrays = True

    def __init__(self, agent: Agent, path: Path) -> None:
        self._agent, self._network = agent, copy.deepcopy(agent.network)
        self._network.load(path)

    def __reduce__(self) -> Any:
        raise TypeError("a past self is loaded from its file, not pickled")

    def choose(self, batch: Any, rows: Array) -> Array:
        """Actions for the games `rows`."""
        masks = np.packbits(batch.action_masks[rows], axis=1)
        return self._agent.act_by(self._network, batch.observations[rows], masks).actions


def draw(logits: Tensor) -> Tensor:
    """One of the columns of each row, by the softmax of its logits: (n, 1)."""
    sums = torch.softmax(logits, 1).cumsum(1)
    below = torch.rand(len(sums), 1, device=sums.device) * (1 - 1e-6) * sums[:, -1:]
    return torch.searchsorted(sums, below, right=True)
