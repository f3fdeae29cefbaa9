"""The rules of a table: sizes, and the options of the rule page."""

from dataclasses import dataclass, replace
from functools import cached_property

from catan_env.guests.hanabi.cards import Card, Colour, copies
from catan_env.kernel.numbers import flag, whole
from catan_env.kernel.shown import shown

MOST_PLAYERS, FEWEST_PLAYERS = 5, 2
SHOWS = 5  # cards of a hand with up to three players; one less with more (H002)
AFTER_EXPLOSION = ("zero", "kept")
MULTICOLOUR = (None, "suit", "short", "wild")
MOST = {"colors": 5, "ranks": 5, "max_information_tokens": 8, "max_life_tokens": 3}
SWITCHES = ("empty_hints", "discard_at_max", "end_at_25")


@dataclass(frozen=True)
class Rules:
    """The rules of one table; sizes are named as in the Hanabi Learning Environment.

    >>> Rules.named("official").max_score, Rules.named("Hanabi-Small").cards_in_hand(2)
    (25, 2)
    """

    colors: int = 5
    ranks: int = 5
    hand_size: int | None = None
    """Cards in a full hand; None: 5 with up to three players, else 4 (H002)."""
    max_information_tokens: int = 8
    max_life_tokens: int = 3
    """Lives on the table; the observation counts them."""
    errors: int | None = None
    """The failed play that ends the game; None: the one that takes the last life (H040)."""
    empty_hints: bool = False
    """A hint may match no card (against H013)."""
    discard_at_max: bool = False
    """A card may be discarded when all tokens are available, for nothing (against H021)."""
    end_at_25: bool = True
    """The game ends when all colours are complete (H041)."""
    score_after_explosion: str = "zero"
    """The score of a game ended by the last error: "zero" (H040) or "kept"."""
    multicolour: str | None = None
    """A sixth suit: "suit" of ten cards; "short", 1 to 5 once each; "wild", ten cards that every
    colour hint touches and no hint names."""

    def __post_init__(self) -> None:
        checked: dict[str, int] = {
            name: whole(name, getattr(self, name), 1, most) for name, most in MOST.items()
        }
        checked |= {name: flag(name, getattr(self, name)) for name in SWITCHES}
        lives = checked["max_life_tokens"]
        errors = lives if self.errors is None else self.errors
        checked["errors"] = whole("errors", errors, lives, lives + 1)
        if self.hand_size is not None:
            checked["hand_size"] = whole("hand_size", self.hand_size, 1, 5)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        _check_one_of("score_after_explosion", self.score_after_explosion, AFTER_EXPLOSION)
        _check_one_of("multicolour", self.multicolour, MULTICOLOUR)
        if self.multicolour is not None and self.colors != 5:
            raise ValueError(f"multicolour cards are a sixth suit; colors is {self.colors}, not 5")

    @classmethod
    def named(cls, name: str) -> "Rules":
        """The rules of that name; ValueError lists the names."""
        if name not in PRESETS:
            raise ValueError(
                f"unknown rules {shown(name)}; allowed are {', '.join(map(repr, PRESETS))}"
            )
        return PRESETS[name]

    @cached_property
    def suits(self) -> int:
        """The number of colours to complete."""
        return self.colors + (self.multicolour is not None)

    @cached_property
    def named_colours(self) -> int:
        """The number of colours that a hint may name: all but the wild cards'."""
        return self.colors + (self.multicolour in ("suit", "short"))

    @cached_property
    def max_score(self) -> int:
        """The score of a game in which every colour is complete."""
        return self.suits * self.ranks

    def cards_in_hand(self, players: int) -> int:
        """The number of cards in a full hand (H002)."""
        if self.hand_size is not None:
            return self.hand_size
        return SHOWS if players <= 3 else SHOWS - 1

    def copies(self, card: Card) -> int:
        """The number of copies of a card in the box (H001)."""
        if card.colour == Colour.MULTI and self.multicolour == "short":
            return 1
        return copies(card.number, self.ranks)

    @cached_property
    def kinds(self) -> tuple[Card, ...]:
        """Every card once, by colour and then by number."""
        return tuple(
            Card(colour, number)
            for colour in range(self.suits)
            for number in range(1, self.ranks + 1)
        )

    @cached_property
    def box(self) -> tuple[Card, ...]:
        """All cards, sorted."""
        return tuple(card for card in self.kinds for _ in range(self.copies(card)))

    def touches(self, colour: int, card: Card) -> bool:
        """True if a hint that names `colour` touches the card."""
        return colour in self.colours_touching(card)

    def colours_touching(self, card: Card) -> range:
        """The colours whose hints touch a card: its own, or all of them for a wild card."""
        if self.multicolour == "wild" and card.colour == Colour.MULTI:
            return range(self.named_colours)
        return range(card.colour, card.colour + 1)

    def check_players(self, players: int) -> int:
        """Return `players` as an int; TypeError or ValueError if that many cannot play (H002)."""
        players = whole("players", players, FEWEST_PLAYERS, MOST_PLAYERS)
        dealt = players * self.cards_in_hand(players)
        if dealt > len(self.box):
            raise ValueError(f"{players} hands are {dealt} cards; the box holds {len(self.box)}")
        return players


def rules_of(rules: "Rules | str") -> Rules:
    """Rules from a Rules object or a name; TypeError for anything else."""
    if not isinstance(rules, Rules | str):
        raise TypeError(f"rules is {shown(rules)}; allowed are a name and Rules")
    return rules if isinstance(rules, Rules) else Rules.named(rules)


def _check_one_of(name: str, value: str | None, allowed: tuple[str | None, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {shown(value)}; allowed are {', '.join(map(repr, allowed))}")


OFFICIAL = Rules()
SERVER = replace(
    OFFICIAL,
    empty_hints=True,
    discard_at_max=True,
    end_at_25=False,
    score_after_explosion="kept",
)
SMALL = Rules(colors=2, hand_size=2, max_information_tokens=3, max_life_tokens=1)
PRESETS = {
    "official": OFFICIAL,
    "server": SERVER,
    "Hanabi-Full": OFFICIAL,
    "Hanabi-Small": SMALL,
    "Hanabi-Very-Small": replace(SMALL, colors=1),
}
