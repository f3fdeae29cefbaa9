"""The meetings that the runs of a league are playing, so that two runs play different ones.

A claim is a lease: a run renews its claims while it lives. One that was not renewed for a while, or
whose run was a process of this machine that is gone, has lapsed. Claims decide nothing about
outcomes: a meeting that two runs play after all is stored once.
"""

import os
import platform
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from secrets import token_hex
from typing import Any

from catan_env.arena.league.database import LedgerError
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import Meeting
from catan_env.arena.league.schema import CLAIMS, OUTCOMES, sql

RENEWED = 10.0
"""Seconds after which a run renews its claims."""
LAPSE = 60.0
"""Seconds after which a claim that was not renewed lapses."""


class Claims:
    """The claims of one run."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._run = f"{platform.node()[:64]} {os.getpid()} {token_hex(8)}"
        self._renewed_at = time.monotonic()

    def take(self, key: str, gaps: Sequence[int], first: int, count: int) -> list[int]:
        """Claim `count` meetings of a line-up that no run plays: the `gaps`, then new ones.

        New ones are numbered from `first` onward, and from after the last one in the ledger.
        """
        while True:
            live = self._live(key)
            first = max(first, self._next(key))
            free = [number for number in gaps if number not in live][:count]
            number = first
            while len(free) < count:
                if number not in live:
                    free.append(number)
                number += 1
            try:
                self._claim(key, free)
            except sql.exc.IntegrityError:  # another run was quicker
                continue
            return free

    def renew(self) -> None:
        """Renew this run's claims, if it is time."""
        if time.monotonic() < self._renewed_at + RENEWED:
            return
        self._renewed_at = time.monotonic()
        mine = CLAIMS.update().where(CLAIMS.c.run == self._run)
        self._ledger.change(mine.values(seen=time.time()))

    def release(self, meetings: Iterable[Meeting]) -> None:
        """Release the claims of these meetings."""
        numbers: dict[str, list[int]] = defaultdict(list)
        for meeting in meetings:
            numbers[meeting.key].append(meeting.number)
        self._ledger.change(*(_of(key, every) for key, every in numbers.items()))

    def close(self) -> None:
        """Release all claims; they lapse if the database is gone."""
        try:
            self._ledger.change(CLAIMS.delete().where(CLAIMS.c.run == self._run))
        except LedgerError:
            pass

    def _live(self, key: str) -> set[int]:
        """The meetings of a line-up that are claimed."""
        wanted = CLAIMS.select().where(CLAIMS.c.line_up == key)
        return {row.meeting for row in self._ledger.rows(wanted) if is_live(row.run, row.seen)}

    def _next(self, key: str) -> int:
        latest = sql.func.coalesce(sql.func.max(OUTCOMES.c.meeting), -1)
        wanted = sql.select(latest.label("last")).where(OUTCOMES.c.line_up == key)
        return next(int(row.last) for row in self._ledger.rows(wanted)) + 1

    def _claim(self, key: str, numbers: list[int]) -> None:
        rows = [
            {"line_up": key, "meeting": number, "run": self._run, "seen": time.time()}
            for number in numbers
        ]
        dead = [
            row.meeting
            for row in self._ledger.rows(CLAIMS.select().where(CLAIMS.c.line_up == key))
            if row.meeting in set(numbers) and not is_live(row.run, row.seen)
        ]
        self._ledger.change(_of(key, dead), CLAIMS.insert().values(rows))


def is_live(run: str, seen: float) -> bool:
    """True if a claim is valid: it was renewed lately, and its run is not known to be gone."""
    if time.time() > seen + LAPSE:
        return False
    node, process, _ = run.rsplit(" ", 2)
    return node != platform.node()[:64] or _runs(int(process))


def _runs(process: int) -> bool:
    if sys.platform == "win32":  # where this would end it; a claim lapses by itself
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _of(key: str, numbers: Sequence[int]) -> Any:
    is_it = sql.and_(CLAIMS.c.line_up == key, CLAIMS.c.meeting.in_(numbers))
    return CLAIMS.delete().where(is_it)
