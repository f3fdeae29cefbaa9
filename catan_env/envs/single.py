"""Catan for Gymnasium: one seat, the others played by policies.

| | |
|---|---|
| Import | `gymnasium.make("catan_env:Catan-v0", opponents="random")` |
| Action space | `Discrete(848)`: flat indices, named in docs/actions.md |
| Observation space | `Dict` of the two below; with `mask_in="info"` the first alone |
| `"observation"` | `Box(0, 127, (913,), int8)`: fields named in docs/observation.md |
| `"action_mask"` | `Box(0, 1, (848,), int8)` |
| For MaskablePPO | `action_masks()` |

A step plays the action and then everybody else's decisions, until the seat is to decide again or
its episode has ended. `reset(seed=...)` settles everything: the seat, the game (that of
`Game(seed=...)`) and what opponents given by name or class draw.

### Options

| Option | Default | Also |
|---|---|---|
| `opponents` | `"random"` | a policy, see below; a list of them, clockwise from the seat |
| `seat` | `"random"`: another one each episode | `0` .. `seats - 1` |

Where the table places the first pieces, `max_turns` must let the seat reach its first turn.

A policy is a name, a class, an object with `act(view)` or a function of a view
(`catan_env.policy`). The other options are those of `catan_env.envs.aec`, and so are the rewards: 1
for a win, -1/(seats - 1) for a loss, -1 for an illegal action (`illegal="penalty"`, which ends the
episode), points paid on the way with `reward="shaped"`. `info["reason"]` says why an episode
ended: `"win"`, `"loss"`, `"turn limit"` or `"illegal action: ..."`.
"""

import copy
import warnings
from typing import Any

import numpy as np

try:
    import gymnasium
    from gymnasium.error import ResetNeeded

    from catan_env.envs.human import Human
    from catan_env.envs.options import (
        RENDER_MODES,
        UNMASKED,
        Options,
        action_index,
        options_from,
        plain_seed,
    )
except ImportError as error:
    raise ImportError("this environment needs gymnasium: pip install gymnasium") from error

from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import Placement
from catan_env.envs.episode import Episode
from catan_env.envs.results import ILLEGAL_REWARD, TURN_LIMIT, illegal, is_too_long, result
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.policy import Policy, as_policy, decide

REFUSED_OFTEN = 50
"""Episodes ended by an illegal action when whoever plays is warned, once."""
Step = tuple[Any, float, bool, bool, dict[str, Any]]


