"""What the Stable-Baselines3 environments of all games share: one object that plays many games."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from catan_env.envs.rows import checked_row, checked_rows

Array = np.ndarray[Any, Any]


class GamesVecEnv(VecEnv):
    """Games in lockstep, asked about and changed as VecEnv's methods want it.

    `_games` keeps them: it has `seat` and `acted`, (num_envs,), and a `batch`.
    """

    settable: ClassVar[tuple[str, ...]] = ("render_mode",)
    """What `set_attr` may set."""
    self_play: bool
    _games: Any

    @property
    def seat(self) -> Array:
        """Who decides in each game: (num_envs,) int8, a copy."""
        seats: Array = self._games.seat.copy()
        return seats

    @property
    def acted(self) -> Array:
        """Who decided in the last step: (num_envs,) int8, a copy."""
        seats: Array = self._games.acted.copy()
        return seats

    @property
    @abstractmethod
    def seat_rewards(self) -> Array:
        """What the last step brought every seat: (num_envs, seats) float64, a fresh array."""

    @abstractmethod
    def action_masks(self) -> Array:
        """The legal actions: (num_envs, actions) bool, a fresh array."""

    def game(self, i: int) -> Any:
        """Game i as it stands: a copy, with everything hidden in it."""
        return self._games.batch.game(checked_row(i, self.num_envs))

    def get_images(self) -> Sequence[Any]:
        """Every game's position, as the render mode says."""
        return self._render(range(self.num_envs))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this object, once for each game asked about."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set one of `settable` of this object, which plays all games."""
        if attr_name not in self.settable:
            allowed = ", ".join(self.settable)
            raise AttributeError(f"{attr_name} cannot be set; allowed are {allowed}")
        if indices is not None:
            raise ValueError(f"{attr_name} cannot be set for single games: one object plays all")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Call "action_masks", which gives one array, (k, actions) bool, or "game" or "render"."""
        rows = self._get_indices(indices)
        if method_name == "action_masks":
            return self.action_masks()[rows]
        if method_name == "game":
            return [self.game(i) for i in rows]
        if method_name == "render":
            return self._render(rows)
        raise AttributeError(
            f"no method {method_name!r} of single games; there are action_masks, game, render"
        )

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """True for Monitor: the infos tell of whole episodes as it does."""
        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is held open."""

    @abstractmethod
    def _render(self, rows: Sequence[int]) -> list[Any]:
        """Positions as the render mode says."""

    def _get_indices(self, indices: Any) -> list[int]:
        return checked_rows(indices, self.num_envs)

    def _step_infos(self) -> list[dict[str, Any]]:
        """An info for each game: in self-play who acted, and what everybody received."""
        if not self.self_play:
            return [{} for _ in range(self.num_envs)]
        pairs = zip(self.acted.tolist(), self.seat_rewards, strict=True)
        return [{"acted": seat, "seat_rewards": rewards} for seat, rewards in pairs]

    def _tell_who_decides(self, infos: list[dict[str, Any]]) -> None:
        """In self-play, who decides next in each game."""
        if self.self_play:
            for info, seat in zip(infos, self.seat.tolist(), strict=True):
                info["seat"] = seat
