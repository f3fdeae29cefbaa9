"""Replaying a recorded event."""

from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.possible import check_possible
from catan_env.game.view import SeatView


def follow(table: Game | SeatView, event: Event) -> tuple[Event, ...]:
    """Play `event`; return it and the table's decisions that follow.

    Raises IllegalActionError and changes nothing if the rules refuse it or, at a seat's view, if
    no hidden information could make it legal.
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
