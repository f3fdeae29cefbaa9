"""The ways in which the protocol's text lets a command be written."""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from catan_env.guests.renaissance import messages as m

NAMES = (("production", "id"), ("production",), ("id",))
"""The names of a production: both, for a server that takes a missing one for 0, or only one, for a
server that refuses unknown fields."""
WAYS = tuple((are_lists, names) for names in NAMES for are_lists in (False, True))
"""Pairs: containers are a list of one-key objects, not one object; the names of a production."""
CONTAINERS = {
    m.ReqChooseResources: "shelves",
    m.ReqTakeFromMarket: "shelves",
    m.ReqBuyDevCard: "resContainers",
}


class Spelling:
    """The way that a server reads: the first that it does not refuse as unreadable.

    >>> spelling = Spelling()
    >>> command = m.ReqBuyDevCard("Blue", 1, 0, {7: {"Coin": 2}, 8: {"Stone": 1}})
    >>> spelling.first(command).resContainers
    {7: {'Coin': 2}, 8: {'Stone': 1}}
    >>> spelling.next(command).resContainers
    [{7: {'Coin': 2}}, {8: {'Stone': 1}}]
    >>> print(spelling.next(command))
    None
    """

    def __init__(self) -> None:
        self._way = self._before = WAYS[0]
        self._tried: list[m.Command] = []

    def first(self, command: m.Command) -> m.Command:
        """A new command, as the last one was written."""
        self._before, self._tried = self._way, [spelled(command, *self._way)]
        return self._tried[0]

    def next(self, command: m.Command) -> m.Command | None:
        """The refused command in another way; None if every way has been refused."""
        are_lists = self._before[0]
        for way in sorted(WAYS, key=lambda way: way[0] != are_lists):
            other = spelled(command, *way)
            if other not in self._tried:
                self._way = way
                self._tried.append(other)
                return other
        self._way = self._before
        return None


def spelled(command: m.Command, are_lists: bool, names: tuple[str, ...]) -> m.Command:
    """A command written in one of the WAYS."""
    boxes: Callable[[Any], Any] = _listed if are_lists else _unchanged
    if isinstance(command, m.ReqActivateProductions):
        return m.ReqActivateProductions(
            [_production(one, boxes, names) for one in command.prodRequests or ()]
        )
    field = CONTAINERS.get(type(command))
    return replace(command, **{field: boxes(getattr(command, field))}) if field else command


def _production(
    one: m.ProductionRequest, boxes: Callable[[Any], Any], names: tuple[str, ...]
) -> m.ProductionRequest:
    named = {name: one.production if name in names else UNSET for name in NAMES[0]}
    return replace(one, inputContainers=boxes(one.inputContainers), **named)


def _listed(boxes: dict[int, m.Map]) -> list[dict[int, m.Map]]:
    return [{box: goods} for box, goods in boxes.items()]


def _unchanged(boxes: Any) -> Any:
    return boxes
