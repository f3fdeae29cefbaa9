"""Productions, all requested in one message."""

from itertools import pairwise

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import Produce, Production
from catan_env.guests.renaissance.judge.holdings import Holdings
from catan_env.guests.renaissance.judge.maps import (
    Pile,
    check_boxes,
    check_names,
    counted,
    piles_of,
)
from catan_env.guests.renaissance.judge.refusal import refuse
from catan_env.guests.renaissance.native.actions import BASE, FIRST_LEADER, FIRST_SLOT, PRODUCTIONS
from catan_env.guests.renaissance.native.cards import (
    BASE_INPUTS,
    FAITH,
    FAITH_OPEN,
    GOOD,
    GOODS,
    INPUT,
    WHITE,
)
from catan_env.guests.renaissance.speech import production_id

NOT_OWNED = "ReducedProductionRequest"


def judge_productions(has: Holdings, message: m.ReqActivateProductions) -> Produce:
    """Check that each production is the seat's, is used once, and gets its inputs (R051)."""
    requests = sorted(
        ((_number(has, one), one) for one in message.prodRequests or ()), key=lambda pair: pair[0]
    )
    if not requests:
        refuse(m.ErrReplacedTransRecipe(True, "", 0, 0, False))
    for (number, one), (other, _) in pairwise(requests):
        if number == other:
            refuse(m.ErrObjectNotOwned(_named(one), NOT_OWNED))
    for _, one in requests:
        check_boxes(m.boxes_of(one.inputContainers), has.containers)
        check_names(one.outputRep)
        check_names(one.inputNonStorableRep)
    maps = [_maps(has, number, one) for number, one in requests]
    for (number, _), (piles, gained) in zip(requests, maps, strict=True):
        _check_recipe(has, number, piles, gained)
    payments = has.payments([piles for piles, _ in maps])
    productions = (
        Production(number, payment, _pieces(gained))
        for (number, _), payment, (_, gained) in zip(requests, payments, maps, strict=True)
    )
    return Produce(tuple(productions))


def _number(has: Holdings, request: m.ProductionRequest) -> int:
    named = _named(request)
    for number in range(PRODUCTIONS):
        if production_id(number, has.state, has.seat, has.ids) == named:
            return number
    refuse(m.ErrObjectNotOwned(named, NOT_OWNED))


def _named(request: m.ProductionRequest) -> int:
    """The production that a request names, in either form."""
    if isinstance(request.production, int):
        return request.production
    if isinstance(request.id, int):
        return request.id
    refuse(m.ErrProtocol("Object missing required field `production`"))


def _maps(has: Holdings, number: int, one: m.ProductionRequest) -> tuple[list[Pile], Pile]:
    """The inputs of a request, by container and good, and the pieces it chooses."""
    piles = piles_of(m.boxes_of(one.inputContainers), has.containers, is_input=True)
    for name, count in (one.inputNonStorableRep or {}).items():
        if count:
            good = m.good_of(name)
            reason = "EXCLUDED" if good is not None and good >= GOODS else "ILLEGAL_STORABLE"
            reason = "NEGATIVE_VALUES" if count < 0 else reason
            refuse(m.ErrInvalidResourceTransaction(True, True, reason))
    gained = counted(one.outputRep, is_input=False, is_replacement=True)
    if gained[WHITE]:
        refuse(m.ErrInvalidResourceTransaction(False, True, "ILLEGAL_NON_STORABLE"))
    if gained[FAITH] and not _is_faith_open(has, number):
        refuse(m.ErrInvalidResourceTransaction(False, True, "EXCLUDED"))
    return piles, gained[:WHITE]


def _is_faith_open(has: Holdings, number: int) -> bool:
    if number == BASE:
        return bool(has.state["base_faith_open"])
    if number < FIRST_LEADER:
        return True  # it has no pieces of choice: the sums are refused later
    leader = has.state["leader"][has.seat, number - FIRST_LEADER]
    return bool(has.state["leaders"][leader, FAITH_OPEN])


def _check_recipe(has: Holdings, number: int, piles: list[Pile], gained: Pile) -> None:
    fixed, blanks, choices = _recipe(has, number)
    sent = [sum(pile[good] for pile in piles) for good in range(GOODS)]
    for good in range(GOODS):
        if sent[good] < fixed[good] or (not blanks and sent[good] != fixed[good]):
            few = sent[good] < fixed[good]
            refuse(m.ErrReplacedTransRecipe(True, m.NAMES[good], fixed[good], sent[good], few))
    owed = sum(fixed) + blanks
    if sum(sent) != owed:
        refuse(m.ErrReplacedTransRecipe(True, "", owed, sum(sent), sum(sent) < owed))
    if sum(gained) != choices:
        few = sum(gained) < choices
        refuse(m.ErrReplacedTransRecipe(False, "", choices, sum(gained), few))


def _recipe(has: Holdings, number: int) -> tuple[Pile, int, int]:
    """Goods taken, pieces of any kind taken, and pieces of choice given."""
    if number == BASE:
        return [0] * GOODS, BASE_INPUTS, 1
    if number < FIRST_LEADER:
        slot = number - FIRST_SLOT
        top = has.state["slot"][has.seat, slot, has.state["height"][has.seat, slot] - 1]
        return has.state["dev"][top][INPUT : INPUT + GOODS].tolist(), 0, 0
    goods = [0] * GOODS
    leader = has.state["leader"][has.seat, number - FIRST_LEADER]
    goods[has.state["leaders"][leader, GOOD]] = 1
    return goods, 0, 1


def _pieces(gained: Pile) -> tuple[int, ...]:
    return tuple(good for good, count in enumerate(gained) for _ in range(count))
