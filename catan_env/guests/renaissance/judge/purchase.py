"""Purchases of development cards."""

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import Buy
from catan_env.guests.renaissance.judge.holdings import Holdings
from catan_env.guests.renaissance.judge.maps import check_boxes, piles_of
from catan_env.guests.renaissance.judge.refusal import refuse
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.cards import GOODS, LEVELS
from catan_env.guests.renaissance.native.state import EMPTY, SLOTS


def judge_purchase(has: Holdings, message: m.ReqBuyDevCard) -> Buy:
    """Check the top card of a stack, a slot that it fits into, and the exact cost."""
    colour = m.colour_of(message.color)
    if colour is None:
        refuse(m.ErrNoSuchEntity("COLOR", -1, message.color))
    if not 1 <= message.level <= LEVELS:
        refuse(m.ErrNoSuchEntity("DEVCARD", message.level))
    if not 0 <= message.devSlot < SLOTS:
        refuse(m.ErrObjectNotOwned(message.devSlot, "DevSlot"))
    boxes = m.boxes_of(message.resContainers)
    check_boxes(boxes, has.containers)
    card = int(has.state["top"][colour, message.level - 1])
    if card == EMPTY:
        refuse(m.ErrBuyDevCard(True))
    if has.state["height"][has.seat, message.devSlot] != message.level - 1:
        refuse(m.ErrBuyDevCard(False))
    piles = piles_of(boxes, has.containers, is_input=True)
    for good in range(GOODS):
        cost = has.ask(doors.cost_of, card, good)
        sent = sum(pile[good] for pile in piles)
        if sent != cost:
            refuse(m.ErrReplacedTransRecipe(True, m.NAMES[good], cost, sent, sent < cost))
    return Buy(colour, message.level - 1, message.devSlot, has.payments([piles])[0])
