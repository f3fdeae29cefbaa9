"""A seat's view of a game at catanatron's table, followed from its log."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.catanatron_table.facts import Facts, facts_of_state, facts_of_view
from benchmarks.catanatron_table.log import Entry
from benchmarks.catanatron_table.places import CatanatronPlaces
from benchmarks.catanatron_table.speech import Speech
from catan_env import Event, Phase, Resource, Rules, SeatView, geometry
from catan_env.core import doors
from catan_env.core.actions import BIT_OF, WORD_OF
from catan_env.core.constants import NOBODY
from catan_env.core.state import doorway
from catan_env.game.table import copy_of

NO_END = 22
"""Points at which the followed view would end the game: catanatron alone says when it does."""


class Follower:
    """Keeps one seat's view in step with catanatron's state; `corrections` counts what it took."""

    def __init__(self, state: Any, color: Any) -> None:
        self.places = CatanatronPlaces(state.board.map)
        self.speech = Speech(self.places, state.colors)
        self.color, self.seat = color, self.speech.seat_of[color]
        seats = len(state.colors)
        self.rules = Rules.duel() if seats == 2 else replace(Rules.base(), player_trade=False)
        self.corrections: Counter[str] = Counter()
        self._discards: list[Event] = []
        self._view = SeatView.begin(
            self.places.board, self.seat, seats, replace(self.rules, points_to_win=NO_END)
        )

    def follow(self, state: Any, entry: Entry) -> None:
        """Take in an entry of the log; `state` is catanatron's after it.

        Raises ValueError where the view and the state then disagree.
        """
        facts = facts_of_state(state, self.seat, self.places)
        known = self._known()
        events = self.speech.events(entry, self._view, facts.hand_sizes)
        if self._view.phase == Phase.DISCARD:
            self._discards += events
            if len(self._discards) < sum(map(self._view.owes, range(self._view.seats))):
                return
            events = self._in_order()
        for event in events:
            self._view.apply(event.redacted(self.seat, self._view.seats))
        self._correct(facts, known)
        differences = facts_of_view(self._view).differences(facts)
        if differences:
            raise ValueError(f"after {entry} the view has drifted: {'; '.join(differences)}")

    def forgotten(self, board: Any) -> set[int]:
        """The vertices of the seat's roads that catanatron's `board` counts to no road of its own.

        It takes roads on both sides of a rival's building for one where they meet there again, and
        of one that is cut it keeps the two pieces at the cut: a third is lost.
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
        """Let the seat decide although others owe cards, too, less what it has discarded so far."""
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
        """All discards from the seat on turn onward; catanatron counts from its first seat."""
        seats, first = self._view.seats, self._view.turn_seat
        discards, self._discards = self._discards, []
        return sorted(discards, key=lambda event: (event.seat - first) % seats)

    def _correct(self, facts: Facts, known: list[tuple[int, ...]]) -> None:
        """Bring the view to what catanatron's rules made of the table where ours do not."""
        for resource in Resource:
            unpaid = facts.bank[resource] - self._view.bank[resource]
            if unpaid > 0:
                self._take_back(resource, unpaid, known)
        lengths = tuple(map(self._view.road_length, range(self._view.seats)))
        if facts.road_lengths != lengths:
            self.corrections["road lengths"] += 1
            self._view._array["road_length"][0, : self._view.seats] = facts.road_lengths
        if facts.longest_road != self._view.longest_road_seat:
            self.corrections["longest road"] += 1
            self._give_longest_road(facts.longest_road)
        self._look_again()

    def _take_back(self, resource: Resource, n: int, known: list[tuple[int, ...]]) -> None:
        """The bank paid nothing where the booklet has it pay its last cards to one seat.

        That seat is the one of which `known`, from before, has grown.
        """
        paid = [self._view.known(seat)[resource] - was[resource] for seat, was in enumerate(known)]
        seat = next(seat for seat, more in enumerate(paid) if more >= n)
        self.corrections["unpaid cards"] += n
        state = self._view._array[0]
        state["known"][seat, resource] -= n
        state["hand_size"][seat] -= n
        state["bank"][resource] += n
        if seat == self.seat:
            state["hand"][seat, resource] -= n

    def _give_longest_road(self, holder: int | None) -> None:
        state = self._view._array[0]
        if self._view.longest_road_seat is not None:
            state["points"][self._view.longest_road_seat] -= 2
        if holder is not None:
            state["points"][holder] += 2
        state["longest_road"] = NOBODY if holder is None else holder

    def _look_again(self) -> None:
        """Write the mask anew, which only the seat itself may have."""
        inner = doorway(self._view._array)
        doors.find_winner(inner, 0)
        doors.redact(inner, 0, self.seat)
