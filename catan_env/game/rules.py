"""The settings in which rules differ between tables."""

from collections.abc import Callable
from dataclasses import dataclass

from catan_env.core.constants import Placement
from catan_env.game.numbers import whole


@dataclass(frozen=True)
class Rules:
    """The rules of a table, fixed before the game; presets are `base`, `tournament`, `duel`,
    `german_0.1`, `german_0.2` and `jsettlers`.

    >>> Rules.base().win_at_once, Rules.tournament().win_at_once
    (True, False)
    >>> Rules.named("duel").player_trade
    False
    """

    name: str
    placement: Placement = Placement.SEATS
    """Placer of the first settlements and roads: the seats, or the table by a rule."""
    chosen_discards: bool = True
    """If true, a seat chooses its discards on a seven; else its most numerous cards go."""
    win_at_once: bool = True
    """If true, a player wins on reaching ten points in their turn; else at the end of the turn."""
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
    """If true, the bank can always pay: it has a hundred spare cards of each resource."""
    offers_per_turn: int = 3
    """Offers that the action mask allows per turn (0..100)."""
    points_to_win: int = 10

    def __post_init__(self) -> None:
        whole("offers_per_turn", self.offers_per_turn, 0, 100)
        whole("points_to_win", self.points_to_win, 3, 22)
        object.__setattr__(self, "placement", Placement(self.placement))

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
        if version not in ("0.1", "0.2"):
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
    def named(cls, name: str) -> "Rules":
        """Return the preset of that name; ValueError lists the names."""
        presets: dict[str, Callable[[], Rules]] = {
            "base": cls.base,
            "tournament": cls.tournament,
            "duel": cls.duel,
            "german_0.1": lambda: cls.german("0.1"),
            "german_0.2": lambda: cls.german("0.2"),
            "jsettlers": cls.jsettlers,
        }
        if name not in list(presets):
            raise ValueError(f"unknown rules {name!r}; allowed are {', '.join(map(repr, presets))}")
        return presets[name]()
