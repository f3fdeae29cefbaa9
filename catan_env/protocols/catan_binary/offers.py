"""Offers between seats, and those that the wire can state although no action of the game can."""

from catan_env.core.constants import CARDS_PER_RESOURCE
from catan_env.game.position import Position
from catan_env.protocols.catan_binary.messages import (
    NOTHING,
    Card,
    Message,
    Trade,
    TradeAccept,
    TradeReject,
    TradeSide,
)
from catan_env.protocols.catan_binary.speech import is_with_bank


def is_offer(position: Position, message: Message) -> bool:
    """True if the seat on turn offers a trade to another seat."""
    if not isinstance(message, Trade) or is_with_bank(message):
        return False
    return message.player_id == position.turn_seat


def is_unlawful(offer: Trade) -> bool:
    """True if no rules allow an offer: a gift, unnamed cards, one kind for itself, or too many."""
    is_same = offer.offer.resource == offer.ask.resource
    return is_same or not (_is_payable(offer.offer) and _is_payable(offer.ask))


def ids_of(answer: TradeAccept | TradeReject) -> set[int]:
    """Return the seats that an answer names, in either order; one if the bank answers it."""
    return {answer.player_id, answer.target_id}


def is_between(trade: Trade, answer: TradeAccept | TradeReject) -> bool:
    """True if an answer may be to this trade."""
    return {trade.player_id, trade.target_id} == ids_of(answer)


def in_our_order(message: Message, sender: int) -> Message:
    """Return an answer with its sender first; it may name its seats in the order of the offer."""
    if isinstance(message, TradeAccept | TradeReject) and message.target_id == sender:
        return type(message)(sender, message.player_id)
    return message


def is_movement(position: Position, message: Message) -> bool:
    """True if a trade names cards that moved, which no seat answers."""
    if not isinstance(message, Trade) or is_offer(position, message):
        return False
    return NOTHING in (message.offer, message.ask)


def _is_payable(side: TradeSide) -> bool:
    return side.resource != Card.ANY and 1 <= side.count <= CARDS_PER_RESOURCE
