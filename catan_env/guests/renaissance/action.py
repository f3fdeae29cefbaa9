"""The 96 small decisions, by flat index."""

from dataclasses import dataclass
from enum import Enum

from catan_env.guests.renaissance.native import actions as at
from catan_env.guests.renaissance.native.cards import COLOURS, COLUMNS, RESOURCES, ROWS

LINES = (*(f"row {row}" for row in range(ROWS)), *(f"column {column}" for column in range(COLUMNS)))
PLACES = ("shelf 1", "shelf 2", "shelf 3", "depot of leader 0", "depot of leader 1", "discard")
SOURCES = ("shelf", "depot", "strongbox")
PRODUCTIONS = ("base", "slot 0", "slot 1", "slot 2", "leader 0", "leader 1")
GAINS = (*(resource.lower() for resource in RESOURCES), "faith")


class ActionKind(Enum):
    """The spans of the flat index, in order."""

    KEEP = "keep"
    LINE = "line"
    WHITE = "white"
    PLACE = "place"
    BUY = "buy"
    PAY = "pay"
    GAIN = "gain"
    PRODUCE = "produce"
    DONE = "done"
    ACTIVATE = "activate"
    DISCARD = "discard"
    SWAP = "swap"
    END = "end"


SPANS: tuple[tuple[ActionKind, int, int, str], ...] = (
    (ActionKind.KEEP, at.KEEP_AT, 6, "two of the four leaders dealt: 01 02 03 12 13 23"),
    (ActionKind.LINE, at.LINE_AT, 7, "row 0-2, column 0-3 of the market"),
    (ActionKind.WHITE, at.WHITE_AT, 2, "the next white marble becomes a good of leader 0, 1"),
    (ActionKind.PLACE, at.PLACE_AT, 6, "the next good: " + ", ".join(PLACES)),
    (ActionKind.BUY, at.BUY_AT, 36, "colour x level x slot"),
    (ActionKind.PAY, at.PAY_AT, 12, "one piece: good x source (shelf, depot, strongbox)"),
    (ActionKind.GAIN, at.GAIN_AT, 5, "one piece of the player's choice: " + ", ".join(GAINS)),
    (ActionKind.PRODUCE, at.PRODUCE_AT, 6, "add to the production: " + ", ".join(PRODUCTIONS)),
    (ActionKind.DONE, at.DONE_ACTION, 1, "the production is complete"),
    (ActionKind.ACTIVATE, at.ACTIVATE_AT, 2, "leader 0, 1"),
    (ActionKind.DISCARD, at.DISCARD_AT, 2, "leader 0, 1"),
    (ActionKind.SWAP, at.SWAP_AT, 10, "places 01 02 03 04 12 13 14 23 24 34"),
    (ActionKind.END, at.END_ACTION, 1, "end of turn"),
)


@dataclass(frozen=True)
class Action:
    """One decision: its kind and its place in that kind's span.

    >>> str(Action.from_index(8)), Action(ActionKind.END).index
    ('take row 2 of the market', 95)
    """

    kind: ActionKind
    number: int = 0

    @classmethod
    def from_index(cls, index: int) -> "Action":
        """The action of a flat index; ValueError outside 0..95."""
        for kind, start, size, _ in SPANS:
            if start <= index < start + size:
                return cls(kind, index - start)
        raise ValueError(f"action {index}; allowed are 0..{at.NUM_ACTIONS - 1}")

    @property
    def index(self) -> int:
        """The flat index."""
        return next(start for kind, start, _, _ in SPANS if kind is self.kind) + self.number

    def __str__(self) -> str:
        return _WORDS[self.kind](self.number)


def _good(piece: int) -> str:
    return RESOURCES[piece // at.SOURCES].lower()


_WORDS = {
    ActionKind.KEEP: lambda n: f"keep dealt leaders {at.PAIRS[n, 0]} and {at.PAIRS[n, 1]}",
    ActionKind.LINE: lambda n: f"take {LINES[n]} of the market",
    ActionKind.WHITE: lambda n: f"turn a white marble with leader {n}",
    ActionKind.PLACE: lambda n: (
        "discard the good" if n == at.DISCARD_PLACE else f"place the good on {PLACES[n]}"
    ),
    ActionKind.BUY: lambda n: (
        f"buy {COLOURS[n // 9].lower()} level {n // 3 % 3 + 1} into slot {n % 3}"
    ),
    ActionKind.PAY: lambda n: f"pay a {_good(n)} from the {SOURCES[n % at.SOURCES]}",
    ActionKind.GAIN: lambda n: f"choose {GAINS[n]}",
    ActionKind.PRODUCE: lambda n: f"produce with {PRODUCTIONS[n]}",
    ActionKind.DONE: lambda n: "complete the production",
    ActionKind.ACTIVATE: lambda n: f"activate leader {n}",
    ActionKind.DISCARD: lambda n: f"discard leader {n}",
    ActionKind.SWAP: lambda n: f"exchange {PLACES[at.SWAPS[n, 0]]} and {PLACES[at.SWAPS[n, 1]]}",
    ActionKind.END: lambda n: "end the turn",
}
