"""Hanabi for Gymnasium: one seat, the others played by policies.

`gymnasium.make("catan_env:Hanabi-v0", players=2, partners="iggi")`; options are those of
`catan_env.guests.hanabi.aec` and

| Option | Default | Also |
|---|---|---|
| `seat` | `0` | another seat, `"random"`: drawn at each reset |
| `partners` | `"random"` | a policy's name, class or object, or a list of one for each other seat |

A step plays the seat's action and the partners' up to the seat's next turn; its reward is what the
score changed by meanwhile. `info["reason"]` and `info["score"]` say how a game ended.
"""

from operator import index as index_of
from typing import Any

import gymnasium
import numpy as np

from catan_env.guests.hanabi.aec import RENDER_MODES, Options, play_number
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.policies import Policy, as_policy, decide
from catan_env.guests.hanabi.view import SeatView

MOST_SEEDS = 1 << 63


class HanabiEnv(gymnasium.Env[Any, Any]):
    """The environment; see the module's documentation.

    >>> environment = HanabiEnv(players=3, partners="iggi")
    >>> observation, info = environment.reset(seed=3)
    >>> observation["observation"].shape, int(environment.action_masks().sum()) > 0
    ((956,), True)
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(self, partners: Any = "random", seat: int | str = 0, **options: Any) -> None:
        self.options = Options(**options)
        self.render_mode = self.options.render_mode
        self.observation_space = self.options.observation_space()
        self.action_space = self.options.action_space()
        self._seat, self._partners = checked_seat(seat, self.options.players), partners
        one_each(partners, self.options.players - 1)

    @property
    def game(self) -> Game:
        """The game as it stands: a copy, with everything hidden in it."""
        return self._game.copy()

    def view(self) -> SeatView:
        """What the seat knows, as a policy's `act` takes it."""
        return self._game.view(self.seat)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game and play up to the seat's first turn; options are not looked at."""
        super().reset(seed=seed)
        game_seed = self._draw_seed() if seed is None else seed
        players = self.options.players
        self.seat = int(self.np_random.integers(players)) if self._seat == "random" else self._seat
        self._game = Game(players, game_seed, self.options.rules)
        self._policies = self._seat_partners()
        while self._play_partners()[1] is not None:  # it was over before the seat's first turn
            self._game = Game(players, self._draw_seed(), self.options.rules)
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the seat's action, then the partners'."""
        reward, reason = play_number(self._game, index_of(action), self.options)
        if reason is None:
            more, reason = self._play_partners()
            reward += more
        info = {} if reason is None else {"reason": reason, "score": self._game.score}
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, reason is not None, False, info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The legal actions, bool."""
        return self._game.action_mask.astype(np.bool_)

    def render(self) -> Any:
        """The position, as the render mode says."""
        return self.options.render(self._game)

    def _observation(self) -> Any:
        mask = self._game.action_mask
        if self._game.seat != self.seat:
            mask[:] = 0
        return {"observation": self._game.observe(self.seat), "action_mask": mask}

    def _play_partners(self) -> tuple[float, str | None]:
        reward, reason = 0.0, None
        while reason is None and self._game.seat != self.seat:
            seat = self._game.seat
            number = decide(self._policies[seat], self._game.view(seat))
            more, reason = play_number(self._game, number, self.options)
            reward += more
        return reward, reason

    def _seat_partners(self) -> dict[int, Policy]:
        """A policy for each other seat, from the seat's left."""
        players = self.options.players
        chosen = one_each(self._partners, players - 1)
        return {
            (self.seat + step) % players: as_policy(partner, self._draw_seed())
            for step, partner in enumerate(chosen, 1)
        }

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(MOST_SEEDS))


def one_each(partners: Any, n: int) -> list[Any]:
    """A choice for each of n seats: those of a list, or the same for all."""
    if not isinstance(partners, list | tuple):
        return [partners] * n
    if len(partners) != n:
        raise ValueError(f"{len(partners)} partners; allowed are {n}, one for each other seat")
    return list(partners)


def checked_seat(seat: Any, players: int) -> Any:
    """`seat`, when it is one of the players' or "random"."""
    if seat != "random" and seat not in range(players):
        raise ValueError(f"seat is {seat!r}; allowed are 0..{players - 1} and 'random'")
    return seat
