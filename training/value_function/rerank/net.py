"""The network while it learns."""

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from catan_env.training.optimizers import AdamW
from catan_env.training.value_function.rerank.decisions import Decisions

Array = np.ndarray[Any, Any]
EPOCHS, MINIBATCH, RATE, DECAY = 10, 1024, 3e-3, 0.3
UNSEEN_EVERY = 10
"""Every tenth decision is not learned from."""
MARGINS = 0.0, 0.005, 0.01, 0.02
"""The margins tried, in win probability, by which another move must exceed the most valuable."""
AT_ONCE = 4096
"""Decisions whose win probabilities are computed at once."""


class Learned(NamedTuple):
    """A network, and how it chooses best in decisions that it has not seen."""

    net: "Net"
    margin: float
    gain: float
    """The win probability by which its choices exceed `greedy`'s, per decision."""


class Net(nn.Module):
    """The log odds by value, and what one layer of rectified units adds."""

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, mean: Array, deviation: Array, units: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("deviation", torch.from_numpy(deviation))
        self.body, self.head = nn.Linear(len(mean), units), nn.Linear(units, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, inputs: torch.Tensor, log_odds: torch.Tensor) -> torch.Tensor:
        """Win probabilities, shaped as `log_odds`."""
        scaled = (inputs.float() - self.mean) / self.deviation
        added: torch.Tensor = self.head(torch.relu(self.body(scaled)))[..., 0]
        return torch.sigmoid(log_odds + added)

    def arrays(self) -> tuple[Array, Array]:
        """The network over inputs as they are, as `save` takes it."""
        here = {name: value.cpu().numpy() for name, value in self.state_dict().items()}
        weights = here["body.weight"] / here["deviation"]
        biases = here["body.bias"] - weights @ here["mean"]
        head = here["head.weight"][0], here["head.bias"]
        return np.vstack([weights.T, biases]), np.concatenate(head)


def missed(
    net: Net, inputs: torch.Tensor, log_odds: torch.Tensor, wins: torch.Tensor
) -> torch.Tensor:
    """The loss: the errors between the moves of a decision, and with less weight all errors."""
    there = ~wins.isnan()
    error = torch.where(there, net(inputs, log_odds) - wins.nan_to_num(), 0)
    sizes = there.sum(1, keepdim=True)
    between = torch.where(there, error - error.sum(1, keepdim=True) / sizes, 0)
    return (50 * between.square().sum() + 2 * error.square().sum()) / sizes.sum()


def learn(known: Decisions, seed: int, units: int = 256, device: str = "cpu") -> Learned:
    """A network that has learned the decisions."""
    torch.manual_seed(seed)
    arrays = [torch.from_numpy(array).to(device) for array in known]
    first = [array[:40_000] for array in known]
    scale = first[0][~np.isnan(first[2])].astype(np.float32)
    deviation = scale.std(axis=0)
    net = Net(scale.mean(axis=0), np.where(deviation < 0.02, 1, deviation), units).to(device)
    numbers = torch.arange(len(known.wins))
    seen, unseen = numbers[numbers % UNSEEN_EVERY != 0], numbers[numbers % UNSEEN_EVERY == 0]
    size = min(MINIBATCH, len(seen))
    optimizer = AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * (len(seen) // size)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(EPOCHS):
        order = seen[torch.randperm(len(seen))].to(device)
        for some in order[: len(order) // size * size].split(size):
            loss = missed(net, *(array[some] for array in arrays))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    rest = Decisions(*(array[unseen.numpy()] for array in known))
    chances = chances_of(net, rest)
    gains = [gain(chances, rest, margin) for margin in MARGINS]
    best = int(np.argmax(gains))
    return Learned(net, MARGINS[best], gains[best])


def chances_of(net: Net, known: Decisions) -> Array:
    """The win probabilities of all moves by the network: as `odds`, -1 where there is none."""
    chances = []
    with torch.no_grad():
        for start in range(0, len(known.wins), AT_ONCE):
            some = (array[start : start + AT_ONCE] for array in known[:2])
            moved = (torch.from_numpy(array).to(net.mean.device) for array in some)
            chances.append(net(*moved).cpu().numpy())
    return np.where(np.isnan(known.wins), -1, np.concatenate(chances))


def gain(chances: Array, known: Decisions, margin: float) -> float:
    """The win probability by which choices exceed `greedy`'s, per decision."""
    chances = chances.copy()
    chances[:, 0] += margin
    chosen = known.wins[np.arange(len(chances)), chances.argmax(axis=1)]
    return float((chosen - known.wins[:, 0]).mean())
