"""The files of a run, written by several processes."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from tqdm import tqdm

from catan_env.training.processes import end_with_parent


def write_missing(write: Callable[[Any], None], parts: Sequence[Any], workers: int) -> None:
    """Write the parts whose `path` does not exist, in that many processes, with a progress bar."""
    missing = [part for part in parts if not part.path.exists()]

    def bar(written: Iterable[None]) -> None:
        list(tqdm(written, total=len(missing), unit="file", disable=None))

    if workers == 1:
        bar(map(write, missing))
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), end_with_parent) as pool:
        bar(pool.map(write, missing))
