"""A wrapper for libraries that take a millisecond per step: it stops only at real choices.

In duels two thirds of the decisions have a single legal action. Batch learners leave them out of
their data; other learners can have them played here.
"""

from typing import Any

import gymnasium

from catan_env.adapters.one_seat import OneSeatEnv, Step


class OnlyChoices(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Plays forced actions, adds up their rewards, and stops where two actions are legal.

    >>> from catan_env.envs.single import CatanEnv
    >>> environment = OnlyChoices(CatanEnv(seats=2, rules="duel"))
    >>> seen, _ = environment.reset(seed=7)
    >>> while seen["action_mask"].any():
    ...     assert seen["action_mask"].sum() > 1
    ...     action = seen["action_mask"].argmax()
    ...     seen, reward, terminated, truncated, info = environment.step(action)
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, OneSeatEnv):
            raise TypeError(f"{env.unwrapped!r} is not an environment of one seat")
        self._game = env.unwrapped
        self._earlier = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, up to the first real choice; the first step pays what led there.

        An episode that ends before that is followed by the next one.
        """
        seen, info = self.env.reset(seed=seed, options=options)
        seen, self._earlier, *over, info = self._play_forced((seen, 0.0, False, False, info))
        return self.reset(options=options) if any(over) else (seen, info)

    def step(self, action: Any) -> Step:
        """Play the action, the others' decisions, and the seat's forced actions."""
        seen, reward, *over, info = self.env.step(action)
        total, self._earlier = self._earlier + float(reward), 0.0
        return self._play_forced((seen, total, *over, info))

    def _play_forced(self, step: Step) -> Step:
        """Add the seat's forced actions to a step."""
        seen, total, terminated, truncated, info = step
        while not (terminated or truncated) and (mask := self._game.action_masks()).sum() == 1:
            seen, reward, terminated, truncated, info = self.env.step(int(mask.argmax()))
            total += float(reward)
        return seen, total, terminated, truncated, info
