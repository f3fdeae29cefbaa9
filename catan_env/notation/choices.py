"""The messages by which a seat, or the table, chooses: read and played."""

from collections.abc import Sequence
from typing import Any

from catan_env.core.constants import DevelopmentCard, Phase, Resource
from catan_env.game import geometry
from catan_env.game.action import Action, Counts
from catan_env.game.event import HIDDEN, Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation.errors import NotationError
from catan_env.notation.narrator import DICE, LEFT
from catan_env.notation.places import to_number
from catan_env.notation.reader import Choices, Offer, Reader, event_of
from catan_env.notation.record import Record
from catan_env.notation.values import (
    ADMIN,
    BANK,
    Message,
    Share,
    field,
    shares_of,
    to_card,
    to_word,
)

UNSEEN = len(Resource)
"""The place of unseen cards among a share's counts."""


def read_messages(messages: Sequence[Message], is_cut: bool = False) -> Record:
    """The record of these messages; NotationError names the first that cannot be."""
    reader = Reader(messages)
    try:
        reader.read(CHOICES)
    except NotationError as error:
        if not messages:
            raise
        at = min(reader.at, len(messages) - 1)
        raise error.of_message(at, messages[at]) from error
    position = reader.position
    events = position.events if isinstance(position, Game) else tuple(reader.events)
    return Record(tuple(messages), reader.table, events, tuple(reader.chat), position, is_cut)


def _build_settlement(reader: Reader, message: Message) -> None:
    vertex = field(message, "intersection")
    reader.play(reader.seat_of(message), Action.settlement(vertex))


def _build_city(reader: Reader, message: Message) -> None:
    reader.play(reader.seat_of(message), Action.city(field(message, "intersection")))


def _build_road(reader: Reader, message: Message) -> None:
    reader.play(reader.seat_of(message), Action.road(field(message, "path")))


def _roll(reader: Reader, message: Message) -> None:
    total, path = field(message, "result"), f".value.{DICE}"
    if not 2 <= total <= 12:
        reader.refuse(total, "2..12", ".value.result")
    dice = message["value"].get(DICE, [max(1, total - 6), total - max(1, total - 6)])
    if not isinstance(dice, list) or len(dice) != 2:
        reader.refuse(dice, "a pair of dice", path)
    first, second = (to_number(die, path) for die in dice)
    if first + second != total or not (1 <= first <= 6 and 1 <= second <= 6):
        reader.refuse(dice, f"two dice that make {total}", path)
    reader.play(reader.seat_of(message), Action.roll(), (first, second))


def _buy(reader: Reader, message: Message) -> None:
    card = to_card(message["value"], ".value")
    if card is None and isinstance(reader.position, Game):
        raise NotationError("cCode is missing from the value of BD", ".value")
    outcome = HIDDEN if card is None else card
    reader.play(reader.seat_of(message), Action.buy_development_card(), outcome)


def _put_down(reader: Reader, message: Message) -> None:
    card, seat = to_card(message["value"], ".value"), reader.seat_of(message)
    reader.withdraw()
    if card is None:
        raise NotationError("cCode is missing from the value of PD", ".value")
    if card == DevelopmentCard.KNIGHT:
        reader.play(seat, Action.play_knight())
    elif card == DevelopmentCard.ROAD_BUILDING:
        reader.play(seat, Action.play_road_building())
    elif card == DevelopmentCard.VICTORY_POINT:
        raise NotationError("a victory point is kept, not played", ".value.cCode")
    elif (at := reader.half_told(seat, _PLAYS[card])) is None:
        reader.at = len(reader.messages)
    elif card == DevelopmentCard.MONOPOLY:
        _play_monopoly(reader, seat, _second(reader, at, "MO"), at)
    else:
        _play_year_of_plenty(reader, seat, _second(reader, at, "YP"), at)


def _second(reader: Reader, at: int, event: str) -> Message:
    """The message that says the rest of a choice; errors in it are counted as its own."""
    message = reader.look(at)
    if message["event"] != event:
        reader.at = at
        reader.refuse(message["event"], event, ".event")
    return message


def _shares_at(reader: Reader, message: Message, at: int) -> list[Share]:
    here, reader.at = reader.at, at
    shares = shares_of(message)
    for share in shares:
        if share.cards[UNSEEN] and message["event"] != "RR":
            reader.refuse("?", "cards in the open", ".value.resources")
        if share.player != BANK:
            reader.seat_named(share.player, ".value.resources")
    reader.at = here
    return shares


def _play_monopoly(reader: Reader, seat: int, message: Message, at: int) -> None:
    shares = _shares_at(reader, message, at)
    kinds = {kind for share in shares for kind in share.kinds}
    if len(kinds) != 1:
        reader.at = at
        reader.refuse(message["value"]["resources"], "one resource", ".value.resources")
    (kind,) = kinds
    taken = [0] * len(reader.players)
    for share in shares:
        if share.player not in (BANK, reader.players[seat]):
            taken[reader.players.index(share.player)] = -share.cards[kind]
    reader.play(seat, Action.play_monopoly(Resource(kind)), tuple(taken), at)


