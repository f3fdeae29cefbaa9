"""Actions to messages and back.

`to_messages` and `to_actions` are each other's inverse. If an action takes two messages, the
second is sent when the server asks for it: the victim, the cards, the kind. A discard is one
message and several actions, as is a trade of several cards with the bank.
"""

from collections.abc import Callable, Sequence
from typing import Any

from catan_env.core.constants import MOST_CARDS, DevelopmentCard, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.position import Position
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers.messages import (
    AcceptOffer,
    BankTrade,
    BuyCard,
    Discard,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PickCards,
    PickMonopoly,
    PlayCard,
    PutPiece,
    RejectOffer,
    RollDice,
    Victim,
)
from catan_env.protocols.jsettlers.places import (
    CARDS,
    EDGES,
    RESOURCES,
    TILES,
    VERTICES,
    edge_at,
    from_counts,
    tile_at,
    to_code,
    to_counts,
    to_resource,
    vertex_at,
)

ROAD, SETTLEMENT, CITY = 0, 1, 2
"""Pieces."""
CARD_CODES = {card: code for code, card in CARDS.items()}
"""The code with which a development card is played."""
KINDS = len(RESOURCES)

Message = Any


def to_messages(position: Position, game: str, action: Action) -> list[Message]:
    """Return the messages for a legal `action` of the seat to move at `position`."""
    return _SAID[action.kind](position, game, *action.args)


def to_actions(position: Position, messages: Sequence[Message]) -> list[Action]:
    """Return the actions of messages from the seat to move at `position`.

    Raises RemoteProtocolError for messages that are not an action, and for places, cards and seats
    that do not exist; the game decides whether the rules allow it.
    """
    first, *rest = messages
    meant = _MEANT.get(type(first))
    if meant is None:
        raise RemoteProtocolError(f"{type(first).__name__} is not an action of a seat")
    return meant(position, first, rest)


def to_discard(game: str, cards: Sequence[int]) -> Discard:
    """Return all cards that a seat gives up at a seven, five counts by Resource."""
    return Discard(game, (*to_counts(cards), 0))


