"""The network `pointer` of self-play as a policy of MaskablePPO."""

from typing import Any

from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from catan_env.batch import Batch
from catan_env.game.observation import NUM_ACTIONS
from catan_env.policies.network.features import SEATS
from catan_env.training.networks import Pointer


class PointerExtractor(nn.Module):
    """Observations, (n, 913) float32, to logits, (n, 848), and predictions, (n, 1 + SEATS).

    The first prediction is the value, the others are the final points of every relative seat.
    """

    latent_dim_pi = NUM_ACTIONS
    latent_dim_vf = 1 + SEATS

    def __init__(self, hidden: int, local: int) -> None:
        super().__init__()
        self.network = Pointer(Batch(1), hidden, local, chance=SEATS)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and predictions."""
        return self.network.predictions(self.network.features(observations))

    def forward_actor(self, observations: Tensor) -> Tensor:
        """The logits alone."""
        return self(observations)[0]

    def forward_critic(self, observations: Tensor) -> Tensor:
        """The predictions alone."""
        return self(observations)[1]


class First(nn.Module):
    """The first column: the value among the predictions."""

    def forward(self, predictions: Tensor) -> Tensor:
        """(n, 1)."""
        return predictions[:, :1]


class PointerPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy over `PointerExtractor`, `hidden` and `local` wide."""

    def __init__(self, *args: Any, hidden: int = 512, local: int = 32, **kwargs: Any) -> None:
        self._widths = {"hidden": hidden, "local": local}
        super().__init__(*args, **kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), **self._widths}

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor: Any = PointerExtractor(**self._widths)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net: Any = nn.Identity()
        self.value_net: Any = First()
        make: Any = self.optimizer_class
        self.optimizer = make(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)
