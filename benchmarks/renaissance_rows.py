"""Rows of the guest Masters of Renaissance, against Lorenzo and with two and four seats."""

from collections.abc import Iterator

import numpy as np

from benchmarks.ours import LOCKSTEP, WITH_OBSERVATIONS
from benchmarks.rows import Row, Work, until
from catan_env.guests.renaissance.batch import GOES_ON, Batch

GAMES = 1024
SEATS = (1, 2, 4)
STEPS = 32
SETTLE = 1000  # steps before the clock runs, so that games of every age are included


def rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Each number of seats in 1,024 games, whatever the sizes of the others."""
    for seats in SEATS:
        yield lockstep(seats, observed=False)
        yield lockstep(seats, observed=True)


def lockstep(seats: int, observed: bool) -> Row:
    """A batch with uniformly random play."""
    batch = Batch(GAMES, seats=seats, seed=1, observations=observed, action_masks=observed)
    for _ in range(SETTLE):
        batch.play(batch.sample_legal())
    step = batch.step if observed else batch.play

    def some() -> Work:
        games = 0
        for _ in range(STEPS):
            step(batch.sample_legal())
            games += int(np.count_nonzero(batch.done != GOES_ON))
        return Work(STEPS * GAMES, games)

    form = WITH_OBSERVATIONS if observed else LOCKSTEP
    name = f"catan_env renaissance, {seats} seat{'s'[: seats - 1]}"
    return Row(name, form, GAMES, False, observed, lambda seconds: until(seconds, some))
