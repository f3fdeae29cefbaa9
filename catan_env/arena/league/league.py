"""A league: games that are scheduled from the ledger, played by workers, and stored once."""

import sys
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.arena.league.claims import RENEWED
from catan_env.arena.league.database import LedgerError
from catan_env.arena.league.entrant import COMMAND
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.luckless import Luckless, MeasureLuck, luckless
from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.league.moves import MovesError, unpack
from catan_env.arena.league.pairing import SCHEDULES, Field, LineUp
from catan_env.arena.league.patience import PatientLedger
from catan_env.arena.league.quarantine import Quarantine
from catan_env.arena.league.result import Result
from catan_env.arena.league.skill import Skill, skills
from catan_env.arena.league.standings import Standings, standings
from catan_env.arena.league.tally import Tally
from catan_env.arena.league.task import Task
from catan_env.arena.league.workers import Alone, News, Workers
from catan_env.arena.renamed import renamed
from catan_env.game.game import Game
from catan_env.net.serve import check_lines

LUCK = "luck"
"""The name of the measured luck in a ledger: by game, of each seat."""
MOST_AT_ONCE = 512
"""Games of a task in one process."""
TASK_SECONDS = 10.0
"""Estimated upper bound of such a task's seconds; this much is lost if a worker is killed."""
MOST_LOSSES = 3
"""Workers that a line-up may cost in one run."""


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run that are not in the ledger."""

    schedule: str = "round-robin"
    over_tcp: bool = False
    """True if games between policies are also played over the protocol."""
    log_dir: Path | None = None
    """The folder for the agents' output: none by default."""


class League:
    """The games of a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.settings = MatchSettings.from_settings(ledger.settings)

    def run(
        self, games: int | None, how: RunSettings | None = None, workers: Workers | None = None
    ) -> Generator[Result, None, None]:
        """Play that many games, or indefinitely, and yield each when it is stored."""
        yield from LeagueRun(self._ledger, how or RunSettings(), workers or Alone()).play(games)

    def game(self, number: int) -> Game:
        """A game as it was played."""
        return self.replayed(self._ledger.game(number))

    def replayed(self, result: Result) -> Game:
        """The game that a result's record leads to; MovesError if it leads nowhere."""
        return unpack(result.moves, result.begun(self.settings))

    def tally(self) -> Tally:
        """The sums over all outcomes."""
        return Tally.of(self._ledger)

    def skills(self, keep: bool = False) -> dict[int, Skill] | None:
        """openskill's ratings; None at tables of two."""
        return skills(self._ledger, keep) if self.settings.seats > 2 else None

    def standings(self, fair: Luckless | None = None) -> Standings:
        """All entrants that have played, the best rated first; by results without luck if given."""
        tally, entrants = self.tally(), self._ledger.entrants()
        return standings(tally, entrants, self.quarantined(tally), self.skills(), fair)

    def without_luck(self, measure: MeasureLuck) -> Luckless:
        """The results of all games without luck, which is measured once in a replay of each.

        Raises MovesError, with the game's number, if a game cannot be replayed.
        """
        results = list(self._ledger.games())
        upto, known = self._ledger.derived(LUCK)
        new = [self._luck(result.number, measure) for result in results if result.number > upto]
        if new:
            known = [*(known or []), *new]
            self._ledger.keep_derived(LUCK, results[-1].number, known)
        return luckless(self.settings.seats, results, np.array(known))

    def _luck(self, number: int, measure: MeasureLuck) -> list[float]:
        """The luck of each seat in a game."""
        result = self._ledger.game(number)
        try:
            game = self.replayed(result)
        except MovesError as error:
            raise MovesError(f"game {number}: {error}") from None
        luck: list[float] = measure(result.begun(self.settings), game.events).round(6).tolist()
        return luck

    def quarantined(self, tally: Tally) -> set[int]:
        """The entrants that have failed in each of their last games."""
        return Quarantine(self._ledger, tally).out


