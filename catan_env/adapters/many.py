"""The Gymnasium vector environment of every game: one seat in each game, policies play the others.

The games are those of `one_seat`: with the same seeds, episode i is the one that the single
environment reset with seed i plays, except that opponents all named "random" play natively and use
another random stream. In addition:

| Option | Default | Also |
|---|---|---|
| `autoreset_mode` | `NEXT_STEP` | `SAME_STEP`, `DISABLED`; an `AutoresetMode`, its name or value |
| `copy` | `True` | `False`: every call returns the same arrays, overwritten by the next call |
| `threads` | `1` | up to 1024 threads that step the games |

`reset(seed=n)` seeds game i with `n + i`; a list or an array seeds each game. Of the `options` of
`reset` only `"reset_mask"` is used.
"""

import warnings
from copy import deepcopy
from typing import Any, ClassVar, Self

import numpy as np

from catan_env.extras import missing

try:
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing("this environment", "", error) from error

from catan_env.adapters.checks import (
    MOST_THREADS,
    checked_count,
    checked_row,
    rows_where,
    seeds_by_game,
)
from catan_env.adapters.endings import REFUSED_OFTEN, UNMASKED, is_illegal
from catan_env.adapters.lockstep import Lockstep
from catan_env.adapters.options import Options
from catan_env.adapters.seats import OtherSeats
from catan_env.kernel.numbers import flag

Array = np.ndarray[Any, Any]
Seeds = int | list[int | None] | tuple[int | None, ...] | Array | None


