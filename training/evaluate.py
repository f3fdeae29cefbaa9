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
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain, combinations
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from catan_env.adapters.contest import play_games
from catan_env.arena.fair import without_luck
from catan_env.arena.rating import elo, pairwise_wins
from catan_env.arena.report import Row, wilson_interval
from catan_env.arena.report import table as table_of
from catan_env.arena.schedule import board_number, entrant_at, seat_of
from catan_env.arena.student import rate_interval
from catan_env.batch import NOBODY, Batch, game_seeds
from catan_env.core.constants import DevelopmentCard
from catan_env.extras import ends_in_one_line, missing
from catan_env.policies.luck import luck_of_moves
from catan_env.policies.players import player
from catan_env.training.folder import make_folder_of, write_json
from catan_env.training.games import catan
from catan_env.training.processes import Processes

Array = np.ndarray[Any, Any]
Measured = dict[str, Any]
COLUMNS = ("numbers", "winners", "points", "turns", "luck")
"""The names of the lists that have an element for every game."""
AT_ONCE = 2048
"""The maximum number of games in a batch."""


@dataclass(frozen=True)
class Bout:
    """Entrants by name, one per seat, and the games that they play."""

    names: tuple[str, ...]
    games: int = 100
    seed: int = 0
    rules: str = "base"
    board: str = "spiral"
    max_turns: int = 1000
    trade: bool = True
    """False: no seat trades with another, whatever the rules of that name say."""
    luck: bool = False
    """True: the luck of dice, thefts and cards is recorded, too (`policies.luck`)."""

    def numbers(self, slice_: tuple[int, int] = (1, 1)) -> Array:
        """The numbers of the games in slice i of n, counted from 1: (k,) int64."""
        i, n = slice_
        if not 1 <= i <= n:
            raise ValueError(f"slice {i}/{n}; the first is 1/{n}, the last {n}/{n}")
        return np.array_split(np.arange(self.games), n)[i - 1]

    def seeds(self, numbers: Array) -> Array:
        """The seeds of the games of those numbers; every rotation has the same: (k,) uint64."""
        boards = game_seeds(self.seed, self.games // len(self.names) + 1)
        result: Array = boards[board_number(numbers, len(self.names))]
        return result

    def batch(self, num_games: int) -> Batch:
        """That many games of these rules, each of which is played once."""
        return catan(
            num_games, seats=len(self.names), rules=self.rules, trade=self.trade,
            board=self.board, max_turns=self.max_turns, autoreset=False,
        )  # fmt: skip


def play(bout: Bout, numbers: Array) -> Measured:
    """Play the games of those numbers: winners, points by entrant, turns, time and decisions.

    Games are paired, and seats rotate (`arena.schedule`).
    """
    parts = [_play_some(bout, numbers[k : k + AT_ONCE]) for k in range(0, len(numbers), AT_ONCE)]
    return {
        "numbers": numbers.tolist(),
        "winners": [w for part in parts for w in part["winners"]],
        "points": [p for part in parts for p in part["points"]],
        "turns": [t for part in parts for t in part["turns"]],
        "luck": [row for part in parts for row in part["luck"]],
        **_sums(parts, len(bout.names)),
    }


def _sums(parts: Sequence[Measured], entrants: int) -> Measured:
    return {
        name: [sum(part[name][e] for part in parts) for e in range(entrants)]
        for name in ("seconds", "decisions")
    }


def _play_some(bout: Bout, numbers: Array) -> Measured:
    seats, n = len(bout.names), len(numbers)
    batch = bout.batch(n)
    batch.reset(bout.seeds(numbers))
    begun = batch.states.copy()
    players = [player(name, e) for e, name in enumerate(bout.names)]
    entrant_of = entrant_at(np.arange(seats)[None, :], numbers[:, None], seats)
    history = play_games(batch, players, entrant_of)
    winner = batch.states["winner"]
    points = batch.states["points"] + batch.states["cards"][:, :, DevelopmentCard.VICTORY_POINT]
    seats_of = seat_of(np.arange(seats)[None, :], numbers[:, None], seats)
    won = np.where(winner != NOBODY, entrant_of[np.arange(n), winner], NOBODY)
    by_seat: Any = (
        luck_of_moves(begun, history.words, history.played, seats) if bout.luck else [[]] * n
    )
    return {
        "winners": [None if w == NOBODY else w for w in won.tolist()],
        "points": np.take_along_axis(points, seats_of, axis=1).tolist(),
        "turns": batch.states["turn"].tolist(),
        "luck": np.take_along_axis(by_seat, seats_of, axis=1).tolist() if bout.luck else by_seat,
        "seconds": [float(history.spent[entrant_of == e].sum()) for e in range(seats)],
        "decisions": [int(history.asked[entrant_of == e].sum()) for e in range(seats)],
    }


def measured(bout: Bout, parts: Sequence[Measured]) -> Measured:
    """The games of all parts in their order, and the results of each entrant."""
    rows = (zip(*(_column(part, name) for name in COLUMNS), strict=True) for part in parts)
    every = sorted(chain.from_iterable(rows), key=itemgetter(0))
    columns = [list(column) for column in zip(*every, strict=True)]
    numbers = columns[0]
    if len(set(numbers)) != len(numbers):
        raise ValueError("some games were given twice; merge each slice once")
    sums = _sums(parts, len(bout.names))
    raw = dict(zip(COLUMNS, columns, strict=True)) | sums
    fair = fair_results(raw) if raw["luck"][0] else None
    return {
        **asdict(bout),
        "names": list(bout.names),
        "planned": bout.games,
        "games": len(numbers),
        "entrants": [_entrant(name, e, raw, fair) for e, name in enumerate(bout.names)],
        "raw": raw,
    }


def _entrant(name: str, entrant: int, raw: Measured, fair: Array | None) -> Measured:
    games, wins = len(raw["winners"]), raw["winners"].count(entrant)
    added = {}
    if fair is not None:
        boards = board_number(np.array(raw["numbers"]), fair.shape[1])
        added = _without_luck(fair[:, entrant], boards, wins)
    return {
        "name": name,
        "wins": wins,
        "win_rate": wins / games,
        "interval": wilson_interval(wins, games),
        "points": sum(points[entrant] for points in raw["points"]) / games,
        "decisions": raw["decisions"][entrant],
        "microseconds": 1e6 * raw["seconds"][entrant] / max(raw["decisions"][entrant], 1),
        **added,
    }


def fair_results(raw: Measured) -> Array:
    """The results with the luck subtracted, game by game: (n, entrants) float64."""
    luck = np.array(raw["luck"])
    entrants = luck.shape[1]
    won = np.array(raw["winners"], object)[:, None] == np.arange(entrants)
    boards = board_number(np.array(raw["numbers"]), entrants)
    return without_luck(won.astype(float), luck, boards)


def _without_luck(fair: Array, boards: Array, wins: int) -> Measured:
    """The win rate without luck, its interval (None for one board), and what it saves.

    `saved` is the share of games that are not needed for an interval of the same width.
    """
    share = wins / len(fair)
    saved = 1 - float(fair.var()) / (share * (1 - share)) if 0 < share < 1 else 0.0
    interval = rate_interval(fair, boards)
    return {"fair_rate": float(fair.mean()), "fair_interval": interval, "saved": saved}


def _column(part: Measured, name: str) -> list[Any]:
    """A number or list of every game; files written before `--luck` have none."""
    column: list[Any] = part.get(name) or [[]] * len(part["numbers"])
    return column


def merge(tables: Sequence[Measured]) -> Measured:
    """Slices of one table as one; ValueError if they are of different ones."""
    bouts = {_bout(table) for table in tables}
    if len(bouts) != 1:
        raise ValueError(f"{len(bouts)} different tables; slices of one can be merged")
    return measured(bouts.pop(), [table["raw"] for table in tables])


def merge_files(files: Sequence[Measured]) -> list[Measured]:
    """Merged slices: a table, or all tables of a pool in the order of the first file."""
    columns = [file.get("tables", [file]) for file in files]
    if len({len(tables) for tables in columns}) != 1:
        raise ValueError("different pools; slices of one can be merged")
    return [merge(tables) for tables in zip(*columns, strict=True)]


def measured_in(name: str) -> Measured:
    """The results that `--json` wrote; ValueError if the file has something else."""
    try:
        file: Measured = json.loads(Path(name).read_text())
        for table in file.get("tables", [file]):
            _bout(table), table["raw"]["numbers"]
    except (ValueError, KeyError, TypeError, AttributeError):
        writer = "python -m catan_env.training.evaluate --json"
        raise ValueError(f"{name}: it is not a file that {writer} writes") from None
    return file


def check_counts(wanted: argparse.Namespace, *options: str) -> None:
    """ValueError if one of those options is below 1."""
    check_least(wanted, **dict.fromkeys(options, 1))


def check_least(wanted: argparse.Namespace, **least: int) -> None:
    """ValueError if one of those options is below its least."""
    for option, number in least.items():
        if getattr(wanted, option) < number:
            name = f"--{option.replace('_', '-')}"
            raise ValueError(f"{name} is {getattr(wanted, option)}; allowed are {number} or more")


def _bout(table: Measured) -> Bout:
    names = ("seed", "rules", "board", "max_turns", "trade")
    options = {name: table[name] for name in names} | {"luck": table.get("luck", False)}
    return Bout(tuple(table["names"]), table["planned"], **options)


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
    done = actors.map(lambda actor, chunk: actor.play.remote(bout, chunk), work)
    results: list[Measured] = list(done)
    return results


def pool_tables(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every two of the pool at a table, in turns round it; ValueError if it has no two."""
    if len(names) < 2 or len(set(names)) < len(names):
        given = ", ".join(names) or "none"
        raise ValueError(f"a pool needs two or more different names, not {given}")
    return [tuple((a, b)[k % 2] for k in range(seats)) for a, b in combinations(names, 2)]


def ratings(tables: Sequence[Measured]) -> dict[str, float]:
    """Elo of all who played, the best first."""
    pool = sorted({name for table in tables for name in table["names"]})
    wins = pairwise_wins(pool, [(t["names"], t["raw"]["winners"]) for t in tables])
    rated = dict(zip(pool, elo(wins), strict=True))
    return dict(sorted(rated.items(), key=lambda item: -item[1]))


def report(table: Measured) -> str:
    """One line per entrant, then the games, rules and seed."""
    rows = [
        Row(e["name"], table["games"], e["wins"], e["points"], typical=e["microseconds"] / 1e6)
        for e in table["entrants"]
    ]
    played = f"{table['games']} games, rules {rules_of(table)}, seed {table['seed']}"
    fair = [_say_without_luck(entrant) for entrant in table["entrants"] if "saved" in entrant]
    return "\n".join([table_of(rows), *fair, played])


def _say_without_luck(entrant: Measured) -> str:
    """A line about the win rate without luck."""
    said = f"{entrant['name']} without luck: {100 * min(1, max(0, entrant['fair_rate'])):.1f} %"
    if entrant["fair_interval"] is None:
        return f"{said} (one board has no interval)"
    low, high = entrant["fair_interval"]
    saved = f"{100 * entrant['saved']:.0f} % of games saved"
    return f"{said} (95 %: {100 * low:.1f} - {100 * high:.1f}), {saved}"


def rules_of(table: Measured) -> str:
    """The name of the rules, and whether they went without trade between seats."""
    name: str = table["rules"]
    return name if table["trade"] else f"{name}, no trade"


def plot(tables: Sequence[Measured], path: str | Path) -> None:
    """Win rates with their intervals of one table, or the Elo of several, as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    if len(tables) == 1:
        entrants = tables[0]["entrants"]
        rates = [e["win_rate"] for e in entrants]
        reach = [
            [e["win_rate"] - e["interval"][0] for e in entrants],
            [e["interval"][1] - e["win_rate"] for e in entrants],
        ]
        labels = [f"{k + 1} {Path(e['name']).name}" for k, e in enumerate(entrants)]
        axes.bar(labels, rates, yerr=reach, capsize=4)
        axes.set_ylabel(f"win rate of {tables[0]['games']} games")
    else:
        rated = ratings(tables)
        axes.barh([Path(name).name for name in rated], list(rated.values()))
        axes.set_xlabel("Elo")
    figure.savefig(path)


def _slice(given: str) -> tuple[int, int]:
    i, n = map(int, given.split("/"))
    return i, n


def _arguments() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m catan_env.training.evaluate", description=__doc__, formatter_class=raw
    )
    add = parser.add_argument
    add("names", nargs="*", help="policies, module:Class or weights.npz; one per seat")
    add("--games", type=int, default=1000)
    add("--seed", type=int, default=0)
    add("--rules", default="base")
    add("--no-trade", dest="trade", action="store_false", help="seats trade with the bank only")
    add("--board", default="spiral")
    add("--max-turns", type=int, default=1000)
    add(
        "--luck",
        action="store_true",
        help="also report win rates without the luck of the dice, "
        "thefts and cards, with narrower intervals",
    )
    add("--pool", action="store_true", help="every pair of the names plays; prints their Elo")
    add("--seats", type=int, default=4, help="of the pool's tables (default 4)")
    add("--slice", type=_slice, default=(1, 1), metavar="I/N", help="play only part i of n")
    add("--merge", nargs="+", metavar="FILE", help="JSON files of slices, as one table")
    add("--workers", type=int, default=1, help="processes (default 1)")
    add("--ray", action="store_true", help="by actors of Ray, two at least")
    add("--json", help="write the result there")
    add("--plot", help="write a picture there")
    return parser


def main(given: list[str] | None = None) -> None:
    """Play or merge, print, and write the requested files."""
    parser = _arguments()
    wanted = parser.parse_args(given)
    with ends_in_one_line(parser.prog):
        check_counts(wanted, "games", "workers")
        for path in filter(None, (wanted.json, wanted.plot)):
            make_folder_of(path)
        is_pool = wanted.pool
        if wanted.merge:
            files = [measured_in(name) for name in wanted.merge]
            tables, is_pool = merge_files(files), "tables" in files[0]
        else:
            names = tuple(wanted.names)
            bout = Bout(
                names, wanted.games, wanted.seed, wanted.rules, wanted.board, wanted.max_turns,
                wanted.trade, wanted.luck,
            )  # fmt: skip
            line_ups = pool_tables(names, wanted.seats) if wanted.pool else [names]
            tables = [
                evaluate(replace(bout, names=line_up), wanted.slice, wanted.workers, wanted.ray)
                for line_up in line_ups
            ]
        print("\n\n".join(map(report, tables)))
        if is_pool:
            print(
                "\n" + "\n".join(f"{value:6.0f}  {name}" for name, value in ratings(tables).items())
            )
        if wanted.json:
            shown = {"tables": tables, "elo": ratings(tables)} if is_pool else tables[0]
            write_json(wanted.json, shown, indent=None)
        if wanted.plot:
            plot(tables, wanted.plot)


if __name__ == "__main__":
    main()
