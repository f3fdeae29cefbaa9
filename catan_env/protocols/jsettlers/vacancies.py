"""Vacated seats: they have no turns, their pieces yield nothing, and they cannot be robbed."""

from collections.abc import Iterable

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.protocols.jsettlers.corrected_view import CorrectedView

Hand = tuple[int, tuple[int, ...]]
"""The number of cards, and the known ones by Resource."""


class Vacancies:
    """Empty seats, in the `tracked` view.

    A seat whose player is replaced is empty for two messages only, so the view follows with the
    next event of the game.
    """

    def __init__(self, tracked: CorrectedView, empty: Iterable[int] = ()) -> None:
        self._tracked = tracked
        self._empty = set(empty)
        self._hands: dict[int, Hand] = {}
        """Cards of empty seats, which are out of reach until a player sits down there."""

    def __contains__(self, seat: int) -> bool:
        return seat in self._empty

    def leave(self, seat: int) -> None:
        """Note that a seat is empty."""
        if seat != self._tracked.seat:
            self._empty.add(seat)

    def sit(self, seat: int) -> None:
        """Note that a seat has a player, who gets its cards."""
        self._empty.discard(seat)
        view = self._tracked.view
        if not view.is_playing(seat):
            correction.take_seat(view, seat)
        if seat in self._hands:
            correction.put_hand_back(view, seat, *self._hands.pop(seat))

    def settle(self) -> None:
        """Bring the view in line before the next event."""
        view = self._tracked.view
        for seat in self._empty:
            if view.is_playing(seat):
                self._tracked.differ("empty seat")
                correction.empty_seat(view, seat)
            is_away = seat in self._hands and not view.hand_size(seat)
            if view.phase != Phase.DISCARD and not is_away:
                hand = correction.put_hand_away(view, seat)
                self._hands.setdefault(seat, hand)  # cards dealt to it since are lost
