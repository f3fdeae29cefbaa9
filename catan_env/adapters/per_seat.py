"""Learning from every seat's own decisions with Stable-Baselines3's MaskablePPO."""

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeVar

from catan_env.extras import missing

try:
    from sb3_contrib.ppo_mask import MaskablePPO
    from stable_baselines3.common.buffers import RolloutBuffer

    from catan_env.adapters.seat_rollout import SeatRolloutBuffer
except ImportError as error:
    raise missing("this environment", "train", error) from error

Model = TypeVar("Model", bound=MaskablePPO)
LOOKED_BACK = 12  # callers among which the rollout being collected is searched for


def check_collector() -> None:
    """Refuse to be collected into a buffer that assigns every step to the same seat.

    The environment and its buffer meet only where the rollout is collected, so the callers'
    local variables are inspected, once after each reset.
    """
    frame = sys._getframe(1)
    for caller in islice(_callers(frame), LOOKED_BACK):
        buffer = caller.f_locals.get("rollout_buffer")
        if isinstance(buffer, RolloutBuffer) and not isinstance(buffer, SeatRolloutBuffer):
            raise ValueError(
                "with self_play every step belongs to another seat, while a plain rollout "
                "buffer takes all for one seat's: call per_seat(model) before learn(), also "
                "after loading the model"
            )


def _callers(frame: Any) -> Iterator[Any]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _made_per_seat(kind: Any) -> Any:
    """The class of a model that passes the seats in a step's infos to its buffer."""

    class PerSeat(kind):
        hands_infos_to_its_buffer = True

        def _update_info_buffer(self, infos: list[dict[str, Any]], dones: Any = None) -> None:
            buffer = self.rollout_buffer  # a plain one where one seat learns again
            if dones is not None and isinstance(buffer, SeatRolloutBuffer):
                buffer.take(infos, dones)  # without dones: games played and credited elsewhere
            super()._update_info_buffer(infos, dones)

    PerSeat.__name__ = PerSeat.__qualname__ = f"PerSeat{kind.__name__}"
    return PerSeat


def per_seat(model: Model) -> Model:
    """The model, changed to learn from every seat's own decisions in self-play.

    The environment is a `GamesVecEnv`, such as `CatanVecEnv`. Call it again after loading the
    model.
    """
    if not isinstance(model, MaskablePPO):
        raise TypeError(f"per_seat takes a MaskablePPO, not {model!r}")
    wrapped = model.get_env()
    environments: Any = None if wrapped is None else wrapped.unwrapped
    if not getattr(environments, "self_play", False):
        raise ValueError(f"{environments} is not a VecEnv with self_play=True")
    if not hasattr(model, "hands_infos_to_its_buffer"):
        model.__class__ = _made_per_seat(type(model))
    model.rollout_buffer = SeatRolloutBuffer(
        model.n_steps,
        model.observation_space,
        model.action_space,
        model.device,
        gae_lambda=model.gae_lambda,
        gamma=model.gamma,
        n_envs=model.n_envs,
        num_seats=environments.num_seats,
    )
    return model
