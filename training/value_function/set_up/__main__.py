"""`python -m catan_env.training.value_function.set_up out --seats 4`: learn where to settle.

In the set-ups of games, the most valuable places of each settlement are settled in turn. `greedy`
plays on at every seat, for some rounds in the same worlds with the same dice; the mean of the win
probabilities there is the place's worth. A network learns the differences between the places of a
decision, from the positions in which `greedy` would end the set-up after them.

Half of the seats settle where they win most often, the others play `greedy`, and some settlements
are random. `out` gets files of settlements, and `set_up.npy`, the network. The same command
resumes after the last complete file, with any number of workers; one with other options is refused.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import replacing
from catan_env.training.devices import check_device
from catan_env.training.folder import only_run_in
from catan_env.training.ranges import check_counts, check_least, check_seed
from catan_env.training.value_function.files import keep_options, write_missing
from catan_env.training.value_function.rerank.net import Net, learn
from catan_env.training.value_function.set_up.parts import Part, read, write

Array = np.ndarray[Any, Any]
PART = 2000
"""Settlements per file."""
LEAST = 20
"""Settlements of a run."""


def parts_of(wanted: argparse.Namespace) -> list[Part]:
    """The files of a run."""
    starts = range(0, wanted.settlements, PART)
    table = wanted.seats, wanted.trade, wanted.worlds, wanted.ahead
    return [
        Part(wanted.out / f"{n:03}.npz", *table, min(PART, wanted.settlements - start),
             (wanted.seed, n))
        for n, start in enumerate(starts)
    ]  # fmt: skip


def network_of(net: Net) -> Array:
    """The network as `policies.set_up` reads it; its constant is a unit of its own."""
    units, shares = net.arrays()
    constant = np.zeros((len(units), 1))
    constant[-1] = 1
    return np.vstack([np.hstack([units, constant]), shares]).astype(np.float32)


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line."""
    raw = argparse.RawDescriptionHelpFormatter
    prog = "python -m catan_env.training.value_function.set_up"
    parser = argparse.ArgumentParser(prog=prog, description=__doc__, formatter_class=raw)
    add = parser.add_argument
    add("out", type=Path, help="the folder of the run")
    add("--seats", type=int, choices=(2, 3, 4), default=4, help="of a game (default: 4)")
    add("--no-trade", dest="trade", action="store_false", help="seats trade with the bank only")
    add("--settlements", type=int, default=120_000, help="(default: 120000)")
    add("--worlds", type=int, default=4, help="that a settlement is played in (default: 4)")
    add("--ahead", type=int, default=12, help="rounds played there (default: 12)")
    add("--units", type=int, default=64, help="of the network (default: 64)")
    add("--workers", type=int, default=1, help="processes that play (default: 1)")
    add(
        "--device",
        default="cuda" if torch.cuda.is_available() else "cpu",
        help="that learns (default: cuda where there is one, else cpu)",
    )
    add("--seed", type=int, default=1, help="of the games and the network (default: 1)")
    wanted = parser.parse_args(given)
    with ends_in_one_line(prog):
        check_least(wanted, settlements=LEAST)
        check_counts(wanted, "worlds", "ahead", "units", "workers")
        check_device(wanted.device)
        check_seed(wanted.seed)
        keep_options(wanted)
    return wanted


def main(given: Sequence[str] | None = None) -> None:
    """Play, label and learn."""
    wanted = arguments(given)
    torch.set_num_threads(wanted.workers)
    with only_run_in(wanted.out):
        run(wanted)


def run(wanted: argparse.Namespace) -> None:
    """Write the files that are missing, and the network that learned from all."""
    parts = parts_of(wanted)
    write_missing(write, parts, wanted.workers)
    known = read(parts)
    learned = learn(known, wanted.seed, wanted.units, wanted.device)
    path = wanted.out / "set_up.npy"
    with replacing(path) as file:
        np.save(file, network_of(learned.net))
    count, gained = f"{len(known.wins):,} settlements", f"gains {learned.gain:.2%}"
    print(f"{count}; {gained} per unseen one: {path}", flush=True)


if __name__ == "__main__":
    main()