def _play_year_of_plenty(reader: Reader, seat: int, message: Message, at: int) -> None:
    gained: list[Resource] = []
    for share in _shares_at(reader, message, at):
        if share.player == reader.players[seat]:
            gained = [Resource(k) for k in range(UNSEEN) for _ in range(share.cards[k])]
    if len(gained) not in (1, 2):
        reader.at = at
        reader.refuse(message["value"]["resources"], "two cards gained", ".value.resources")
    reader.play(seat, Action.play_year_of_plenty(gained[0], gained[-1]), None, at)


def _discard(reader: Reader, message: Message) -> None:
    seat = reader.seat_of(message)
    cards = _with_bank(reader, message, seat)
    gone = [Resource(k) for k in range(UNSEEN) for _ in range(-cards[k])]
    if not gone or any(n > 0 for n in cards):
        reader.refuse(message["value"]["resources"], "cards given up", ".value.resources")
    if len(gone) == 1:
        reader.play(seat, Action.discard(gone[0]))
        return
    for resource in gone:
        reader.follow(seat, Action.discard(resource))
    reader.at += 1


def _two_shares(reader: Reader, message: Message, seat: int) -> tuple[tuple[int, ...], str]:
    """The seat's cards in a change of hands between it and one other party, and that party."""
    shares = _shares_at(reader, message, reader.at)
    name = reader.players[seat]
    if len(shares) == 2:
        own, other = shares
        if other.player == name:
            own, other = other, own
        if own.player == name:
            return own.cards, other.player
    allowed = f"two entries, one of them of {name}"
    reader.refuse(message["value"]["resources"], allowed, ".value.resources")


def _with_bank(reader: Reader, message: Message, seat: int) -> tuple[int, ...]:
    """The seat's cards in a change of hands between it and the bank."""
    cards, other = _two_shares(reader, message, seat)
    if other != BANK:
        reader.refuse(other, "the bank, B", ".value.resources")
    return cards


def _with_player(reader: Reader, message: Message, seat: int) -> tuple[tuple[int, ...], int]:
    """The seat's cards in a change of hands between it and another, and that seat."""
    cards, other = _two_shares(reader, message, seat)
    if other == BANK:
        reader.refuse(other, "another player", ".value.resources")
    return cards, reader.players.index(other)


def _trade_with_bank(reader: Reader, message: Message) -> None:
    seat = reader.seat_of(message)
    cards = _with_bank(reader, message, seat)
    give = [Resource(k) for k in range(UNSEEN) if cards[k] < 0]
    get = [Resource(k) for k in range(UNSEEN) if cards[k] > 0]
    if len(give) != 1 or len(get) != 1 or cards[get[0]] != 1:
        allowed = "cards of one kind for one of another"
        reader.refuse(message["value"]["resources"], allowed, ".value.resources")
    rate = -cards[give[0]]
    is_best = rate == reader.narrator.table.trade_rates(seat)[give[0]]
    reader.play(seat, Action.bank_trade(give[0], get[0], None if is_best else rate))


def _move_robber(reader: Reader, message: Message) -> None:
    seat, tile = reader.seat_of(message), field(message, "tile")
    reader.withdraw()
    robberies = [Action.move_robber(tile, step) for step in range(1, len(reader.players))]
    at = reader.half_told(seat, [Action.move_robber(tile), *robberies])
    if at is not None and event_of(reader.messages[at]) == "RR":
        victim, outcome = _theft(reader, reader.look(at), seat, at)
        reader.play(seat, robberies[reader.step(seat, victim) - 1], outcome, at)
    elif at is None and _has_rivals(reader.narrator.table, seat, tile):
        reader.at = len(reader.messages)  # whom it robs is not told any more
    else:
        reader.play(seat, Action.move_robber(tile), None, at)


def _theft(reader: Reader, message: Message, seat: int, at: int) -> tuple[int, Any]:
    """The seat robbed, and the card that it lost: a Resource, HIDDEN, or None of none."""
    here, reader.at = reader.at, at
    cards, victim = _with_player(reader, message, seat)
    stolen = [k for k, n in enumerate(cards) if n]
    if sum(cards) != len(stolen) or len(stolen) > 1:
        allowed = "one card, or none, of one player"
        reader.refuse(message["value"]["resources"], allowed, ".value.resources")
    reader.at = here
    if not stolen:
        return victim, None
    return victim, HIDDEN if stolen[0] == UNSEEN else Resource(stolen[0])


