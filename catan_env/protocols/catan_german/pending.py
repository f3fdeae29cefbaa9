"""The state that a follower waits in: one value at a time, and the events that end it.

| pending | since | until |
|---|---|---|
| `Nothing` | | |
| `Requested` | this seat asked for something | the server executes or refuses it |
| `Unnamed` | the robber moved without a roll that caused it | the knight that moved it is named |
| `Theft` | the robber moved, and its card is still to come | Kosten and Ertrag of one card |
| `Monopoly` | a monopoly is named | Kosten for all that the Ertrag brings |
| `Invention` | an invention is named | its Ertrag |

In any of these, the next event of the game ends it.
"""

from dataclasses import dataclass, replace

from catan_env.core.constants import Resource
from catan_env.game.action import Action, ActionKind
from catan_env.protocols.catan_german.ledger import Move

PIECES = (ActionKind.ROAD, ActionKind.SETTLEMENT, ActionKind.CITY)


@dataclass(frozen=True)
class Nothing:
    """Any acting seat may decide."""


@dataclass(frozen=True)
class Requested:
    """This seat's requests in one message."""

    actions: tuple[Action, ...]

    def asks_for(self, action: Action) -> bool:
        """True if this was requested; a piece at another place was requested earlier."""
        first = self.actions[0]
        return first == action if first.kind in PIECES else first.kind == action.kind


@dataclass(frozen=True)
class Unnamed:
    """A robber's move without a roll that caused it: some servers name the knight afterwards."""

    seat: int
    tile: int
    victim: int | None


@dataclass(frozen=True)
class Theft:
    """A robber's move; `victim` may be unknown, and `heard` are the cards that belong to it."""

    seat: int
    tile: int
    victim: int | None
    heard: tuple[Move, ...] = ()

    def with_move(self, move: Move) -> "Theft":
        """Take the victim from a Kosten if it was not named."""
        is_cost = move.sign < 0 and self.victim is None
        victim = move.seat if is_cost else self.victim
        return replace(self, victim=victim, heard=(*self.heard, move))


@dataclass(frozen=True)
class Monopoly:
    """A monopoly of a seat: its total, once known, and the others' losses so far."""

    seat: int
    resource: Resource
    losses: tuple[int, ...]
    gain: int | None = None

    def with_move(self, move: Move) -> "Monopoly":
        """Count a Kosten of another seat, or the Ertrag."""
        if move.seat == self.seat:
            return replace(self, gain=move.total)
        losses = list(self.losses)
        losses[move.seat] = move.total
        return replace(self, losses=tuple(losses))

    @property
    def is_complete(self) -> bool:
        """True if the others have lost the whole total."""
        return self.gain is not None and sum(self.losses) >= self.gain


@dataclass(frozen=True)
class Invention:
    """Two cards from the bank, or its last one twice."""

    seat: int
    cards: tuple[Resource, Resource]


Pending = Nothing | Requested | Unnamed | Theft | Monopoly | Invention
NOTHING_PENDING = Nothing()
