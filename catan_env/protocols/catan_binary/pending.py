"""What a follower waits for: one value at a time, and what ends it.

| pending | since | until |
|---|---|---|
| `Nothing` | | |
| `Said` | this seat said an action that has a result | the result |
| `Answered` | this seat answered an offer | the next message: its own REJECT overrules it |
| `Knight` | this seat played a knight: it moves the robber next | it says where (`Said`) |
| `Choice` | a year of plenty or a monopoly lies on the table | its cards are chosen and accepted |
| `Losses` | a monopoly is named | all that it takes is announced |
| `Theft` | another seat's robber robs this one | MSG_ROB_RESULT |

Whatever it is, the end of the turn ends it. Beside it stand the trades and announcements that
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
    """Whoever is to decide may."""


@dataclass(frozen=True)
class Said:
    """An action whose result is to come; `before` is the view before the knight, if it was one."""

    action: Action
    before: SeatView | None = None


@dataclass(frozen=True)
class Answered:
    """An answer to an offer, which the server may have rejected for this seat by then."""

    action: Action


@dataclass(frozen=True)
class Knight:
    """A knight that this seat played; `before` is the view before it."""

    before: SeatView


@dataclass(frozen=True)
class Choice:
    """A card that leaves a choice, the cards `taken` so far, and what this seat said, if it did."""

    card: DevelopmentCard
    taken: Cards = ()
    said: Action | None = None


@dataclass(frozen=True)
class Losses:
    """What each seat lost so far to the monopoly on a resource."""

    resource: Resource
    lost: tuple[int, ...]

    def more(self, seat: int, count: int) -> "Losses":
        """With `count` more cards lost by `seat`."""
        lost = list(self.lost)
        lost[seat] += count
        return Losses(self.resource, tuple(lost))


@dataclass(frozen=True)
class Theft:
    """A robber that moved and robs this seat of a card not yet named."""

    robbing: Event


Pending = Nothing | Said | Answered | Knight | Choice | Losses | Theft
NOTHING_PENDING = Nothing()


class Awaited(Enum):
    """What a seat's own turn may stand still for, though it may never come."""

    LOSSES = "what seats lose to a seven or to a monopoly, which some servers do not announce"
    BANK = "the bank's answer to a trade or a choice, which some servers do not send"
    PARTNER = "another seat's answer to an offer"
    BUILD = "MSG_BUILD_RESULT"
