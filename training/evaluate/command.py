"""`python -m catan_env.training.evaluate NAME NAME ...`: measure the strength of policies.

The entrants meet on the same boards and dice in every rotation of the seats, many games in
parallel. Win rates have 95 % intervals (Wilson). A table may be played in slices:

    python -m catan_env.training.evaluate net.npz random random random --games 2000 --json won.json
    python -m catan_env.training.evaluate a.npz b.npz greedy --pool --seats 2 --plot elo.png
    python -m catan_env.training.evaluate net.npz builder builder builder --no-trade
    python -m catan_env.training.evaluate net.npz greedy --rules duel --slice 1/4 --json one.json
    python -m catan_env.training.evaluate net.npz greedy --rules duel --luck
    python -m catan_env.training.evaluate --merge one.json two.json three.json four.json
"""

import argparse
from dataclasses import replace

from catan_env.extras import ends_in_one_line
from catan_env.game.rules import PRESETS
from catan_env.notation.whole_files import check_not_read
from catan_env.training.evaluate.bout import Bout, Measured
from catan_env.training.evaluate.pools import pool_tables, ratings
from catan_env.training.evaluate.reports import plot, report, report_ratings
from catan_env.training.evaluate.results import measured_in, merge_files
from catan_env.training.evaluate.workers import evaluate
from catan_env.training.folder import make_folder_of, write_json
from catan_env.training.pictures import check_picture
from catan_env.training.ranges import check_counts


def _slice(given: str) -> tuple[int, int]:
    try:
        i, n = map(int, given.split("/"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{given!r} is not I/N, such as 1/4") from None
    return i, n


def _arguments() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.evaluate", description=__doc__, formatter_class=raw
    )
    add = parser.add_argument
    add("names", nargs="*", help="policies, module:Class or weights.npz; one per seat")
    add("--games", type=int, default=1000, help="games of a table (default: %(default)s)")
    add("--seed", type=int, default=0, help="seed of boards and dice (default: %(default)s)")
    add("--rules", default="base", help=f"{', '.join(PRESETS)} (default: base)")
    add("--no-trade", dest="trade", action="store_false", help="seats trade with the bank only")
    add(
        "--board",
        default="spiral",
        help="spiral, random_tokens or beginner (default: %(default)s)",
    )
    add(
        "--max-turns",
        type=int,
        default=1000,
        help="turns per game, 0: no limit (default: %(default)s)",
    )
    add(
        "--luck",
        action="store_true",
        help="also report win rates without the luck of the dice, "
        "thefts and cards, with narrower intervals",
    )
    add("--pool", action="store_true", help="every pair of the names plays; prints their Elo")
    add("--seats", type=int, default=4, help="of the pool's tables (default: %(default)s)")
    add(
        "--slice",
        type=_slice,
        default=(1, 1),
        metavar="I/N",
        help="play only part i of n (default: all)",
    )
    add("--merge", nargs="+", metavar="FILE", help="JSON files of slices, as one table")
    add("--workers", type=int, default=1, help="processes (default: %(default)s)")
    add("--ray", action="store_true", help="by actors of Ray, two at least")
    add("--json", help="write the result there")
    add("--plot", help="write a picture there")
    return parser


def _played(wanted: argparse.Namespace) -> list[Measured]:
    """The results of the bout, or of every bout of the pool."""
    bout = Bout(
        tuple(wanted.names), wanted.games, wanted.seed, wanted.rules, wanted.board,
        wanted.max_turns, wanted.trade, wanted.luck,
    )  # fmt: skip
    line_ups = pool_tables(bout.names, wanted.seats) if wanted.pool else [bout.names]
    return [
        evaluate(replace(bout, names=line_up), wanted.slice, wanted.workers, wanted.ray)
        for line_up in line_ups
    ]


def main(given: list[str] | None = None) -> None:
    """Play or merge, print, and write the requested files."""
    parser = _arguments()
    wanted = parser.parse_args(given)
    with ends_in_one_line(parser.prog):
        check_counts(wanted, "games", "workers")
        for out in filter(None, (wanted.json, wanted.plot)):
            check_not_read(out, *wanted.names, *(wanted.merge or ()))
        if wanted.json:
            make_folder_of(wanted.json)
        if wanted.plot:
            check_picture(wanted.plot)
        is_pool = wanted.pool
        if wanted.merge:
            files = [measured_in(name) for name in wanted.merge]
            tables, is_pool = merge_files(files), "tables" in files[0]
        else:
            tables = _played(wanted)
        print("\n\n".join(map(report, tables)))
        if is_pool:
            print(f"\n{report_ratings(tables)}")
        if wanted.json:
            shown = {"tables": tables, "elo": ratings(tables)} if is_pool else tables[0]
            write_json(wanted.json, shown, indent=None)
        if wanted.plot:
            plot(tables, wanted.plot)
