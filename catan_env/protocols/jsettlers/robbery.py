"""The robber: its tile is announced first, the victim afterwards, or not at all."""

from typing import Any

from catan_env.game.action import Action
from catan_env.game.event import HIDDEN
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import states
from catan_env.protocols.jsettlers.corrected_view import CorrectedView
from catan_env.protocols.jsettlers.places import UNKNOWN, tile_at, to_resource

RESOURCE = "R"


class Robbery:
    """The robber on its way, in the `tracked` view."""

    def __init__(self, tracked: CorrectedView) -> None:
        self._tracked = tracked
        self._moved: tuple[int, int] | None = None
        """The seat that moved the robber, and its tile, until the victim is known."""

    def move(self, message: m.MoveRobber) -> None:
        """Follow the announcement of the tile."""
        if not self._tracked.view.is_over:
            self._moved = self._tracked.checked(message.seat), tile_at(message.tile)

    def rob(self, message: m.Robbery) -> None:
        """Follow the announcement of the victim; thief and victim receive the card as well."""
        victim = self._tracked.checked(message.victim)
        if message.what != RESOURCE or message.count != 1:
            raise RemoteProtocolError(f"a robbery of {message.count} {message.what!r}")
        is_seen = self._tracked.seat in (message.thief, message.victim)
        is_seen = is_seen and message.kind != UNKNOWN
        self._finish(victim, to_resource(message.kind) if is_seen else HIDDEN)

    def settle(self, state: int) -> None:
        """Conclude that no seat was robbed: none builds there, or the hands are empty."""
        if state == states.OVER:  # a knight that has won moves the robber without effect
            self._moved = None
        if self._moved is not None and state not in (states.VICTIM, states.ROBBER):
            self._finish(self._empty_hand_at(*self._moved))

    def _finish(self, victim: int | None, card: Any = None) -> None:
        if self._moved is None:
            return
        (seat, tile), self._moved = self._moved, None
        step = None if victim is None else (victim - seat) % self._tracked.view.seats
        self._tracked.act(seat, Action.move_robber(tile, step), card)

    def _empty_hand_at(self, seat: int, tile: int) -> int | None:
        view = self._tracked.view
        rivals = [other for other in view.seats_at(tile) if other != seat]
        empty = [rival for rival in rivals if view.hand_size(rival) <= 0]
        return min(empty, key=lambda rival: (rival - seat) % view.seats, default=None)