class LeagueRun:
    """One run of a league: the games in progress, and their results."""

    def __init__(self, ledger: Ledger, how: RunSettings, workers: Workers) -> None:
        self._ledger, self._how, self._workers = PatientLedger(ledger), how, workers
        self._folder = ledger.folder
        self._league = League(ledger)
        self._settings = self._league.settings
        self._tally = self._league.tally()
        self._quarantine = Quarantine(ledger, self._tally)
        self._next: Counter[str] = Counter(ledger.meetings())
        self._gaps = ledger.missing()
        self._playing: dict[Meeting, None] = {}
        self._again: deque[Task] = deque()
        self._losses: Counter[LineUp] = Counter()
        self._standings: Standings | None = None

    def play(self, games: int | None) -> Iterator[Result]:
        """Play that many games, or indefinitely."""
        kept, begun = 0, len(self._playing)
        try:
            while games is None or kept < games:
                while self._workers.free and (games is None or kept + begun < games):
                    self._workers.give(self._task(None if games is None else games - kept - begun))
                    begun = len(self._playing)
                self._ledger.renew()
                for news in self._workers.poll(RENEWED):
                    for result in self._take(news):
                        kept += 1
                        yield result
                begun = len(self._playing)
        finally:
            self._workers.close()
            self._ledger.close()

    def _task(self, most: int | None) -> Task:
        if self._again:
            task = self._again.popleft()
        else:
            task = self._new_task(most)
        self._playing.update(dict.fromkeys(task.meetings))
        return task

    def _new_task(self, most: int | None) -> Task:
        entrants = {e.id: e for e in self._ledger.entrants()}
        self._quarantine.watch_new_games(self._ledger)
        self._quarantine.pardon(entrants.values())
        out = self._quarantine.out
        active = [e.id for e in entrants.values() if e.is_active and e.id not in out]
        if len(active) < self._settings.seats:
            there = f"{len(active)} entrants play" + (f", {len(out)} quarantined" if out else "")
            raise LedgerError(f"{there}; a table has {self._settings.seats} seats")
        line_up = self._line_up(active)
        at_table = tuple(entrants[entrant] for entrant in line_up)
        over_tcp = self._how.over_tcp or any(e.kind == COMMAND for e in at_table)
        if over_tcp:
            check_lines(1, self._settings.seats)
        count = self._size(line_up, len(active), over_tcp, most)
        numbers = self._numbers(line_up, count if most is None else min(count, most))
        meetings = tuple(Meeting(line_up, number) for number in numbers)
        private = () if self._folder is None else (self._folder,)
        return Task(self._settings, meetings, at_table, over_tcp, self._how.log_dir, private)

    def _line_up(self, active: Sequence[int]) -> LineUp:
        seats = self._settings.seats
        barred = {
            line_up
            for line_up, losses in self._losses.items()
            if losses >= MOST_LOSSES and set(line_up) <= set(active)
        }
        if len(barred) == comb(len(active), seats):
            raise LedgerError(f"every line-up has cost {MOST_LOSSES} workers")
        for key, numbers in self._gaps.items():
            line_up = tuple(map(int, key.split()))
            if numbers and set(line_up) <= set(active) and line_up not in barred:
                return line_up
        met = {tuple(map(int, key.split())): count for key, count in self._next.items()}
        field = Field(active, seats, met, self._tally, self._rated, barred)
        return SCHEDULES[self._how.schedule](field)

    def _rated(self) -> Standings:
        """The ratings after the games that have ended."""
        if self._standings is None:
            self._standings = standings(self._tally, self._ledger.entrants(), self._quarantine.out)
        return self._standings

    def _size(self, line_up: LineUp, active: int, over_tcp: bool, most: int | None) -> int:
        """Games of a task: a board in all rotations, or as many as take some seconds."""
        seats = self._settings.seats
        if over_tcp:
            return seats
        sums = [self._tally.sums[entrant] for entrant in line_up]
        wanted = float(MOST_AT_ONCE if all(entrant.games for entrant in sums) else 4 * seats)
        seconds = sum(entrant.spent / max(1, entrant.games) for entrant in sums)
        wanted = min(wanted, TASK_SECONDS / max(seconds, 1e-6))
        if self._how.schedule == "round-robin":
            ways = comb(active, seats)
        else:
            ways = 2 * active
        wanted = min(wanted, (self._tally.games + (most or 0)) / (2 * ways))
        return max(1, int(wanted) // seats) * seats

    def _numbers(self, line_up: LineUp, count: int) -> list[int]:
        """Meetings of a line-up that no run has stored or plays: first those that were lost."""
        key = Meeting(line_up, 0).key
        gaps = self._gaps.pop(key, [])
        numbers = self._ledger.claim(key, gaps, self._next[key], count)
        if used := set(gaps) & set(numbers):  # other runs play those before the last of them
            self._gaps[key] = gaps[gaps.index(max(used)) + 1 :]
        self._next[key] = max(self._next[key], *(number + 1 for number in numbers))
        return numbers

    def _take(self, news: News) -> Iterator[Result]:
        if news.snapshot is not None:
            self._ledger.show(news.snapshot)
            return
        meetings = [result.meeting for result in news.results]
        kept = self._ledger.keep(news.results)
        self._ledger.release(meetings)
        for meeting in meetings:
            self._playing.pop(meeting, None)
        if news.task.over_tcp:
            self._ledger.hide(meetings)
        if len(kept) < len(news.results):  # another run plays in this league, too
            self._next |= Counter(self._ledger.meetings())
        self._tally.add(kept)
        self._standings = None
        self._quarantine.watch_new_games(self._ledger)
        yield from kept
        if news.is_done and news.failure:
            self._play_again(news)

    def _play_again(self, news: News) -> None:
        """Handle the loss of a worker: the games it had not handed over."""
        left = tuple(m for m in news.task.meetings if m in self._playing)
        for meeting in left:
            del self._playing[meeting]
        line_up = news.task.meetings[0].line_up
        self._losses[line_up] += 1
        said = f"{news.failure}; {len(left)} games of it are played again"
        print(said, file=sys.stderr, flush=True)
        if left and self._losses[line_up] < MOST_LOSSES:
            self._again.append(replace(news.task, meetings=left))


RENAMED = {
    "PATIENCE": "catan_env.arena.league.patience.PATIENCE",
    "QUARANTINE": "catan_env.arena.league.quarantine.QUARANTINE",
    "Run": "catan_env.arena.league.league.RunSettings",
    "Season": "catan_env.arena.league.league.LeagueRun",
    "reached": "catan_env.arena.league.patience.reached",
}


def __getattr__(name: str) -> Any:
    """A name of 0.2, with a warning."""
    return renamed(__name__, RENAMED, name)
