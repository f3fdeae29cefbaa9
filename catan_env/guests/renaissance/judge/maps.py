"""Checks of maps of goods and containers: names, owners and allowed contents."""

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.judge.refusal import refuse
from catan_env.guests.renaissance.native.cards import GOODS

Pile = list[int]
"""Pieces by good."""
Boxes = list[tuple[int, m.Map]]
"""Containers and their contents, as `boxes_of` returns them."""


def check_boxes(boxes: Boxes, owned: list[int], kind: str = "ResourceContainer") -> None:
    """Refuse containers that are not the seat's, and unknown goods; errors name them as `kind`."""
    for number, content in boxes:
        if number not in owned or number < 0:
            refuse(m.ErrObjectNotOwned(number, kind))
        check_names(content)


def check_names(content: m.Map | None) -> None:
    """Refuse unknown resources."""
    for name in content or ():
        if m.good_of(name) is None:
            refuse(m.ErrNoSuchEntity("RESOURCE", -1, name))


def piles_of(boxes: Boxes, owned: list[int], is_input: bool) -> list[Pile]:
    """Pieces by container, in the order of `owned`, and good."""
    check_boxes(boxes, owned)
    piles = [[0] * GOODS for _ in owned]
    for number, content in boxes:
        pile = piles[owned.index(number)]
        for good, count in enumerate(goods_of(content, is_input, False)):
            pile[good] += count
    return piles


def goods_of(content: m.Map | None, is_input: bool, is_replacement: bool) -> Pile:
    """Pieces by good, of a map that may contain only goods."""
    counts = counted(content, is_input, is_replacement)
    if any(counts[GOODS:]):
        refuse(m.ErrInvalidResourceTransaction(is_input, is_replacement, "ILLEGAL_NON_STORABLE"))
    return counts[:GOODS]


def counted(content: m.Map | None, is_input: bool, is_replacement: bool) -> Pile:
    """Pieces by good, including faith and white marbles."""
    counts = [0] * len(m.NAMES)
    for name, count in (content or {}).items():
        if count < 0:
            refuse(m.ErrInvalidResourceTransaction(is_input, is_replacement, "NEGATIVE_VALUES"))
        good = m.good_of(name)
        assert good is not None
        counts[good] += count
    return counts
