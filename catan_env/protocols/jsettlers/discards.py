"""Discards: simultaneous at the server, one seat after the other in the view."""

from collections.abc import Sequence

from catan_env.core.constants import Phase
from catan_env.game.action import Action
from catan_env.game.event import HIDDEN, Event
from catan_env.game.likely import likely_discard
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import states
from catan_env.protocols.jsettlers.corrected_view import CorrectedView
from catan_env.protocols.jsettlers.places import UNKNOWN, from_counts, to_resource
from catan_env.protocols.jsettlers.speech import KINDS, listed

SixCounts = tuple[int, ...]
"""Cards by Resource, and the number of hidden ones in a discard."""


class Discards:
    """The seats' discards; those ahead of the view are stored."""

    def __init__(self, tracked: CorrectedView) -> None:
        self._tracked = tracked
        self._kept: dict[int, SixCounts] = {}

    def hear(self, message: m.Discarded) -> None:
        """Follow a seat's announced choice."""
        name, cards = message.seat, message.cards
        if not name.startswith("p") or not name[1:].isdigit():
            raise RemoteProtocolError(f"a discard of {name!r}; allowed is p and a seat")
        if len(cards) <= KINDS or min(cards) < 0:
            raise RemoteProtocolError(f"a discard of {cards}; allowed are six counts")
        seat = self._tracked.checked(int(name[1:]))
        self._take(seat, (*from_counts(cards[:KINDS]), cards[KINDS]))

    def lose(self, seat: int, cards: Sequence[tuple[int, int]]) -> None:
        """Follow the server's choice after a time-out: codes and counts."""
        lost = [0] * (KINDS + 1)
        for what, n in cards:
            lost[KINDS if what == UNKNOWN else to_resource(what)] += n
        self._take(seat, tuple(lost))

    def settle(self, state: int) -> None:
        """Complete the discards that were not announced: the game has moved past them."""
        if state in (states.DISCARDS, states.OVER):
            return
        view = self._tracked.view
        while view.phase == Phase.DISCARD:
            seat = view.seat
            self._give_up(seat, self._kept.pop(seat, (0,) * KINDS + (view.owes(seat),)))
        self._kept.clear()

    def _take(self, seat: int, cards: SixCounts) -> None:
        view, so_far = self._tracked.view, self._kept.get(seat, (0,) * (KINDS + 1))
        counted = self._tracked.counted
        self._kept[seat] = tuple(counted(a + b) for a, b in zip(so_far, cards, strict=True))
        while view.phase == Phase.DISCARD and view.seat in self._kept:
            self._give_up(view.seat, self._kept.pop(view.seat))

    def _give_up(self, seat: int, cards: SixCounts) -> None:
        """Follow a discard: known or deducible cards as events, others as unseen."""
        known = self._tracked.view.known(seat)
        size, unseen = self._tracked.view.hand_size(seat), cards[KINDS]
        if unseen and max(known) == size:
            cards = (*(unseen * (n == size) for n in known), 0)
        if cards[KINDS]:
            self._give_up_unseen(seat, sum(cards))
            return
        for card in listed(cards):
            self._tracked.act(seat, Action.discard(card))

    def _give_up_unseen(self, seat: int, count: int) -> None:
        """Follow a discard of the number owed; another number only changes the hand sizes."""
        tracked, view = self._tracked, self._tracked.view
        tracked.be_in_doubt()
        size, owed = view.hand_size(seat) - count, view.owes(seat)
        tracked.happened += let_discard(view, seat, owed)
        tracked.believe_hand(seat, max(0, size))


def let_discard(view: SeatView, seat: int, count: int) -> list[Event]:
    """Discard N unseen cards, preferring those that the seat is likely to hold most of."""
    events = []
    for _ in range(count):
        events.append(Event(seat, Action.discard(likely_discard(view, seat)), HIDDEN))
        view.apply(events[-1])
    return events
