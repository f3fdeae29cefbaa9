"""The messages between the page and the table: JSON objects, one per WebSocket frame.

Places are numbers, cards five counts by Resource, seats absolute except in `Offer.to`, which counts
clockwise from the acting seat. `step` is the number of steps that the page had seen: a message
for an older position is refused.
"""

from typing import Any

import msgspec


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A message from either side."""


Counts = tuple[int, int, int, int, int]


class Sit(Message, frozen=True, tag="sit"):
    """The first message of a page: the secret from its link."""

    secret: str


class Act(Message, frozen=True, tag="act"):
    """The seat's choice, by its flat index."""

    index: int
    step: int


class Offer(Message, frozen=True, tag="offer"):
    """An offer of any cards, even if it has no flat index.

    With `to` 0 all others are asked, clockwise, until one accepts.
    """

    to: int
    give: Counts
    get: Counts
    step: int


class Propose(Message, frozen=True, tag="propose"):
    """A trade that the seat would make while it is not on turn; nothing given withdraws it."""

    give: Counts
    get: Counts
    step: int


class Answer(Message, frozen=True, tag="answer"):
    """The answer to several offers at a time: accept that one, by its number, or none (-1).

    The numbers are those of `Choices.offers`; number 0 is on the table.
    """

    number: int
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


class Enter(Message, frozen=True, tag="enter"):
    """The first message of a start page: the person's key, and the invitation in its link."""

    key: str
    invitation: str = ""


class Open(Message, frozen=True, tag="open"):
    """Open a table; `seats` are the policies' names by seat, empty for people.

    The person who opens it sits at the first empty seat; the others join by an invitation.
    """

    key: str
    name: str
    seats: list[str]
    rules: str
    board: str
    pace: float
    seed: int | None = None
    timeout: float | None = None
    """Seconds that each person has for a turn."""
    ask: str = ""
    """The policy that gives advice; empty for none."""


class Join(Message, frozen=True, tag="join"):
    """Take a free seat of the table of an invitation."""

    key: str
    name: str
    invitation: str


class Show(Message, frozen=True, tag="show"):
    """Ask for the replay of a game that the person has played, by its path."""

    key: str
    path: str


class Rematch(Message, frozen=True, tag="rematch"):
    """Open a table with the same players, each one seat on, after the end."""

    step: int


AtStart = Enter | Open | Join | Show
"""The messages of a start page, each on a line of its own."""
Heard = (
    Enter
    | Open
    | Join
    | Show
    | Rematch
    | Sit
    | Act
    | Offer
    | Propose
    | Answer
    | Undo
    | Ask
    | Resume
)
"""The messages that the table receives."""


class Choice(msgspec.Struct, frozen=True):
    """A legal action: its flat index, the name of its kind and its arguments."""

    index: int
    kind: str
    args: tuple[Any, ...]
    label: str
    why: str = ""
    """Its reason, in pips and cards."""


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


class Bundled(msgspec.Struct, frozen=True):
    """An offer that a policy makes if the one before it is refused; `lacks` are the cards missing.

    `give` and `get` are from the view of the seat that answers.
    """

    give: Counts
    get: Counts
    lacks: Counts


class Proposal(msgspec.Struct, frozen=True):
    """A trade that a seat would make with the seat on turn."""

    seat: int
    give: Counts
    get: Counts


class Proposals(Message, frozen=True, tag="proposals"):
    """All proposals of this turn."""

    proposals: list[Proposal]


class Choices(Message, frozen=True, tag="choices"):
    """The legal choices of the page's seat after that many steps."""

    step: int
    actions: list[Choice]
    rates: tuple[int, ...]
    may_offer: bool
    may_undo: bool
    may_ask: bool
    hints: list[int] = []
    """In the set-up, the flat indices of the corners with most pips."""
    offers: list[Bundled] = []
    """The offers that await an answer, the one on the table first."""
    owed: int = 0
    """The number of cards that the seat must still discard."""


class Clock(Message, frozen=True, tag="clock"):
    """The seconds that the acting person has left in this turn."""

    seat: int
    seconds: float


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


class Preparing(Message, frozen=True, tag="preparing"):
    """The parts of the table that are still being loaded; empty when everything is ready.

    Before `Welcome` the game itself is being prepared, and the line waits for it.
    """

    parts: list[str]
    invitation: str = ""
    """The part after the # of a start page's link, for people who are still missing."""


class OfferedPolicy(msgspec.Struct, frozen=True):
    """A policy to play against; `rating` is its Elo rating in duels, if measured."""

    name: str
    about: str
    rating: int | None


class OfferedRules(msgspec.Struct, frozen=True):
    """A preset of rules, and the number of seats for which its table has room."""

    name: str
    about: str
    seats: int


class ListedGame(msgspec.Struct, frozen=True):
    """A game of the person's list; `won` is None while it is unfinished."""

    path: str
    names: list[str]
    won: bool | None
    turns: int | None
    begun: int
    secret: str = ""
    """The secret of the person's seat while the game is in progress here; empty otherwise."""


class ListedResult(msgspec.Struct, frozen=True):
    """The person's finished games at a table with a policy."""

    policy: str
    games: int
    wins: int


class Lobby(Message, frozen=True, tag="lobby"):
    """A start page: the person, what they have played, and what can be chosen.

    `invited` are the names at the table of the invitation, empty where a seat is free.
    """

    key: str
    name: str
    policies: list[OfferedPolicy]
    rules: list[OfferedRules]
    games: list[ListedGame]
    results: list[ListedResult]
    invited: list[str] | None = None
    ask: str = ""
    """The policy that the server's host has chosen to give advice."""


class Seated(Message, frozen=True, tag="seated"):
    """A table was started; the seat's link has that secret. `key` is the person's."""

    secret: str
    key: str = ""


class Judged(Message, frozen=True, tag="judged"):
    """A judge's opinion of the game that has ended, in the form of the page's data."""

    data: dict[str, Any]


class Over(Message, frozen=True, tag="over"):
    """The game has ended; the paths of its replay and its record.

    With `again` the page may ask for a rematch, and `/start` opens other tables.
    """

    replay: str
    record: str
    again: bool = False


class Refused(Message, frozen=True, tag="refused"):
    """The request was rejected."""

    reason: str


Said = (
    Welcome
    | Step
    | Rewind
    | Choices
    | Clock
    | Proposals
    | Advice
    | Preparing
    | Lobby
    | Seated
    | Over
    | Judged
    | Refused
)
"""The messages that the table sends."""
