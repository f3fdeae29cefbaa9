"""A seat's view of a catanatron game, followed from its log."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from catan_env import Event, Phase, Resource, Rules, SeatView, geometry
from catan_env.catanatron.entry import Entry
from catan_env.catanatron.information import (
    Information,
    information_in_state,
    information_in_view,
)
from catan_env.catanatron.places import CatanatronPlaces
from catan_env.catanatron.speech import Speech
from catan_env.core import doors
from catan_env.core.actions import BIT_OF, WORD_OF
from catan_env.core.constants import POINTS_TO_WIN
from catan_env.core.state import doorway
from catan_env.game import correction
from catan_env.game.tracked import TrackedView
from catan_env.kernel.memory import copy_of

NO_END = 22
"""Points to win in the followed view, out of reach: catanatron alone ends the game."""


class Follower:
    """Keeps a seat's view consistent with catanatron's state; `corrections` counts adjustments."""

    def __init__(self, state: Any, color: Any, points_to_win: int = POINTS_TO_WIN) -> None:
        self.places = CatanatronPlaces.of_map(state.board.map)
        self.speech = Speech(self.places, state.colors)
        self.color, self.seat = color, self.speech.seat_of[color]
        seats = len(state.colors)
        rules = Rules.duel() if seats == 2 else replace(Rules.base(), player_trade=False)
        self.rules = replace(rules, points_to_win=points_to_win)
        self.latest: list[Event] = []
        """The events of the last entry, unredacted, for records; the view gets them redacted."""
        self._discards: list[Event] = []
        rules = replace(self.rules, points_to_win=NO_END)
        self._tracked = TrackedView(SeatView.begin(self.places.board, self.seat, seats, rules))

    @property
    def corrections(self) -> Counter[str]:
        """Counts of differences from our rules, by topic."""
        return self._tracked.differences

    @property
    def _view(self) -> SeatView:
        return self._tracked.view

    def follow(self, state: Any, entry: Entry) -> None:
        """Apply an entry of the log; `state` is catanatron's after it.

        Raises ValueError if the view and the state then disagree.
        """
        information = information_in_state(state, self.seat, self.places)
        known = self._known()
        self.latest = events = self.speech.events(entry, self._view, information.hand_sizes)
        if self._view.phase == Phase.DISCARD:
            self._discards += events
            if len(self._discards) < sum(map(self._view.owes, range(self._view.seats))):
                return
            events = self._in_order()
        for event in events:
            self._tracked.apply(event.redacted(self.seat, self._view.seats))
        self._correct(information, known)
        differences = information_in_view(self._view).differences(information)
        if differences:
            raise ValueError(f"after {entry} the view has drifted: {'; '.join(differences)}")

    def forgotten(self, board: Any) -> set[int]:
        """The vertices of the seat's roads that catanatron's `board` assigns to none of its roads.

        catanatron treats roads on both sides of a rival's building as one if they meet again, and
        keeps only the two pieces next to a cut: a third is lost.
        """
        roads = self._view.roads(self.seat)
        own = {vertex for road in roads for vertex in geometry.EDGE_VERTICES[road]}
        components = board.connected_components[self.color]
        return own - {self.places.vertex[node] for nodes in components for node in nodes}

    def view(self, withheld: list[int]) -> SeatView:
        """A copy for the policy, which may not play the `withheld` indices."""
        states = copy_of(self._view._array)
        if self._view.phase == Phase.DISCARD:
            self._discard_first(states)
        states["points_to_win"] = self.rules.points_to_win
        mask = states["mask"][0].view(np.uint64)
        for index in withheld:
            mask[WORD_OF[index]] &= ~(np.uint64(1) << np.uint64(BIT_OF[index]))
        return SeatView(states, self.rules, self.places.board, self.seat)

    def _discard_first(self, states: Any) -> None:
        """Let the seat decide although other seats owe cards, minus its discards so far."""
        view = SeatView(states, self.rules, self.places.board, self.seat)
        self._decide_in(states)
        for event in self._discards:
            if event.seat == self.seat:
                view.apply(event)
                self._decide_in(states)  # by the booklet the roller would be next

    def _decide_in(self, states: Any) -> None:
        states["seat"] = self.seat
        doors.renew_mask(doorway(states), 0)

    def _known(self) -> list[tuple[int, ...]]:
        return [self._view.known(seat) for seat in range(self._view.seats)]

    def _in_order(self) -> list[Event]:
        """All discards from the seat on turn onward; catanatron starts at its first seat."""
        seats, first = self._view.seats, self._view.turn_seat
        discards, self._discards = self._discards, []
        return sorted(discards, key=lambda event: (event.seat - first) % seats)

    def _correct(self, information: Information, known: list[tuple[int, ...]]) -> None:
        """Adopt catanatron's state in the view where its rules differ from ours."""
        for resource in Resource:
            unpaid = information.bank[resource] - self._view.bank[resource]
            if unpaid > 0:
                self._take_back(resource, unpaid, known)
        lengths = tuple(map(self._view.road_length, range(self._view.seats)))
        if information.road_lengths != lengths:
            self._tracked.differ("road lengths")
            self._view._array["road_length"][0, : self._view.seats] = information.road_lengths
        self._tracked.believe_award("longest_road", information.longest_road)
        correction.refresh(self._view)

    def _take_back(self, resource: Resource, n: int, known: list[tuple[int, ...]]) -> None:
        """Undo a payment of the bank's last cards to one seat, which catanatron does not make.

        That seat is the one whose hand has grown since `known`.
        """
        paid = [self._view.known(seat)[resource] - was[resource] for seat, was in enumerate(known)]
        seat = next(seat for seat, more in enumerate(paid) if more >= n)
        self._tracked.differ("unpaid cards")
        correction.exchange(self._view, seat, [n * (r == resource) for r in Resource], [0] * 5)
