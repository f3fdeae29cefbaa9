"""What the page and the table say to each other: JSON objects, one a WebSocket frame.

Places are numbers, cards five counts by Resource, seats absolute except in `Offer.to`, which counts
clockwise from the seat that acts. `step` is the number of steps that the page had seen: what was
meant for an older position is refused.
"""

from typing import Any

import msgspec


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Either side's."""


class Sit(Message, frozen=True, tag="sit"):
    """The first message of a page: the secret out of its link."""

    secret: str


class Act(Message, frozen=True, tag="act"):
    """The seat's choice, by its flat index."""

    index: int
    step: int


class Offer(Message, frozen=True, tag="offer"):
    """An offer of any cards, which the flat index may not be able to say."""

    to: int
    give: tuple[int, int, int, int, int]
    get: tuple[int, int, int, int, int]
    step: int


class Undo(Message, frozen=True, tag="undo"):
    """Take the seat's last choice back."""

    step: int


class Ask(Message, frozen=True, tag="ask"):
    """What would the table's adviser play?"""

    step: int


class Resume(Message, frozen=True, tag="resume"):
    """The first message of a replay's page: lay a table where the kept game stood at a step."""

    path: str
    step: int
    seat: int


Heard = Sit | Act | Offer | Undo | Ask | Resume
"""What the table hears."""


class Choice(msgspec.Struct, frozen=True):
    """A legal action: its flat index, its kind's name and what it is about."""

    index: int
    kind: str
    args: tuple[Any, ...]
    label: str


class Welcome(Message, frozen=True, tag="welcome"):
    """Everything up to now; `seat` is None for one who watches."""

    seat: int | None
    board: str
    data: dict[str, Any]


class Step(Message, frozen=True, tag="step"):
    """Step `number` is this; any later ones that the page has are taken back."""

    number: int
    step: dict[str, Any]


class Rewind(Message, frozen=True, tag="rewind"):
    """The game stands where it stood after that many steps."""

    number: int


class Choices(Message, frozen=True, tag="choices"):
    """What the page's seat may do after that many steps."""

    step: int
    actions: list[Choice]
    rates: tuple[int, ...]
    may_offer: bool
    may_undo: bool
    may_ask: bool


class Weighed(msgspec.Struct, frozen=True):
    """A choice, and the share of games won after it."""

    choice: Choice
    odds: float


class Advice(Message, frozen=True, tag="advice"):
    """What the adviser, a policy of that name, would play, and what moves and seats are worth.

    `moves` begin with the best by odds; `outlook` are the seats' odds of winning.
    """

    step: int
    policy: str
    action: Choice
    moves: list[Weighed]
    outlook: list[float]


class Seated(Message, frozen=True, tag="seated"):
    """A table was laid; the seat's link holds that secret."""

    secret: str


class Over(Message, frozen=True, tag="over"):
    """The game has ended; its replay is at that path, its record at the other."""

    replay: str
    record: str


class Refused(Message, frozen=True, tag="refused"):
    """Nothing came of what the page sent."""

    reason: str


Said = Welcome | Step | Rewind | Choices | Advice | Seated | Over | Refused
"""What the table says."""
