"""The protocol's words for goods, marbles and colours, and the maps that use them."""

from typing import Any

from catan_env.guests.renaissance.messages.base import Boxes, Hand, Map
from catan_env.guests.renaissance.native.cards import COLOURS, FAITH, GOODS, RESOURCES

NAMES = (*RESOURCES, "Faith", "Zero")
"""The names of goods and marbles, by number."""


def good_of(name: str) -> int | None:
    """The number of a good, faith or white marble by its name; None for an unknown name.

    >>> good_of("Coin"), good_of("servant"), good_of("Faith"), good_of("Gold")
    (0, 2, 4, None)
    """
    name = name[:1].upper() + name[1:]
    return NAMES.index(name) if name in NAMES else None


def colour_of(name: str) -> int | None:
    """The number of a colour by its name; None for an unknown name."""
    return COLOURS.index(name) if name in COLOURS else None


def boxes_of(given: Boxes | None) -> list[tuple[int, Map]]:
    """Containers' ids and contents, from either spelling; a list may repeat a container."""
    objects = [given] if isinstance(given, dict) else given or []
    return [entry for one in objects for entry in one.items()]


def shown_in(hand: Hand) -> list[int]:
    """The leaders of a hand that are shown.

    >>> shown_in([3, None, 5]), shown_in(None)
    ([3, 5], [])
    """
    return [leader for leader in hand or () if leader is not None]


def whole(hand: Hand, is_empty: bool = False) -> list[int]:
    """The leaders of a player's own hand; ValueError if one is hidden.

    A hand that is null or missing may be that of a player with no leaders left.
    """
    if None in (hand or ()) or (hand is None and not is_empty):
        raise ValueError(f"the player's own leaders are hidden: {hand}")
    return shown_in(hand)


def counts_of(goods: Any) -> Map:
    """A map of the goods with a positive count."""
    return {NAMES[good]: int(count) for good, count in enumerate(goods) if count}


def marble_of(name: str) -> int:
    """The number of a marble by its name; ValueError for an unknown name."""
    number = good_of(name)
    if number is None:
        raise ValueError(f"{name!r} is not a marble; allowed are {', '.join(NAMES)}")
    return number


def faith_of(counts: Map | None) -> int:
    """Faith points in a map of goods."""
    return sum(count for name, count in (counts or {}).items() if good_of(name) == FAITH)


def goods_of(counts: Map | None) -> list[int]:
    """Pieces by good, (4,), without faith and white marbles.

    >>> goods_of({"stone": 2, "Faith": 1})
    [0, 2, 0, 0]
    """
    numbers = [0] * len(NAMES)
    for name, count in (counts or {}).items():
        number = good_of(name)
        if number is not None:
            numbers[number] += count
    return numbers[:GOODS]
