"""Letting an event that was written down happen again."""

from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.possible import check_possible
from catan_env.game.view import SeatView


def follow(table: Game | SeatView, event: Event) -> tuple[Event, ...]:
    """Let `event` happen; it, and whatever the table decided after it.

    Raises IllegalActionError when the rules refuse it, or, at a seat's view, when nothing that
    the seat does not know could make it legal; nothing has happened then.
    """
    kind = event.action.kind
    if isinstance(table, SeatView):
        check_possible(table, event)
        table.apply(event)
        return (event,)
    if kind == ActionKind.TIME_OUT:
        return (table.time_out(),)
    if kind == ActionKind.LEAVE:
        return (table.leave(event.seat),)
    if kind == ActionKind.ROLL and not table.rules.chosen_discards:
        before = len(table.events)
        table.play(event.action, event.outcome)
        return table.events[before:]
    return (table.play(event.action, event.outcome),)
