"""The messages that a follower waits for: one value at a time, and what ends it.

| pending | since | until |
|---|---|---|
| `Nothing` | | |
| `Requested` | this seat sent an action that has a result | the result |
| `Answered` | this seat answered an offer | the next message: its own REJECT overrules it |
| `Knight` | this seat played a knight and moves the robber next | it named it, or robs none |
| `Choice` | a year of plenty or a monopoly was played | its cards are chosen and accepted |
| `Losses` | a monopoly is named | all of its takings are announced |
| `Theft` | another seat's robber robs this one | MSG_ROB_RESULT |

The end of the turn ends any of them. Separate from it are the trades and announcements that
wait for their MSG_TRADE_ACCEPT.
"""

from dataclasses import dataclass
from enum import Enum

from catan_env.core.constants import DevelopmentCard, Resource
from catan_env.game.action import Action
from catan_env.game.event import Event
from catan_env.game.view import SeatView
from catan_env.protocols.catan_binary.choices import Cards


@dataclass(frozen=True)
class Nothing:
    """No message: the seat to move may act."""


@dataclass(frozen=True)
class Requested:
    """An action whose result is awaited; `before` is the view before the knight, if it was one."""

    action: Action
    before: SeatView | None = None


@dataclass(frozen=True)
class Answered:
    """An answer to an offer, which the server may have rejected for this seat in the meantime."""

    action: Action


@dataclass(frozen=True)
class Knight:
    """A knight that this seat played; `before` is the view before it."""

    before: SeatView


@dataclass(frozen=True)
class Choice:
    """A card that leaves a choice, the cards `taken` so far, and this seat's own choice, if any."""

    card: DevelopmentCard
    taken: Cards = ()
    said: Action | None = None


@dataclass(frozen=True)
class Losses:
    """The losses of each seat so far to the monopoly on a resource."""

    resource: Resource
    lost: tuple[int, ...]

    def more(self, seat: int, count: int) -> "Losses":
        """Return the losses with `count` more cards lost by `seat`."""
        lost = list(self.lost)
        lost[seat] += count
        return Losses(self.resource, tuple(lost))


@dataclass(frozen=True)
class Theft:
    """A robber that moved and robs this seat of a card not yet named."""

    robbing: Event


Pending = Nothing | Requested | Answered | Knight | Choice | Losses | Theft
NOTHING_PENDING = Nothing()


class Awaited(Enum):
    """The messages that a seat's own turn may wait for, though they may never come."""

    LOSSES = "what seats lose to a seven or to a monopoly, which some servers do not announce"
    BANK = "the bank's answer to a trade or a choice, which some servers do not send"
    PARTNER = "another seat's answer to an offer"
    BUILD = "MSG_BUILD_RESULT"
