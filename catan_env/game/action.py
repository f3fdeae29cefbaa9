"""Actions: a seat's choices."""

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any

from catan_env.core.actions import NUM_ACTIONS, PAIRS
from catan_env.core.constants import (
    CARDS_PER_RESOURCE,
    EDGES,
    RESOURCES,
    SEATS,
    TILES,
    VERTICES,
    Resource,
)
from catan_env.kernel.numbers import index_of

Counts = tuple[int, int, int, int, int]
"""Card counts by Resource."""


class ActionKind(IntEnum):
    """The verbs, in flat-index order; the last two are the table's and have no index."""

    ROLL = 0
    END_TURN = 1
    BUY_DEVELOPMENT_CARD = 2
    PLAY_KNIGHT = 3
    PLAY_ROAD_BUILDING = 4
    ACCEPT = 5
    REJECT = 6
    PLAY_YEAR_OF_PLENTY = 7
    PLAY_MONOPOLY = 8
    DISCARD = 9
    BANK_TRADE = 10
    SETTLEMENT = 11
    CITY = 12
    ROAD = 13
    MOVE_ROBBER = 14
    OFFER = 15
    TIME_OUT = 16
    LEAVE = 17


@dataclass(frozen=True, slots=True)
class Action:
    """A seat's choice: a verb and its arguments.

    Other seats are given relative to the acting seat: 1 is the next clockwise. `args` by kind:

    - SETTLEMENT, CITY: (vertex,); ROAD: (edge,); MOVE_ROBBER: (tile, victim or None)
    - PLAY_YEAR_OF_PLENTY: (resource, resource), ascending; PLAY_MONOPOLY, DISCARD: (resource,)
    - BANK_TRADE: (give, get, rate), rate None for the best one owned
    - OFFER: (to, give, get), five counts each, by Resource

    >>> Action.road(7).index, Action.from_index(167) == Action.road(7)
    (167, True)
    >>> str(Action.offer(1, Resource.WOOL, {Resource.ORE: 2}))
    'offer 1 wool for 2 ore to the next seat'
    """

    kind: ActionKind
    args: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.kind, ActionKind):
            raise TypeError(f"{self.kind!r} is not an ActionKind; expected one such as {_A_VERB}")
        nouns, check = _ABOUT.get(self.kind, ((), None))
        if len(self.args) != len(nouns):
            allowed = f"({', '.join(nouns)})" if nouns else "()"
            raise ValueError(f"{self.kind.name} takes {allowed}, got {self.args!r}")
        if check is not None:
            object.__setattr__(self, "args", check(*self.args))

    @classmethod
    def roll(cls) -> "Action":
        """Roll the dice."""
        return cls(ActionKind.ROLL)

    @classmethod
    def end_turn(cls) -> "Action":
        """Pass the dice to the next seat."""
        return cls(ActionKind.END_TURN)

    @classmethod
    def settlement(cls, vertex: int) -> "Action":
        """Build a settlement, or place one in the set-up."""
        return cls(ActionKind.SETTLEMENT, (vertex,))

    @classmethod
    def city(cls, vertex: int) -> "Action":
        """Replace the settlement at `vertex` with a city."""
        return cls(ActionKind.CITY, (vertex,))

    @classmethod
    def road(cls, edge: int) -> "Action":
        """Build a road, lay a free road, or place one in the set-up."""
        return cls(ActionKind.ROAD, (edge,))

    @classmethod
    def buy_development_card(cls) -> "Action":
        """Buy the top card of the deck."""
        return cls(ActionKind.BUY_DEVELOPMENT_CARD)

    @classmethod
    def play_knight(cls) -> "Action":
        """Play a knight; the robber moves next."""
        return cls(ActionKind.PLAY_KNIGHT)

    @classmethod
    def play_road_building(cls) -> "Action":
        """Play road building; the free roads are laid next."""
        return cls(ActionKind.PLAY_ROAD_BUILDING)

    @classmethod
    def play_year_of_plenty(cls, a: int, b: int) -> "Action":
        """Take two cards from the bank; its last card of a kind is taken as a pair."""
        return cls(ActionKind.PLAY_YEAR_OF_PLENTY, (a, b))

    @classmethod
    def play_monopoly(cls, resource: int) -> "Action":
        """Take all cards of one kind from all other seats."""
        return cls(ActionKind.PLAY_MONOPOLY, (resource,))

    @classmethod
    def move_robber(cls, tile: int, victim: int | None = None) -> "Action":
        """Move the robber and rob the seat `victim` places on; None if there is no victim."""
        return cls(ActionKind.MOVE_ROBBER, (tile, victim))

    @classmethod
    def discard(cls, resource: int) -> "Action":
        """Discard one card."""
        return cls(ActionKind.DISCARD, (resource,))

    @classmethod
    def bank_trade(cls, give: int, get: int, rate: int | None = None) -> "Action":
        """Trade `rate` cards for one with the bank; by default at the best rate owned."""
        return cls(ActionKind.BANK_TRADE, (give, get, rate))

    @classmethod
    def offer(cls, to: int, give: Any, get: Any) -> "Action":
        """Offer cards to the seat `to` places on.

        `give` and `get` are a Resource (one card), a mapping of Resource to a count, or five
        counts.
        """
        return cls(ActionKind.OFFER, (to, give, get))

    @classmethod
    def accept(cls) -> "Action":
        """Accept the offer."""
        return cls(ActionKind.ACCEPT)

    @classmethod
    def reject(cls) -> "Action":
        """Reject the offer."""
        return cls(ActionKind.REJECT)

    @classmethod
    def time_out(cls) -> "Action":
        """The table ends the turn; see `Game.time_out`."""
        return cls(ActionKind.TIME_OUT)

    @classmethod
    def leave(cls) -> "Action":
        """A seat leaves the table; see `Game.leave`."""
        return cls(ActionKind.LEAVE)

    @classmethod
    def from_index(cls, index: int) -> "Action":
        """Return the action with this flat index; ValueError outside 0..847."""
        return _ACTIONS[_within("action", index, NUM_ACTIONS)]

    @property
    def index(self) -> int | None:
        """The flat index, 0..847; None for an action outside the flat action space.

        These are offers and rates beyond it, `leave()` and `time_out()`.
        """
        return _INDEX.get((self.kind, self.args))

    def __str__(self) -> str:
        return _SAY[self.kind](*self.args)


