"""The games that are being played, as spectators find them in the ledger.

The state of a game is stored next to the outcomes until the game itself is, and counts for nothing:
readers may see a game that is never stored.
"""

import json
import time
from collections.abc import Sequence
from typing import Any

from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.live import Snapshot
from catan_env.arena.league.meeting import Meeting
from catan_env.arena.league.schema import LIVE, OUTCOMES, sql

FORGOTTEN = 30.0
"""Seconds without an update after which a game is considered dead."""


def show(ledger: Ledger, snapshot: Snapshot) -> None:
    """Store the current state of a game, replacing the previous one."""
    row = {
        "line_up": snapshot.meeting.key,
        "meeting": snapshot.meeting.number,
        "names": json.dumps(snapshot.names),
        "moves": snapshot.moves,
        "seen": time.time(),
    }
    try:
        ledger.change(_forget(snapshot.meeting), LIVE.insert().values(row))
    except sql.exc.IntegrityError:  # another run plays the same game, and was quicker
        pass


def hide(ledger: Ledger, meetings: Sequence[Meeting]) -> None:
    """Remove these games, and any stale ones."""
    old = LIVE.delete().where(LIVE.c.seen < time.time() - FORGOTTEN)
    ledger.change(*map(_forget, meetings), old)


def shown(ledger: Ledger) -> list[Snapshot]:
    """The games that are being played."""
    wanted = LIVE.select().where(LIVE.c.seen > time.time() - FORGOTTEN)
    return [
        Snapshot(
            Meeting(tuple(map(int, row.line_up.split())), row.meeting),
            tuple(json.loads(row.names)),
            row.moves,
        )
        for row in ledger.rows(wanted.order_by(LIVE.c.line_up, LIVE.c.meeting))
    ]


def number_of(ledger: Ledger, meeting: Meeting) -> int | None:
    """The number of a meeting's game; None while it is not stored."""
    c = OUTCOMES.c
    is_it = sql.and_(c.line_up == meeting.key, c.meeting == meeting.number)
    return next((row.number for row in ledger.rows(sql.select(c.number).where(is_it))), None)


def _forget(meeting: Meeting) -> Any:
    is_it = sql.and_(LIVE.c.line_up == meeting.key, LIVE.c.meeting == meeting.number)
    return LIVE.delete().where(is_it)
