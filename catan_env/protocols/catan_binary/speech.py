"""Actions to messages and back.

`to_messages` and `to_actions` are inverse for every action that takes one message. A year of
plenty and a monopoly take MSG_PLAY and the choice after it (see `choices`), and a trade of
several cards with the bank is one message and several actions.
"""

from collections.abc import Callable
from typing import Any

from catan_env.core.constants import DevelopmentCard
from catan_env.game.action import Action, ActionKind
from catan_env.game.table import Table
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.messages import (
    NO_SEAT,
    NOTHING,
    Build,
    Buildable,
    DevCard,
    Message,
    Pass,
    Play,
    Rob,
    Roll,
    Trade,
    TradeAccept,
    TradeReject,
    TradeSide,
    name_of,
)
from catan_env.protocols.catan_binary.places import (
    EDGE_POS,
    TILE_POS,
    VERT_POS,
    edge_at,
    tile_at,
    to_card,
    to_development_card,
    to_resource,
    vertex_at,
)

Said = Callable[..., list[Message]]
Meant = Callable[..., list[Action]]


def to_messages(table: Table, action: Action) -> list[Message]:
    """Return the messages for a legal `action` of the seat to move at `table`."""
    return _SAID[action.kind](table, table.seat, *action.args)


def to_actions(table: Table, message: Message) -> list[Action]:
    """Return the actions of a message from the seat to move at `table`, in order.

    Raises RemoteProtocolError for a message that is not an action by itself, and for places, cards
    and seats that do not exist; the game decides whether the rules allow the action.
    """
    if type(message) not in _MEANT:
        raise RemoteProtocolError(f"{name_of(message)} is not an action of a seat")
    return _MEANT[type(message)](table, message)


def side(resource: int, count: int) -> TradeSide:
    """Return `count` cards of one resource as a side of a trade."""
    return TradeSide(to_card(resource), count)


def step_to(table: Table, target: int) -> int:
    """Return the clockwise distance from the seat on turn to another seat."""
    if target >= table.seats:
        raise RemoteProtocolError(f"target_id is {target} among {table.seats} players")
    return (target - table.turn_seat) % table.seats


def is_with_bank(trade: Trade) -> bool:
    """True if a trade is with the bank, or announces its own seat's cards."""
    return trade.target_id in (trade.player_id, NO_SEAT)


def _say_plenty(_: Table, seat: int, a: int, b: int) -> list[Message]:
    asks = [side(a, 2)] if a == b else [side(a, 1), side(b, 1)]
    choices = [Trade(seat, seat, NOTHING, ask) for ask in asks]
    return [Play(seat, DevCard.YEAR_OF_PLENTY), *choices]


def _say_bank_trade(
    table: Table, seat: int, give: int, get: int, rate: int | None
) -> list[Message]:
    rate = table.trade_rates(seat)[give] if rate is None else rate
    return [Trade(seat, seat, side(give, rate), side(get, 1))]


def _say_offer(table: Table, seat: int, to: int, give: Any, get: Any) -> list[Message]:
    """Return a side of a trade; the wire allows one resource per side."""
    ((gives, n),) = ((r, n) for r, n in enumerate(give) if n)
    ((gets, m),) = ((r, n) for r, n in enumerate(get) if n)
    return [Trade(seat, (seat + to) % table.seats, side(gives, n), side(gets, m))]


def _say_robber(table: Table, seat: int, tile: int, victim: int | None) -> list[Message]:
    return [Rob(TILE_POS[tile], (seat + (victim or 0)) % table.seats)]


_SAID: dict[ActionKind, Said] = {
    ActionKind.ROLL: lambda table, seat: [Roll()],
    ActionKind.END_TURN: lambda table, seat: [Pass()],
    ActionKind.BUY_DEVELOPMENT_CARD: lambda table, seat: [Build(seat, Buildable.DEVELOPMENT_CARD)],
    ActionKind.PLAY_KNIGHT: lambda table, seat: [Play(seat, DevCard.KNIGHT)],
    ActionKind.PLAY_ROAD_BUILDING: lambda table, seat: [Play(seat, DevCard.ROAD_BUILDING)],
    ActionKind.PLAY_YEAR_OF_PLENTY: _say_plenty,
    ActionKind.PLAY_MONOPOLY: lambda table, seat, resource: [
        Play(seat, DevCard.MONOPOLY),
        Trade(seat, seat, NOTHING, side(resource, 0)),
    ],
    ActionKind.ACCEPT: lambda table, seat: [TradeAccept(seat, table.turn_seat)],
    ActionKind.REJECT: lambda table, seat: [TradeReject(seat, table.turn_seat)],
    ActionKind.BANK_TRADE: _say_bank_trade,
    ActionKind.SETTLEMENT: lambda table, seat, vertex: [
        Build(seat, Buildable.SETTLEMENT, vertpos=VERT_POS[vertex])
    ],
    ActionKind.CITY: lambda table, seat, vertex: [
        Build(seat, Buildable.CITY, vertpos=VERT_POS[vertex])
    ],
    ActionKind.ROAD: lambda table, seat, edge: [
        Build(seat, Buildable.ROAD, edgepos=EDGE_POS[edge])
    ],
    ActionKind.MOVE_ROBBER: _say_robber,
    ActionKind.OFFER: _say_offer,
}


def _play(_: Table, message: Play) -> list[Action]:
    card = to_development_card(message.card)
    if card == DevelopmentCard.KNIGHT:
        return [Action.play_knight()]
    if card == DevelopmentCard.ROAD_BUILDING:
        return [Action.play_road_building()]
    if card == DevelopmentCard.VICTORY_POINT:
        raise RemoteProtocolError("MSG_PLAY of a victory point card, which is never played")
    raise RemoteProtocolError(f"MSG_PLAY of {card.name} leaves a choice")


def _build(_: Table, message: Build) -> list[Action]:
    if message.edgepos is not None:
        return [Action.road(edge_at(message.edgepos))]
    if message.vertpos is None:
        return [Action.buy_development_card()]
    vertex = vertex_at(message.vertpos)
    if message.type == Buildable.SETTLEMENT:
        return [Action.settlement(vertex)]
    return [Action.city(vertex)]


def _trade(table: Table, message: Trade) -> list[Action]:
    give, get = to_resource(message.offer.resource), to_resource(message.ask.resource)
    paid, asked = message.offer.count, message.ask.count
    if not is_with_bank(message):
        return [Action.offer(step_to(table, message.target_id), {give: paid}, {get: asked})]
    if asked < 1 or paid % asked:
        raise RemoteProtocolError(
            f"MSG_TRADE of {paid} for {asked} with the bank; allowed are "
            f"{sorted(table.owned_rates(message.player_id, give))} for each card"
        )
    rate: int | None = paid // asked
    if rate == table.trade_rates(message.player_id)[give]:
        rate = None
    return [Action.bank_trade(give, get, rate)] * asked


def _rob(table: Table, message: Rob) -> list[Action]:
    """Return a move of the robber by the seat on turn; itself or NO_SEAT as target robs no seat."""
    robs_nobody = message.target_id in (table.turn_seat, NO_SEAT)
    victim = None if robs_nobody else step_to(table, message.target_id)
    return [Action.move_robber(tile_at(message.tilepos), victim)]


_MEANT: dict[type, Meant] = {
    Roll: lambda table, message: [Action.roll()],
    Pass: lambda table, message: [Action.end_turn()],
    Play: _play,
    Build: _build,
    Trade: _trade,
    TradeAccept: lambda table, message: [Action.accept()],
    TradeReject: lambda table, message: [Action.reject()],
    Rob: _rob,
}
