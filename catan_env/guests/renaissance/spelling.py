"""The ways in which the protocol's text lets a command be written."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from catan_env.guests.renaissance import messages as m

WAYS = ((False, False), (True, True), (False, True), (True, False))
"""Pairs: containers are a list of one-key objects, not one object; `id` names a production."""
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
        for way in WAYS:
            other = spelled(command, *way)
            if other not in self._tried:
                self._way = way
                self._tried.append(other)
                return other
        self._way = self._before
        return None


def spelled(command: m.Command, are_lists: bool, has_id: bool) -> m.Command:
    """A command written in one of the WAYS."""
    boxes: Callable[[Any], Any] = _listed if are_lists else _unchanged
    if isinstance(command, m.ReqActivateProductions):
        return m.ReqActivateProductions(
            [_production(one, boxes, has_id) for one in command.prodRequests]
        )
    field = CONTAINERS.get(type(command))
    return replace(command, **{field: boxes(getattr(command, field))}) if field else command


def _production(
    one: m.ProductionRequest, boxes: Callable[[Any], Any], has_id: bool
) -> m.ProductionRequest:
    inputs = boxes(one.inputContainers)
    if not has_id:
        return replace(one, inputContainers=inputs)
    return m.ProductionRequest(
        id=one.production,
        inputContainers=inputs,
        inputNonStorableRep=one.inputNonStorableRep,
        outputRep=one.outputRep,
    )


def _listed(boxes: dict[int, m.Map]) -> list[dict[int, m.Map]]:
    return [{box: goods} for box, goods in boxes.items()]


def _unchanged(boxes: Any) -> Any:
    return boxes
