"""Actions to messages and back.

`to_messages` and `to_actions` are inverse for every action that takes one message. A year of
plenty and a monopoly take MSG_PLAY and the choice after it (see `choices`), and a trade of
several cards with the bank is one message and several actions.
"""

from collections.abc import Callable
from typing import Any

from catan_env.core.constants import DevelopmentCard
from catan_env.game.action import Action, ActionKind
from catan_env.game.position import Position
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

Writer = Callable[..., list[Message]]
Reader = Callable[..., list[Action]]


def to_messages(position: Position, action: Action) -> list[Message]:
    """Return the messages for a legal `action` of the seat to move at `position`."""
    return _WRITERS[action.kind](position, position.seat, *action.args)


def to_actions(position: Position, message: Message) -> list[Action]:
    """Return the actions of a message from the seat to move at `position`, in order.

    Raises RemoteProtocolError for a message that is not an action by itself, and for places, cards
    and seats that do not exist; the game decides whether the rules allow the action.
    """
    if type(message) not in _READERS:
        raise RemoteProtocolError(f"{name_of(message)} is not an action of a seat")
    return _READERS[type(message)](position, message)


def side(resource: int, count: int) -> TradeSide:
    """Return `count` cards of one resource as a side of a trade."""
    return TradeSide(to_card(resource), count)


def step_to(position: Position, target: int) -> int:
    """Return the clockwise distance from the seat on turn to another seat."""
    check_seat(position, "target_id", target)
    return (target - position.turn_seat) % position.seats


def check_seat(position: Position, name: str, seat: int) -> None:
    """Raise RemoteProtocolError unless the seat in that field is at the table."""
    if seat >= position.seats:
        raise RemoteProtocolError(f"{name} is {seat} among {position.seats} players")


def is_with_bank(trade: Trade) -> bool:
    """True if a trade is with the bank, or announces its own seat's cards."""
    return trade.target_id in (trade.player_id, NO_SEAT)


def _say_plenty(_: Position, seat: int, a: int, b: int) -> list[Message]:
    asks = [side(a, 2)] if a == b else [side(a, 1), side(b, 1)]
    choices = [Trade(seat, seat, NOTHING, ask) for ask in asks]
    return [Play(seat, DevCard.YEAR_OF_PLENTY), *choices]


def _say_bank_trade(
    position: Position, seat: int, give: int, get: int, rate: int | None
) -> list[Message]:
    rate = position.trade_rates(seat)[give] if rate is None else rate
    return [Trade(seat, seat, side(give, rate), side(get, 1))]


def _say_offer(position: Position, seat: int, to: int, give: Any, get: Any) -> list[Message]:
    """Return an offer; the wire allows one resource per side."""
    ((gives, n),) = ((r, n) for r, n in enumerate(give) if n)
    ((gets, m),) = ((r, n) for r, n in enumerate(get) if n)
    return [Trade(seat, (seat + to) % position.seats, side(gives, n), side(gets, m))]


def _say_robber(position: Position, seat: int, tile: int, victim: int | None) -> list[Message]:
    return [Rob(TILE_POS[tile], (seat + (victim or 0)) % position.seats)]


_WRITERS: dict[ActionKind, Writer] = {
    ActionKind.ROLL: lambda position, seat: [Roll()],
    ActionKind.END_TURN: lambda position, seat: [Pass()],
    ActionKind.BUY_DEVELOPMENT_CARD: lambda position, seat: [
        Build(seat, Buildable.DEVELOPMENT_CARD)
    ],
    ActionKind.PLAY_KNIGHT: lambda position, seat: [Play(seat, DevCard.KNIGHT)],
    ActionKind.PLAY_ROAD_BUILDING: lambda position, seat: [Play(seat, DevCard.ROAD_BUILDING)],
    ActionKind.PLAY_YEAR_OF_PLENTY: _say_plenty,
    ActionKind.PLAY_MONOPOLY: lambda position, seat, resource: [
        Play(seat, DevCard.MONOPOLY),
        Trade(seat, seat, NOTHING, side(resource, 0)),
    ],
    ActionKind.ACCEPT: lambda position, seat: [TradeAccept(seat, position.turn_seat)],
    ActionKind.REJECT: lambda position, seat: [TradeReject(seat, position.turn_seat)],
    ActionKind.BANK_TRADE: _say_bank_trade,
    ActionKind.SETTLEMENT: lambda position, seat, vertex: [
        Build(seat, Buildable.SETTLEMENT, vertpos=VERT_POS[vertex])
    ],
    ActionKind.CITY: lambda position, seat, vertex: [
        Build(seat, Buildable.CITY, vertpos=VERT_POS[vertex])
    ],
    ActionKind.ROAD: lambda position, seat, edge: [
        Build(seat, Buildable.ROAD, edgepos=EDGE_POS[edge])
    ],
    ActionKind.MOVE_ROBBER: _say_robber,
    ActionKind.OFFER: _say_offer,
}


def _play(_: Position, message: Play) -> list[Action]:
    card = to_development_card(message.card)
    if card == DevelopmentCard.KNIGHT:
        return [Action.play_knight()]
    if card == DevelopmentCard.ROAD_BUILDING:
        return [Action.play_road_building()]
    if card == DevelopmentCard.VICTORY_POINT:
        raise RemoteProtocolError("MSG_PLAY of a victory point card, which is never played")
    raise RemoteProtocolError(f"MSG_PLAY of {card.name} leaves a choice")


def _build(_: Position, message: Build) -> list[Action]:
    if message.edgepos is not None:
        return [Action.road(edge_at(message.edgepos))]
    if message.vertpos is None:
        return [Action.buy_development_card()]
    vertex = vertex_at(message.vertpos)
    if message.type == Buildable.SETTLEMENT:
        return [Action.settlement(vertex)]
    return [Action.city(vertex)]


def _trade(position: Position, message: Trade) -> list[Action]:
    give, get = to_resource(message.offer.resource), to_resource(message.ask.resource)
    paid, asked = message.offer.count, message.ask.count
    if not is_with_bank(message):
        return [Action.offer(step_to(position, message.target_id), {give: paid}, {get: asked})]
    check_seat(position, "player_id", message.player_id)
    if asked < 1 or paid % asked:
        raise RemoteProtocolError(
            f"MSG_TRADE of {paid} for {asked} with the bank; allowed are "
            f"{sorted(position.owned_rates(message.player_id, give))} for each card"
        )
    rate: int | None = paid // asked
    if rate == position.trade_rates(message.player_id)[give]:
        rate = None
    return [Action.bank_trade(give, get, rate)] * asked


def _rob(position: Position, message: Rob) -> list[Action]:
    """Return a move of the robber by the seat on turn; itself or NO_SEAT as target robs no seat."""
    robs_nobody = message.target_id in (position.turn_seat, NO_SEAT)
    victim = None if robs_nobody else step_to(position, message.target_id)
    return [Action.move_robber(tile_at(message.tilepos), victim)]


_READERS: dict[type, Reader] = {
    Roll: lambda position, message: [Action.roll()],
    Pass: lambda position, message: [Action.end_turn()],
    Play: _play,
    Build: _build,
    Trade: _trade,
    TradeAccept: lambda position, message: [Action.accept()],
    TradeReject: lambda position, message: [Action.reject()],
    Rob: _rob,
}
