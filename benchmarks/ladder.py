"""The public ladder: every policy that comes with the package in one league of duels.

    python -m benchmarks.ladder [--place runs/ladder] [--games 2000] [--slow-games 100] [--write]

Plays until everybody has its games, those that search fewer, and writes docs/ladder.md. It goes on
where it was stopped; `--write` plays nothing.
"""

import argparse
from pathlib import Path

from catan_env.arena.league.entrant import packed_files
from catan_env.arena.league.league import League, Run
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import Table
from catan_env.arena.league.standings import Standings
from catan_env.arena.league.tally import Tally
from catan_env.arena.league.text import heads_to_heads, seat_lines, standings_rows
from catan_env.arena.league.workers import Processes, tables_that_fit

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "ladder.md"
QUICK = ("random", "builder", "greedy", "best")
SLOW = ("search", "network+search")
HEAD = """\
# The ladder

Duels between every policy that comes with the package, by the league of [league.md](league.md).
Each board is played from both seats. 400 points of rating are odds of ten; ± is half the 95 %
interval; "better than" names the best entrant that is weaker with 95 %. Times are of one decision,
while games ran side by side on a busy machine. {count} games so far.

`python -m benchmarks.ladder` writes this page. It plays until everybody has 2,000 games, 100 where
a policy searches, and goes on where it was stopped. catanatron's bots play at its own table
(`python -m benchmarks.versus_catanatron`); two of them, which look at the actions alone, can enter
a league as agents (`benchmarks/catanatron_bots.py`).
"""


def open_ledger(place: Path) -> Ledger:
    """The ladder's ledger, begun if it is not there."""
    place.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(str(place))
    if not ledger.exists:
        ledger.create({**vars(Table(seats=2, rules="duel", seed=1))})
    return ledger


def admit(ledger: Ledger, names: tuple[str, ...]) -> None:
    """Let these policies play, and nobody else; `best` is the network of duels."""
    known = {entrant.name for entrant in ledger.entrants()}
    for name in known - set(names):
        ledger.remove(name)
    for name in names:
        if name in known:
            ledger.pardon(name)
        elif name == "best":
            file = ROOT / "policies" / "weights" / "duel.npz"
            ledger.add(name, file.name, files=packed_files(file), author="catan_env")
        else:
            ledger.add(name, name, author="catan_env")


def play(ledger: Ledger, names: tuple[str, ...], games: int) -> None:
    """Until each of them has so many games."""
    admit(ledger, names)
    sums = League(ledger).tally().sums
    ids = {entrant.name: entrant.id for entrant in ledger.entrants()}
    missing = sum(max(0, games - sums[ids[name]].games) for name in names) // 2
    if missing:
        workers = Processes(tables_that_fit(None))
        for _ in League(ledger).run(missing, Run(), workers):
            pass


def page(found: Standings, tally: Tally) -> str:
    """The ladder as Markdown."""
    parts = [HEAD.format(count=f"{tally.games:,}"), markdown(*standings_rows(found))]
    parts += ["\n".join(f"- {line}" for line in seat_lines(found)), "## Heads to heads"]
    parts += ["Games won of games played, by row against column.", ""]
    return "\n\n".join([*parts[:-1], markdown(*heads_to_heads(found, tally))]) + "\n"


def markdown(heads: list[str], rows: list[list[str]]) -> str:
    """A table."""
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--place", type=Path, default=ROOT / "runs" / "ladder")
    parser.add_argument("--games", type=int, default=2000, help="of each policy")
    parser.add_argument("--slow-games", type=int, default=100, help="of those that search")
    parser.add_argument("--write", action="store_true", help="play nothing")
    chosen = parser.parse_args()
    ledger = open_ledger(chosen.place)
    if not chosen.write:
        play(ledger, QUICK, chosen.games)
        play(ledger, (*QUICK, *SLOW), chosen.slow_games)
    league = League(ledger)
    PAGE.write_text(page(league.standings(), league.tally()), encoding="utf-8")
    print(f"{PAGE}: {ledger.count()} games")


if __name__ == "__main__":
    main()
