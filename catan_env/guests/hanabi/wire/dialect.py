"""Three dialects: the specification's, the server's of 2015, and the rule book's."""

from dataclasses import dataclass

MOST_DEALT = 12
"""Players to whom the deck of fifty can deal."""


@dataclass(frozen=True)
class Dialect:
    """The differences of the dialects, described in the table of docs/hanabi.md."""

    name: str
    checks_turn_first: bool = False
    """Any request by a player out of turn is refused for that reason, even in the lobby."""
    deals_on_joining: bool = False
    """Hands are dealt as players join, and may be played before the start."""
    names_by_age: bool = False
    """Names are listed by the age of their connections."""
    takes_digits: bool = False
    short_names: bool = True
    fewest: int = 1
    most: int | None = 5
    """None: as many as the deck can deal to."""
    ids_are_cards: bool = True
    self_hints: bool = False
    empty_hints: bool = True
    discard_at_max: bool = True
    errors: int = 3
    ends_complete: bool = False
    explosion_is_zero: bool = False
    announces_last_round: bool = True
    """`turns_left` is already sent with the last draw."""
    refused_hints_cost: bool = False
    """With an empty deck, a refused hint uses up one of the turns left; at 0 the game hangs."""
    hides: bool = False
    """Only joined clients receive responses, each a separate copy."""
    stays_closed: bool = False
    """After the end, only joined connections are closed, and no new lobby opens."""
    notices_leaving: bool = True

    def check_players(self, players: int) -> None:
        """Raise ValueError if no game of that many players can start."""
        most = self.most or MOST_DEALT
        if not self.fewest <= players <= most:
            allowed = f"allowed are {self.fewest} to {most} with --dialect {self.name}"
            raise ValueError(f"--players {players}; {allowed}")


SPEC = Dialect("spec")
IMPLEMENTED = Dialect(
    "implemented",
    checks_turn_first=True,
    deals_on_joining=True,
    names_by_age=True,
    takes_digits=True,
    short_names=False,
    most=None,
    self_hints=True,
    errors=4,
    announces_last_round=False,
    refused_hints_cost=True,
    stays_closed=True,
    notices_leaving=False,
)
STRICT = Dialect(
    "strict",
    fewest=2,
    ids_are_cards=False,
    empty_hints=False,
    discard_at_max=False,
    ends_complete=True,
    explosion_is_zero=True,
    hides=True,
)
DIALECTS = {dialect.name: dialect for dialect in (SPEC, IMPLEMENTED, STRICT)}
