"""Playback of a record: the next message, and the position at that point.

`choices` plays each choice; `reader` begins and ends the playback.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

from catan_env.game.action import Action, Counts
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.messages import checked, discards_in, is_same, say_message
from catan_env.notation.narrator import Narrator
from catan_env.notation.record import Chat, Setup
from catan_env.notation.values import ADMIN, HAPPENINGS, Message, extension, field

FOLLOWING = frozenset(
    ("GO", "LA", "LR", "MO", "PE", "PS", "RA", "RD", "RE", "RP", "RR", "RS", "TR", "TS", "YP")
)
"""The consequences of a choice."""


class Offer(NamedTuple):
    """An open offer: seats, and cards by Resource."""

    seat: int
    to: int
    give: Counts
    get: Counts


Choices = Mapping[str, Callable[["Playback", Message], None]]
"""The function that reads and plays a choice, by event code."""


class Playback:
    """Messages played one by one; `at` is the next one, to which errors refer."""

    narrator: Narrator

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages
        self.at = 0
        self.seen = -1
        """The last message whose shape was checked."""
        self.chat: list[Chat] = []
        self.players: tuple[str, ...] = ()
        self.on_turn = ""
        """The player whose turn started last, in the set-up as well."""
        self.setup: Setup | None = None
        self.position: Game | SeatView | None = None
        self.events: list[Event] = []
        self.happened = 0
        """Events played, of which the first messages of the last `untold` are still to come."""
        self.untold = 0
        self.offers: dict[str, Offer] = {}
        self.asked: str | None = None
        """The uuid of the offer that awaits an answer at the engine's table."""

    def begin(self, setup: Setup) -> None:
        """Set up the table, before the first choice."""
        for at, message in enumerate(self.messages[: self.at]):
            if is_chat(message):
                with self.blaming(at):
                    self.check_speaker(message)
        self.setup = setup
        self.position = setup.begin()
        self.narrator = Narrator(self.position, self.players)

    def peek(self) -> Message | None:
        """Return the next message after storing any chat before it; None at the end."""
        while self.at < len(self.messages):
            message = self.messages[self.at]
            if self.at > self.seen:
                checked(message)
                self.seen = self.at
            if message["event"] != "CH" or not is_chat(message):
                return message
            if self.setup is not None:  # `begin` checks earlier chat: the players are known then
                self.check_speaker(message)
            after = self.happened - self.untold
            text = field(message, "msg")
            self.chat.append(Chat(after, message["player"], text, message["uuid"]))
            self.at += 1
        return None

    def ahead(self) -> int | None:
        """Return the index of the message after the next one, skipping chat; None at the end."""
        for at in range(self.at + 1, len(self.messages)):
            if not is_chat(self.messages[at]):
                return at
        return None

    def look(self, at: int) -> Message:
        """Return the message at an index."""
        with self.blaming(at):
            return checked(self.messages[at])

    @contextmanager
    def blaming(self, at: int) -> Iterator[None]:
        """Attribute errors raised inside to the message at `at`."""
        try:
            yield
        except NotationError as error:
            if error.index is not None:
                raise
            raise error.of_message(at, self.messages[at]) from error

    def refuse(self, came: Any, allowed: str, path: str) -> NoReturn:
        """Raise NotationError: `came` at `path` is not what is allowed."""
        raise unlike(came, f"expected {allowed}", path)

    def match(self, batches: list[list[Message]]) -> None:
        """Consume the messages that must follow; NotationError at the first mismatch."""
        due = [expected for batch in batches for expected in batch]
        left_at = [sum(map(len, batches[k:])) for k in range(len(batches))]
        while due:
            self.untold = sum(left <= len(due) for left in left_at)
            message = self.peek()
            if message is None:
                return
            told = 1 if self.agrees(message, due[0]) else discards_in(message, due)
            if told == 0:
                self.refuse_other(message, due[0])
            if message["event"] == "TS":
                self.on_turn = message["player"]
            self.at += 1
            del due[:told]
        self.untold = 0

    def agrees(self, message: Message, expected: Message) -> bool:
        """True if the message is equivalent to the expected one."""
        is_literal = (
            message["event"] == expected["event"]
            and message["player"] == expected["player"]
            and repr(message["value"]) == repr(expected["value"])  # 1 is not True, nor 1.0
        )
        return is_literal or is_same(message, expected, self.on_turn)

    def refuse_other(self, message: Message, expected: Message) -> NoReturn:
        """Raise NotationError: another message must follow; names the first difference."""
        where = "event"
        if message["event"] == expected["event"]:
            where = "player" if message["player"] != expected["player"] else "value"
        allowed = say_message(expected)
        raise NotationError(f"{say_message(message)}; expected {allowed}", f".{where}")

    def seat_of(self, message: Message) -> int:
        """Return the seat of a message's player."""
        return self.seat_named(message["player"], ".player")

    def seat_named(self, name: str, path: str) -> int:
        """Return the seat of a player; NotationError, at `path`, if no player has that name."""
        if name not in self.players:
            self.refuse(name, f"a player's name: {', '.join(self.players)}", path)
        return self.players.index(name)

    def check_speaker(self, message: Message) -> None:
        """Raise NotationError unless the admin or a player sends this chat message."""
        if message["player"] != ADMIN:
            self.seat_of(message)

    def step(self, seat: int, other: int) -> int:
        """Return how many places clockwise `other` sits from `seat`."""
        return (other - seat) % len(self.players)

    def choose(self, message: Message, choices: Choices) -> None:
        """Play the choice in `message`."""
        if self.narrator.table.is_over:
            self.refuse(message["event"], "CH: the game is over", ".event")
        choose = choices.get(message["event"])
        if choose is None:
            table = self.narrator.table
            name, phase = self.players[table.seat], table.phase.name.lower().replace("_", " ")
            raise NotationError(
                f"{say_message(message)}; expected a choice of player {name} ({phase})", ".event"
            )
        try:
            choose(self, message)
        except NotationError:
            raise
        except ValueError as error:
            raise NotationError(str(error)) from error

    def play(self, seat: int, action: Action, outcome: Any = None, at: int | None = None) -> None:
        """Play a choice and read its messages; `at` is the message to blame if refused."""
        self.withdraw()
        self.match(self.follow(seat, action, outcome, at))

    def follow(
        self, seat: int, action: Action, outcome: Any = None, at: int | None = None
    ) -> list[list[Message]]:
        """Play a choice; return the messages that must follow. `at` is as for `play`."""
        self.check_decides(seat)
        with self.blaming(self.at if at is None else at):
            return self.let(Event(seat, action, outcome))

    def check_decides(self, seat: int) -> None:
        """Raise NotationError unless the decision is that seat's."""
        table = self.narrator.table
        if seat != table.seat:
            raise NotationError(
                f"player {self.players[seat]} chooses; expected player "
                f"{self.players[table.seat]} in phase {table.phase.name.lower()}",
                ".player",
            )

    def let(self, event: Event) -> list[list[Message]]:
        """Play an event of the next message; return the messages that tell it."""
        if isinstance(self.position, SeatView):
            event = Event(event.seat, event.action, event.outcome, self.winner_ahead())
        return self.tell(event)

    def tell(self, event: Event) -> list[list[Message]]:
        """Play an event; return the messages that tell it."""
        if isinstance(self.position, SeatView):
            self.events.append(event)
        try:
            batches = self.narrator.follow(event)
        except ValueError as error:
            raise NotationError(str(error)) from error
        self.happened += len(batches)
        return batches

    def winner_ahead(self) -> int | None:
        """Return the winner recorded after this choice, which a view may be unable to count."""
        for message in self.messages[self.at + 1 :]:
            if event_of(message) not in FOLLOWING and not is_chat(message):
                return None
            if message["event"] == "GO":
                name = message.get("player")
                return self.players.index(name) if name in self.players else None
        return None

    def second_message(self, seat: int, actions: Sequence[Action]) -> int | None:
        """Return the index of the rest of a choice, one of `actions`; None at the end."""
        self.check_decides(seat)
        if not any(self.may(seat, action) for action in actions):
            raise NotationError(str(self.narrator.table.refusal(actions[0])))
        return self.ahead()

    def may(self, seat: int, action: Action) -> bool:
        """True if the seat may play the action, as far as a seat's view can tell."""
        table = self.narrator.table
        if isinstance(table, SeatView) and seat != table.viewer:
            return True
        index = action.index
        return seat == table.seat and index is not None and table.in_mask(index)

    def put_in(self, seat: int, action: Action) -> None:
        """Play a choice without a message: whatever ends the game is in the next one."""
        self.check_decides(seat)
        with self.blaming(self.at):
            self.tell(Event(seat, action))

    def withdraw(self) -> None:
        """Withdraw the offer that awaits an answer from the engine's table."""
        if self.asked is not None:
            self.asked = None
            self.put_in(self.narrator.table.seat, Action.reject())


def event_of(message: Any) -> str | None:
    """Return the event of a message whose shape has not been checked yet."""
    event = message.get("event") if isinstance(message, dict) else None
    return event if isinstance(event, str) else None


def is_chat(message: Any) -> bool:
    """True if the message is talk, not an event without a code."""
    return event_of(message) == "CH" and not any(extension(message, key) for key in HAPPENINGS)