class CatanEnv(gymnasium.Env[Any, Any]):
    """The single-seat environment; see the module's documentation.

    >>> environment = CatanEnv(seats=3, seat=0, opponents="builder")
    >>> observation, info = environment.reset(seed=7)
    >>> observation["observation"].shape, int(environment.action_masks().sum())
    ((913,), 54)
    """

    metadata = {  # noqa: RUF012 (Gymnasium's own attribute)
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self, opponents: Any = "random", seat: int | str = "random", **options: Any
    ) -> None:
        self.options: Options = options_from(options)
        self.render_mode = self.options.render_mode
        self._human = Human()
        self.observation_space = self.options.observation_space()
        self.action_space = self.options.action_space()
        self._seat_choice = checked_seat(seat, self.options)
        self.opponents = opponents
        self._is_over = True
        self._refused = 0

    @property
    def opponents(self) -> Any:
        """What plays the other seats; others may take their places at any time."""
        return self._given_opponents

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        self._opponent_choices = one_each(opponents, self.options.seats - 1)
        self._given_opponents = opponents
        self._opponents = [as_policy(choice) for choice in self._opponent_choices]

    def __copy__(self) -> "CatanEnv":
        return copy.deepcopy(self)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game, up to the seat's first decision; `options` are not looked at.

        A game that somebody has won before that is followed by the next one.
        """
        seed = plain_seed(seed)
        super().reset(seed=seed)
        if seed is not None:
            self._opponents = [
                as_policy(choice, self._draw_seed()) for choice in self._opponent_choices
            ]
        self._begin(seed)
        while self._episode.is_over:
            self._begin(None)
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> Step:
        """Play the action, then the others' decisions up to the seat's next one."""
        if self._is_over:
            raise ResetNeeded("the episode has ended: call reset()")
        index = action_index(action)
        if not self._episode.is_legal(index):
            return self._refuse(index)
        self._episode.play(index)
        self._let_opponents_play()
        self._show()
        return self._outcome()

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The legal actions: (848,) bool, a fresh array; zeros when the episode has ended."""
        return self._mask().view(np.bool_)

    @property
    def game(self) -> Game:
        """The game as it stands: a copy, with everything hidden in it."""
        return self._episode.game()

    def render(self) -> Any:
        """The position, as the render mode says."""
        return self.options.render(self._episode.game(), self._human)

    def close(self) -> None:
        """Close the page of render mode "human", if it is open."""
        self._human.close()

    def _begin(self, seed: int | None) -> None:
        seats = self.options.seats
        choice = self._seat_choice
        self.seat = int(self.np_random.integers(seats)) if isinstance(choice, str) else choice
        """The seat that is played in this episode."""
        game_seed = seed if seed is not None else self._draw_seed()
        self._episode = Episode(self.options.new_game(game_seed))
        self._potential = 0.0
        self._is_over = False
        self._let_opponents_play()

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(1 << 63))

    def _let_opponents_play(self) -> None:
        episode, seat, seats = self._episode, self.seat, self.options.seats
        while episode.seat != seat and not episode.is_over and not self._is_too_long():
            policy: Policy = self._opponents[(episode.seat - seat) % seats - 1]
            episode.play(decide(policy, episode.view(episode.seat)))

    def _is_too_long(self) -> bool:
        return is_too_long(self.options, self._episode.turn)

    def _outcome(self) -> Step:
        """What came of a step."""
        if self._episode.is_over or self._is_too_long():
            return self._end(*result(self.options, self.seat, self._episode.winner))
        return self._observation(), self._points_made(), False, False, self._info()

    def _refuse(self, index: int) -> Step:
        refusal = self._episode.refusal(index)
        if self.options.illegal == "raise":
            raise IllegalActionError(refusal)
        if self.options.illegal == "ignore":
            return self._observation(), 0.0, False, False, self._info(ignored=refusal)
        self._refused += 1
        if self._refused == REFUSED_OFTEN:
            warnings.warn(UNMASKED, stacklevel=3)
        return self._end(ILLEGAL_REWARD, illegal(refusal))

    def _end(self, reward: float, reason: str) -> Step:
        """The last step of an episode; the potential is 0 from here on."""
        self._is_over = True
        reward, self._potential = reward - self._potential, 0.0
        was_cut_off = reason == TURN_LIMIT
        info = self._info(reason=reason)
        return self._observation(), reward, not was_cut_off, was_cut_off, info

    def _points_made(self) -> float:
        """The change of the potential since the last step; 0 with sparse rewards."""
        if self.options.reward == "sparse":
            return 0.0
        before = self._potential
        self._potential = self.options.potential(self._episode.points(self.seat))
        return self._potential - before

    def _mask(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        if self._is_over:
            return np.zeros(NUM_ACTIONS, np.int8)
        return self._episode.action_mask()

    def _observation(self) -> Any:
        vector = self._episode.observation(self.seat)
        if not self.options.mask_in_observation:
            return vector
        return {"observation": vector, "action_mask": self._mask()}

    def _info(self, **facts: Any) -> dict[str, Any]:
        return {**facts, "action_mask": self._mask()} if self.options.mask_in_info else facts

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def checked_seat(seat: Any, options: Options) -> int | str:
    """`seat` if the options have it, or "random"; ValueError also when it would never decide."""
    if isinstance(seat, str) and seat == "random":
        _check_it_decides(seat, options.seats, options)
        return "random"
    if isinstance(seat, int) and 0 <= seat < options.seats:
        _check_it_decides(seat, seat + 1, options)
        return seat
    raise ValueError(f"seat is {seat!r}; allowed are 0..{options.seats - 1} and 'random'")


def _check_it_decides(seat: int | str, first_turn: int, options: Options) -> None:
    """Where the table places, the turn limit must let the seat reach its first turn."""
    limit = options.max_turns
    assert isinstance(options.rules, Rules)
    if options.rules.placement != Placement.SEATS and limit is not None and limit < first_turn:
        raise ValueError(
            f"max_turns is {limit}; where the table places the first pieces and the seat is "
            f"{seat!r}, allowed are {first_turn} or more, and None"
        )


def one_each(opponents: Any, n: int) -> list[Any]:
    """One policy for every other seat."""
    if not isinstance(opponents, list | tuple):
        return [opponents] * n
    if len(opponents) != n:
        raise ValueError(f"{len(opponents)} opponents; allowed are {n}, one for every other seat")
    return list(opponents)
