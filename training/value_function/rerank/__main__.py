"""`python -m catan_env.training.value_function.rerank out --seats 4 --no-trade`: learn to reorder.

In some decisions of games, `greedy`'s six best moves are each played in the same worlds, with the
same dice, for some rounds, as `search` does; the mean of the win probabilities there is the move's
worth. In these playouts `greedy` plays every seat, or with `--own` the network that plays the
games, if one does, the acting seat. A network learns the differences between the moves of a
decision, from the positions right after them (`catan_env.policies.rerank`). The games of the first
round are `greedy`'s, or those of the network given; in those of each later round the network so far
plays. A network plays for every seat, or for one against `greedy`. It learns from the decisions of
all rounds.

`out` gets a folder for each round, and `rerank.npz`, the network. The same command resumes after
the last complete file, with any number of workers; one with other options is refused, except more
rounds.
"""

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

import torch

from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import replacing
from catan_env.policies.rerank import RerankNetwork, save
from catan_env.training.config import call
from catan_env.training.devices import check_device
from catan_env.training.folder import only_run_in
from catan_env.training.ranges import check_counts, check_least, check_seed
from catan_env.training.value_function.files import keep_options, write_missing
from catan_env.training.value_function.rerank.net import learn
from catan_env.training.value_function.rerank.parts import Part, Table, read, write

PART = 4000
"""Decisions per file."""
LEAST = 20
"""Decisions per round."""


def parts_of(wanted: argparse.Namespace, k: int) -> list[Part]:
    """The files of round `k`, in which the network of the round before plays."""
    table = Table(wanted.seats, wanted.trade, wanted.worlds, wanted.ahead, wanted.own)
    network = network_of(wanted, k - 1) if k else wanted.begin
    starts = range(0, wanted.decisions, PART)
    return [
        Part(
            wanted.out / f"round_{k}" / f"{n:03}.npz", table, network,
            min(PART, wanted.decisions - start), (wanted.seed, k, n),
        )
        for n, start in enumerate(starts)
    ]  # fmt: skip


def network_of(wanted: argparse.Namespace, k: int) -> Path:
    """The file of the network after round `k`."""
    path: Path = wanted.out / f"round_{k}" / "rerank.npz"
    return path


def play(wanted: argparse.Namespace, k: int) -> None:
    """Write the files of round `k` that are missing."""
    (wanted.out / f"round_{k}").mkdir(parents=True, exist_ok=True)
    write_missing(write, parts_of(wanted, k), wanted.workers)


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line."""
    raw = argparse.RawDescriptionHelpFormatter
    prog = "python -m catan_env.training.value_function.rerank"
    parser = argparse.ArgumentParser(prog=prog, description=__doc__, formatter_class=raw)
    add = parser.add_argument
    add("out", type=Path, help="the folder of the run")
    add("--seats", type=int, choices=(2, 3, 4), default=4, help="of a game (default: 4)")
    add("--no-trade", dest="trade", action="store_false", help="seats trade with the bank only")
    add(
        "--begin",
        type=Path,
        metavar="FILE",
        help="a network that plays in the first round (default: greedy)",
    )
    add("--rounds", type=int, default=4, help="of games (default: 4)")
    add("--decisions", type=int, default=120_000, help="per round (default: 120000)")
    add("--worlds", type=int, default=4, help="that a move is played in (default: 4)")
    add("--ahead", type=int, default=4, help="rounds played there (default: 4)")
    add("--own", action="store_true", help="a network plays the acting seat in playouts, too")
    add("--units", type=int, default=256, help="of the network (default: 256)")
    add("--workers", type=int, default=1, help="processes that play (default: 1)")
    add(
        "--device",
        default="cuda" if torch.cuda.is_available() else "cpu",
        help="that learns (default: cuda where there is one, else cpu)",
    )
    add("--seed", type=int, default=1, help="of the games and the network (default: 1)")
    wanted = parser.parse_args(given)
    with ends_in_one_line(prog):
        check_least(wanted, decisions=LEAST)
        check_counts(wanted, "rounds", "worlds", "ahead", "units", "workers")
        if wanted.begin is not None:
            call("--begin", _check_first, wanted)
        check_device(wanted.device)
        check_seed(wanted.seed)
        keep_options(wanted)
    return wanted


def _check_first(wanted: argparse.Namespace) -> None:
    RerankNetwork(wanted.begin).check(wanted.seats, wanted.trade)


def main(given: Sequence[str] | None = None) -> None:
    """Play, label and learn, round by round."""
    wanted = arguments(given)
    torch.set_num_threads(wanted.workers)
    with only_run_in(wanted.out):
        run(wanted)


def run(wanted: argparse.Namespace) -> None:
    """The rounds that are missing."""
    for k in range(wanted.rounds):
        play(wanted, k)
        network = network_of(wanted, k)
        if not network.exists():
            known = read([part for n in range(k + 1) for part in parts_of(wanted, n)])
            learned = learn(known, wanted.seed, wanted.units, wanted.device)
            table = wanted.seats, wanted.trade
            with replacing(network) as file:
                save(file, *learned.net.arrays(), learned.margin, *table)
            count, gained = f"{len(known.wins):,} decisions", f"gains {learned.gain:.2%}"
            print(f"round {k}: {count}; {gained} per unseen one: {network}", flush=True)
    with replacing(wanted.out / "rerank.npz") as file:
        shutil.copy(network, file)


if __name__ == "__main__":
    main()
