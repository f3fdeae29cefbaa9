"""The functions and opponents of a configuration, tried before a run: a wrong one is refused."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from catan_env.batch import Batch
from catan_env.training.batches import batch_of
from catan_env.training.config import call, named
from catan_env.training.imitation.teachers import CHOICES, Teacher
from catan_env.training.opponents import opponent
from catan_env.training.options import Args

GAMES = 2
READ_BY_REWARD = ("states", "autoreset", "reset_finished")
"""Attributes of a batch without which a reward function is not called."""


def check_functions(args: Args) -> None:
    """Raise ValueError with the option's name if a function does not fit the games."""
    batch = batch_of(args, GAMES, seed=0)
    check_opponents(args.opponents, lambda name: opponent(name, batch))
    if args.shaping:
        check_shaping(args.shaping, batch)
        check_potential("shaping", named(args.shaping), batch)
    if args.teacher:
        call("teacher", _teacher, Teacher(named(args.teacher), args.teacher_temperature), batch)
    if args.reward_function:
        check_pays_function(batch)
        call("reward_function", _reward, named(args.reward_function), batch)


def check_opponents(names: Iterable[str], load: Callable[[str], Any]) -> None:
    """Raise ValueError if there is no opponent of a name: the games draw some of them late."""
    for name in names:
        call("opponents", load, name)


def check_shaping(shaping: str, batch: Any) -> None:
    """Raise ValueError if the default potential, which is Catan's, is that of another game."""
    if shaping == Args.shaping and not isinstance(batch, Batch):
        raise ValueError(
            f"shaping = {shaping!r} is Catan's; another game takes '' or a potential of its own"
        )


def check_pays_function(batch: Any) -> None:
    """Raise ValueError if a reward function cannot read positions and ends of a batch."""
    if missing := [name for name in READ_BY_REWARD if not hasattr(batch, name)]:
        kind = f"{type(batch).__module__}:{type(batch).__name__}"
        raise ValueError(
            f"reward_function needs a batch with {', '.join(READ_BY_REWARD)}; {kind} has no "
            f"{', '.join(missing)}: pay in the game's own rewards, or by shaping"
        )


def check_potential(option: str, function: Callable[..., Any], batch: Any) -> None:
    """Raise ValueError with the option's name if it is not a potential of the batch's games."""
    call(option, _potential, function, batch)


def check_finite(numbers: Any, batch: Any) -> None:
    """Raise ValueError if a number of a seat at a table is not finite; (games, seats) or wider."""
    if np.isfinite(numbers).all():
        return
    of_seats = np.asarray(numbers)[:, : seats_of(batch)]
    for game, seat in np.argwhere(~np.isfinite(of_seats)):
        raise ValueError(f"its number is {of_seats[game, seat]} for seat {seat} of game {game}")


def seats_of(batch: Any) -> int:
    """The seats at a table of a batch; the arrays of some games are wider."""
    seats: int = getattr(batch, "seats", batch.rewards.shape[1])
    return seats


def _potential(function: Callable[..., Any], batch: Any) -> None:
    numbers, games, seats = function(batch), len(batch.rewards), seats_of(batch)
    shape = np.shape(numbers)
    if len(shape) != 2 or shape[0] != games or shape[1] < seats:
        needed = f"(games, seats), {games} games of {seats} seats"
        raise ValueError(f"its numbers have the shape {shape}, not {needed}")
    check_finite(numbers, batch)


def _teacher(teacher: Teacher, batch: Any) -> None:
    for found in teacher.choices(batch, np.arange(GAMES)):
        if found.shape != (GAMES, CHOICES):
            needed = f"({GAMES}, {CHOICES}), the games and the best actions of each"
            raise ValueError(f"its arrays have the shape {found.shape}, not {needed}")


def _reward(function: Callable[..., Any], batch: Any) -> None:
    before, actions = batch.states.copy(), batch.action_masks.argmax(axis=1)
    batch.step(actions)
    numbers, needed = function(before, actions, batch), batch.rewards.shape
    if np.shape(numbers) != needed:
        raise ValueError(f"its numbers have the shape {np.shape(numbers)}, not {needed}")
    check_finite(numbers, batch)
