"""A room in a drawn position, and the messages of a kick."""

from catan_env import DevelopmentCard, Resource
from catan_env.protocols.catan_binary.messages import (
    NOTHING,
    Card,
    DevCard,
    Kick,
    Play,
    Trade,
    TradeSide,
    Turn,
)
from tests.protocols.conversation import CLOSED, Conversation, to_all

BRICK, GRAIN, LUMBER, ORE, WOOL = Resource
KNIGHT, ROAD_BUILDING, PLENTY, MONOPOLY, VICTORY = DevelopmentCard
PLAYED_PLENTY = Play(0, DevCard.YEAR_OF_PLENTY)
PLAYED_MONOPOLY = Play(0, DevCard.MONOPOLY)
HOUSES = {0: [8], 1: [35], 2: [31], 3: [5]}


def trade(player, target, offer, ask):
    return Trade(player, target, TradeSide(*offer), TradeSide(*ask))


def choice(count, card, target=0):
    return Trade(0, target, NOTHING, TradeSide(card, count))


def others(message, seat=0):
    return [(other, message) for other in range(4) if other != seat]


def kicked(table, seat=0, next_seat=1):
    """The messages of a kick: the connection closes, MSG_KICK to the others, then MSG_TURN."""
    left = [other for other in range(4) if other != seat]
    return [(seat, CLOSED), *to_all(Kick(seat), left), *to_all(Turn(next_seat), left)]


def assert_kicks(table, seat, messages, because):
    sent = table.say(seat, *messages)
    assert sent[-7:] == kicked(table, seat, (seat + 1) % 4), sent
    assert because in table.reasons[-1]


def before_roll(**position):
    return Conversation(phase="roll", settlements=HOUSES, **position)


def open_turn(**position):
    position.setdefault("settlements", HOUSES)
    return Conversation(phase="main", **position)


def owing_rob(**position):
    position.setdefault("settlements", HOUSES)
    return Conversation(phase="robber", **position)


def with_card(card, **position):
    return open_turn(cards={0: {card: 1}}, **position)


OFFER = trade(0, 2, (Card.BRICK, 1), (Card.GRAIN, 2))


def trading(**settings):
    return open_turn(hands={0: {BRICK: 2}, 2: {GRAIN: 2}}, settings=settings)


CITIES = [8, 35, 31, 47]
