"""Masters of Renaissance for Gymnasium: the solo game, or one seat against policies.

`gymnasium.make("catan_env:Renaissance-v0")` is the game against Lorenzo. Options are those of
`catan_env.guests.renaissance.aec`, and

| Option | Default | Also |
|---|---|---|
| `opponents` | `None`: Lorenzo | a policy's name, class or object, or a list: one a seat |
| `seats` | `1`, with `opponents` `2` | up to `4` |
| `seat` | `"random"`: drawn at each reset | a seat |

A step plays the seat's decision, and then everybody else's until the seat decides again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from catan_env.guests.renaissance.aec import (
    ILLEGAL_REWARD,
    RENDER_MODES,
    Options,
    check,
    observation_space,
)
from catan_env.guests.renaissance.errors import IllegalActionError
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.policies import Policy, as_policy
from catan_env.guests.renaissance.view import SeatView

Step = tuple[Any, float, bool, bool, dict[str, Any]]
MOST_SEEDS = 1 << 62


class Episode(NamedTuple):
    """What one seed settles: the game, the seat, and who plays the others."""

    game_seed: int
    seat: int
    players: dict[int, Policy]


class Seating:
    """Which seat is played, and by whom the others are."""

    def __init__(self, opponents: Any, seat: int | str, options: dict[str, Any]) -> None:
        self.opponents = one_each(opponents, options.pop("seats", None))
        self.options = Options(len(self.opponents) + 1, **options)
        check("seat", seat, ("random", *range(self.options.seats)))
        self.seat = seat

    def draw(self, rng: np.random.Generator) -> Episode:
        """The next episode: all chance in it comes from `rng`."""
        drawn: Callable[[], int] = lambda: int(rng.integers(MOST_SEEDS))  # noqa: E731
        game_seed, seats = drawn(), self.options.seats
        seat = drawn() % seats if isinstance(self.seat, str) else self.seat
        players = {
            (seat + 1 + k) % seats: as_policy(one, drawn() % (1 << 31))
            for k, one in enumerate(self.opponents)
        }
        return Episode(game_seed, seat, players)


def one_each(opponents: Any, seats: int | None) -> list[Any]:
    """An opponent for each other seat: those of a list, or the same for all."""
    if isinstance(opponents, list | tuple):
        given = list(opponents)
    else:
        given = [opponents] * ((seats or 2) - 1) if opponents is not None else []
    if seats not in (None, len(given) + 1):
        raise ValueError(f"{seats} seats and {len(given)} opponents; allowed is one a seat")
    return given


class RenaissanceEnv(gymnasium.Env[Any, Any]):
    """The environment; see the module's documentation.

    >>> environment = RenaissanceEnv()
    >>> observation, info = environment.reset(seed=7)
    >>> observation["observation"].shape, int(environment.action_masks().sum())
    ((886,), 6)
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(self, opponents: Any = None, seat: int | str = "random", **options: Any) -> None:
        self._seating = Seating(opponents, seat, options)
        self.options = self._seating.options
        self.render_mode = self.options.render_mode
        self.observation_space = observation_space()
        self.action_space = Discrete(NUM_ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game; the seed settles it, the seat and what opponents draw."""
        super().reset(seed=seed)
        game_seed, self.seat, self._players = self._seating.draw(self.np_random)
        self.game = Game(self.options.seats, game_seed, self.options.cards)
        self._let_others_play()
        return self._observe(), {"seat": self.seat}

    def step(self, action: Any) -> Step:
        """Play the decision, and then everybody else's until the seat decides again."""
        info: dict[str, Any] = {}
        try:
            self.game.play(int(action))
        except IllegalActionError as error:
            if self.options.illegal == "raise":
                raise
            info["illegal"] = str(error)
            if self.options.illegal == "penalty":
                return self._observe(), ILLEGAL_REWARD, True, False, info
        self._let_others_play()
        over = self.game.is_over
        reward = self.options.reward_of(self.game, self.seat) if over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observe(), float(reward), over, not over and self._is_cut_off(), info

    def view(self) -> SeatView:
        """What the seat knows, as a policy's `act` takes it."""
        return self.game.view(self.seat)

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """What may be played now, (96,) bool, as sb3-contrib's MaskablePPO asks for it."""
        return self.game.action_mask.astype(bool)

    def render(self) -> Any:
        """The position, as the render mode says."""
        return self.options.render(self.game)

    def _observe(self) -> Any:
        decides = self.game.seat == self.seat
        mask = self.game.action_mask if decides else np.zeros(NUM_ACTIONS, np.int8)
        return {"observation": self.game.observe(self.seat), "action_mask": mask}

    def _is_cut_off(self) -> bool:
        return self.game.round > self.options.max_rounds

    def _let_others_play(self) -> None:
        while not self.game.is_over and self.game.seat != self.seat and not self._is_cut_off():
            policy = self._players[self.game.seat]
            self.game.play(int(policy.act(self.game.view(self.game.seat))))
