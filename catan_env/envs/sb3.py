"""Catan for Stable-Baselines3: many games as one VecEnv, with masks for MaskablePPO.

One seat of each game learns against policies:

    environments = CatanVecEnv(64, opponents="random")
    model = MaskablePPO("MlpPolicy", environments).learn(1_000_000)

Or all seats learn, each from its own decisions and its own results:

    environments = CatanVecEnv(64, self_play=True)
    model = per_seat(MaskablePPO("MlpPolicy", environments)).learn(1_000_000)

The observation is a flat `Box(0, 127, (913,), int8)`; the masks of all games are one array,
`env_method("action_masks")`. Opponents, `seat` and all other options but `mask_in` are those of
`catan_env.envs.single`; docs/vector.md says more.
"""

import copy
import sys
import time
import warnings
from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from catan_env.extras import missing

try:
    from gymnasium.error import ResetNeeded
    from sb3_contrib.ppo_mask import MaskablePPO
    from stable_baselines3.common.buffers import RolloutBuffer

    from catan_env.envs.games_vec_env import GamesVecEnv
except ImportError as error:
    raise missing("this environment", "train", error) from error

from catan_env.core.constants import SEATS
from catan_env.envs.checks import MOST_THREADS, checked_seeds
from catan_env.envs.human import Human
from catan_env.envs.lockstep import Lockstep, SelfPlay
from catan_env.envs.options import UNMASKED, checked_bool, checked_count, options_from
from catan_env.envs.results import is_illegal
from catan_env.envs.seat_rollout import SeatRolloutBuffer

Array = np.ndarray[Any, Any]
Model = TypeVar("Model", bound=MaskablePPO)


class CatanVecEnv(GamesVecEnv):
    """Games that one learner plays, one seat of each or with `self_play` all of them.

    In self-play each step is the decision of the seat `seat[i]` in game i, and its reward is what
    that seat got at once. Its info says who `"acted"`, who decides next (`"seat"`), and what every
    seat received (`"seat_rewards"`). Learn from it through `per_seat`.

    >>> environments = CatanVecEnv(3, seats=2, seat=0)
    >>> environments.reset().shape, environments.action_masks().sum(axis=1).tolist()
    ((3, 913), [54, 54, 54])
    """

    settable = ("opponents", "render_mode")

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Any = "random",
        seat: int | str = "random",
        *,
        self_play: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> None:
        if "mask_in" in options:
            raise TypeError("the masks are asked for with action_masks(); there is no mask_in")
        num_envs = checked_count("num_envs", num_envs)
        threads = checked_count("threads", threads, MOST_THREADS)
        self.options = options_from({**options, "mask_in": "info"})
        self.render_mode = self.options.render_mode
        self._human = Human()
        self.self_play = checked_bool("self_play", self_play)
        if self.self_play:
            _check_nobody_else_plays(opponents, seat)
        self._games = (
            SelfPlay(num_envs, self.options, threads)
            if self.self_play
            else Lockstep(num_envs, self.options, seat, opponents, threads)
        )
        self._returns = np.zeros((num_envs, SEATS))
        self._lengths = np.zeros(num_envs, np.int64)
        self._begun = time.time()
        self._opponents = opponents
        self._is_reset = self._was_collected = False
        self._gave_masks = False
        super().__init__(num_envs, self.options.observation_space(), self.options.action_space())

    @property
    def opponents(self) -> Any:
        """What plays the other seats; others may take their places at any time."""
        return self._opponents

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        if self.self_play:
            _check_nobody_else_plays(opponents, "random")
        self._games.seat_opponents(opponents)
        self._opponents = opponents

    def __copy__(self) -> "CatanVecEnv":
        return copy.deepcopy(self)

    @property
    def seat_rewards(self) -> Array:
        """What the last step brought every seat: (num_envs, 4) float64, a copy."""
        return self._games.seat_rewards.copy()

    @property
    def dones(self) -> Array:
        """Which games the last step ended: (num_envs,) bool, a fresh array."""
        dones: Array = self._games.terminated | self._games.truncated
        return dones

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed game i with `seed + i` at the next reset; without a seed, draw one."""
        if seed is None:
            return super().seed()
        seeds = checked_seeds(seed, self.num_envs)
        assert seeds is not None
        self._seeds = seeds
        return seeds

    def reset(self) -> Array:
        """Begin all games; `seed(n)` before it seeds game i with n + i."""
        self._games.begin(range(self.num_envs), self._seeds)
        self._games.show()
        self._returns[:], self._lengths[:] = 0, 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        self._is_reset, self._was_collected = True, False
        return self._games.observations.copy()

    def step_async(self, actions: Array) -> None:
        """Take the actions, (num_envs,) integers; `step_wait` plays them."""
        if not self._is_reset:
            raise ResetNeeded("the episodes have not begun: call reset()")
        if self.self_play and not self._was_collected:
            _check_collector()
            self._was_collected = True
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Observations, float32 rewards, dones and infos; a game that ended has begun anew."""
        games = self._games
        games.step(self._actions)
        self._returns += games.seat_rewards
        self._lengths += 1
        rewards, dones = games.rewards.astype(np.float32), self.dones
        infos = self._step_infos()
        for i, refusal in games.ignored.items():
            infos[i]["ignored"] = refusal
        ended = np.flatnonzero(dones).tolist()
        for i in ended:
            infos[i].update(self._final_info(i))
            self._warn_unmasked(infos[i]["reason"])
        if ended:
            games.begin(ended)
            self._returns[ended], self._lengths[ended] = 0, 0
        games.show()
        self._tell_who_decides(infos)
        return games.observations.copy(), rewards, dones, infos

    def action_masks(self) -> Array:
        """The legal actions: (num_envs, 848) bool, a fresh array."""
        self._gave_masks = True
        masks: Array = self._games.action_masks.astype(np.bool_)
        return masks

    def close(self) -> None:
        """Close the page of render mode "human", if it is open."""
        self._human.close()

    def _render(self, rows: Sequence[int]) -> list[Any]:
        """Positions as the render mode says; a person is shown the first."""
        shown = rows[:1] if self.render_mode == "human" else rows
        return [self.options.render(self.game(i), self._human) for i in shown]

    def _warn_unmasked(self, reason: str) -> None:
        """Once, where an illegal action ended a game and nobody asked for the masks."""
        if not self._gave_masks and is_illegal(reason):
            self._gave_masks = True
            warnings.warn(UNMASKED, stacklevel=4)

    def _final_info(self, i: int) -> dict[str, Any]:
        """The info of game i at its end; in self-play the episode's return is that of seat 0."""
        games = self._games
        seat = 0 if self.self_play else games.seat[i]
        return {
            "terminal_observation": games.final_observation(i),
            "TimeLimit.truncated": bool(games.truncated[i]),
            "reason": games.reasons[i],
            "seat_returns": self._returns[i, : self.options.seats].copy(),
            "episode": {
                "r": round(float(self._returns[i, seat]), 6),
                "l": int(self._lengths[i]),
                "t": round(time.time() - self._begun, 6),
            },
        }


