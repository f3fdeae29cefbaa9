"""The public ladders: the package's policies and catanatron's bots in leagues.

    python -m benchmarks.ladder [--table duel] [--games 2000] [--slow-games 100] [--write]
    python -m benchmarks.ladder --entrants mine.toml

Plays until every entrant of `ladder_entrants.toml` (and of `--entrants`) has its games, fewer for
those that search, and writes docs/ladder.md and the ratings of the start page of live tables, or
docs/ladder_four.md for four seats with trade, docs/ladder_four_no_trade.md for those without. It
resumes where it was stopped; `--write` plays nothing. catanatron's bots need catanatron 3.3 and
are left out if it is not installed. The anchor of the ratings is catanatron's Value, at 1000.
"""

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from catan_env.arena.league.entrant import packed_files
from catan_env.arena.league.league import League, RunSettings
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import MatchSettings
from catan_env.arena.league.standings import Standings
from catan_env.arena.league.tally import Tally
from catan_env.arena.league.text import heads_to_heads, seat_lines, standings_rows
from catan_env.arena.league.workers import Processes, tables_that_fit
from catan_env.extras import ends_in_one_line

ROOT = Path(__file__).resolve().parents[1]
ENTRANTS = Path(__file__).with_name("ladder_entrants.toml")
THEIRS = "catanatron:"
ANCHOR, ANCHORED = "catanatron's Value", 1000
HEAD = """\
# {title}

{games} between the package's policies and catanatron's bots, played by [a league](league.md). Each
board is played from every seat.{anchor}
A difference of 400 rating points means odds of 10 to 1. ± is half of the 95 % interval around the
mean of all entrants; the gap between two groups that hardly ever beat each other widens it for
every entrant. "Better than" compares pairs: it names the best
entrant that is weaker at the 95 % level. Times are per decision, with games running in parallel on
a busy machine. {count} games so far.

`python -m benchmarks.ladder{option}` plays and writes this page. It plays until each policy has
2,000 games, or 100 if it searches, and an interrupted run resumes: entrants with fewer games below,
or without a row, have yet to play. catanatron's bots (3.3) play at this package's table and see
only the information of their seat: `catan_env.catanatron` converts each position to a game of
catanatron's, in which they try their actions. Uniform is its RandomPlayer, Weighted its
WeightedRandomPlayer, Points its VictoryPointPlayer, Value its ValueFunctionPlayer, AlphaBeta its
AlphaBetaPlayer. Weights files are frozen: the version after a name is the start of the file's
SHA-256. `python -m benchmarks.versus_catanatron` plays against them at catanatron's own table
([results](research/strength.md#at-catanatrons-table)).

**Add a bot** with a row of `benchmarks/ladder_entrants.toml` in a pull request, or with a file of
such rows of your own: `python -m benchmarks.ladder{option} --entrants mine.toml`. Only the games
that it lacks are played.
"""


@dataclass(frozen=True)
class Ladder:
    """A table at which the entrants meet, and its page."""

    table: MatchSettings
    page: Path
    title: str
    games: str
    option: str = ""
    ratings: Path | None = None
    """The file of the ratings that the start page of live tables shows."""


