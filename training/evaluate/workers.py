"""The processes, or actors of Ray, that play a bout."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from tqdm import tqdm

from catan_env.extras import missing
from catan_env.training.evaluate.bout import Array, Bout, Measured, play
from catan_env.training.evaluate.results import measured
from catan_env.training.processes import Processes


def evaluate(
    bout: Bout, slice_: tuple[int, int] = (1, 1), workers: int = 1, ray: bool = False
) -> Measured:
    """Play a table, in several processes or by as many actors of Ray (two at least) if wanted."""
    workers = max(workers, 2) if ray else workers
    parts = 1 if workers < 2 else 4 * workers
    chunks = np.array_split(bout.numbers(slice_), parts)
    work = [chunk for chunk in chunks if len(chunk)]
    if not work:
        raise ValueError(f"slice {slice_[0]}/{slice_[1]} of {bout.games} games has none")
    if ray:
        return measured(bout, _with_ray(bout, work, workers))
    if workers < 2:
        return measured(bout, [play(bout, chunk) for chunk in work])
    with Processes(workers) as processes:
        done = processes.map(partial(play, bout), work)
        return measured(bout, list(tqdm(done, total=len(work), unit="slice", disable=None)))


class _Plays:
    """The work of a Ray actor."""

    def play(self, bout: Bout, numbers: Array) -> Measured:
        return play(bout, numbers)


def _with_ray(bout: Bout, work: Iterable[Array], workers: int) -> list[Measured]:
    try:
        import ray
        from ray.util import ActorPool
    except ImportError as error:
        raise missing("--ray", "ray", error) from None
    actors: Any = ActorPool([ray.remote(_Plays).remote() for _ in range(workers)])
    done = actors.map_unordered(lambda actor, chunk: actor.play.remote(bout, chunk), work)
    results: list[Measured] = list(done)
    return results
