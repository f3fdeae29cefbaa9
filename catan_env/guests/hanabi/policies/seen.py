"""The part of its game that a player has seen: the cards dealt, and the events until now."""

from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.view import SeatView


class Seen:
    """The game that a player follows; it notices when a view belongs to another one."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._dealt: object = None

    def begins(self, view: SeatView) -> bool:
        """True if no event of the view's game has been seen: its picture is to be drawn again."""
        seen = len(self._events)
        if self._dealt != view.dealt or self._events != view.events[:seen]:
            self._dealt, self._events = view.dealt, []
        return not self._events

    def new_events(self, view: SeatView) -> list[Event]:
        """The events of the view's game since the last call."""
        seen, self._events = len(self._events), list(view.events)
        return self._events[seen:]
