"""The choices of the set-up."""

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import ChooseGoods, KeepLeaders
from catan_env.guests.renaissance.judge.holdings import Holdings, check_leader
from catan_env.guests.renaissance.judge.maps import check_boxes, piles_of
from catan_env.guests.renaissance.judge.refusal import refuse
from catan_env.guests.renaissance.native.actions import PAIRS
from catan_env.guests.renaissance.native.cards import START_GOODS
from catan_env.guests.renaissance.native.state import KEPT, SHELVES


def judge_leaders(has: Holdings, message: m.ReqChooseLeaders) -> KeepLeaders:
    """The choice of two of the leaders dealt."""
    has_kept = bool(has.state["has_kept"][has.seat])
    dealt = has.state["dealt"][has.seat].tolist()
    held = has.state["leader"][has.seat].tolist() if has_kept else dealt
    leaders = message.leaders or []
    for leader in leaders:
        check_leader(leader, held)
    repeated = len(leaders) - len(set(leaders))
    if repeated:
        refuse(m.ErrInitialChoice(True, repeated))
    if has_kept or len(leaders) != KEPT:
        refuse(m.ErrInitialChoice(True, 0 if has_kept else KEPT - len(leaders)))
    pair = tuple(sorted(dealt.index(leader) for leader in leaders))
    pairs = [(PAIRS[k, 0], PAIRS[k, 1]) for k in range(len(PAIRS))]
    return KeepLeaders(pairs.index(pair))


def judge_goods(has: Holdings, message: m.ReqChooseResources) -> ChooseGoods:
    """The choice of the goods owed, on shelves."""
    if has.state["has_goods"][has.seat]:
        refuse(m.ErrInitialChoice(False, 0))
    boxes = m.boxes_of(message.shelves)
    check_boxes(boxes, has.boxes[:SHELVES], "Shelf")
    piles = piles_of(boxes, has.boxes[:SHELVES], is_input=False)
    owed, sent = int(START_GOODS[has.seat]), sum(map(sum, piles))
    if sent != owed:
        refuse(m.ErrReplacedTransRecipe(False, "", owed, sent, sent < owed))
    has.check_placing(piles)
    goods = [
        (good, shelf)
        for shelf, pile in enumerate(piles)
        for good, count in enumerate(pile)
        for _ in range(count)
    ]
    return ChooseGoods(tuple(sorted(goods)))
