"""The network `policies.network.graph` as a policy of MaskablePPO, with a value network."""

from collections.abc import Sequence
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import create_mlp
from torch import Tensor, nn

from catan_env.game.observation import NUM_ACTIONS
from catan_env.policies.network import features, graph


class PlacesExtractor(nn.Module):
    """Observations (n, 913) float32 to the policy's outputs (n, 848) and the value's last layer."""

    latent_dim_pi = NUM_ACTIONS

    def __init__(self, hidden: int, local: int, value: Sequence[int]) -> None:
        super().__init__()
        self.weights = nn.ParameterDict(
            {name: _drawn(name, shape) for name, shape in graph.shapes(hidden, local).items()}
        )
        *widths, self.latent_dim_vf = value
        self.value = nn.Sequential(*create_mlp(features.SHOWN_SIZE, self.latent_dim_vf, widths),
                                   nn.ReLU())  # fmt: skip
        self._names = list(tables := graph.tables())
        for name, table in tables.items():
            self.register_buffer(name, torch.from_numpy(table))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Outputs of the policy, and the last layer of the value."""
        shown = self._shown(observations)
        return self._outputs(observations, shown), self.value(shown)

    def forward_actor(self, observations: Tensor) -> Tensor:
        """The policy's outputs."""
        return self._outputs(observations, self._shown(observations))

    def forward_critic(self, observations: Tensor) -> Tensor:
        """The value's last layer."""
        result: Tensor = self.value(self._shown(observations))
        return result

    def _tables(self) -> dict[str, Tensor]:
        return {name: getattr(self, name) for name in self._names}

    def _shown(self, observations: Tensor) -> Tensor:
        result: Tensor = features.shown(observations, self._tables(), torch.cat)
        return result

    def _outputs(self, observations: Tensor, shown: Tensor) -> Tensor:
        result: Tensor = graph.outputs(
            dict(self.weights.items()), observations, shown, self._tables(), torch.cat
        )
        return result


def _drawn(name: str, shape: tuple[int, ...]) -> nn.Parameter:
    """Zeros for a bias, small output layers, else half of He's initialization for ReLU."""
    weights = torch.zeros(shape)
    if len(shape) == 2:
        bound = (6 / shape[0]) ** 0.5 / 2
        nn.init.uniform_(weights, -bound, bound)
    if name in ("settlement", "city", "road", "robber", "action"):
        weights *= 0.1
    return nn.Parameter(weights)


class PlacesPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy over `PlacesExtractor`: `hidden` and `local` wide, `value` layers."""

    def __init__(
        self, *args: Any, hidden: int = 512, local: int = 32, value: Sequence[int] = (256, 256),
        **kwargs: Any,
    ) -> None:  # fmt: skip
        self._widths = hidden, local, list(value)
        super().__init__(*args, **kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        hidden, local, value = self._widths
        widths = {"hidden": hidden, "local": local, "value": value}
        return {**super()._get_constructor_parameters(), **widths}

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor: Any = PlacesExtractor(*self._widths)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()
        make: Any = self.optimizer_class
        self.optimizer = make(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)
