"""The Gymnasium environment of every game: one seat, the others played by policies.

A step plays the action and then the others' decisions, until the seat acts again or its
episode has ended. `reset(seed=...)` determines the seat, the game (that of `Game(seed=...)`) and
the random streams of opponents given by name or class.
"""

import copy
import warnings
from typing import Any, ClassVar, Self

import numpy as np

from catan_env.extras import missing

try:
    import gymnasium
    from gymnasium.error import ResetNeeded

    from catan_env.adapters.latest_episode import LatestEpisode
    from catan_env.adapters.options import MOST_SKIPPED, Options
except ImportError as error:
    raise missing("this environment", "", error) from error

from catan_env.adapters.checks import checked_action, checked_seat, checked_seed, one_each
from catan_env.adapters.endings import (
    ILLEGAL_REWARD,
    REFUSED_OFTEN,
    TURN_LIMIT,
    UNMASKED,
    illegal,
)
from catan_env.adapters.seats import OtherSeats

Step = tuple[Any, float, bool, bool, dict[str, Any]]


class OneSeatEnv(OtherSeats, LatestEpisode, gymnasium.Env[Any, Any]):
    """One seat of a game; a game's own class names its `kind`."""

    kind: ClassVar[type[Options]]

    def __init__(
        self, opponents: Any = "random", seat: int | str = "random", **options: Any
    ) -> None:
        self.options = self._options_of(options, OneSeatEnv.__init__)
        self.render_mode = self.options.render_mode
        self._page = self.options.new_page()
        self.observation_space = self.options.observation_space()
        self.action_space = self.options.action_space()
        self._seat_choice = checked_seat(seat, self.options.num_seats)
        self.options.check_seat(self._seat_choice)
        self._is_over = True
        self.opponents = opponents
        self._refused = 0

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game, up to the seat's first decision; `options` are ignored.

        A game that ends or is cut off before that is followed by the next one; ValueError after
        1,000 of them.
        """
        seed = checked_seed(seed)
        super().reset(seed=seed)
        if seed is not None or not self._are_seeded:
            self._seat_opponents(self._choices, are_seeded=True)
        self._begin_with_a_decision(seed)
        self._is_over = False
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> Step:
        """Play the action, then the others' decisions up to the seat's next one."""
        if self._is_over:
            raise ResetNeeded("the episode has ended or was broken off: call reset()")
        index = checked_action(action, self.options.num_actions)
        if not self._episode.is_legal(index):
            return self._refuse(index)
        self._is_over = True  # if an opponent or a reward raises: another seat may be acting
        self._episode.play(index)
        self._let_others_play()
        self._show()
        return self._outcome()

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The legal actions: (actions,) bool, a fresh array; zeros unless `step` may be called."""
        return self._mask().view(np.bool_)

    @property
    def seat(self) -> int:
        """The seat that is played in this episode."""
        self._begun()
        return self._seat

    def view(self) -> Any:
        """The seat's view, as a policy's `act` takes it."""
        return self._begun().view(self._seat)

    def _set_opponents(self, opponents: Any) -> None:
        choices = one_each(self.others, opponents, self.options.num_seats - 1)
        self._seat_opponents(choices, are_seeded=not self._is_over)

    def _seat_opponents(self, choices: list[Any], are_seeded: bool) -> None:
        """Make the policies of the other seats; those without seeds of their own do not play yet.

        Before a game only `reset` may draw seeds: copies made until then play different games.
        """
        seeds = [self._draw_seed() if are_seeded else 0 for _ in choices]
        pairs = zip(choices, seeds, strict=True)
        self._opponents = [self.options.as_policy(choice, seed) for choice, seed in pairs]
        self._choices, self._are_seeded = choices, are_seeded

    def _begin_with_a_decision(self, seed: int | None) -> None:
        for _ in range(MOST_SKIPPED):
            self._begin(seed)
            if not (self._episode.is_over or self.options.is_too_long(self._episode)):
                self.options.check_episode(self._episode)
                return
            seed = None
        raise self.options.never_acts(self._seat_choice)

    def _begin(self, seed: int | None) -> None:
        seats, choice = self.options.num_seats, self._seat_choice
        self._is_over = True
        self._seat = int(self.np_random.integers(seats)) if isinstance(choice, str) else choice
        game_seed = seed if seed is not None else self._draw_seed()
        self._episode = self.options.new_episode(game_seed)
        self._paid = 0.0
        self._let_others_play()

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(1 << 63))

    def _let_others_play(self) -> None:
        episode, seat, options = self._episode, self._seat, self.options
        while episode.seat != seat and not episode.is_over and not options.is_too_long(episode):
            policy = self._opponents[(episode.seat - seat) % options.num_seats - 1]
            episode.play(options.decide(policy, episode.view(episode.seat)))

    def _outcome(self) -> Step:
        """The result of a step."""
        episode, seat, options = self._episode, self._seat, self.options
        if episode.is_over:
            return self._end(options.checked_totals(episode)[seat], options.reason(episode, seat))
        if options.is_too_long(episode):
            return self._end(options.checked_totals(episode)[seat], TURN_LIMIT, was_cut_off=True)
        reward = 0.0
        if options.is_paid_on_the_way:
            reward = self._pay(options.checked_totals(episode)[seat])
        self._is_over = False
        return self._observation(), reward, False, False, self._info()

    def _refuse(self, index: int) -> Step:
        refusal = self._episode.refusal(index)
        if self.options.illegal == "raise":
            raise self.options.illegal_error(refusal)
        if self.options.illegal == "ignore":
            return self._observation(), 0.0, False, False, self._info(ignored=refusal)
        self._refused += 1
        if self._refused == REFUSED_OFTEN:
            warnings.warn(UNMASKED, stacklevel=3)
        return self._end(ILLEGAL_REWARD, illegal(refusal))

    def _end(self, total: float, reason: str, was_cut_off: bool = False) -> Step:
        """The last step of an episode with a return of `total`."""
        self._is_over = True
        more = self.options.end_info(self._episode)
        info = self._info(reason=reason, **more)
        return self._observation(), self._pay(total), not was_cut_off, was_cut_off, info

    def _pay(self, total: float) -> float:
        """The difference to a total."""
        reward, self._paid = total - self._paid, total
        return float(reward)

    def _mask(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        return self.options.no_mask() if self._is_over else self._episode.action_mask()

    def _observation(self) -> Any:
        vector = self._episode.observation(self._seat)
        if not self.options.mask_in_observation:
            return vector
        return {"observation": vector, "action_mask": self._mask()}

    def _info(self, **more: Any) -> dict[str, Any]:
        return {**more, "action_mask": self._mask()} if self.options.mask_in_info else more

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
