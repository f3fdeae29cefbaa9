"""The state of a game as announced on one line, in the protocol's own words; market lines."""

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

GOODS = ("Coin", "Stone", "Servant", "Shield")
LAST_SPACE = 24
Content = dict[str, int]


@dataclass
class Picture:
    """The public part of a game; by player, or by container."""

    boxes: dict[int, Content]
    market: list[str]
    slots: dict[str, list[list[int]]]
    top: dict[str, list[Any]]
    faith: dict[str, int]
    points: dict[str, int]
    current: str
    cross: int = 0
    hands: dict[str, int] = field(default_factory=dict)
    leaders: dict[str, list[int]] = field(default_factory=dict)
    """Active leaders."""
    reports: dict[str, list[str]] = field(default_factory=dict)
    """Winners of each report, by its space."""
    is_last_round: bool = False
    is_playing: bool = False


def marbles_of(market: dict[str, Any]) -> list[str]:
    """Twelve marbles, row by row, then the one on the slide."""
    return [*chain.from_iterable(market["grid"]), market["slide"]]


def places_of(line: int) -> list[int]:
    """Rows are 0 to 2, columns 3 to 6: their places, first the one where a marble leaves."""
    return [4 * line + k for k in range(4)] if line < 3 else [line - 3 + 4 * k for k in range(3)]


def line_of(market: list[str], line: int) -> list[str]:
    """The goods of a line."""
    return [market[place] for place in places_of(line)]


def shifted(market: list[str], line: int) -> list[str]:
    """R021, R022: the market after the line was taken."""
    places = [*places_of(line), 12]
    result = market[:]
    for to, source in zip(places, [*places[1:], places[0]], strict=True):
        result[to] = market[source]
    return result


def same(before: Picture, now: Picture, *parts: str) -> bool:
    """True if those parts have not changed."""
    return all(getattr(before, part) == getattr(now, part) for part in parts)
