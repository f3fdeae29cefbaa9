"""The most cards that each seat may hold, where not all movements of cards are announced."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from catan_env.core.constants import CARDS_PER_RESOURCE, HAND_LIMIT, Resource
from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.position import Position
from catan_env.game.prices import PRICES


class HandLimits:
    """By seat, the `sizes` that its hand may have, and the `most` cards of each Resource.

    >>> limits = HandLimits([10, 2], [[9, 9, 1, 0, 0], [2, 2, 2, 2, 2]])
    >>> limits.discard_at_seven()
    >>> limits.sizes, limits.most
    ([{5}, {2}], [[5, 5, 1, 0, 0], [2, 2, 2, 2, 2]])
    """

    def __init__(self, sizes: Sequence[int], most: Sequence[Sequence[int]]) -> None:
        self.sizes = [{size} for size in sizes]
        self.most = [list(counts) for counts in most]

    @classmethod
    def of(cls, position: Position, seat: int) -> Self:
        """Return the limits as known to `seat`, which is sure of its own hand and of the bank."""
        sizes = [position.hand_size(other) for other in range(position.seats)]
        own, bank = position.hand(seat), position.bank
        elsewhere = [CARDS_PER_RESOURCE - own[r] - bank[r] for r in Resource]
        most = []
        for other, size in enumerate(sizes):
            known = position.known(other)
            hidden = size - sum(known)
            most.append([min(known[r] + hidden, elsewhere[r]) for r in Resource])
        most[seat] = list(own)
        return cls(sizes, most)

    def hand_over(self, seat: int, counts: Iterable[int], resource: int) -> None:
        """Move any of these numbers of cards to a hand, or from it if negative."""
        counts = set(counts)
        self.sizes[seat] = {max(0, size + n) for size in self.sizes[seat] for n in counts}
        self.most[seat][resource] = max(0, self.most[seat][resource] + max(counts))

    def hand_over_any(self, seat: int, counts: Iterable[int]) -> None:
        """Move any of these numbers of cards of any kinds to a hand, or from it if negative."""
        counts = set(counts)
        self.sizes[seat] = {max(0, size + n) for size in self.sizes[seat] for n in counts}
        self.most[seat] = [n + max(0, *counts) for n in self.most[seat]]

    def also_may(self, other: "HandLimits") -> None:
        """Allow for what `other` allows for as well."""
        self.sizes = [mine | more for mine, more in zip(self.sizes, other.sizes, strict=True)]
        self.most = [list(map(max, *pair)) for pair in zip(self.most, other.most, strict=True)]

    def discard_at_seven(self) -> None:
        """Discard half of each hand that is too large."""
        self.sizes = [{n - n // 2 if n > HAND_LIMIT else n for n in s} for s in self.sizes]
        self._cut()

    def follow(self, position: Position, event: Event) -> None:
        """Take an event into account, but no roll; `position` is the state before it."""
        change = _CHANGES.get(event.action.kind)
        if change is not None:
            change(self, position, event, *event.action.args)
            self._cut()

    def _cut(self) -> None:
        """No seat has more of a kind than cards."""
        for sizes, most in zip(self.sizes, self.most, strict=True):
            most[:] = [min(n, max(sizes), CARDS_PER_RESOURCE) for n in most]

    def _exchange(self, seat: int, lost: Sequence[int], gained: Sequence[int]) -> None:
        for resource in Resource:
            self.hand_over(seat, [gained[resource] - lost[resource]], resource)

    def _discard(self, position: Position, event: Event, resource: int) -> None:
        self.hand_over(event.seat, [-1], resource)

    def _build(self, position: Position, event: Event, *_: Any) -> None:
        if event.action.kind != ActionKind.ROAD or not position.free_roads:
            self._exchange(event.seat, PRICES[event.action.kind], (0,) * len(Resource))

    def _trade_with_bank(
        self, position: Position, event: Event, give: int, get: int, rate: int | None
    ) -> None:
        rate = position.trade_rates(event.seat)[give] if rate is None else rate
        self.hand_over(event.seat, [-rate], give)
        self.hand_over(event.seat, [1], get)

    def _accept(self, position: Position, event: Event) -> None:
        offer = position.offer
        assert offer is not None
        self._exchange(offer.seat, offer.give, offer.get)
        self._exchange(offer.to, offer.get, offer.give)

    def _rob(self, position: Position, event: Event, *_: Any) -> None:
        victim, card = event.victim(position.seats), event.outcome
        if victim is None:
            return
        if isinstance(card, Resource):
            self.hand_over(event.seat, [1], card)
            self.hand_over(victim, [-1], card)
        else:
            self.hand_over_any(event.seat, {min(1, size) for size in self.sizes[victim]})
            self.hand_over_any(victim, [-1])

    def _take_plenty(self, position: Position, event: Event, *_: Any) -> None:
        """Any two cards: the event may be a guess; the bank may have had only one."""
        self.hand_over_any(event.seat, [1, 2])

    def _monopolise(self, position: Position, event: Event, *_: Any) -> None:
        """Any number of cards of any kind: the event may be a guess."""
        others = [most for seat, most in enumerate(self.most) if seat != event.seat]
        taken = max(sum(most[r] for most in others) for r in Resource)
        for seat in range(position.seats):
            is_taker = seat == event.seat
            self.hand_over_any(seat, range(taken + 1) if is_taker else range(-taken, 1))


_CHANGES: dict[ActionKind, Callable[..., None]] = {
    ActionKind.DISCARD: HandLimits._discard,
    ActionKind.SETTLEMENT: HandLimits._build,
    ActionKind.CITY: HandLimits._build,
    ActionKind.ROAD: HandLimits._build,
    ActionKind.BUY_DEVELOPMENT_CARD: HandLimits._build,
    ActionKind.BANK_TRADE: HandLimits._trade_with_bank,
    ActionKind.ACCEPT: HandLimits._accept,
    ActionKind.MOVE_ROBBER: HandLimits._rob,
    ActionKind.PLAY_YEAR_OF_PLENTY: HandLimits._take_plenty,
    ActionKind.PLAY_MONOPOLY: HandLimits._monopolise,
}
