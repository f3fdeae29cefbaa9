"""The first floor of a network in torch: an observation scaled, with what the tiles yield.

`policies.network` does the same in NumPy for the exported weights.
"""

import torch
from gymnasium import Space
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor

from catan_env.observation import OBSERVATION_SIZE
from policies import features


class Yields(BaseFeaturesExtractor):
    """(n, 913) observations as (n, 1104) float32; it has nothing to learn."""

    inputs = "yields"

    def __init__(self, observation_space: Space) -> None:
        super().__init__(observation_space, OBSERVATION_SIZE + features.YIELDS_SIZE)
        self.register_buffer("scale", torch.from_numpy(features.scale()))
        self.register_buffer("corners", torch.from_numpy(features.corners()))

    def forward(self, observations: Tensor) -> Tensor:
        """The observation and what it yields, each number about 0..1."""
        shown = features.yields(observations, self.corners)
        return torch.cat([observations * self.scale, *shown], dim=1)