def _make_offer(reader: Reader, message: Message) -> None:
    seat, uuid = reader.seat_of(message), message["uuid"]
    cards, to = _with_player(reader, message, seat)
    if uuid in reader.offers:
        reader.refuse(uuid, "a uuid that no open offer has", ".uuid")
    give, get = _sides(cards)
    offer = Offer(seat, to, give, get)
    table = reader.narrator.table
    if seat == table.turn_seat:
        step = reader.step(seat, offer.to)
        reader.withdraw()
        reader.narrator.offer_uuid = uuid
        reader.match(reader.follow(seat, Action.offer(step, give, get)))
        reader.asked = uuid
    elif offer.to == table.turn_seat and table.phase in (Phase.MAIN, Phase.ANSWER):
        reader.at += 1
    else:
        on_turn = reader.players[table.turn_seat]
        reader.refuse(reader.players[seat], f"trade with player {on_turn}, in the turn", ".player")
    reader.offers[uuid] = offer


def _offer_of(reader: Reader, message: Message) -> tuple[str, Offer]:
    uuid = field(message, "uuid")
    if uuid not in reader.offers:
        reader.refuse(uuid, "the uuid of an offer that is open in this turn", ".value.uuid")
    return uuid, reader.offers[uuid]


def _check_by(reader: Reader, message: Message, seat: int) -> None:
    if message["player"] != reader.players[seat]:
        reader.refuse(message["player"], reader.players[seat], ".player")


def _accept(reader: Reader, message: Message) -> None:
    uuid, offer = _offer_of(reader, message)
    _check_by(reader, message, offer.to)
    if reader.asked != uuid:
        _put_again(reader, offer)
    reader.narrator.offer_uuid = uuid
    (batch,) = reader.follow(reader.narrator.table.seat, Action.accept())
    batch[0]["player"] = message["player"]  # a counter-offer is accepted by the seat on turn
    reader.asked = None
    del reader.offers[uuid]
    reader.match([batch])


def _put_again(reader: Reader, offer: Offer) -> None:
    """Lay an open offer on the engine's table, where only the seat on turn makes offers."""
    reader.withdraw()
    seat, to, give, get = offer
    if seat != reader.narrator.table.turn_seat:
        seat, to, give, get = to, seat, get, give
    reader.follow(seat, Action.offer(reader.step(seat, to), give, get))


def _decline(reader: Reader, message: Message) -> None:
    uuid, offer = _offer_of(reader, message)
    _check_by(reader, message, offer.to)
    del reader.offers[uuid]
    if reader.asked == uuid:
        reader.asked = None
        reader.match(reader.follow(offer.to, Action.reject()))
    else:
        reader.at += 1


def _cancel(reader: Reader, message: Message) -> None:
    uuid, offer = _offer_of(reader, message)
    _check_by(reader, message, offer.seat)
    del reader.offers[uuid]
    if reader.asked == uuid:
        reader.withdraw()
    reader.at += 1


def _end_turn(reader: Reader, message: Message) -> None:
    if message["player"] == ADMIN:
        reader.asked = None
        seat = reader.narrator.table.turn_seat
        reader.match(reader.let(Event(seat, Action.time_out())))
    else:
        reader.play(reader.seat_of(message), Action.end_turn())
    reader.offers.clear()


def _leave(reader: Reader, message: Message) -> None:
    table, path = reader.narrator.table, f".value.{LEFT}"
    seat = reader.seat_named(to_word(message["value"][LEFT], path), path)
    turn = table.turn
    batches = reader.let(Event(seat, Action.leave()))
    if table.turn != turn or table.is_over:
        reader.asked = None
        reader.offers.clear()
    reader.match(batches)


def _sides(cards: tuple[int, ...]) -> tuple[Counts, Counts]:
    a, b, c, d, e, _ = cards
    give = max(-a, 0), max(-b, 0), max(-c, 0), max(-d, 0), max(-e, 0)
    return give, (max(a, 0), max(b, 0), max(c, 0), max(d, 0), max(e, 0))


def _has_rivals(table: Game | SeatView, seat: int, tile: int) -> bool:
    """Whether another seat has built at the tile, so that the robber robs one of them."""
    corners = set(geometry.TILE_VERTICES[tile])
    return any(
        corners & {*table.settlements(rival), *table.cities(rival)}
        for rival in range(table.seats)
        if rival != seat
    )


_PLAYS = {
    DevelopmentCard.MONOPOLY: [Action.play_monopoly(r) for r in Resource],
    DevelopmentCard.YEAR_OF_PLENTY: [
        Action.play_year_of_plenty(a, b) for a in Resource for b in Resource if a <= b
    ],
}
"""The choices that begin with the same message."""
CHOICES: Choices = {
    "BC": _build_city,
    "BD": _buy,
    "BR": _build_road,
    "BS": _build_settlement,
    "CH": _leave,
    "CR": _discard,
    "DR": _roll,
    "PD": _put_down,
    "RM": _move_robber,
    "TA": _accept,
    "TB": _trade_with_bank,
    "TC": _cancel,
    "TD": _decline,
    "TE": _end_turn,
    "TO": _make_offer,
}
