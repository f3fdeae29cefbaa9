"""Commands: one object per complete sequence of small decisions.

`command_of(steps)` and `command.steps()` are inverse to each other: of all sequences for the same
command, the order of its white marbles' choices included, the mask allows exactly one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from catan_env.guests.renaissance.native import actions as at
from catan_env.guests.renaissance.native.cards import GOODS

Payment = tuple[int, ...]
"""Pieces by good and source, flat: (12,)."""
NOTHING_PAID: Payment = (0,) * (GOODS * at.SOURCES)
PLACES = at.DISCARD_PLACE + 1


def _repeat(start: int, counts: Sequence[int]) -> list[int]:
    return [start + k for k, count in enumerate(counts) for _ in range(count)]


def _count(start: int, size: int, steps: Iterable[int]) -> tuple[int, ...]:
    counts = [0] * size
    for step in steps:
        counts[step - start] += 1
    return tuple(counts)


@dataclass(frozen=True)
class KeepLeaders:
    """Two of the four leaders dealt; `pair` is one of `actions.PAIRS`."""

    pair: int

    def steps(self) -> list[int]:
        """The small decisions of the command."""
        return [at.KEEP_AT + self.pair]


@dataclass(frozen=True)
class ChooseGoods:
    """The starting goods: (good, shelf) each, goods ascending."""

    goods: tuple[tuple[int, int], ...]

    def steps(self) -> list[int]:
        """The small decisions of the command."""
        pairs = sorted(self.goods)
        return [step for good, shelf in pairs for step in (at.GAIN_AT + good, at.PLACE_AT + shelf)]


@dataclass(frozen=True)
class TakeFromMarket:
    """A line; white marbles by leader, if both convert them, in order; goods by kind and place."""

    line: int
    whites: tuple[int, ...]
    placed: tuple[tuple[int, ...], ...]

    def steps(self) -> list[int]:
        """The small decisions of the command."""
        goods = [step for counts in self.placed for step in _repeat(at.PLACE_AT, counts)]
        return [at.LINE_AT + self.line, *(at.WHITE_AT + i for i in self.whites), *goods]


@dataclass(frozen=True)
class Buy:
    """The top card of a stack into a slot, and the payment by source."""

    colour: int
    level: int
    slot: int
    payment: Payment

    def steps(self) -> list[int]:
        """The small decisions of the command."""
        first = at.BUY_AT + 9 * self.colour + 3 * self.level + self.slot
        return [first, *_repeat(at.PAY_AT, self.payment)]


@dataclass(frozen=True)
class Production:
    """One of several productions: its number, its payment, and the pieces chosen."""

    number: int
    payment: Payment
    gains: tuple[int, ...]


@dataclass(frozen=True)
class Produce:
    """Productions, in ascending order."""

    productions: tuple[Production, ...]

    def steps(self) -> list[int]:
        """The small decisions of the command."""
        steps: list[int] = []
        for one in sorted(self.productions, key=lambda one: one.number):
            steps += [at.PRODUCE_AT + one.number, *_repeat(at.PAY_AT, one.payment)]
            steps += [at.GAIN_AT + good for good in one.gains]
        return [*steps, at.DONE_ACTION]


@dataclass(frozen=True)
class LeaderAction:
    """Activate a kept leader, or discard it."""

    leader: int
    activates: bool

    def steps(self) -> list[int]:
        """The small decisions of the command."""
        return [(at.ACTIVATE_AT if self.activates else at.DISCARD_AT) + self.leader]


@dataclass(frozen=True)
class Swap:
    """Exchange two places, the lower first."""

    a: int
    b: int

    def steps(self) -> list[int]:
        """The small decisions of the command."""
        return [at.SWAP_AT + [tuple(pair) for pair in _SWAPS].index((self.a, self.b))]


@dataclass(frozen=True)
class EndTurn:
    """End the turn."""

    def steps(self) -> list[int]:
        """The small decisions of the command."""
        return [at.END_ACTION]


_SWAPS = [(at.SWAPS[k, 0], at.SWAPS[k, 1]) for k in range(len(at.SWAPS))]

Command = KeepLeaders | ChooseGoods | TakeFromMarket | Buy | Produce | LeaderAction | Swap | EndTurn


def command_of(steps: Sequence[int], drawn: Sequence[int] | None = None) -> Command:
    """The command of a complete sequence of small decisions.

    For a market action, `drawn` is (4,) goods to place, converted whites included, which determines
    the goods that the steps place.
    """
    first = steps[0]
    if first < at.LINE_AT:
        return KeepLeaders(first - at.KEEP_AT)
    if first < at.WHITE_AT:
        return _market(steps, drawn or (0,) * GOODS)
    if at.BUY_AT <= first < at.PAY_AT:
        n = first - at.BUY_AT
        return Buy(n // 9, n // 3 % 3, n % 3, _count(at.PAY_AT, len(NOTHING_PAID), steps[1:]))
    if at.GAIN_AT <= first < at.PRODUCE_AT:
        pairs = zip(steps[::2], steps[1::2], strict=True)
        return ChooseGoods(tuple((gain - at.GAIN_AT, to - at.PLACE_AT) for gain, to in pairs))
    if first < at.DONE_ACTION:
        return _production(steps)
    if first < at.SWAP_AT:
        return LeaderAction((first - at.ACTIVATE_AT) % 2, first < at.DISCARD_AT)
    return EndTurn() if first == at.END_ACTION else Swap(*_SWAPS[first - at.SWAP_AT])


def _market(steps: Sequence[int], drawn: Sequence[int]) -> TakeFromMarket:
    whites = tuple(step - at.WHITE_AT for step in steps[1:] if step < at.PLACE_AT)
    places = iter(steps[1 + len(whites) :])
    placed = tuple(
        _count(at.PLACE_AT, PLACES, [next(places) for _ in range(drawn[good])])
        for good in range(GOODS)
    )
    return TakeFromMarket(steps[0] - at.LINE_AT, whites, placed)


def _production(steps: Sequence[int]) -> Produce:
    starts = [k for k, step in enumerate(steps) if step >= at.PRODUCE_AT]
    productions = []
    for k, end in pairwise(starts):
        payment = [step for step in steps[k + 1 : end] if step < at.GAIN_AT]
        gains = tuple(step - at.GAIN_AT for step in steps[k + 1 : end] if step >= at.GAIN_AT)
        counts = _count(at.PAY_AT, len(NOTHING_PAID), payment)
        productions.append(Production(steps[k] - at.PRODUCE_AT, counts, gains))
    return Produce(tuple(productions))
