"""A run's ledger: each request waits for a database that is gone, or locked by another process."""

import sys
import time
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from catan_env.arena.league.claims import Claims
from catan_env.arena.league.database import UnreachableError
from catan_env.arena.league.entrant import Entrant
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.live import Snapshot
from catan_env.arena.league.live_games import hide, show
from catan_env.arena.league.meeting import Meeting
from catan_env.arena.league.result import Result

PATIENCE = 600.0
"""Seconds to wait for the database."""
Answer = TypeVar("Answer")


def reached(ask: Callable[[], Answer]) -> Answer:
    """The ledger's answer; waits for its database if that is gone or locked."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return ask()
        except UnreachableError as error:
            if time.monotonic() > until:
                raise
            print(f"{error}; trying again", file=sys.stderr, flush=True)
            time.sleep(1.0)


class PatientLedger:
    """The requests of one run, whose claims it holds.

    `close` alone does not wait: a run also ends without its database.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._claims = Claims(ledger)

    def entrants(self) -> list[Entrant]:
        """All entrants, with their files."""
        return reached(lambda: self._ledger.entrants(with_files=True))

    def meetings(self) -> dict[str, int]:
        """The number of the next game of each line-up, by its key."""
        return reached(self._ledger.meetings)

    def games(self, after: int) -> list[Result]:
        """The games after that number."""
        return reached(lambda: list(self._ledger.games(after)))

    def keep(self, results: Sequence[Result]) -> list[Result]:
        """Add games; returns those that were new, with their numbers."""
        return reached(lambda: self._ledger.keep(results))

    def claim(self, key: str, gaps: Sequence[int], first: int, count: int) -> list[int]:
        """Claim meetings of a line-up, as `Claims.take` does."""
        return reached(lambda: self._claims.take(key, gaps, first, count))

    def renew(self) -> None:
        """Renew the run's claims, if it is time."""
        reached(self._claims.renew)

    def release(self, meetings: Collection[Meeting]) -> None:
        """Release the claims of these meetings."""
        reached(lambda: self._claims.release(meetings))

    def show(self, snapshot: Snapshot) -> None:
        """Store the state of a game in progress, for spectators."""
        reached(lambda: show(self._ledger, snapshot))

    def hide(self, meetings: Sequence[Meeting]) -> None:
        """Remove the states of these games."""
        reached(lambda: hide(self._ledger, meetings))

    def close(self) -> None:
        """Release all claims, without waiting."""
        self._claims.close()
