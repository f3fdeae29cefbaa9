"""The quarantine of a league: entrants that failed repeatedly are not scheduled until pardoned."""

import sys
from collections import defaultdict, deque
from collections.abc import Collection, Iterable

from catan_env.arena.league.entrant import Entrant
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import MatchSettings
from catan_env.arena.league.patience import PatientLedger
from catan_env.arena.league.result import Result
from catan_env.arena.league.schema import OUTCOMES, sql
from catan_env.arena.league.tally import Tally

Trial = tuple[int, bool]
"""The number of a game of an entrant, and whether it failed there."""

QUARANTINE = 10
"""Consecutive failed games that quarantine an entrant until it is pardoned."""


class Quarantine:
    """The entrants that have failed in each of their last games; a run adds games to it."""

    def __init__(self, ledger: Ledger, tally: Tally) -> None:
        self.upto = tally.upto
        """The last game that counts, of this run or of another."""
        self._lately: dict[int, deque[Trial]] = defaultdict(lambda: deque(maxlen=QUARANTINE))
        for entrant in ledger.entrants():
            if tally.sums[entrant.id].has_faults:
                self._lately[entrant.id].extend(_last_games(ledger, entrant))
        self.out = {e for e, trials in self._lately.items() if _fails_always(trials)}
        """The entrants in quarantine."""

    def watch_new_games(self, ledger: PatientLedger) -> None:
        """Watch the games stored since the last time, those of other runs too."""
        for result in ledger.games(self.upto):
            self.upto = result.number
            for entrant in result.seats:
                if self._fails_again(entrant, result):
                    self.out.add(entrant)
                    names = {e.id: e.title for e in ledger.entrants()}
                    _announce(names[entrant], _why_failed(result, entrant))

    def _fails_again(self, entrant: int, result: Result) -> bool:
        """Count a game of an entrant; True if it is the one that quarantines it."""
        trials = self._lately[entrant]
        if trials and trials[-1][0] >= result.number:
            return False
        trials.append((result.number, result.has_failed(entrant)))
        return _fails_always(trials) and entrant not in self.out

    def pardon(self, entrants: Iterable[Entrant]) -> None:
        """Forget the games before an entrant's last pardon, which may come during a run."""
        for entrant in entrants:
            trials = self._lately[entrant.id]
            while trials and trials[0][0] <= entrant.pardoned_at:
                trials.popleft()
            if not _fails_always(trials):
                self.out.discard(entrant.id)


def _last_games(ledger: Ledger, entrant: Entrant) -> list[Trial]:
    """Oldest first; since it was pardoned."""
    c, seats = OUTCOMES.c, MatchSettings.from_settings(ledger.settings).seats
    sits = [c[f"entrant_{seat}"] == entrant.id for seat in range(seats)]
    wanted = OUTCOMES.select().where(sql.or_(*sits), c.number > entrant.pardoned_at)
    wanted = wanted.order_by(c.number.desc()).limit(QUARANTINE)
    last = [Result.from_row(row) for row in ledger.rows(wanted)]
    return [(result.number, result.has_failed(entrant.id)) for result in reversed(last)]


def _fails_always(trials: Collection[Trial]) -> bool:
    return len(trials) == QUARANTINE and all(failed for _, failed in trials)


def _announce(title: str, why: str) -> None:
    print(
        f"{title} failed {QUARANTINE} games in a row and is quarantined; last: {why}",
        file=sys.stderr,
        flush=True,
    )


def _why_failed(result: Result, entrant: int) -> str:
    reasons = [kick.reason for kick in result.removals if result.seats[kick.seat] == entrant]
    return reasons[0] if reasons else "its time ran out, and it decided nothing"
