"""Bounds on a hand and the bank after unannounced card movements.

The hands that the seat may hold are stored as a set, the bank as the least that it may hold. An
action that is legal with the least of them is legal.
"""

from collections.abc import Callable, Sequence
from typing import Any

from catan_env.core.constants import (
    CARDS_PER_RESOURCE,
    HAND_LIMIT,
    Resource,
    Terrain,
)
from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.geometry import TILE_VERTICES
from catan_env.game.hand_limits import HandLimits
from catan_env.game.likely import most_numerous
from catan_env.game.position import Position
from catan_env.game.prices import PRICES

SEVEN = 7

MOST_HANDS = 1024

Hand = tuple[int, ...]


class HandBounds:
    """The possible hands of `seat`, and the bank's least.

    `limits`: of all hands.

    >>> limits = HandLimits([3, 4], [[1, 2, 0, 0, 0], [4, 4, 4, 4, 4]])
    >>> bounds = HandBounds(0, (1, 2, 0, 0, 0), (9, 9, 9, 9, 9), limits)
    >>> bounds.lose_one_kind()
    >>> bounds.hand, len(bounds.hands)
    ((0, 0, 0, 0, 0), 3)
    """

    def __init__(
        self, seat: int, hand: Sequence[int], bank: Sequence[int], limits: HandLimits
    ) -> None:
        self.seat = seat
        self.hands: set[Hand] = {tuple(hand)}
        self.may_hold_more = False
        """True if there are too many possible hands to store: then only their common cards are."""
        self.bank = list(bank)
        self.limits = limits

    @property
    def hand(self) -> Hand:
        """The cards that every possible hand holds."""
        return tuple(map(min, zip(*self.hands, strict=True)))

    @property
    def is_sure(self) -> bool:
        """True if there is one possible hand."""
        return len(self.hands) == 1 and not self.may_hold_more

    def lose_one_kind(self) -> None:
        """Follow a monopoly that may have named any of the five resources."""
        self.hands = {
            tuple(0 if r == named else n for r, n in enumerate(hand))
            for hand in self.hands
            for named in Resource
        }

    def follow(self, position: Position, event: Event) -> None:
        """Take an event into account; `position` is the state before it."""
        change = _CHANGES.get(event.action.kind)
        if change is not None:
            change(self, position, event, *event.action.args)
        self.limits.follow(position, event)
        self._settle()

    def also_may(self, other: "HandBounds") -> None:
        """Allow for what `other` allows for as well."""
        self.hands |= other.hands
        self.may_hold_more |= other.may_hold_more
        self.bank = list(map(min, self.bank, other.bank))
        self.limits.also_may(other.limits)
        self._settle()

    def _settle(self) -> None:
        """Limit the hands that are stored; the bank has what no hand can hold."""
        if len(self.hands) > MOST_HANDS:
            self.hands, self.may_hold_more = {self.hand}, True
        if not self.may_hold_more:
            self.limits.most[self.seat] = list(map(max, zip(*self.hands, strict=True)))
        held = map(sum, zip(*self.limits.most, strict=True))
        self.bank = [max(n, CARDS_PER_RESOURCE - h) for n, h in zip(self.bank, held, strict=True)]

    def discard_at_seven(self, by_rule: bool) -> None:
        """Discard by the rule or any cards; any may have left a hand that may be larger."""
        if self.may_hold_more:
            self.hands = {(0,) * len(Resource)}
        self.hands = set(map(after_seven, self.hands)) if by_rule else left_of(self.hands)
        self.limits.discard_at_seven()
        self._settle()

    def _add(self, cards: Sequence[int], sign: int = 1) -> None:
        """Move cards to or from the hand; hands that could not have paid are ruled out."""
        changed = {
            tuple(n + sign * m for n, m in zip(hand, cards, strict=True)) for hand in self.hands
        }
        self.hands = {hand for hand in changed if min(hand) >= 0} or {(0,) * len(Resource)}

    def _take_from_bank(self, resource: int, count: int) -> None:
        self.bank[resource] = max(0, self.bank[resource] - count)

    def _pay_bank(self, cards: Sequence[int]) -> None:
        for resource, n in enumerate(cards):
            self.bank[resource] = min(CARDS_PER_RESOURCE, self.bank[resource] + n)

    def _roll(self, position: Position, event: Event) -> None:
        total = sum(event.outcome)
        if total == SEVEN:  # yields nothing, even if a token is 7
            return
        for resource, due in dues(position, total).items():
            self._produce(resource, due)

    def _produce(self, resource: int, due: Sequence[int]) -> None:
        """The bank may be short: then no seat gets any, or a single seat gets the rest."""
        is_sure = sum(due) <= self.bank[resource]
        is_single = sum(n > 0 for n in due) == 1
        got = [{n} if is_sure else set(range(n + 1)) if is_single else {0, n} for n in due]
        self.hands = {with_more(hand, resource, n) for hand in self.hands for n in got[self.seat]}
        for seat, counts in enumerate(got):
            self.limits.hand_over(seat, counts, resource)
        self._take_from_bank(resource, sum(due))

    def _discard(self, position: Position, event: Event, resource: int) -> None:
        card = with_more((0,) * 5, resource, 1)
        self._pay_bank(card)
        if event.seat == self.seat:
            self._add(card, -1)

    def _build(self, position: Position, event: Event, *_: Any) -> None:
        if event.action.kind == ActionKind.ROAD and position.free_roads:
            return
        cost = PRICES[event.action.kind]
        self._pay_bank(cost)
        if event.seat == self.seat:
            self._add(cost, -1)

    def _trade_with_bank(
        self, position: Position, event: Event, give: int, get: int, rate: int | None
    ) -> None:
        rate = position.trade_rates(event.seat)[give] if rate is None else rate
        self._pay_bank(with_more((0,) * 5, give, rate))
        self._take_from_bank(get, 1)
        if event.seat == self.seat:
            self._add(with_more((0,) * 5, give, rate), -1)
            self._add(with_more((0,) * 5, get, 1))

    def _accept(self, position: Position, event: Event) -> None:
        offer = position.offer
        assert offer is not None
        if self.seat == offer.seat:
            self._add(offer.give, -1)
            self._add(offer.get)
        elif self.seat == offer.to:
            self._add(offer.get, -1)
            self._add(offer.give)

    def _rob(self, position: Position, event: Event, *_: Any) -> None:
        if isinstance(event.outcome, Resource):
            card = with_more((0,) * 5, event.outcome, 1)
            self._add(card, 1 if event.seat == self.seat else -1)

    def _take_plenty(self, position: Position, event: Event, a: int, b: int) -> None:
        if event.seat != self.seat:  # any two
            for resource in Resource:
                self._take_from_bank(resource, 2)
            return
        taken = (a, b) if sum(position.bank) > 1 else (a,)
        for card in taken:
            self._take_from_bank(card, 1)
            self._add(with_more((0,) * 5, card, 1))

    def _monopolise(self, position: Position, event: Event, named: int) -> None:
        if event.seat != self.seat:
            self.lose_one_kind()
            return
        self.hands = {
            with_more(hand, named, n)
            for hand in self.hands
            for n in range(CARDS_PER_RESOURCE - hand[named] - self.bank[named] + 1)
        }


