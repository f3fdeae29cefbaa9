"""The players at the other server's table."""

from collections import Counter
from dataclasses import dataclass, field

from tests.protocols.german.peers.board import KINDS

CARDS = ("Ritter", "Straßenbau", "Monopol", "Erfindung", "Siegpunkt")


class RefusedError(Exception):
    """The reason why a request is not executed."""


@dataclass
class Player:
    """A connected player."""

    line: int
    id: int
    name: str | None = None
    colour: str | None = None
    status: str = "Spiel starten"
    hand: Counter[str] = field(default_factory=Counter)
    cards: Counter[str] = field(default_factory=Counter)
    fresh: Counter[str] = field(default_factory=Counter)
    """Cards bought this turn, which are also in `cards`."""
    knights: int = 0


def full(counts: Counter[str], kinds: tuple[str, ...] = KINDS) -> dict[str, int]:
    """Every kind with its number."""
    return {kind: counts[kind] for kind in kinds}