def cards_of(counts: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the two sides of a trade, by Resource, from ten counts."""
    if len(counts) < 2 * KINDS or min(counts[: 2 * KINDS]) < 0:
        raise RemoteProtocolError(f"a trade of {counts}; allowed are ten counts from 0 up")
    return from_counts(counts[:KINDS]), from_counts(counts[KINDS : 2 * KINDS])


def listed(cards: Sequence[int]) -> list[Resource]:
    """Return five counts as cards, one by one; RemoteProtocolError if no hands hold as many.

    >>> listed((0, 2, 0, 0, 1))
    [<Resource.GRAIN: 1>, <Resource.GRAIN: 1>, <Resource.WOOL: 4>]
    """
    if min(cards) < 0 or max(cards) > MOST_CARDS:
        raise RemoteProtocolError(f"{tuple(cards)} cards; allowed are 0..{MOST_CARDS} of a kind")
    return [resource for resource in Resource for _ in range(cards[resource])]


def offer_to(position: Position, message: MakeOffer) -> list[int]:
    """Return the seats that an offer names."""
    named = (message.to_0, message.to_1, message.to_2, message.to_3)
    return [seat for seat, is_named in enumerate(named) if is_named and seat < position.seats]


def bank_trades(
    position: Position, seat: int, give: Sequence[int], get: Sequence[int]
) -> list[Action]:
    """Split a bank trade of several cards of one kind into trades for one card each.

    Empty if the trade undoes an earlier one, or gives a kind for itself.
    """
    given, got = listed(give), listed(get)
    if not got or len({*given}) != 1 or given[0] in got or len(given) % len(got):
        return []
    rate: int | None = len(given) // len(got)
    if rate == position.trade_rates(seat)[given[0]]:
        rate = None
    return [Action.bank_trade(given[0], card, rate) for card in got]


def _one(resource: int, count: int) -> tuple[int, ...]:
    return to_counts([count * (r == resource) for r in Resource])


def _say_piece(piece: int, places: Sequence[int]) -> Callable[..., list[Message]]:
    return lambda position, game, place: [PutPiece(game, position.seat, piece, places[place])]


def _say_bank_trade(
    position: Position, game: str, give: int, get: int, rate: int | None
) -> list[Message]:
    rate = position.trade_rates(position.seat)[give] if rate is None else rate
    return [BankTrade(game, _one(give, rate) + _one(get, 1))]


def _say_offer(position: Position, game: str, step: int, give: Any, get: Any) -> list[Message]:
    to = (position.seat + step) % position.seats
    return [
        MakeOffer(game, position.seat, to == 0, to == 1, to == 2, to == 3,
                  to_counts(give) + to_counts(get))
    ]  # fmt: skip


def _say_robber(position: Position, game: str, tile: int, victim: int | None) -> list[Message]:
    said: list[Message] = [MoveRobber(game, position.seat, TILES[tile])]
    if victim is not None:
        said.append(Victim(game, (position.seat + victim) % position.seats))
    return said


def _say_plenty(position: Position, game: str, a: int, b: int) -> list[Message]:
    taken = [(r == a) + (r == b) for r in Resource]
    card = PlayCard(game, CARD_CODES[DevelopmentCard.YEAR_OF_PLENTY])
    return [card, PickCards(game, to_counts(taken))]


def _say_monopoly(position: Position, game: str, resource: int) -> list[Message]:
    card = PlayCard(game, CARD_CODES[DevelopmentCard.MONOPOLY])
    return [card, PickMonopoly(game, to_code(resource))]


def _say_acceptance(position: Position, game: str) -> list[Message]:
    return [AcceptOffer(game, position.seat, position.turn_seat)]


_SAID: dict[ActionKind, Callable[..., list[Message]]] = {
    ActionKind.ROLL: lambda position, game: [RollDice(game)],
    ActionKind.END_TURN: lambda position, game: [EndTurn(game)],
    ActionKind.BUY_DEVELOPMENT_CARD: lambda position, game: [BuyCard(game)],
    ActionKind.PLAY_KNIGHT: lambda position, game: [
        PlayCard(game, CARD_CODES[DevelopmentCard.KNIGHT])
    ],
    ActionKind.PLAY_ROAD_BUILDING: lambda position, game: [
        PlayCard(game, CARD_CODES[DevelopmentCard.ROAD_BUILDING])
    ],
    ActionKind.PLAY_YEAR_OF_PLENTY: _say_plenty,
    ActionKind.PLAY_MONOPOLY: _say_monopoly,
    ActionKind.ACCEPT: _say_acceptance,
    ActionKind.REJECT: lambda position, game: [RejectOffer(game, position.seat)],
    ActionKind.DISCARD: lambda position, game, resource: [Discard(game, (*_one(resource, 1), 0))],
    ActionKind.BANK_TRADE: _say_bank_trade,
    ActionKind.SETTLEMENT: _say_piece(SETTLEMENT, VERTICES),
    ActionKind.CITY: _say_piece(CITY, VERTICES),
    ActionKind.ROAD: _say_piece(ROAD, EDGES),
    ActionKind.MOVE_ROBBER: _say_robber,
    ActionKind.OFFER: _say_offer,
}


def _piece(position: Position, message: PutPiece, rest: list[Message]) -> list[Action]:
    if message.piece == ROAD:
        return [Action.road(edge_at(message.place))]
    if message.piece == SETTLEMENT:
        return [Action.settlement(vertex_at(message.place))]
    if message.piece == CITY:
        return [Action.city(vertex_at(message.place))]
    raise RemoteProtocolError(f"a piece of kind {message.piece}; allowed are 0, 1 and 2")


def _card(position: Position, message: PlayCard, rest: list[Message]) -> list[Action]:
    card = CARDS.get(message.card)
    if card == DevelopmentCard.KNIGHT:
        return [Action.play_knight()]
    if card == DevelopmentCard.ROAD_BUILDING:
        return [Action.play_road_building()]
    if card == DevelopmentCard.MONOPOLY and rest:
        return [Action.play_monopoly(to_resource(rest[0].kind))]
    if card == DevelopmentCard.YEAR_OF_PLENTY and rest:
        return [plenty(rest[0])]
    raise RemoteProtocolError(f"a card of kind {message.card} that is played with {rest}")


def plenty(message: PickCards) -> Action:
    """Return the year of plenty that takes these cards."""
    if len(message.counts) < KINDS or sum(message.counts[:KINDS]) != 2:
        raise RemoteProtocolError(f"a year of plenty of {message.counts}; allowed are two cards")
    return Action.play_year_of_plenty(*listed(from_counts(message.counts[:KINDS])))


def _robber(position: Position, message: MoveRobber, rest: list[Message]) -> list[Action]:
    victim = None
    if rest:
        victim = step_to(position, rest[0].seat)
    return [Action.move_robber(tile_at(message.tile), victim)]


def step_to(position: Position, seat: int) -> int:
    """Return the clockwise distance from the seat on turn to another seat."""
    step = (seat - position.turn_seat) % position.seats
    if not 0 <= seat < position.seats or not step:
        raise RemoteProtocolError(f"seat {seat} is not another one of {position.seats}")
    return step


def _discards(position: Position, message: Discard, rest: list[Message]) -> list[Action]:
    return [Action.discard(card) for card in listed(from_counts(message.cards[:KINDS]))]


def _bank(position: Position, message: BankTrade, rest: list[Message]) -> list[Action]:
    actions = bank_trades(position, position.seat, *cards_of(message.counts))
    if not actions:
        raise RemoteProtocolError(f"a trade of {message.counts} with the bank")
    return actions


def _offer(position: Position, message: MakeOffer, rest: list[Message]) -> list[Action]:
    give, get = cards_of(message.counts)
    return [
        Action.offer(step_to(position, seat), give, get) for seat in offer_to(position, message)
    ]


_MEANT: dict[type, Callable[..., list[Action]]] = {
    RollDice: lambda position, message, rest: [Action.roll()],
    EndTurn: lambda position, message, rest: [Action.end_turn()],
    BuyCard: lambda position, message, rest: [Action.buy_development_card()],
    PlayCard: _card,
    PutPiece: _piece,
    MoveRobber: _robber,
    Discard: _discards,
    BankTrade: _bank,
    MakeOffer: _offer,
    AcceptOffer: lambda position, message, rest: [Action.accept()],
    RejectOffer: lambda position, message, rest: [Action.reject()],
}
