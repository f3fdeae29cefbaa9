"""The choices that MSG_PLAY cannot express: cards of a year of plenty, a monopoly's resource.

The choice follows as a MSG_TRADE to oneself that offers nothing; without it a rule decides
(docs/protocol.md, Choices).
"""

from collections.abc import Sequence

from catan_env.core.constants import DevelopmentCard, Resource
from catan_env.game.position import Position
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_binary.messages import NOTHING, Message, Trade, TradeSide
from catan_env.protocols.catan_binary.places import to_resource

Cards = tuple[Resource, ...]

LEAVES_CHOICE = (DevelopmentCard.YEAR_OF_PLENTY, DevelopmentCard.MONOPOLY)


def is_choice(message: Message) -> bool:
    """True if a message of the seat on turn makes a choice."""
    return isinstance(message, Trade) and message.offer == NOTHING


def cards_owed(position: Position) -> int:
    """The number of cards that a year of plenty takes now: two, or the bank's last one."""
    return min(2, sum(position.bank))


def taken_with(position: Position, taken: Cards, ask: TradeSide) -> Cards:
    """Return the cards of a year of plenty when `ask` adds to those `taken` before."""
    resource = to_resource(ask.resource)
    if ask.count not in (1, 2) or len(taken) + ask.count > 2:
        raise RemoteProtocolError(
            f"a year of plenty asks for {ask.count} more cards after {len(taken)}; "
            f"allowed are two in all"
        )
    count = min(ask.count, cards_owed(position) - len(taken))
    if position.bank[resource] < taken.count(resource) + count:
        raise RemoteProtocolError(
            f"a year of plenty asks for {count} {resource.name}; "
            f"the bank has {position.bank[resource] - taken.count(resource)}"
        )
    return taken + (resource,) * count


def monopolised(message: Trade) -> Resource:
    """Return the resource that a monopoly names by a choice."""
    if message.ask.count:
        raise RemoteProtocolError(
            f"a monopoly asks for {message.ask.count} cards; the count to say is 0"
        )
    return to_resource(message.ask.resource)


def scarcest(position: Position, hand: Sequence[int], taken: Cards) -> Cards:
    """Complete `taken` by the rule: different resources, scarcest in hand first."""
    owed = cards_owed(position)
    while len(taken) < owed:
        left = [r for r in Resource if position.bank[r] > taken.count(r)]
        different = [r for r in left if r not in taken] or left
        taken += (min(different, key=lambda r: (hand[r], r)),)
    return taken


def most_held(hands: Sequence[Sequence[int]], seat: int) -> Resource:
    """Name by the rule the resource that the seats other than `seat` hold most of."""
    others = [hand for other, hand in enumerate(hands) if other != seat]
    return max(Resource, key=lambda r: (sum(hand[r] for hand in others), -r))


def as_pair(taken: Cards) -> tuple[Resource, Resource]:
    """Return the pair named by the game's action; the bank's last card counts as two."""
    return taken[0], taken[-1]