class LikelyHand(HandBounds):
    """One hand that the seat is likely to hold: all yields were paid, and sevens took by the rule.

    >>> limits = HandLimits([9, 4], [[4, 5, 0, 0, 0], [4, 4, 4, 4, 4]])
    >>> likely = LikelyHand(0, (4, 5, 0, 0, 0), (9, 9, 9, 9, 9), limits)
    >>> likely.discard_at_seven(by_rule=True)
    >>> likely.hands
    {(2, 3, 0, 0, 0)}
    """

    def _settle(self) -> None:
        self.hands = {max(self.hands, key=lambda hand: (sum(hand), hand))}
        super()._settle()


_CHANGES: dict[ActionKind, Callable[..., None]] = {
    ActionKind.ROLL: HandBounds._roll,
    ActionKind.DISCARD: HandBounds._discard,
    ActionKind.SETTLEMENT: HandBounds._build,
    ActionKind.CITY: HandBounds._build,
    ActionKind.ROAD: HandBounds._build,
    ActionKind.BUY_DEVELOPMENT_CARD: HandBounds._build,
    ActionKind.BANK_TRADE: HandBounds._trade_with_bank,
    ActionKind.ACCEPT: HandBounds._accept,
    ActionKind.MOVE_ROBBER: HandBounds._rob,
    ActionKind.PLAY_YEAR_OF_PLENTY: HandBounds._take_plenty,
    ActionKind.PLAY_MONOPOLY: HandBounds._monopolise,
}


def with_more(hand: Sequence[int], resource: int, count: int) -> Hand:
    """Return the hand with `count` more cards of one resource."""
    return (*hand[:resource], hand[resource] + count, *hand[resource + 1 :])


def after_seven(hand: Sequence[int]) -> Hand:
    """Return the hand after a seven: half of it is discarded, the most numerous cards first."""
    left = list(hand)
    for _ in range(sum(hand) // 2 if sum(hand) > HAND_LIMIT else 0):
        left[most_numerous(left)] -= 1
    return tuple(left)


def left_of(hands: set[Hand]) -> set[Hand]:
    """Return all hands that a seven may leave if any cards may be discarded."""
    owing = {(hand, sum(hand) // 2) for hand in hands if sum(hand) > HAND_LIMIT}
    left = {hand for hand in hands if sum(hand) <= HAND_LIMIT}
    while owing:
        owing = {
            (with_more(hand, resource, -1), owed - 1)
            for hand, owed in owing
            for resource in Resource
            if hand[resource]
        }
        left |= {hand for hand, owed in owing if not owed}
        owing = {(hand, owed) for hand, owed in owing if owed}
    return left


def dues(position: Position, total: int) -> dict[Resource, list[int]]:
    """Return the cards of each resource that a roll owes each seat; zeros are left out."""
    owed: dict[Resource, list[int]] = {}
    for tile, (terrain, token) in enumerate(position.board.tiles):
        if token != total or terrain == Terrain.DESERT or tile == position.robber:
            continue
        corners = set(TILE_VERTICES[tile])
        due = owed.setdefault(Resource(terrain), [0] * position.seats)
        for seat in range(position.seats):
            due[seat] += len(corners.intersection(position.settlements(seat)))
            due[seat] += 2 * len(corners.intersection(position.cities(seat)))
    return {resource: due for resource, due in owed.items() if any(due)}


def hands_of_others(position: Position, seat: int) -> list[Hand | None]:
    """The hands as known to `seat`, which is sure of its own and of the bank; None if unknown."""
    hands: list[Hand | None] = [
        position.known(other) if sum(position.known(other)) == position.hand_size(other) else None
        for other in range(position.seats)
    ]
    hands[seat] = position.hand(seat)
    unknown = [other for other, hand in enumerate(hands) if hand is None]
    if len(unknown) == 1:
        held = [sum(hand[r] for hand in hands if hand is not None) for r in Resource]
        hands[unknown[0]] = tuple(CARDS_PER_RESOURCE - position.bank[r] - held[r] for r in Resource)
    return hands
