"""Verification that a game's random outcomes follow from its secret."""

from collections.abc import Sequence
from dataclasses import replace

from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.notation.follow import follow


def first_undrawn(begun: Game, events: Sequence[Event]) -> Event | None:
    """Return the first event whose outcome is not what the secret of `begun` draws.

    `begun` is at its first choice and is played. None if every outcome follows from the
    secret, and for a game without one.
    """
    if begun.secret is None:
        return None
    while len(begun.events) < len(events):
        event = events[len(begun.events)]
        happened = follow(begun, replace(event, outcome=None))
        if happened[0].outcome != event.outcome:
            return event
    return None