class ManyGames(OtherSeats, VectorEnv[Any, Any, Any]):
    """Many games of one seat each; a game's own class names its `kind`."""

    kind: ClassVar[type[Options]]
    _page: Any = None  # Gymnasium closes an environment, too, that could not be made

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Any = "random",
        seat: int | str = "random",
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.num_envs = num_envs = checked_count("num_envs", num_envs)
        threads = checked_count("threads", threads, MOST_THREADS)
        self.copy = flag("copy", copy)
        self.options = self._options_of(options, ManyGames.__init__)
        self.autoreset_mode = checked_mode(autoreset_mode)
        self.render_mode = self.options.render_mode
        self._page = self.options.new_page()
        self.metadata = {
            "render_modes": list(self.options.render_modes),
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = self.options.observation_space()
        self.single_action_space = self.options.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._games = Lockstep(num_envs, self.options, seat, opponents, threads, self.others)
        self._given_opponents = opponents
        self._refused = 0
        self._needs_reset = np.ones(num_envs, np.bool_)
        self._has_begun = np.zeros(num_envs, np.bool_)
        self._begins = np.zeros(num_envs, np.bool_)  # restart in the next step

    def _set_opponents(self, opponents: Any) -> None:
        self._games.seat_opponents(opponents)

    def set_attr(self, name: str, values: Any) -> None:
        """Set the policies of the other seats in all games; nothing else can be set."""
        if name != self.others:
            raise AttributeError(f"{name} cannot be set; allowed is {self.others}")
        self.opponents = values

    def __copy__(self) -> Self:
        return deepcopy(self)

    @property
    def seat(self) -> Array:
        """The seat that is played in each game: (num_envs,) int8, a copy."""
        return self._games.seat.copy()

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games, or those of `options["reset_mask"]`, (num_envs,) bool."""
        rows = self._rows_to_reset(options)
        self._games.begin(rows, seeds_by_game(seed, self.num_envs))
        self._needs_reset[rows] = self._begins[rows] = False
        self._has_begun[rows] = True
        self._games.show()
        return self._observations(), self._mask_infos()

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Play an action in each game, then the others' decisions up to the seat's next one."""
        games, mode = self._games, self.autoreset_mode
        if count := (self._needs_reset | games.broken_off).sum():
            raise ResetNeeded(
                f"{count} of {self.num_envs} episodes have ended, have not begun or were broken "
                "off: call reset()"
            )
        games.step(actions, begins=self._begins)
        self._count_refused()
        ended = games.terminated | games.truncated
        infos = self._step_infos()
        if mode == AutoresetMode.SAME_STEP:
            infos = self._with_finals(rows_where(ended), infos)
        elif mode == AutoresetMode.NEXT_STEP:
            self._begins = ended
        else:
            self._needs_reset = ended
        games.show()
        infos.update(self._mask_infos())
        return (
            self._observations(),
            games.rewards,
            games.terminated.copy(),
            games.truncated.copy(),
            infos,
        )

    def action_masks(self) -> Array:
        """The legal actions: (num_envs, actions) bool, a fresh array; zeros after an end."""
        masks: Array = self._games.action_masks.astype(np.bool_)
        return masks

    def game(self, i: int) -> Any:
        """A copy of game i, including everything hidden."""
        row = checked_row(i, self.num_envs)
        if not self._has_begun[row]:
            raise ResetNeeded(f"no episode has begun in environment {row}: call reset()")
        return self._games.batch.game(row)

    def render(self) -> tuple[Any, ...]:
        """Every game's position in the render mode; "human" shows the first."""
        shown = 1 if self.render_mode == "human" else self.num_envs
        return tuple(self.options.render(self.game(i), self._page) for i in range(shown))

    def close_extras(self, **how: Any) -> None:
        """Close the page of render mode "human", if it is open."""
        if self._page is not None:
            self._page.close()

    def _rows_to_reset(self, options: dict[str, Any] | None) -> list[int]:
        if not isinstance(options, dict | None):
            raise TypeError(f"options is {options!r}; allowed are a dict and None")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return list(range(self.num_envs))
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"reset_mask is {mask!r}; allowed is an array of bool")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"reset_mask of shape {mask.shape} is True {mask.sum()} times; "
                f"allowed is shape ({self.num_envs},), True at least once"
            )
        return rows_where(mask)

    def _count_refused(self) -> None:
        """Warn once if illegal actions have ended many episodes."""
        before = self._refused
        self._refused += sum(map(is_illegal, self._games.reasons.values()))
        if before < REFUSED_OFTEN <= self._refused:
            warnings.warn(UNMASKED, stacklevel=3)

    def _step_infos(self) -> dict[str, Any]:
        """The infos of single games in Gymnasium's vector form."""
        infos: dict[str, Any] = {}
        for i, refusal in self._games.ignored.items():
            infos = self._add_info(infos, {"ignored": refusal}, i)
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            for i, reason in self._games.reasons.items():
                more = self.options.end_info_in(self._games.batch, i)
                infos = self._add_info(infos, {"reason": reason, **more}, i)
        return infos

    def _with_finals(self, ended: list[int], infos: dict[str, Any]) -> dict[str, Any]:
        """The endings of episodes; those games restart."""
        games, no_mask = self._games, self.options.no_mask()
        for i in ended:
            vector = games.final_observation(i)
            more = self.options.end_info_in(games.batch, i)
            info: dict[str, Any] = {"reason": games.reasons[i], **more}
            final: Any = vector
            if self.options.mask_in_observation:
                final = {"observation": vector, "action_mask": no_mask.copy()}
            if self.options.mask_in_info:
                info["action_mask"] = no_mask
            infos = self._add_info(infos, {"final_obs": final, "final_info": info}, i)
        if ended:
            games.begin(ended)
        return infos

    def _observations(self) -> Any:
        vectors, masks = self._games.observations, self._games.action_masks
        if self.copy:
            vectors = vectors.copy()
        if not self.options.mask_in_observation:
            return vectors
        return {"observation": vectors, "action_mask": masks.copy() if self.copy else masks}

    def _mask_infos(self) -> dict[str, Any]:
        if not self.options.mask_in_info:
            return {}
        masks = self._games.action_masks
        return {
            "action_mask": masks.copy() if self.copy else masks,
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }


def checked_mode(mode: Any) -> AutoresetMode:
    """The mode of this name or value; ValueError if it does not exist."""
    for known in AutoresetMode:
        if mode is known or (isinstance(mode, str) and mode in (known.name, known.value)):
            return known
    raise ValueError(
        f"autoreset_mode is {mode!r}; allowed are {', '.join(AutoresetMode.__members__)}"
    )