def _check_nobody_else_plays(opponents: Any, seat: Any) -> None:
    if not all(isinstance(given, str) and given == "random" for given in (opponents, seat)):
        raise ValueError(
            f"opponents={opponents!r} and seat={seat!r} would be ignored: with self_play every "
            "seat learns, and allowed is to give neither"
        )


def _check_collector() -> None:
    """Refuse to be collected into a buffer that takes every step for the same seat's.

    Only where the rollout is collected do this environment and its buffer meet, so the callers'
    local variables are looked at, once after each reset.
    """
    frame = sys._getframe(1)
    for caller in islice(_callers(frame), 12):
        buffer = caller.f_locals.get("rollout_buffer")
        if isinstance(buffer, RolloutBuffer) and not isinstance(buffer, SeatRolloutBuffer):
            raise ValueError(
                "with self_play every step is another seat's, and a plain rollout buffer takes "
                "them for one's: call catan_env.envs.sb3.per_seat(model) before learn(), also "
                "after the model was loaded"
            )


def _callers(frame: Any) -> Any:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _made_per_seat(kind: Any) -> Any:
    """The class of a model that hands what a step's infos say of the seats to its buffer."""

    class PerSeat(kind):
        hands_infos_to_its_buffer = True

        def _update_info_buffer(self, infos: list[dict[str, Any]], dones: Any = None) -> None:
            if dones is not None:  # else of games that were played and credited elsewhere
                self.rollout_buffer.take(infos, dones)
            super()._update_info_buffer(infos, dones)

    PerSeat.__name__ = PerSeat.__qualname__ = f"PerSeat{kind.__name__}"
    return PerSeat


def per_seat(model: Model) -> Model:
    """The model, made to learn from every seat's own decisions; its environment is in self-play.

    That is a `CatanVecEnv` or another game's VecEnv with `num_seats` and the same infos. To be
    called again after the model was loaded.
    """
    if not isinstance(model, MaskablePPO):
        raise TypeError(f"per_seat takes a MaskablePPO, not {model!r}")
    wrapped = model.get_env()
    environments = None if wrapped is None else wrapped.unwrapped
    if not getattr(environments, "self_play", False):
        raise ValueError(f"{environments} is not CatanVecEnv(..., self_play=True)")
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
        num_seats=getattr(environments, "num_seats", SEATS),
    )
    return model
