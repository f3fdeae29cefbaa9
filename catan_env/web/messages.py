"""The messages between the page and the table: JSON objects, one per WebSocket frame.

Places are numbers, cards five counts by Resource, seats absolute except in `Offer.to`, which counts
clockwise from the acting seat. `step` is the number of steps that the page had seen: a message
for an older position is refused.
"""

from typing import Any

import msgspec


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A message from either side."""


class Sit(Message, frozen=True, tag="sit"):
    """The first message of a page: the secret from its link."""

    secret: str


class Act(Message, frozen=True, tag="act"):
    """The seat's choice, by its flat index."""

    index: int
    step: int


class Offer(Message, frozen=True, tag="offer"):
    """An offer of any cards, even if it has no flat index."""

    to: int
    give: tuple[int, int, int, int, int]
    get: tuple[int, int, int, int, int]
    step: int


class Undo(Message, frozen=True, tag="undo"):
    """Take the seat's last choice back."""

    step: int


class Ask(Message, frozen=True, tag="ask"):
    """Ask for the adviser's move."""

    step: int


class Resume(Message, frozen=True, tag="resume"):
    """The first message of a replay's page: start a table at a step of the stored game."""

    path: str
    step: int
    seat: int


Heard = Sit | Act | Offer | Undo | Ask | Resume
"""The messages that the table receives."""


class Choice(msgspec.Struct, frozen=True):
    """A legal action: its flat index, the name of its kind and its arguments."""

    index: int
    kind: str
    args: tuple[Any, ...]
    label: str


class Welcome(Message, frozen=True, tag="welcome"):
    """Everything up to now; `seat` is None for a spectator."""

    seat: int | None
    board: str
    data: dict[str, Any]


class Step(Message, frozen=True, tag="step"):
    """Step `number`; it replaces any later ones that the page has."""

    number: int
    step: dict[str, Any]


class Rewind(Message, frozen=True, tag="rewind"):
    """The game is back at the position after that many steps."""

    number: int


class Choices(Message, frozen=True, tag="choices"):
    """The legal choices of the page's seat after that many steps."""

    step: int
    actions: list[Choice]
    rates: tuple[int, ...]
    may_offer: bool
    may_undo: bool
    may_ask: bool


class Weighed(msgspec.Struct, frozen=True):
    """A choice, and the odds of winning after it."""

    choice: Choice
    odds: float


class Advice(Message, frozen=True, tag="advice"):
    """The move of the adviser, a policy of that name, and the odds after moves and of seats.

    `moves` are sorted by odds, best first; `outlook` are the seats' odds of winning.
    """

    step: int
    policy: str
    action: Choice
    moves: list[Weighed]
    outlook: list[float]


class Seated(Message, frozen=True, tag="seated"):
    """A table was started; the seat's link has that secret."""

    secret: str


class Over(Message, frozen=True, tag="over"):
    """The game has ended; the paths of its replay and its record."""

    replay: str
    record: str


class Refused(Message, frozen=True, tag="refused"):
    """The request was rejected."""

    reason: str


Said = Welcome | Step | Rewind | Choices | Advice | Seated | Over | Refused
"""The messages that the table sends."""
