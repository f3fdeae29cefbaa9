"""catanatron's actions and its log in our words."""

from collections.abc import Iterable, Sequence
from typing import Any

from catanatron.models.enums import ActionType  # type: ignore[import-not-found]

from benchmarks.catanatron_table.places import RESOURCE, Places
from catan_env import Action, DevelopmentCard, Event, SeatView, geometry

PLAIN = {
    ActionType.ROLL: Action.roll(),
    ActionType.END_TURN: Action.end_turn(),
    ActionType.BUY_DEVELOPMENT_CARD: Action.buy_development_card(),
    ActionType.PLAY_KNIGHT_CARD: Action.play_knight(),
    ActionType.PLAY_ROAD_BUILDING: Action.play_road_building(),
}


class Speech:
    """Translates for one game, whose places and colours by seat it knows."""

    def __init__(self, places: Places, colors: Iterable[Any]) -> None:
        self.places = places
        self.seat_of = {color: seat for seat, color in enumerate(colors)}

    def choices(self, action: Any, view: SeatView) -> list[Action]:
        """Our actions that come to the same as one of catanatron's, but for discards.

        Moving the robber without a victim stands for each seat there that has no cards.
        """
        if action.action_type == ActionType.MOVE_ROBBER:
            return self._robber(action, view)
        return [self._choice(action)]

    def events(self, action: Any, view: SeatView, sizes: Sequence[int]) -> list[Event]:
        """What an entry of the log says, unredacted.

        `view` is a seat's before it, `sizes` are all hands' after it. A discard is one event a
        card.
        """
        seat = self.seat_of[action.color]
        if action.action_type == ActionType.DISCARD:
            return [Event(seat, Action.discard(RESOURCE[card])) for card in action.value]
        return [Event(seat, self.choices(action, view)[0], self._outcome(action, view, sizes))]

    def _choice(self, action: Any) -> Action:
        kind, value = action.action_type, action.value
        if kind in PLAIN:
            return PLAIN[kind]
        if kind == ActionType.BUILD_ROAD:
            return Action.road(self.places.edge(value))
        if kind == ActionType.BUILD_SETTLEMENT:
            return Action.settlement(self.places.vertex[value])
        if kind == ActionType.BUILD_CITY:
            return Action.city(self.places.vertex[value])
        if kind == ActionType.PLAY_MONOPOLY:
            return Action.play_monopoly(RESOURCE[value])
        if kind == ActionType.PLAY_YEAR_OF_PLENTY:
            return Action.play_year_of_plenty(RESOURCE[value[0]], RESOURCE[value[-1]])
        if kind == ActionType.MARITIME_TRADE:
            return Action.bank_trade(RESOURCE[value[0]], RESOURCE[value[-1]])
        raise ValueError(f"catanatron's action {action} is none of {list(ActionType)}")

    def _robber(self, action: Any, view: SeatView) -> list[Action]:
        at, victim, _ = action.value
        tile, seat = self.places.tile[at], self.seat_of[action.color]
        if victim is not None:
            victims: list[int] = [self.seat_of[victim]]
        else:
            victims = [other for other in neighbours(view, tile) if other != seat]
        steps = [(other - seat) % view.seats for other in victims]
        return [Action.move_robber(tile, step) for step in steps] or [Action.move_robber(tile)]

    def _outcome(self, action: Any, view: SeatView, sizes: Sequence[int]) -> Any:
        kind, value = action.action_type, action.value
        if kind == ActionType.PLAY_MONOPOLY:
            lost = [view.hand_size(seat) - size for seat, size in enumerate(sizes)]
            return tuple(max(n, 0) for n in lost)
        if kind == ActionType.ROLL:
            return tuple(value)
        if kind == ActionType.BUY_DEVELOPMENT_CARD:
            return DevelopmentCard[value]
        if kind == ActionType.MOVE_ROBBER:
            return None if value[2] is None else RESOURCE[value[2]]
        return None


def neighbours(view: SeatView, tile: int) -> list[int]:
    """The seats with a building on the tile."""
    corners = set(geometry.TILE_VERTICES[tile])
    return [
        seat
        for seat in range(view.seats)
        if corners & {*view.settlements(seat), *view.cities(seat)}
    ]
