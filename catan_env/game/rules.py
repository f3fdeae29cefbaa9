"""The few things in which one table's rules differ from another's."""

from collections.abc import Callable
from dataclasses import dataclass

from catan_env.core.constants import Placement
from catan_env.game.numbers import whole


@dataclass(frozen=True)
class Rules:
    """What a table agrees on before the game; presets are `base`, `tournament`, `duel`,
    `german_0.1`, `german_0.2` and `jsettlers`.

    >>> Rules.base().win_at_once, Rules.tournament().win_at_once
    (True, False)
    >>> Rules.named("duel").player_trade
    False
    """

    name: str
    placement: Placement = Placement.SEATS
    """Who places the first settlements and roads: the seats, or the table by a rule."""
    chosen_discards: bool = True
    """Whether a seat chooses what it discards at a seven; else its most numerous cards go."""
    win_at_once: bool = True
    """Whether ten points win as soon as they are there on the own turn; else at its end."""
    free_roads_at_once: bool = True
    """Whether road building's two roads are laid before anything else; else within the turn."""
    player_trade: bool = True
    """Whether seats trade with each other."""
    bank_trade: bool = True
    """Whether the bank trades, at its own rate or a harbour's."""
    robber_moves: bool = True
    """Whether a seven takes half of large hands and moves the robber; else it yields nothing."""
    development_cards: bool = True
    """Whether there is a deck to buy from."""
    awards: bool = True
    """Whether Longest Road and Largest Army are given."""
    endless_bank: bool = False
    """Whether the bank can pay whatever it owes: it has a hundred spare cards of each resource."""
    offers_per_turn: int = 3
    """Offers that the action mask allows in one turn (0..100)."""
    points_to_win: int = 10

    def __post_init__(self) -> None:
        whole("offers_per_turn", self.offers_per_turn, 0, 100)
        whole("points_to_win", self.points_to_win, 3, 22)
        object.__setattr__(self, "placement", Placement(self.placement))

    @classmethod
    def base(cls) -> "Rules":
        """The booklet: seats place and choose discards, ten points win at once on the own turn."""
        return cls("base")

    @classmethod
    def tournament(cls, placement: str = "pips") -> "Rules":
        """The binary protocol's table: it places and discards by rule; a win counts at passing.

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
        """Two seats, no trade between them; otherwise the booklet."""
        return cls("duel", player_trade=False)

    @classmethod
    def german(cls, version: str) -> "Rules":
        """The game of the German protocol's version "0.1" or "0.2"; from "0.3" on the booklet's.

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
        """The game of JSettlers servers: the bank does not end; otherwise the booklet."""
        return cls("jsettlers", endless_bank=True)

    @classmethod
    def named(cls, name: str) -> "Rules":
        """The preset of that name; ValueError says which there are."""
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
