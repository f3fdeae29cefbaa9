"""Playback of a record: the next message, and the position at that point.

`choices` plays each choice, `dues` has the statements that follow; `reader` begins and ends the
playback.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

from catan_env.core.constants import Resource
from catan_env.game.action import Action, Counts
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation.announced import announced_winner
from catan_env.notation.dues import Dues
from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.messages import checked, is_chat, is_literal, is_same, say_message
from catan_env.notation.narrator import Narrator
from catan_env.notation.record import Chat, Setup
from catan_env.notation.values import ADMIN, BANK, Message, Share, field, shares_of

UNSEEN = len(Resource)
"""The place of unseen cards among a share's counts."""


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
    dues: Dues

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages
        self.at = 0
        self.seen = -1
        """The last message whose shape was checked."""
        self.chat: list[Chat] = []
        self.players: tuple[str, ...] = ()
        self.setup: Setup | None = None
        self.position: Game | SeatView | None = None
        self.events: list[Event] = []
        self.happened = 0
        """Events played, including those of `scripted`."""
        self.scripted: list[list[Message]] = []
        """The messages, by event, of the table's own decisions, which are still to come."""
        self.conceded: dict[int, list[Resource]] = {}
        """Discards of seats that others precede at the engine's table."""
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
        self.dues = Dues(self.position, self.players)

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
            after = self.happened - len(self.scripted)
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

    def read(self, message: Message, choices: Choices) -> None:
        """Read the next message: a statement that is due, or a choice, which is played."""
        if self.dues.is_statement(message):
            if not self.dues.tick(message):
                self.refuse_other(message, self.dues.expected(message))
            self.at += 1
            return
        if (missing := self.dues.close(message)) is not None:
            self.refuse_other(message, missing)
        if self.scripted and message["event"] != "CR":
            self.enact_scripted(message)
        else:
            self.choose(message, choices)

    def enact(self, batches: list[list[Message]]) -> None:
        """Consume the message of a choice that was played; what follows from it is due."""
        (choice, *statements), *self.scripted = batches
        message = self.messages[self.at]
        if not is_literal(message, choice) and not is_same(message, choice):
            self.refuse_other(message, choice)
        self.at += 1
        self.dues.add(choice, statements)

    def enact_scripted(self, message: Message) -> None:
        """Consume the message of a decision that the table took before."""
        choice = self.scripted[0][0]
        if message["player"] != choice["player"]:
            self.refuse_other(message, choice)
        self.enact(self.scripted)

    def refuse_other(self, message: Message, expected: Message | None) -> NoReturn:
        """Raise NotationError: another message must follow, or a choice if none is expected."""
        where = "event"
        if expected is None:
            if self.dues.is_over:
                self.refuse(message["event"], "CH: the game is over", ".event")
            allowed = self.choice_allowed()
        else:
            allowed = say_message(expected)
            if message["event"] == expected["event"]:
                where = "player" if is_same(message, expected) else "value"
        raise NotationError(f"{say_message(message)}; expected {allowed}", f".{where}")

    def choice_allowed(self) -> str:
        """Return what is expected where no statement is due, for an error."""
        table = self.narrator.table
        phase = table.phase.name.lower().replace("_", " ")
        return f"a choice of player {self.players[table.seat]} ({phase})"

    def seat_of(self, message: Message, admins: int | None = None) -> int:
        """Return the seat of a message's player; `admins` if the admin may speak for that seat."""
        if admins is not None and message["player"] == ADMIN:
            return admins
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

    def shares(self, message: Message) -> list[Share]:
        """Return the resource notation of a message; NotationError for unseen cards."""
        shares = shares_of(message)
        for share in shares:
            if share.cards[UNSEEN]:
                self.refuse("?", "cards in the open", ".value.resources")
            if share.player != BANK:
                self.seat_named(share.player, ".value.resources")
        return shares

    def sees(self, seat: int) -> bool:
        """True if the record shows the cards of a seat."""
        return not isinstance(self.position, SeatView) or seat == self.position.viewer

    def step(self, seat: int, other: int) -> int:
        """Return how many places clockwise `other` sits from `seat`."""
        return (other - seat) % len(self.players)

    def choose(self, message: Message, choices: Choices) -> None:
        """Play the choice in `message`."""
        choose = choices.get(message["event"])
        if choose is None or self.dues.is_over:
            self.refuse_other(message, None)
        try:
            choose(self, message)
        except NotationError:
            raise
        except ValueError as error:
            raise NotationError(str(error)) from error

    def play(self, seat: int, action: Action, outcome: Any = None, at: int | None = None) -> None:
        """Play a choice and read its message; `at` is the message to blame if refused."""
        self.withdraw()
        self.enact(self.follow(seat, action, outcome, at))

    def follow(
        self, seat: int, action: Action, outcome: Any = None, at: int | None = None
    ) -> list[list[Message]]:
        """Play a choice; return its messages, by event. `at` is as for `play`."""
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
        """Play the event of the next message; return its messages, by event."""
        if isinstance(self.position, SeatView):
            later = (self.messages[k] for k in range(self.at + 1, len(self.messages)))
            winner = announced_winner(event, later, self.position, self.players)
            event = Event(event.seat, event.action, event.outcome, winner)
        return self.tell(event)

    def tell(self, event: Event) -> list[list[Message]]:
        """Play an event; return its messages, by event."""
        if isinstance(self.position, SeatView):
            self.events.append(event)
        try:
            batches = self.narrator.follow(event)
        except ValueError as error:
            raise NotationError(str(error)) from error
        self.happened += len(batches)
        return batches

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
