"""The public ladder: the package's policies and catanatron's bots in one league of duels.

    python -m benchmarks.ladder [--place runs/ladder] [--games 2000] [--slow-games 100] [--write]

Plays until every entrant has its games, fewer for those that search, and writes docs/ladder.md. It
resumes where it was stopped; `--write` plays nothing. catanatron's bots need catanatron 3.3, by
`catan_env.catanatron.bots`; they are left out if it is not installed.
"""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from catan_env.arena.league.entrant import packed_files
from catan_env.arena.league.league import League, Run
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import MatchSettings
from catan_env.arena.league.standings import Standings
from catan_env.arena.league.tally import Tally
from catan_env.arena.league.text import heads_to_heads, seat_lines, standings_rows
from catan_env.arena.league.workers import Processes, tables_that_fit

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "ladder.md"
QUICK = ("random", "builder", "greedy", "best")
SLOW = ("search", "network+search")
THEIRS = "catanatron's "
BOTS = ("Uniform", "Weighted", "Points", "Value")
HEAD = """\
# The ladder

Duels between the package's policies and catanatron's bots, played by [a league](league.md). Each
board is played from both seats. A difference of 400 rating points means odds of 10 to 1. ± is half
of the 95 % interval around the mean of all entrants; the gap between two groups that hardly ever
beat each other widens it for every entrant. "Better than" compares pairs: it names the best entrant
that is weaker at the 95 % level. Times are per decision, with games running in parallel on a busy
machine. {count} games so far.

`python -m benchmarks.ladder` plays and writes this page. It plays until each policy has 2,000
games, or 100 if it searches, and an interrupted run resumes: entrants with fewer games below, or
without a row, have yet to play. catanatron's bots (3.3) play at this package's table and see only
the information of their seat: `catan_env.catanatron` converts each position to a game of
catanatron's, in which they try their actions. Uniform is its RandomPlayer, Weighted its
WeightedRandomPlayer, Points its VictoryPointPlayer, Value its ValueFunctionPlayer. `python -m
benchmarks.versus_catanatron` plays against them at catanatron's own table
([results](research/strength.md#at-catanatrons-table)).
"""


def open_ledger(place: Path) -> Ledger:
    """The ladder's ledger, created if it does not exist."""
    place.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(str(place))
    if not ledger.exists:
        ledger.create({**vars(MatchSettings(seats=2, rules="duel", seed=1))})
    return ledger


def admit(ledger: Ledger, names: tuple[str, ...]) -> None:
    """Make these policies the only entrants; `best` is the network for duels."""
    known = {entrant.name for entrant in ledger.entrants()}
    for name in known - set(names):
        ledger.remove(name)
    for name in names:
        if name in known:
            ledger.pardon(name)
        elif name == "best":
            file = ROOT / "policies" / "weights" / "duel.npz"
            ledger.add(name, file.name, files=packed_files(file), author="catan_env")
        elif name.startswith(THEIRS):
            bot = name.removeprefix(THEIRS)
            ledger.add(name, f"catanatron:{bot.lower()}", author="catanatron")
        else:
            ledger.add(name, name, author="catan_env")


def play(ledger: Ledger, names: tuple[str, ...], games: int) -> None:
    """Play until each of them has `games` games."""
    admit(ledger, names)
    while missing := _missing(ledger, names, games):
        workers = Processes(tables_that_fit(None))
        for _ in League(ledger).run(missing, Run(), workers):
            pass


def _missing(ledger: Ledger, names: tuple[str, ...], games: int) -> int:
    """The minimum number of games until each of them has `games` games."""
    sums = League(ledger).tally().sums
    ids = {entrant.name: entrant.id for entrant in ledger.entrants()}
    return -(-sum(max(0, games - sums[ids[name]].games) for name in names) // 2)


def bots() -> tuple[str, ...]:
    """The names of catanatron's bots, if it is installed."""
    if find_spec("catanatron") is None or find_spec("catanatron.players.value") is None:
        print("catanatron 3.3 is not installed: its bots are left out", file=sys.stderr)
        return ()
    return tuple(THEIRS + bot for bot in BOTS)


def page(found: Standings, tally: Tally) -> str:
    """The ladder as Markdown."""
    parts = [HEAD.format(count=f"{tally.games:,}"), markdown(*standings_rows(found))]
    parts += ["\n".join(f"- {line}" for line in seat_lines(found)), "## Head to head"]
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
        quick = (*QUICK, *bots())
        play(ledger, quick, chosen.games)
        play(ledger, (*quick, *SLOW), chosen.slow_games)
    league = League(ledger)
    PAGE.write_text(page(league.standings(), league.tally()), encoding="utf-8")
    print(f"{PAGE}: {ledger.count()} games")


if __name__ == "__main__":
    main()
