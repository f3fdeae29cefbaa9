"""The functions and opponents of a configuration, tried before a run: a wrong one is refused."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from catan_env.training.batches import batch_of
from catan_env.training.config import call, named
from catan_env.training.imitation.teachers import Teacher
from catan_env.training.opponents import opponent
from catan_env.training.options import Args

GAMES = 2


def check_functions(args: Args) -> None:
    """Raise ValueError with the option's name if a function does not fit the games."""
    batch = batch_of(args, GAMES, seed=0)
    check_opponents(args.opponents, lambda name: opponent(name, batch))
    if args.shaping:
        check_potential("shaping", named(args.shaping), batch)
    if args.teacher:
        teacher = Teacher(named(args.teacher), args.teacher_temperature)
        call("teacher", teacher.choices, batch, np.arange(GAMES))
    if args.reward_function:
        call("reward_function", _reward, named(args.reward_function), batch)


def check_opponents(names: Iterable[str], load: Callable[[str], Any]) -> None:
    """Raise ValueError if there is no opponent of a name: the games draw some of them late."""
    for name in names:
        call("opponents", load, name)


def check_potential(option: str, function: Callable[..., Any], batch: Any) -> None:
    """Raise ValueError with the option's name if it is not a potential of the batch's games."""
    call(option, _potential, function, batch)


def _potential(function: Callable[..., Any], batch: Any) -> None:
    _check_by_seat(function(batch), batch)


def _reward(function: Callable[..., Any], batch: Any) -> None:
    before, actions = batch.states.copy(), batch.action_masks.argmax(axis=1)
    batch.step(actions)
    _check_by_seat(function(before, actions, batch), batch)


def _check_by_seat(numbers: Any, batch: Any) -> None:
    shape, games = np.shape(numbers), len(batch.rewards)
    if len(shape) != 2 or shape[0] != games:
        raise ValueError(f"its numbers have the shape {shape}, not (games, seats), {games} games")
