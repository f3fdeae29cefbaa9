"""The legal actions according to the rulebook, from a `Book`, one action at a time."""

from typing import Any

from catan_env import Action, ActionKind, Phase, Resource
from catan_env.game.geometry import EDGE_VERTICES
from tests.core.reference import (
    CARD,
    CITY,
    KNIGHT,
    MONOPOLY,
    ROAD,
    ROAD_BUILDING,
    SETTLEMENT,
    STOCK,
    YEAR_OF_PLENTY,
    Book,
)


def is_allowed(book: Book, action: Action) -> bool:
    """True if the acting seat may play an action that has an index."""
    return _RULES[action.kind](book, book.seat, *action.args)


def _has_card(book: Book, card: int) -> bool:
    """Before or after the roll, one per turn, and none bought this turn."""
    return (
        book.phase in (Phase.ROLL, Phase.MAIN)
        and not book.card_played
        and book.cards[book.seat][card] > book.bought[card]
    )


def _accept(book: Book, seat: int) -> bool:
    return book.phase == Phase.ANSWER and all(
        held >= n for held, n in zip(book.hands[seat], book.offer[3], strict=True)
    )


def _road_building(book: Book, seat: int) -> bool:
    at_once = book.rules.free_roads_at_once
    now = book.can_lay_any(seat) if at_once else book.phase == Phase.MAIN
    return now and _has_card(book, ROAD_BUILDING)


def _year_of_plenty(book: Book, seat: int, a: Resource, b: Resource) -> bool:
    stock = [book.stock(resource) for resource in Resource]
    left = stock.copy()
    left[a] -= 1
    left[b] -= 1
    if book.rules.endless_bank:
        left = [stock[a] - 2]
    is_last_card = a == b and stock[a] == sum(stock) == 1
    return _has_card(book, YEAR_OF_PLENTY) and (min(left) >= 0 or is_last_card)


def _bank_trade(book: Book, seat: int, give: Resource, get: Resource, _: None) -> bool:
    pays = book.rules.bank_trade and book.hands[seat][give] >= book.rate(seat, give)
    has_some = book.rules.endless_bank or book.stock(get) > 0
    return book.phase == Phase.MAIN and pays and has_some


def _settlement(book: Book, seat: int, vertex: int) -> bool:
    if book.phase == Phase.PLACE_SETTLEMENT:
        return book.keeps_distance(vertex)
    return (
        book.phase == Phase.MAIN
        and book.can_pay(seat, SETTLEMENT)
        and len(book.settlements[seat]) < STOCK["settlements"]
        and book.has_road_at(seat, vertex)
        and book.keeps_distance(vertex)
    )


def _city(book: Book, seat: int, vertex: int) -> bool:
    return (
        book.phase == Phase.MAIN
        and book.can_pay(seat, CITY)
        and len(book.cities[seat]) < STOCK["cities"]
        and vertex in book.settlements[seat]
    )


def _road(book: Book, seat: int, edge: int) -> bool:
    if book.phase == Phase.PLACE_ROAD:
        return book.is_free(edge) and book.placed[-1] in EDGE_VERTICES[edge]
    if len(book.roads[seat]) == STOCK["roads"]:
        return False
    is_free = book.free_roads > 0 and book.phase in (Phase.FREE_ROAD, Phase.ROLL, Phase.MAIN)
    is_paid = book.phase == Phase.MAIN and book.can_pay(seat, ROAD)
    return (is_free or is_paid) and book.can_lay(seat, edge)


def _robber(book: Book, seat: int, tile: int, step: int | None) -> bool:
    if book.phase != Phase.ROBBER or tile == book.robber or not book.is_land([tile]):
        return False
    others = [other for other in range(19) if other != book.robber and book.is_land([other])]
    if book.is_protected(seat, tile) and not all(
        book.is_protected(seat, other) for other in others
    ):
        return False
    victims = book.victims(seat, tile)
    if step is None:
        return not victims
    return step < book.seats and (seat + step) % book.seats in victims


def _offer(book: Book, seat: int, to: int, give: Any, get: Any) -> bool:
    return (
        book.phase == Phase.MAIN
        and book.rules.player_trade
        and book.offers < book.rules.offers_per_turn
        and to < book.seats
        and all(held >= n for held, n in zip(book.hands[seat], give, strict=True))
    )


_RULES: dict[ActionKind, Any] = {
    ActionKind.ROLL: lambda book, seat: book.phase == Phase.ROLL,
    ActionKind.END_TURN: lambda book, seat: book.phase == Phase.MAIN,
    ActionKind.BUY_DEVELOPMENT_CARD: lambda book, seat: (
        book.phase == Phase.MAIN and book.can_pay(seat, CARD) and sum(book.deck) > 0
    ),
    ActionKind.PLAY_KNIGHT: lambda book, seat: _has_card(book, KNIGHT),
    ActionKind.PLAY_ROAD_BUILDING: _road_building,
    ActionKind.PLAY_YEAR_OF_PLENTY: _year_of_plenty,
    ActionKind.PLAY_MONOPOLY: lambda book, seat, resource: _has_card(book, MONOPOLY),
    ActionKind.ACCEPT: _accept,
    ActionKind.REJECT: lambda book, seat: book.phase == Phase.ANSWER,
    ActionKind.DISCARD: lambda book, seat, resource: (
        book.phase == Phase.DISCARD and book.hands[seat][resource] > 0
    ),
    ActionKind.BANK_TRADE: _bank_trade,
    ActionKind.SETTLEMENT: _settlement,
    ActionKind.CITY: _city,
    ActionKind.ROAD: _road,
    ActionKind.MOVE_ROBBER: _robber,
    ActionKind.OFFER: _offer,
}
