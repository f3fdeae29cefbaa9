"""Translation of catanatron's actions and log into ours."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from catan_env import Action, DevelopmentCard, Event, SeatView
from catan_env.catanatron.entry import Entry
from catan_env.catanatron.places import RESOURCE, CatanatronPlaces

PLAIN = {
    "ROLL": Action.roll(),
    "END_TURN": Action.end_turn(),
    "BUY_DEVELOPMENT_CARD": Action.buy_development_card(),
    "PLAY_KNIGHT_CARD": Action.play_knight(),
    "PLAY_ROAD_BUILDING": Action.play_road_building(),
}


class Seated(Protocol):
    """A position, as far as a translation asks for it."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    def seats_at(self, tile: int) -> Sequence[int]:
        """The seats with a settlement or city at a tile."""


class Speech:
    """Translates for one game, using its places and colours by seat."""

    def __init__(self, places: CatanatronPlaces, colors: Iterable[Any]) -> None:
        self.places = places
        self.seat_of = {color: seat for seat, color in enumerate(colors)}

    def choices(self, entry: Entry, view: Seated) -> list[Action]:
        """Our actions that are equivalent to one of catanatron's.

        Moving the robber without a victim corresponds to robbing any seat there without cards.
        """
        if entry.kind == "MOVE_ROBBER":
            return self._robber(entry, view)
        if entry.kind == "DISCARD":
            return [Action.discard(RESOURCE[card]) for card in entry.result]
        return [self._choice(entry)]

    def events(self, entry: Entry, view: SeatView, sizes: Sequence[int]) -> list[Event]:
        """The events of a log entry, unredacted.

        `view` is a seat's view before it, `sizes` are the sizes of all hands after it. Each
        discarded card is one event.
        """
        seat, actions = self.seat_of[entry.color], self.choices(entry, view)
        if entry.kind == "DISCARD":
            return [Event(seat, action) for action in actions]
        return [Event(seat, actions[0], self._outcome(entry, view, sizes))]

    def _choice(self, entry: Entry) -> Action:
        kind, value = entry.kind, entry.value
        if kind in PLAIN:
            return PLAIN[kind]
        if kind == "BUILD_ROAD":
            return Action.road(self.places.edge(value))
        if kind == "BUILD_SETTLEMENT":
            return Action.settlement(self.places.vertex[value])
        if kind == "BUILD_CITY":
            return Action.city(self.places.vertex[value])
        if kind == "PLAY_MONOPOLY":
            return Action.play_monopoly(RESOURCE[value])
        if kind == "PLAY_YEAR_OF_PLENTY":
            return Action.play_year_of_plenty(RESOURCE[value[0]], RESOURCE[value[-1]])
        if kind == "MARITIME_TRADE":
            return Action.bank_trade(RESOURCE[value[0]], RESOURCE[value[-1]])
        raise ValueError(f"{entry}: catanatron's actions of that kind have no counterpart")

    def _robber(self, entry: Entry, view: Seated) -> list[Action]:
        at, victim = entry.value
        tile, seat = self.places.tile[at], self.seat_of[entry.color]
        if victim is not None:
            victims: list[int] = [self.seat_of[victim]]
        else:
            victims = [other for other in view.seats_at(tile) if other != seat]
        steps = [(other - seat) % view.seats for other in victims]
        return [Action.move_robber(tile, step) for step in steps] or [Action.move_robber(tile)]

    def _outcome(self, entry: Entry, view: SeatView, sizes: Sequence[int]) -> Any:
        kind, result = entry.kind, entry.result
        if kind == "PLAY_MONOPOLY":
            lost = [view.hand_size(seat) - size for seat, size in enumerate(sizes)]
            return tuple(max(n, 0) for n in lost)
        if kind == "ROLL":
            return tuple(result)
        if kind == "BUY_DEVELOPMENT_CARD":
            return DevelopmentCard[result]
        if kind == "MOVE_ROBBER":
            return None if result is None else RESOURCE[result]
        return None
