"""The games that are being played, as those who look on find them in the ledger.

How a game stands is kept beside the outcomes until the game is, and counts for nothing: whoever
reads it may see a game that is never kept.
"""

import json
import time
from collections.abc import Sequence
from typing import Any

from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.live import Glimpse
from catan_env.arena.league.meeting import Meeting
from catan_env.arena.league.schema import LIVE, OUTCOMES, sql

FORGOTTEN = 30.0
"""Seconds after which a game of which nobody says anything is not being played."""


def show(ledger: Ledger, glimpse: Glimpse) -> None:
    """Keep how a game stands, in the place of how it stood."""
    row = {
        "line_up": glimpse.meeting.key,
        "meeting": glimpse.meeting.number,
        "names": json.dumps(glimpse.names),
        "moves": glimpse.moves,
        "seen": time.time(),
    }
    ledger.change(_forget(glimpse.meeting), LIVE.insert().values(row))


def hide(ledger: Ledger, meetings: Sequence[Meeting]) -> None:
    """These are played no more, and what nobody speaks of is forgotten."""
    old = LIVE.delete().where(LIVE.c.seen < time.time() - FORGOTTEN)
    ledger.change(*map(_forget, meetings), old)


def shown(ledger: Ledger) -> list[Glimpse]:
    """The games that are being played."""
    wanted = LIVE.select().where(LIVE.c.seen > time.time() - FORGOTTEN)
    return [
        Glimpse(
            Meeting(tuple(map(int, row.line_up.split())), row.meeting),
            tuple(json.loads(row.names)),
            row.moves,
        )
        for row in ledger.rows(wanted.order_by(LIVE.c.line_up, LIVE.c.meeting))
    ]


def number_of(ledger: Ledger, meeting: Meeting) -> int | None:
    """The number of the game that a meeting was; None while it is not kept."""
    c = OUTCOMES.c
    is_it = sql.and_(c.line_up == meeting.key, c.meeting == meeting.number)
    return next((row.number for row in ledger.rows(sql.select(c.number).where(is_it))), None)


def _forget(meeting: Meeting) -> Any:
    is_it = sql.and_(LIVE.c.line_up == meeting.key, LIVE.c.meeting == meeting.number)
    return LIVE.delete().where(is_it)
