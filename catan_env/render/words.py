"""Events as text, with the players' names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from catan_env.core.constants import Resource
from catan_env.game.action import ActionKind
from catan_env.game.event import HIDDEN, Event
from catan_env.game.position import Position
from catan_env.render.place_names import edge_names, vertex_names

if TYPE_CHECKING:
    Counts = Sequence[int]

RESOURCES = tuple(resource.name.lower() for resource in Resource)


class Standing(NamedTuple):
    """The parts of the position before an event that its text depends on."""

    known: tuple[Counts, ...]
    turn: int
    longest_road: int | None
    largest_army: int | None

    @classmethod
    def of(cls, position: Position) -> Standing:
        """The current position of the table."""
        known = tuple(position.known(seat) for seat in range(position.seats))
        return cls(known, position.turn, position.longest_road_seat, position.largest_army_seat)

    @classmethod
    def in_frame(cls, frame: Mapping[str, Any]) -> Standing:
        """The same of a page's frame."""
        return cls(tuple(frame["known"]), frame["turn"], frame["longest"], frame["army"])


class Commentary:
    """The text of each event of a game; `names` are the players', by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = spoken(names)

    def line(self, event: Event, before: Standing, position: Position) -> str:
        """The event between `before` and the position at the table."""
        happening = _TEXTS[event.action.kind](self, event, before, position)
        line = f"{self.names[event.seat]} {happening}{self._awards(before, position)}"
        if event.winner is not None:
            line += f". {self.names[event.winner]} wins"
        return line

    def _awards(self, before: Standing, position: Position) -> str:
        taken = ""
        for name, old, new in (
            ("Longest Road", before.longest_road, position.longest_road_seat),
            ("Largest Army", before.largest_army, position.largest_army_seat),
        ):
            if old != new:
                taken += f"; {self.names[new]} takes {name}" if new is not None else ""
                taken += f"; no player holds {name} any more" if new is None else ""
        return taken

    def _gains(self, before: Standing, position: Position) -> list[str]:
        """The cards that each seat has openly received."""
        gains = []
        for seat, name in enumerate(self.names):
            gained = _gained(seat, before, position)
            if any(n > 0 for n in gained):
                gains.append(f"{name} gets {say_cards(gained)}")
        return gains

    def _roll(self, event: Event, before: Standing, position: Position) -> str:
        first, second = event.outcome
        rolled = f"rolls {first} + {second} = {first + second}"
        if first + second == 7:
            return f"{rolled}: the robber wakes"
        return f"{rolled}: {', '.join(self._gains(before, position)) or 'no cards'}"

    def _settle(self, event: Event, before: Standing, position: Position) -> str:
        place = vertex_names(position.board)[event.action.args[0]]
        if before.turn:
            return f"builds a settlement at {place}"
        cards = _gained(event.seat, before, position)
        return f"places a settlement at {place}" + (
            f" and gets {say_cards(cards)}" if any(cards) else ""
        )

    def _build_city(self, event: Event, before: Standing, position: Position) -> str:
        return f"builds a city at {vertex_names(position.board)[event.action.args[0]]}"

    def _lay_road(self, event: Event, before: Standing, position: Position) -> str:
        verb = "builds" if before.turn else "places"
        return f"{verb} a road {edge_names(position.board)[event.action.args[0]]}"

    def _buy(self, event: Event, before: Standing, position: Position) -> str:
        kind = "" if event.outcome is HIDDEN else f": {_word(event.outcome.name)}"
        return f"buys a development card{kind}"

    def _year_of_plenty(self, event: Event, before: Standing, position: Position) -> str:
        cards = say_cards(_gained(event.seat, before, position))
        return f"plays year of plenty and takes {cards}"

    def _monopoly(self, event: Event, before: Standing, position: Position) -> str:
        givers = [
            f"{n} from {self.names[seat]}"
            for seat, n in enumerate(event.outcome)
            if n and seat != event.seat
        ]
        taken = f"takes {sum(event.outcome)} ({', '.join(givers)})" if givers else "gets none"
        return f"plays monopoly on {_word(event.action.args[0].name)} and {taken}"

    def _rob(self, event: Event, before: Standing, position: Position) -> str:
        terrain, token = position.board.tiles[event.action.args[0]]
        place = f"the {_word(terrain.name)}{f' of {token}' if token else ''}"
        moved, victim = f"moves the robber to {place}", event.victim(position.seats)
        if victim is None:
            return moved
        name = self.names[victim]
        if event.outcome is None:
            return f"{moved}; {name} has nothing to steal"
        card = "a card" if event.outcome is HIDDEN else f"1 {_word(event.outcome.name)}"
        return f"{moved} and steals {card} from {name}"

    def _discard(self, event: Event, before: Standing, position: Position) -> str:
        card = "a card" if event.outcome is HIDDEN else f"1 {_word(event.action.args[0].name)}"
        return f"discards {card}"

    def _trade(self, event: Event, before: Standing, position: Position) -> str:
        give, get, rate = event.action.args
        n = rate or position.trade_rates(event.seat)[give]
        return f"trades {n} {_word(give.name)} for 1 {_word(get.name)} with the bank"

    def _offer(self, event: Event, before: Standing, position: Position) -> str:
        _, give, get = event.action.args
        to = event.victim(position.seats)
        name = self.names[to] if to is not None else ""
        return f"offers {say_cards(give)} to {name} for {say_cards(get)}"


def _gained(seat: int, before: Standing, position: Position) -> list[int]:
    """The cards that a seat has openly received, by Resource."""
    return [b - a for a, b in zip(before.known[seat], position.known(seat), strict=True)]


def spoken(names: Sequence[str]) -> list[str]:
    """The names as they appear in a sentence: a number alone would read as a count.

    >>> spoken(["Ann", "2"])
    ['Ann', 'Player 2']
    """
    return [f"Player {name}" if name.isdigit() else name for name in names]


def say_cards(counts: Counts) -> str:
    """Cards as text: "2 brick and 1 ore"."""
    cards = [f"{n} {name}" for n, name in zip(counts, RESOURCES, strict=True) if n > 0]
    return " and ".join(filter(None, (", ".join(cards[:-1]), *cards[-1:]))) or "nothing"


def _word(name: str) -> str:
    return name.lower().replace("_", " ")


def _always(words: str) -> Callable[[Commentary, Event, Standing, Position], str]:
    return lambda commentary, event, before, position: words


_TEXTS: dict[ActionKind, Callable[[Commentary, Event, Standing, Position], str]] = {
    ActionKind.ROLL: Commentary._roll,
    ActionKind.END_TURN: _always("ends the turn"),
    ActionKind.BUY_DEVELOPMENT_CARD: Commentary._buy,
    ActionKind.PLAY_KNIGHT: _always("plays a knight"),
    ActionKind.PLAY_ROAD_BUILDING: _always("plays road building"),
    ActionKind.ACCEPT: _always("accepts the offer"),
    ActionKind.REJECT: _always("declines the offer"),
    ActionKind.PLAY_YEAR_OF_PLENTY: Commentary._year_of_plenty,
    ActionKind.PLAY_MONOPOLY: Commentary._monopoly,
    ActionKind.DISCARD: Commentary._discard,
    ActionKind.BANK_TRADE: Commentary._trade,
    ActionKind.SETTLEMENT: Commentary._settle,
    ActionKind.CITY: Commentary._build_city,
    ActionKind.ROAD: Commentary._lay_road,
    ActionKind.MOVE_ROBBER: Commentary._rob,
    ActionKind.OFFER: Commentary._offer,
    ActionKind.TIME_OUT: _always("runs out of time: the turn ends"),
    ActionKind.LEAVE: _always("leaves the table"),
}
