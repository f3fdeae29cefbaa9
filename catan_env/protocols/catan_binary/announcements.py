"""Card movements that a seat could not compute, expressed in existing messages.

Each is a MSG_TRADE with one empty side and the MSG_TRADE_ACCEPT that follows it.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from catan_env.core.constants import Resource
from catan_env.game.event import Event
from catan_env.protocols.catan_binary.choices import Cards
from catan_env.protocols.catan_binary.messages import (
    NOTHING,
    Message,
    Trade,
    TradeAccept,
    TradeSide,
)
from catan_env.protocols.catan_binary.speech import side


def of_discards(events: Iterable[Event]) -> list[Message]:
    """Announce the losses of each seat at a seven, one resource at a time."""
    said: list[Message] = []
    for seat, lost in groupby(events, key=lambda event: event.seat):
        cards = [event.action.args[0] for event in lost]
        for resource in sorted(set(cards)):
            said += _movement(seat, seat, side(resource, cards.count(resource)), NOTHING)
    return said


def of_plenty(seat: int, cards: Cards) -> list[Message]:
    """Announce the cards that a rule took from the bank."""
    said: list[Message] = []
    for resource in sorted(set(cards)):
        said += _movement(seat, seat, NOTHING, side(resource, cards.count(resource)))
    return said


def of_monopoly(seat: int, resource: Resource) -> list[Message]:
    """Announce the resource that a rule named."""
    return _movement(seat, seat, NOTHING, side(resource, 0))


def of_losses(seat: int, resource: Resource, lost: Sequence[int]) -> list[Message]:
    """Announce the cards that each seat gave the monopolist `seat`."""
    said: list[Message] = []
    for victim, count in enumerate(lost):
        if count:
            said += _movement(victim, seat, side(resource, count), NOTHING)
    return said


def _movement(player: int, target: int, offer: TradeSide, ask: TradeSide) -> list[Message]:
    return [Trade(player, target, offer, ask), TradeAccept(target, player)]
