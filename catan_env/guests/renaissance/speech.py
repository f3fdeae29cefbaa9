"""Commands of the game as messages of the protocol.

The reverse, which must judge a client's requests, is in judge/.
"""

from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import (
    Buy,
    ChooseGoods,
    Command,
    EndTurn,
    KeepLeaders,
    LeaderAction,
    Payment,
    Produce,
    Production,
    Swap,
    TakeFromMarket,
)
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.native.actions import (
    BASE,
    FIRST_LEADER,
    FIRST_SLOT,
    PAIRS,
    SHELF,
    SOURCES,
    STRONGBOX,
)
from catan_env.guests.renaissance.native.cards import (
    COLOURS,
    COLUMNS,
    DEPOT,
    GOOD,
    GOODS,
    KIND,
    ROWS,
    WHITE,
    WHITE_MARBLE,
)
from catan_env.guests.renaissance.native.state import ACTIVE, EMPTY, KEPT, PLACES_OF_GOODS, SHELVES


def to_message(command: Command, state: Any, seat: int, ids: Ids) -> m.Command:
    """The message of a command of `seat`; `state` is the view's or the game's before it."""
    if isinstance(command, KeepLeaders):
        dealt = state["dealt"][seat]
        kept = [int(dealt[PAIRS[command.pair, k]]) for k in range(KEPT)]
        return m.ReqChooseLeaders([ids.leaders[leader] for leader in kept])
    if isinstance(command, ChooseGoods):
        return m.ReqChooseResources(_starting_boxes(command, seat, ids))
    if isinstance(command, TakeFromMarket):
        return _market(command, state, seat, ids)
    if isinstance(command, Buy):
        boxes = payment_boxes(command.payment, state, seat, ids)
        return m.ReqBuyDevCard(COLOURS[command.colour], command.level + 1, command.slot, boxes)
    if isinstance(command, Produce):
        requests = [_production(one, state, seat, ids) for one in command.productions]
        return m.ReqActivateProductions(requests)
    if isinstance(command, LeaderAction):
        leader = int(state["leader"][seat, command.leader])
        return m.ReqLeaderAction(ids.leaders[leader], command.activates)
    if isinstance(command, Swap):
        places = (place_id(place, state, seat, ids) for place in (command.a, command.b))
        return m.ReqSwapShelves(*places)
    assert isinstance(command, EndTurn)
    return m.ReqEndTurn()


def place_id(place: int, state: Any, seat: int, ids: Ids) -> int:
    """The container of a place: a shelf, or the depot of a kept leader."""
    if place < SHELVES:
        return ids.shelves[seat][place]
    return ids.depots[int(state["leader"][seat, place - SHELVES])]


def source_id(good: int, source: int, state: Any, seat: int, ids: Ids) -> int:
    """The container of a seat that provides a piece of a payment."""
    if source == STRONGBOX:
        return ids.strongbox[seat]
    if source == SHELF:
        return ids.shelves[seat][state["shelf_good"][seat].tolist().index(good)]
    leader = next(
        leader
        for leader in active_leaders(state, seat, DEPOT)
        if state["leaders"][leader, GOOD] == good
    )
    return ids.depots[leader]


def active_leaders(state: Any, seat: int, kind: int) -> list[int]:
    """Ids of a seat's active leaders of one kind."""
    kept = zip(state["leader"][seat].tolist(), state["leader_state"][seat].tolist(), strict=True)
    return [
        leader
        for leader, how in kept
        if leader != EMPTY and how == ACTIVE and state["leaders"][leader, KIND] == kind
    ]


def payment_boxes(payment: Payment, state: Any, seat: int, ids: Ids) -> dict[int, m.Map]:
    """Pieces by container."""
    boxes: dict[int, m.Map] = {}
    for piece, count in enumerate(payment):
        if count:
            good, source = divmod(piece, SOURCES)
            box = boxes.setdefault(source_id(good, source, state, seat, ids), {})
            box[m.NAMES[good]] = box.get(m.NAMES[good], 0) + count
    return boxes


def marbles_in(line: int, state: Any) -> list[int]:
    """The marbles of a line: rows 0-2, columns 3-6."""
    grid = state["market"][: ROWS * COLUMNS].reshape(ROWS, COLUMNS)
    found: list[int] = (grid[line] if line < ROWS else grid[:, line - ROWS]).tolist()
    return found


def production_id(number: int, state: Any, seat: int, ids: Ids) -> int | None:
    """The id of a seat's production, or None if it has no such production."""
    if number == BASE:
        return ids.base[seat]
    if number < FIRST_LEADER:
        slot = number - FIRST_SLOT
        height = int(state["height"][seat, slot])
        card = int(state["slot"][seat, slot, height - 1]) if height else None
        return None if card is None else ids.card_productions[card]
    leader = int(state["leader"][seat, number - FIRST_LEADER])
    return ids.leader_productions[leader] if leader in active_leaders(state, seat, 2) else None


def _starting_boxes(command: ChooseGoods, seat: int, ids: Ids) -> dict[int, m.Map]:
    boxes: dict[int, m.Map] = {}
    for good, shelf in command.goods:
        box = boxes.setdefault(ids.shelves[seat][shelf], {})
        box[m.NAMES[good]] = box.get(m.NAMES[good], 0) + 1
    return boxes


def _market(command: TakeFromMarket, state: Any, seat: int, ids: Ids) -> m.ReqTakeFromMarket:
    turned = [0] * GOODS
    goods = [int(state["leaders"][k, GOOD]) for k in active_leaders(state, seat, WHITE_MARBLE)]
    if len(goods) == 1:
        turned[goods[0]] = marbles_in(command.line, state).count(WHITE)
    for i in command.whites:
        turned[goods[i]] += 1
    boxes: dict[int, m.Map] = {}
    for good, counts in enumerate(command.placed):
        for place, count in enumerate(counts[:PLACES_OF_GOODS]):
            if count:
                box = boxes.setdefault(place_id(place, state, seat, ids), {})
                box[m.NAMES[good]] = count
    is_row = command.line < ROWS
    index = command.line if is_row else command.line - ROWS
    return m.ReqTakeFromMarket(is_row, index, m.counts_of(turned), boxes)


def _production(one: Production, state: Any, seat: int, ids: Ids) -> m.ProductionRequest:
    number = production_id(one.number, state, seat, ids)
    assert number is not None
    gains = [one.gains.count(good) for good in range(GOODS + 1)]
    boxes = payment_boxes(one.payment, state, seat, ids)
    return m.ProductionRequest(
        production=number, inputContainers=boxes, outputRep=m.counts_of(gains)
    )
