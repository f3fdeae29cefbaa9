"""Masters of Renaissance for Gymnasium, many games at once, stepped natively.

`gymnasium.make_vec("catan_env:Renaissance-v0", num_envs=64)`. Options are those of
`catan_env.guests.renaissance.single`, and so are the games: with the same seed, game i is the one
that a `RenaissanceEnv` reset with that seed plays, except that opponents all named "random" play
natively and draw otherwise. `threads` step the games. A game that ended begins anew in the same
step: `infos["final_obs"]` and `infos["final_info"]` say how it stood.
"""

from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from catan_env.guests.renaissance.aec import ILLEGAL_REWARD, RENDER_MODES, observation_space
from catan_env.guests.renaissance.batch import CUT_OFF, ENDED, REFUSED, STAY, Batch
from catan_env.guests.renaissance.errors import IllegalActionError
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.policies import Policy
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.single import Seating


class RenaissanceVectorEnv(VectorEnv[Any, Any, Any]):
    """The vector environment; see the module's documentation.

    >>> environments = RenaissanceVectorEnv(3)
    >>> observations, infos = environments.reset(seed=7)
    >>> observations["observation"].shape, environments.action_masks().sum(axis=1).tolist()
    ((3, 886), [6, 6, 6])
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Any = None,
        seat: int | str = "random",
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.num_envs, self._seating = num_envs, Seating(opponents, seat, options)
        self.options = chosen = self._seating.options
        self.render_mode = chosen.render_mode
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self.single_observation_space = observation_space()
        self.single_action_space = Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = Batch(
            num_envs, seats=chosen.seats, cards=chosen.cards, max_rounds=chosen.max_rounds,
            observations=False, action_masks=False, threads=threads, autoreset=False,
        )  # fmt: skip
        self._is_native = all(one == "random" for one in self._seating.opponents)
        self._random = [np.random.default_rng() for _ in range(num_envs)]
        self._players: list[dict[int, Policy]] = [{} for _ in range(num_envs)]
        self.seat = np.zeros(num_envs, np.int8)
        """The seat that is played in each game: (num_envs,) int8."""
        self._ended = np.zeros(num_envs, np.int8)  # as Batch.done, since the games were begun
        self._rewards = np.zeros(num_envs)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games; `seed` seeds game i with `seed + i`, a list each with its own."""
        for i, one in enumerate(seeds_for(seed, self.num_envs)):
            if one is not None:
                self._random[i] = np_random(one)[0]
        self._begin(np.ones(self.num_envs, np.bool_))
        return self._observations(), {}

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Play a decision in each game, then the others' up to the seat's next one."""
        self._rewards[:] = 0
        self._ended[:] = 0
        self._play(np.asarray(actions, np.int64))
        self._note_refusals(actions)
        self._let_others_play()
        infos: dict[str, Any] = {}
        over = self._ended != 0
        rows = np.flatnonzero(over).tolist()
        terminated, truncated = over & (self._ended != CUT_OFF), self._ended == CUT_OFF
        if rows:
            last = self._observations()
            for i in rows:
                infos = self._add_info(infos, self._final(i, last), i)
            self._begin(over)
        return self._observations(), self._rewards.copy(), terminated, truncated, infos

    def action_masks(self) -> Array:
        """What may be played now: (num_envs, 96) bool, a fresh array."""
        return self._masks().astype(np.bool_)

    def _begin(self, rows: Array) -> None:
        seeds = self._batch.seeds
        for i in np.flatnonzero(rows).tolist():
            episode = self._seating.draw(self._random[i])
            seeds[i], self.seat[i], self._players[i] = episode
        self._batch.begin(rows)
        self._ended[rows] = 0
        self._let_others_play()

    def _play(self, actions: Array) -> None:
        """One decision in each game; note which have ended, and what their seats get."""
        batch = self._batch
        batch.step(actions)
        over = batch.done != 0
        self._ended[over] = batch.done[over]
        ended = np.flatnonzero(batch.done == ENDED)
        self._rewards[ended] = batch.rewards[ended, self.seat[ended]]
        if self.options.reward == "points":
            self._rewards[ended] += batch.states["score"][ended, self.seat[ended]] / 100

    def _note_refusals(self, actions: Any) -> None:
        refused = self._ended == REFUSED
        if not refused.any():
            return
        if self.options.illegal == "raise":
            i = int(np.flatnonzero(refused)[0])
            raise IllegalActionError(f"game {i} does not allow action {int(actions[i])} now")
        if self.options.illegal == "ignore":
            self._ended[refused] = 0
        else:
            self._rewards[refused] = ILLEGAL_REWARD

    def _let_others_play(self) -> None:
        """Play on until in every game the seat is to decide, or the game is over."""
        batch = self._batch
        while (waits := (self._ended == 0) & (batch.seat != self.seat)).any():
            if self._is_native:
                self._play(np.where(waits, batch.sample_legal(), STAY))
            else:
                self._play(self._answers(waits))

    def _answers(self, waits: Array) -> Array:
        actions = np.full(self.num_envs, STAY)
        for i in np.flatnonzero(waits).tolist():
            seat = int(self._batch.seat[i])
            actions[i] = self._players[i][seat].act(self._batch.view(i, seat))
        return actions

    def _final(self, i: int, last: dict[str, Array]) -> dict[str, Any]:
        shown = {name: column[i] for name, column in last.items()}
        winner, rounds = int(self._batch.winner[i]), int(self._batch.rounds[i])
        return {"final_obs": shown, "final_info": {"winner": winner, "rounds": rounds}}

    def _masks(self) -> Array:
        decides = (self._batch.seat == self.seat) & (self._ended == 0)
        return self._batch.masks * decides[:, None].astype(np.int8)

    def _observations(self) -> dict[str, Array]:
        return {"observation": self._batch.observe(self.seat), "action_mask": self._masks()}


def seeds_for(seed: Any, n: int) -> list[int | None]:
    """A seed for each game: those of a list, `seed + i`, or none."""
    if seed is None:
        return [None] * n
    if isinstance(seed, list | tuple | np.ndarray):
        if len(seed) != n:
            raise ValueError(f"{len(seed)} seeds; allowed are {n}, one for each game")
        return [None if one is None else int(one) for one in seed]
    return [int(seed) + i for i in range(n)]
