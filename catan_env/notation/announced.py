"""The winner that a record announces, which one seat's view may be unable to count."""

from collections.abc import Iterable
from typing import Any

from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.view import SeatView
from catan_env.notation.dues import STATEMENTS
from catan_env.notation.messages import event_of, is_chat
from catan_env.notation.values import ADMIN

_ENDS = (("PE", "Play"), ("PS", "End"), ("PE", "End"))
_ENDS_TURN = (ActionKind.END_TURN, ActionKind.TIME_OUT)
_BRING_POINTS = (
    ActionKind.SETTLEMENT,
    ActionKind.CITY,
    ActionKind.ROAD,
    ActionKind.BUY_DEVELOPMENT_CARD,
    ActionKind.PLAY_KNIGHT,
)


def announced_winner(
    event: Event, later: Iterable[Any], table: SeatView, players: tuple[str, ...]
) -> int | None:
    """Return the seat that wins by `event`, from the messages after its own, yet unchecked.

    None if another choice follows, or if all have left. If the end names no winner, it is the
    player on turn. A round that ends before the turn is the end as well.
    """
    is_over, has_ended_turn, on_turn = False, False, _on_turn(event, table)
    is_in_turn = table.turn > 0 and event.action.kind not in (*_ENDS_TURN, ActionKind.LEAVE)
    for message in later:
        code = event_of(message)
        if code == "GO" and message.get("player") != ADMIN:
            name = message.get("player")
            seat = players.index(name) if name in players else None
            return None if has_ended_turn and seat != on_turn else seat
        is_over |= code == "GO" or (code, _phase_of(message)) in _ENDS
        is_over |= code == "RE" and is_in_turn and not has_ended_turn
        starts_other = code == "TS" and has_ended_turn
        if starts_other or not (is_chat(message) or _may_follow(event, message, table)):
            break
        has_ended_turn |= code == "TE"
    return on_turn if is_over else None


def _may_follow(event: Event, message: Any, table: SeatView) -> bool:
    """True if a message may follow the choice that wins: a statement, or what changes nothing."""
    code, kind = event_of(message), event.action.kind
    if code in STATEMENTS:
        return True
    if code == "TE":
        return table.rules.win_at_once and kind in (*_BRING_POINTS, *_ENDS_TURN)
    if code == "PD":
        return "VP" in _value_of(message).values()
    return code == "RM" and kind == ActionKind.PLAY_KNIGHT


def _on_turn(event: Event, table: SeatView) -> int | None:
    """Return the seat on turn if `event` ends the game; None where a seat leaves."""
    if event.action.kind == ActionKind.LEAVE:
        return None
    if event.action.kind not in _ENDS_TURN or not table.rules.win_at_once:
        return event.seat
    seats = [(event.seat + step) % table.seats for step in range(1, table.seats + 1)]
    return next((seat for seat in seats if table.is_playing(seat)), None)


def _value_of(message: Any) -> dict[str, Any]:
    value = message.get("value")
    return value if isinstance(value, dict) else {}


def _phase_of(message: Any) -> Any:
    return _value_of(message).get("phase") if isinstance(message, dict) else None