LADDERS = {
    "duel": Ladder(
        MatchSettings(seats=2, rules="duel", seed=1), ROOT / "docs" / "ladder.md",
        "The ladder", "Duels", ratings=ROOT / "catan_env" / "web" / "ratings.json",
    ),
    "four": Ladder(
        MatchSettings(seats=4, rules="base", seed=1), ROOT / "docs" / "ladder_four.md",
        "The ladder of four seats", "Games of four seats, with trade,", " --table four",
    ),
    "four_no_trade": Ladder(
        MatchSettings(seats=4, rules="base", player_trade=False, seed=1),
        ROOT / "docs" / "ladder_four_no_trade.md", "The ladder of four seats without trade",
        "Games of four seats without trade", " --table four_no_trade",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Bot:
    """A row of the entrants' file."""

    name: str
    policy: str
    author: str = ""
    slow: bool = False
    tables: Sequence[str] = tuple(LADDERS)
    folder: Path = ROOT

    @property
    def file(self) -> Path | None:
        """The weights file; None for a policy by name."""
        return self.folder / self.policy if self.policy.endswith(".npz") else None

    @property
    def version(self) -> str:
        """The start of the weights' SHA-256; empty for a policy by name."""
        return "" if self.file is None else sha256(self.file.read_bytes()).hexdigest()[:8]


def bots_in(file: Path, table: str) -> list[Bot]:
    """The entrants of a file at that table; ValueError names a wrong row."""
    try:
        rows = tomllib.loads(file.read_text(encoding="utf-8")).get("entrant", [])
        bots = [Bot(**row, folder=file.parent) for row in rows]
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from None
    return [bot for bot in bots if table in bot.tables]


def installed(bots: Iterable[Bot]) -> list[Bot]:
    """The entrants whose engine is installed."""
    found = list(bots)
    if find_spec("catanatron") is not None and find_spec("catanatron.players.value") is not None:
        return found
    print("catanatron 3.3 is not installed: its bots are left out", file=sys.stderr)
    return [bot for bot in found if not bot.policy.startswith(THEIRS)]


def open_ledger(place: Path, ladder: Ladder = LADDERS["duel"]) -> Ledger:
    """The ladder's ledger, created if it does not exist."""
    place.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(str(place))
    if not ledger.exists:
        ledger.create({**vars(ladder.table)})
    return ledger


def admit(ledger: Ledger, bots: Sequence[Bot]) -> None:
    """Make these the only entrants; a file that has changed is another version."""
    known = {(entrant.name, entrant.version) for entrant in ledger.entrants()}
    for name in {name for name, _ in known} - {bot.name for bot in bots}:
        ledger.remove(name)
    for bot in bots:
        if (bot.name, bot.version) in known:
            ledger.restore(bot.name, bot.version)
        elif bot.file is not None:
            ledger.add(
                bot.name, bot.file.name, version=bot.version, author=bot.author,
                files=packed_files(bot.file),
            )  # fmt: skip
        else:
            ledger.add(bot.name, bot.policy, author=bot.author)


def play(ledger: Ledger, bots: Sequence[Bot], games: int) -> None:
    """Play until each of them has `games` games, or is quarantined."""
    admit(ledger, bots)
    while missing := _missing(ledger, games):
        workers = Processes(tables_that_fit(None))
        for _ in League(ledger).run(missing, RunSettings(), workers):
            pass
    for entrant, lacking in _left_out(ledger, games).items():
        print(f"{entrant} is quarantined and lacks {lacking} of its games", file=sys.stderr)


def _missing(ledger: Ledger, games: int) -> int:
    """The minimum number of games until each entrant that is scheduled has `games` games."""
    league = League(ledger)
    tally = league.tally()
    out = league.quarantined(tally)
    playing = [entrant.id for entrant in ledger.entrants() if entrant.is_active]
    lacking = sum(max(0, games - tally.sums[e].games) for e in playing if e not in out)
    return -(-lacking // league.settings.seats)


def _left_out(ledger: Ledger, games: int) -> dict[str, int]:
    """By title of the quarantined entrants: the number of games that each lacks."""
    league = League(ledger)
    tally = league.tally()
    out = [e for e in ledger.entrants() if e.is_active and e.id in league.quarantined(tally)]
    lacking = {entrant.title: games - tally.sums[entrant.id].games for entrant in out}
    return {title: count for title, count in lacking.items() if count > 0}


def anchored(found: Standings) -> Standings:
    """The same ratings, with the anchor's at 1000; unchanged if it has not played."""
    anchor = [line.rating for line in found.lines if line.entrant.name == ANCHOR]
    if not anchor:
        return found
    lines = [replace(line, rating=line.rating - anchor[0] + ANCHORED) for line in found.lines]
    return replace(found, lines=tuple(lines))


def page(found: Standings, tally: Tally, ladder: Ladder = LADDERS["duel"]) -> str:
    """The ladder as Markdown."""
    shifted = anchored(found)
    anchor = f"\nThe rating of {ANCHOR} is {ANCHORED}." if shifted is not found else ""
    parts = [
        HEAD.format(
            title=ladder.title,
            games=ladder.games,
            anchor=anchor,
            option=ladder.option,
            count=f"{tally.games:,}",
        ),
        markdown(*standings_rows(shifted)),
    ]
    parts += ["\n".join(f"- {line}" for line in seat_lines(found)), "## Head to head"]
    parts += ["Games won of games played, by row against column.", ""]
    return "\n\n".join([*parts[:-1], markdown(*heads_to_heads(found, tally))]) + "\n"


def ratings(found: Standings) -> dict[str, int]:
    """The ratings of a page, by entrant."""
    return {line.entrant.name: round(line.rating) for line in anchored(found).lines}


def markdown(heads: list[str], rows: list[list[str]]) -> str:
    """A table."""
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main(given: list[str] | None = None) -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ladder", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--table", choices=LADDERS, default="duel", help="(default: duel)")
    parser.add_argument("--entrants", type=Path, metavar="FILE", help="more entrants, as TOML")
    parser.add_argument("--place", type=Path, help="the league (runs/ladder, runs/ladder_four)")
    parser.add_argument("--page", type=Path, help="the file written (docs/ladder.md, ...)")
    parser.add_argument("--games", type=int, default=2000, help="of each policy")
    parser.add_argument("--slow-games", type=int, default=100, help="of those that search")
    parser.add_argument("--write", action="store_true", help="play nothing")
    chosen = parser.parse_args(given)
    ladder = LADDERS[chosen.table]
    target = chosen.page or ladder.page
    with ends_in_one_line(parser.prog):
        files = [ENTRANTS, *([chosen.entrants] if chosen.entrants else [])]
        bots = [bot for file in files for bot in bots_in(file, chosen.table)]
        ledger = open_ledger(chosen.place or ROOT / "runs" / ladder.page.stem, ladder)
        if not chosen.write:
            bots = installed(bots)
            play(ledger, [bot for bot in bots if not bot.slow], chosen.games)
            play(ledger, bots, chosen.slow_games)
    league = League(ledger)
    found = league.standings()
    target.write_text(page(found, league.tally(), ladder), encoding="utf-8")
    if target == ladder.page and ladder.ratings is not None:
        text = json.dumps(ratings(found), indent=2) + "\n"
        ladder.ratings.write_text(text, encoding="utf-8")
    print(f"{target}: {ledger.count()} games")


if __name__ == "__main__":
    main()
