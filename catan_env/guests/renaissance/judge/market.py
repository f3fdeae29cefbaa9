"""Goods taken from the market."""

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import TakeFromMarket
from catan_env.guests.renaissance.judge.holdings import Holdings
from catan_env.guests.renaissance.judge.maps import (
    Pile,
    check_boxes,
    check_names,
    goods_of,
    piles_of,
)
from catan_env.guests.renaissance.judge.refusal import refuse
from catan_env.guests.renaissance.native.cards import (
    COLUMNS,
    GOOD,
    GOODS,
    ROWS,
    WHITE,
    WHITE_MARBLE,
)
from catan_env.guests.renaissance.native.state import KEPT
from catan_env.guests.renaissance.speech import active_leaders, marbles_in


def judge_market(has: Holdings, message: m.ReqTakeFromMarket) -> TakeFromMarket:
    """Check the line, the converted white marbles, and the places for all goods drawn."""
    check_boxes(m.boxes_of(message.shelves), has.boxes, "Shelf")
    if not 0 <= message.index < (ROWS if message.isRow else COLUMNS):
        refuse(m.ErrNoSuchEntity("MARKET_INDEX", message.index))
    line = message.index + (0 if message.isRow else ROWS)
    check_names(message.replacements)
    turned = goods_of(message.replacements, is_input=False, is_replacement=True)
    piles = piles_of(m.boxes_of(message.shelves), has.boxes, is_input=False)
    marbles = marbles_in(line, has.state)
    whites = _whites(has, turned, marbles.count(WHITE))
    drawn = [marbles.count(good) + turned[good] for good in range(GOODS)]
    for good in range(GOODS):
        placed = sum(pile[good] for pile in piles)
        if placed > drawn[good]:
            refuse(m.ErrReplacedTransRecipe(False, m.NAMES[good], drawn[good], placed, False))
    has.check_placing(piles)
    return TakeFromMarket(
        line, whites, tuple(_placed(piles, good, drawn[good]) for good in range(GOODS))
    )


def _whites(has: Holdings, turned: Pile, whites: int) -> tuple[int, ...]:
    """White marbles by leader, if two leaders convert them."""
    leaders = active_leaders(has.state, has.seat, WHITE_MARBLE)
    goods = [int(has.state["leaders"][leader, GOOD]) for leader in leaders]
    if any(count and good not in goods for good, count in enumerate(turned)):
        refuse(m.ErrInvalidResourceTransaction(False, True, "EXCLUDED"))
    owed, sent = whites if goods else 0, sum(turned)
    if sent != owed:
        refuse(m.ErrReplacedTransRecipe(False, m.NAMES[WHITE], owed, sent, sent < owed))
    if len(goods) < KEPT:
        return ()
    return tuple(i for i, good in enumerate(goods) for _ in range(turned[good]))


def _placed(piles: list[Pile], good: int, drawn: int) -> tuple[int, ...]:
    """Pieces of a good by place; the rest is discarded."""
    counts = [pile[good] for pile in piles]
    return (*counts, drawn - sum(counts))