def actions_at(indices: Iterable[int]) -> Iterator[Action]:
    """Iterate over the actions with these flat indices, each in 0..847."""
    return map(_ACTIONS.__getitem__, indices)


def counts_of(cards: Any, most: int = CARDS_PER_RESOURCE) -> Counts:
    """Return five counts by Resource, up to `most`, from a Resource, a mapping, or five counts."""
    counts = [0] * RESOURCES
    if isinstance(cards, Mapping):
        for resource, n in cards.items():
            counts[Resource(resource)] = n
    elif isinstance(cards, Sequence):
        if len(cards) != RESOURCES:
            raise ValueError(f"expected {RESOURCES} counts, one per resource, got {len(cards)}")
        counts = list(cards)
    else:
        counts[Resource(cards)] = 1
    return as_counts(_count(n, most) for n in counts)


def as_counts(numbers: Iterable[int]) -> Counts:
    """Return five numbers as counts."""
    brick, grain, lumber, ore, wool = numbers
    return brick, grain, lumber, ore, wool


def say_cards(counts: Sequence[int]) -> str:
    """Return the cards as text: '2 brick, 1 ore'."""
    return ", ".join(f"{n} {Resource(r).name.lower()}" for r, n in enumerate(counts) if n) or "none"


def _side(cards: Any) -> Counts:
    """Return one side of an offer: `counts_of`, keyed by resources only."""
    if isinstance(cards, Mapping):
        return counts_of({_resource(resource): n for resource, n in cards.items()})
    is_counts = isinstance(cards, Sequence) and not isinstance(cards, str)
    return counts_of(cards if is_counts else _resource(cards))


def _resource(named: Any) -> Resource:
    """Return a Resource from itself or its number; members of other enumerations are rejected."""
    if type(named) is Resource:
        return named
    is_number = hasattr(named, "__index__") and not isinstance(named, (Enum, bool))
    if not is_number or not 0 <= named < RESOURCES:
        allowed = ", ".join(f"{resource.name} {resource}" for resource in Resource)
        raise ValueError(f"{named!r} is not a resource; expected one of {allowed}")
    return Resource(named)


def _index(given: Any) -> int:
    """Return `given` as an int, or -1 if it is not a whole number."""
    try:
        return index_of(given)
    except TypeError:
        return -1


def _count(given: Any, most: int) -> int:
    n = _index(given)
    if not 0 <= n <= most:
        raise ValueError(f"a count of {given} cards; allowed are 0..{most}")
    return n


def _within(noun: str, given: Any, limit: int) -> int:
    number = _index(given)
    if not 0 <= number < limit:
        raise ValueError(f"no {noun} has the number {given}; allowed are 0..{limit - 1}")
    return number


def _other_seat(noun: str, given: Any) -> int:
    step = _index(given)
    if not 1 <= step < SEATS:
        raise ValueError(f"{noun} is {given}; allowed are 1..3, places clockwise of the actor")
    return step


def _about_bank_trade(give: Any, get: Any, rate: Any) -> tuple[Any, ...]:
    give, get = _resource(give), _resource(get)
    if give == get:
        raise ValueError(f"the bank does not trade {give.name} for itself (C114)")
    if rate is not None and not hasattr(rate, "__index__"):
        raise ValueError(f"a rate of {rate}; allowed are whole numbers, or None for the best")
    return give, get, None if rate is None else operator.index(rate)


