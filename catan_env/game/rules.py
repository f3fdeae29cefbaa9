"""The settings in which rules differ between tables."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from catan_env.core.constants import HAND_LIMIT, MOST_OFFERS, POINTS_TO_WIN, Placement
from catan_env.kernel.numbers import flag, index_of, whole

LIMITS = {
    "offers_per_turn": (0, MOST_OFFERS),
    "points_to_win": (3, 22),
    "hand_limit": (HAND_LIMIT, 60),
}

SIMPLE_GAMES = ("0.1", "0.2")
"""Versions of the German protocol with fewer rules than the rulebook."""
GERMAN = (*SIMPLE_GAMES, "0.3", "1.0")
"""Versions of the German protocol."""


@dataclass(frozen=True)
class Rules:
    """The rules of a table, fixed before the game; presets are `base`, `tournament`, `duel`,
    `german_0.1`, `german_0.2`, `jsettlers`, `colonist`, `colonist_1v1` and `small`.

    >>> Rules.base().win_at_once, Rules.tournament().win_at_once
    (True, False)
    >>> Rules.named("duel").player_trade
    False
    """

    name: str
    """The name of the rules in records and messages."""
    placement: Placement = Placement.SEATS
    """Placer of the first settlements and roads: the seats, or the table by a rule."""
    chosen_discards: bool = True
    """If true, a seat chooses its discards on a seven; else its most numerous cards go."""
    win_at_once: bool = True
    """If true, a player wins on reaching `points_to_win` in their turn; else at its end."""
    free_roads_at_once: bool = True
    """If true, road building's two roads are laid immediately; else at any time in the turn."""
    player_trade: bool = True
    """If true, seats trade with each other."""
    bank_trade: bool = True
    """If true, the bank trades, at its own rate or a harbour's."""
    robber_moves: bool = True
    """If true, a seven halves large hands and moves the robber; else it yields nothing."""
    development_cards: bool = True
    """If true, there is a deck of development cards to buy from."""
    awards: bool = True
    """If true, Longest Road and Largest Army are awarded."""
    endless_bank: bool = False
    """If true, the bank can always pay, until all hands together hold 127 cards."""
    offers_per_turn: int = 3
    """Offers that the action mask allows per turn (0..100)."""
    points_to_win: int = POINTS_TO_WIN
    """Victory points that win the game (3..22)."""
    hand_limit: int = HAND_LIMIT
    """Cards that a hand may hold at a seven; of a larger one half is discarded (7..60)."""
    friendly_robber: bool = False
    """If true, the robber keeps away from seats with at most two points on the table."""
    balanced_dice: bool = False
    """If true, rolls come from a deck of the 36 outcomes in which repetitions are rarer."""
    small_map: bool = False
    """If true, the board has seven tiles of land, for 2 or 3 seats; else nineteen."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"name is {self.name!r}; allowed is text")
        checked = {name: whole(name, getattr(self, name), *LIMITS[name]) for name in LIMITS}
        for field in fields(self):
            if field.type is bool:
                checked[field.name] = flag(field.name, getattr(self, field.name))
        for name, value in (checked | {"placement": _placement(self.placement)}).items():
            object.__setattr__(self, name, value)

    @property
    def off_the_wire(self) -> tuple[str, ...]:
        """The settings, where they differ from the booklet's, that no server's protocol can state.

        >>> Rules.colonist_1v1().off_the_wire, Rules.tournament().off_the_wire
        (('hand_limit', 'friendly_robber', 'balanced_dice'), ())
        """
        names = ("hand_limit", "friendly_robber", "balanced_dice", "small_map")
        return tuple(name for name in names if getattr(self, name) != getattr(Rules, name))

    def check_wire(self, protocol: str) -> None:
        """Raise ValueError if clients of a protocol could not know these rules."""
        if self.off_the_wire:
            names = ", ".join(self.off_the_wire)
            raise ValueError(
                f"{protocol} cannot state {names} of the rules {self.name!r}: its clients would "
                "play by others"
            )

    @classmethod
    def base(cls) -> "Rules":
        """The rulebook: seats place and choose discards; ten points in one's turn win at once."""
        return cls("base")

    @classmethod
    def tournament(cls, placement: str = "pips") -> "Rules":
        """The binary protocol: it places and discards by rule; wins count at the end of the turn.

        `placement` is "pips" (most pips first), "random" or "seats".
        """
        try:
            placed_by = Placement[str(placement).upper()]
        except KeyError:
            raise ValueError(
                f"unknown placement {placement!r}; allowed are 'pips', 'random' and 'seats'"
            ) from None
        return cls(
            "tournament",
            placement=placed_by,
            chosen_discards=False,
            win_at_once=False,
            free_roads_at_once=False,
        )

    @classmethod
    def duel(cls) -> "Rules":
        """Two seats without trade between them; otherwise the rulebook."""
        return cls("duel", player_trade=False)

    @classmethod
    def german(cls, version: str) -> "Rules":
        """The game of the German protocol's version "0.1" or "0.2"; from "0.3" on, the rulebook's.

        0.2 has no development cards and no awards; 0.1 has no trade and no robber either.
        """
        if version not in GERMAN:
            raise ValueError(f"version {version!r}; allowed are {', '.join(GERMAN)}")
        if version not in SIMPLE_GAMES:
            return cls.base()
        return cls(
            f"german_{version}",
            player_trade=version != "0.1",
            bank_trade=version != "0.1",
            robber_moves=version != "0.1",
            development_cards=False,
            awards=False,
        )

    @classmethod
    def jsettlers(cls) -> "Rules":
        """The game of JSettlers servers: an unlimited bank; otherwise the rulebook."""
        return cls("jsettlers", endless_bank=True)

    @classmethod
    def colonist(cls) -> "Rules":
        """The base game of colonist.io: a friendly robber and balanced dice."""
        return cls("colonist", friendly_robber=True, balanced_dice=True)

    @classmethod
    def colonist_1v1(cls) -> "Rules":
        """Colonist's game for two: 15 points, hands of nine at a seven, no trade between seats."""
        return replace(
            cls.colonist(),
            name="colonist_1v1",
            player_trade=False,
            points_to_win=15,
            hand_limit=9,
        )

    @classmethod
    def small(cls) -> "Rules":
        """Seven points on a map of seven tiles, for 2 or 3 seats; otherwise the rulebook."""
        return cls("small", points_to_win=7, small_map=True)

    @classmethod
    def named(cls, name: str) -> "Rules":
        """Return the preset of that name; ValueError lists the names."""
        if name not in list(PRESETS):
            raise ValueError(f"unknown rules {name!r}; allowed are {', '.join(map(repr, PRESETS))}")
        return PRESETS[name]()


PRESETS: dict[str, Callable[[], Rules]] = {
    "base": Rules.base,
    "tournament": Rules.tournament,
    "duel": Rules.duel,
    "german_0.1": partial(Rules.german, "0.1"),
    "german_0.2": partial(Rules.german, "0.2"),
    "jsettlers": Rules.jsettlers,
    "colonist": Rules.colonist,
    "colonist_1v1": Rules.colonist_1v1,
    "small": Rules.small,
}
"""The rules by name."""


def _placement(given: Any) -> Placement:
    try:
        return Placement(index_of(given))
    except (TypeError, ValueError):
        allowed = ", ".join(f"Placement.{placement.name}" for placement in Placement)
        raise ValueError(f"placement is {given!r}; allowed are {allowed}") from None
