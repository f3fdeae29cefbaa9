"""Exchanges of two places."""

from typing import NoReturn

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import Swap
from catan_env.guests.renaissance.judge.holdings import Holdings
from catan_env.guests.renaissance.judge.refusal import refuse, refuse_transfer
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.state import SHELVES


def judge_exchange(has: Holdings, message: m.ReqSwapShelves) -> Swap:
    """Check that the shelves or open depots are the seat's, and the contents fit."""
    places = []
    for number in (message.shelf1, message.shelf2):
        if number not in has.boxes or number < 0:
            refuse(m.ErrObjectNotOwned(number, "Shelf"))
        places.append(has.boxes.index(number))
    a, b = sorted(places)
    if a != b and not has.ask(doors.exchange_fits, a, b):
        _refuse(has, a, b)
    return Swap(a, b)


def _refuse(has: Holdings, a: int, b: int) -> NoReturn:
    for place, other in ((a, b), (b, a)):
        good, count = has.content(other)
        if not count:
            continue
        if place >= SHELVES and good != has.depot_good(place):
            refuse_transfer(good, True, "BOUNDED_RESTYPE_DIFFER")
        if count > has.size(place):
            refuse_transfer(good, True, "CAPACITY_REACHED")
        if place < SHELVES and _is_on_third_shelf(has, good, a, b):
            refuse_transfer(good, True, "DUPLICATE_BOUNDED_RESOURCE")
    refuse(m.ErrResourceTransfer(True, "CAPACITY_REACHED"))


def _is_on_third_shelf(has: Holdings, good: int, a: int, b: int) -> bool:
    others = [has.content(shelf) for shelf in range(SHELVES) if shelf not in (a, b)]
    return any(kind == good and count > 0 for kind, count in others)