def _about_robber(tile: Any, victim: Any) -> tuple[Any, ...]:
    robbed = None if victim is None else _other_seat("victim", victim)
    return _within("tile", tile, TILES), robbed


_A_VERB = "ActionKind.ROAD"
_ABOUT: dict[ActionKind, tuple[tuple[str, ...], Any]] = {
    ActionKind.SETTLEMENT: (("vertex",), lambda v: (_within("vertex", v, VERTICES),)),
    ActionKind.CITY: (("vertex",), lambda v: (_within("vertex", v, VERTICES),)),
    ActionKind.ROAD: (("edge",), lambda e: (_within("edge", e, EDGES),)),
    ActionKind.MOVE_ROBBER: (("tile", "victim or None"), _about_robber),
    ActionKind.PLAY_YEAR_OF_PLENTY: (
        ("resource", "resource"),
        lambda a, b: tuple(sorted((_resource(a), _resource(b)))),
    ),
    ActionKind.PLAY_MONOPOLY: (("resource",), lambda r: (_resource(r),)),
    ActionKind.DISCARD: (("resource",), lambda r: (_resource(r),)),
    ActionKind.BANK_TRADE: (("give", "get", "rate or None"), _about_bank_trade),
    ActionKind.OFFER: (
        ("to", "give", "get"),
        lambda to, give, get: (_other_seat("to", to), _side(give), _side(get)),
    ),
}
"""By verb: the names of its arguments, and the check that returns them in normal form."""


def _word(resource: int) -> str:
    return Resource(resource).name.lower()


_STEPS = {1: "the next seat", 2: "the seat after next", 3: "the third seat on"}


def seat_named(step: int) -> str:
    """The seat that many places clockwise of the actor, as text."""
    return _STEPS.get(step, f"the seat {step} places on")


_SAY: dict[ActionKind, Any] = {
    ActionKind.ROLL: lambda: "roll the dice",
    ActionKind.END_TURN: lambda: "end the turn",
    ActionKind.BUY_DEVELOPMENT_CARD: lambda: "buy a development card",
    ActionKind.PLAY_KNIGHT: lambda: "play a knight",
    ActionKind.PLAY_ROAD_BUILDING: lambda: "play road building",
    ActionKind.ACCEPT: lambda: "accept the offer",
    ActionKind.REJECT: lambda: "reject the offer",
    ActionKind.PLAY_YEAR_OF_PLENTY: lambda a, b: (
        f"play year of plenty for {_word(a)} and {_word(b)}"
    ),
    ActionKind.PLAY_MONOPOLY: lambda r: f"play monopoly on {_word(r)}",
    ActionKind.DISCARD: lambda r: f"discard {_word(r)}",
    ActionKind.BANK_TRADE: lambda give, get, rate: (
        f"trade {f'{rate} ' if rate else ''}{_word(give)} for {_word(get)} with the bank"
    ),
    ActionKind.SETTLEMENT: lambda vertex: f"build a settlement at vertex {vertex}",
    ActionKind.CITY: lambda vertex: f"build a city at vertex {vertex}",
    ActionKind.ROAD: lambda edge: f"build a road at edge {edge}",
    ActionKind.MOVE_ROBBER: lambda tile, victim: (
        f"move the robber to tile {tile} and rob {seat_named(victim) if victim else 'no one'}"
    ),
    ActionKind.TIME_OUT: lambda: "run out of time: the turn ends",
    ActionKind.LEAVE: lambda: "leave the table",
    ActionKind.OFFER: lambda to, give, get: (
        f"offer {say_cards(give)} for {say_cards(get)} to {seat_named(to)}"
    ),
}


def _offers() -> list[Action]:
    return [
        Action.offer(to, {give: n}, {get: m})
        for to in (1, 2, 3)
        for n in (1, 2, 3)
        for give in Resource
        for get in Resource
        if get != give
        for m in (1, 2, 3)
    ]


_ACTIONS: tuple[Action, ...] = (
    *(Action(kind) for kind in list(ActionKind)[:7]),
    *(Action.play_year_of_plenty(a, b) for a, b in PAIRS),
    *(Action.play_monopoly(r) for r in Resource),
    *(Action.discard(r) for r in Resource),
    *(Action.bank_trade(give, get) for give in Resource for get in Resource if get != give),
    *(Action.settlement(v) for v in range(VERTICES)),
    *(Action.city(v) for v in range(VERTICES)),
    *(Action.road(e) for e in range(EDGES)),
    *(Action.move_robber(t, victim) for t in range(TILES) for victim in (None, 1, 2, 3)),
    *_offers(),
)
_INDEX = {(action.kind, action.args): index for index, action in enumerate(_ACTIONS)}
"""By kind and arguments: this halves the time that hashing a dataclass takes."""
