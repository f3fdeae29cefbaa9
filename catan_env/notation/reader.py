"""Messages as a game: each choice is played, and what is told after it must be what follows.

Rule 1. A record is read through the rules: the choices in it are played with the outcomes that it
        names, and the messages after each of them are compared with those the writer would write.
Rule 2. Two messages mean the same whatever their uuid and batch, the order of their keys, of the
        hexes of an intersection and of the parties of a trade, and whether numbers are strings.
Rule 3. Chat may fall anywhere. An offer that nobody answers stays open until the turn ends, while
        its seat goes on; at the engine's table, which asks one seat at a time, it is withdrawn.
Rule 4. The record may end after any message: a choice that is only half told is not played.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from catan_env.game.action import Action, Counts
from catan_env.game.board import Board
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.messages import checked, is_same, say_message
from catan_env.notation.narrator import LEFT, Narrator
from catan_env.notation.record import Chat, Table
from catan_env.notation.setup import Agreement, check_layout, to_agreement, to_board
from catan_env.notation.values import ADMIN, BANK, Message, field

FOLLOWING = frozenset(
    ("GO", "LA", "LR", "MO", "PE", "PS", "RA", "RD", "RE", "RP", "RR", "RS", "TR", "TS", "YP")
)
"""What is told after a choice."""


class Offer(NamedTuple):
    """An offer that is still open: seats, and cards by Resource."""

    seat: int
    to: int
    give: Counts
    get: Counts


Choices = Mapping[str, Callable[["Reader", Message], None]]
"""What reads and plays a choice, by event code."""


class Reader:
    """Reads messages one by one; `at` is the one that an error is about."""

    narrator: Narrator

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages
        self.at = 0
        self.seen = -1
        """The last message whose shape was checked."""
        self.chat: list[Chat] = []
        self.players: tuple[str, ...] = ()
        self.table: Table | None = None
        self.position: Game | SeatView | None = None
        self.events: list[Event] = []
        self.told = 0
        self.offers: dict[str, Offer] = {}
        self.asked: str | None = None
        """The uuid of the offer to which the engine's table waits for an answer."""

    def read(self, choices: Choices) -> None:
        """Read from the first message to the last."""
        agreement = self.read_start()
        if agreement is None:
            return
        self.read_setup(agreement)
        if self.table is None:
            return
        opening = self.narrator.opening()
        self.told = len(opening) - 1
        self.match(opening)
        while (message := self.peek()) is not None:
            self.choose(message, choices)

    # Messages

    def peek(self) -> Message | None:
        """The message that comes next, after any chat, which is kept; None at the end."""
        while self.at < len(self.messages):
            message = self.messages[self.at]
            if self.at > self.seen:
                checked(message)
                self.seen = self.at
            if message["event"] != "CH" or not is_chat(message):
                return message
            speaker = message["player"]
            if speaker != ADMIN and self.table is not None:
                self.seat_of(message)
            self.chat.append(Chat(self.told, speaker, field(message, "msg"), message["uuid"]))
            self.at += 1
        return None

    def ahead(self) -> int | None:
        """Where the message after the next one is, chat left aside; None at the end."""
        for at in range(self.at + 1, len(self.messages)):
            if not is_chat(self.messages[at]):
                return at
        return None

    def look(self, at: int) -> Message:
        """The message there; what is wrong from now on is wrong with it."""
        self.at, here = at, self.at
        message = checked(self.messages[at])
        self.at = here
        return message

    def refuse(self, came: Any, allowed: str, path: str) -> NoReturn:
        raise unlike(came, f"allowed is {allowed}", path)

    def match(self, batches: list[list[Message]]) -> None:
        """Take the messages that are told next; NotationError at the first that is another."""
        for batch in batches:
            for told in batch:
                message = self.peek()
                if message is None:
                    return
                if (
                    message["event"] != told["event"]
                    or message["player"] != told["player"]
                    or message["value"] != told["value"]
                ) and not is_same(message, told, self.name_on_turn()):
                    self.refuse_other(message, told)
                self.at += 1

    def refuse_other(self, message: Message, told: Message) -> NoReturn:
        where = "event"
        if message["event"] == told["event"]:
            where = "player" if message["player"] != told["player"] else "value"
        raise NotationError(f"{say_message(message)}; allowed is {say_message(told)}", f".{where}")

    # Seats

    def seat_of(self, message: Message) -> int:
        return self.seat_named(message["player"], ".player")

    def seat_named(self, name: str, path: str) -> int:
        if name not in self.players:
            self.refuse(name, f"a player's name: {', '.join(self.players)}", path)
        return self.players.index(name)

    def name_on_turn(self) -> str:
        return self.players[self.narrator.table.turn_seat]

    def step(self, seat: int, other: int) -> int:
        return (other - seat) % len(self.players)

    # The set-up phase

    def read_start(self) -> Agreement | None:
        message = self.peek()
        if message is None:
            return None
        if message["event"] != "PS" or message["value"].get("phase") != "Setup":
            raise NotationError(
                f"{say_message(message)}; a record begins with PS, the start of the phase Setup",
                ".event",
            )
        agreement = to_agreement(message["value"])
        self.at += 1
        return agreement

    def read_setup(self, agreement: Agreement) -> None:
        names: list[str] = []
        board: Board | None = None
        while (message := self.peek()) is not None and message["event"] != "PE":
            if message["player"] != ADMIN:
                self.refuse(message["player"], "A, the admin", ".player")
            if message["event"] == "PA":
                names.append(self.new_name(message, names))
            elif message["event"] == "MD" and board is None:
                board = to_board(message)
                check_layout(agreement, board)
            else:
                self.refuse(message["event"], "PA, MD once, and PE", ".event")
            self.at += 1
        self.players = tuple(names)
        self.begin(agreement, board, is_complete=message is not None)

    def new_name(self, message: Message, names: list[str]) -> str:
        name: str = field(message, "player")
        if name in (ADMIN, BANK, "") or name in names:
            self.refuse(name, "a name of its own, but neither A nor B", ".value.player")
        if len(names) == 4:
            raise NotationError("a fifth player; allowed are 2, 3 or 4", ".value.player")
        return name

    def begin(self, agreement: Agreement, board: Board | None, is_complete: bool) -> None:
        """Lay the table, unless the record ends before everything for it is there."""
        is_seated = len(self.players) >= 2 and agreement.viewer in (None, *self.players)
        is_seated &= 0 <= agreement.first_seat < len(self.players)
        if board is not None and is_seated:
            self.table = Table(board, self.players, agreement)
            self.position = self.table.begin()
            self.narrator = Narrator(self.position, self.players)
        elif is_complete:
            raise NotationError(
                "the set-up ends before the map (MD), two players, the first to place and the "
                "viewer are there",
                ".event",
            )

    # Choices

    def choose(self, message: Message, choices: Choices) -> None:
        """Play the choice that `message` says."""
        if self.narrator.table.is_over:
            self.refuse(message["event"], "CH: the game is over", ".event")
        choose = choices.get(message["event"])
        if choose is None:
            table = self.narrator.table
            name, phase = self.players[table.seat], table.phase.name.lower().replace("_", " ")
            raise NotationError(
                f"{say_message(message)}; allowed is a choice of player {name} ({phase})", ".event"
            )
        try:
            choose(self, message)
        except NotationError:
            raise
        except ValueError as error:
            raise NotationError(str(error)) from error

    def play(self, seat: int, action: Action, outcome: Any = None, at: int | None = None) -> None:
        """Play a choice and take what is told of it; `at` is the message to blame if refused."""
        self.withdraw()
        self.match(self.follow(seat, action, outcome, at))

    def follow(
        self, seat: int, action: Action, outcome: Any = None, at: int | None = None
    ) -> list[list[Message]]:
        self.check_decides(seat)
        here = self.at
        self.at = here if at is None else at
        batches = self.let(Event(seat, action, outcome))
        self.at = here
        return batches

    def check_decides(self, seat: int) -> None:
        table = self.narrator.table
        if seat != table.seat:
            raise NotationError(
                f"player {self.players[seat]} chooses; allowed is player "
                f"{self.players[table.seat]} in phase {table.phase.name.lower()}",
                ".player",
            )

    def let(self, event: Event) -> list[list[Message]]:
        if isinstance(self.position, SeatView):
            event = Event(event.seat, event.action, event.outcome, self.winner_ahead())
            self.events.append(event)
        try:
            batches = self.narrator.follow(event)
        except ValueError as error:
            raise NotationError(str(error)) from error
        self.told += len(batches)
        return batches

    def winner_ahead(self) -> int | None:
        """The winner that is told after this choice: a seat's view may not be able to count it."""
        for message in self.messages[self.at + 1 :]:
            if event_of(message) not in FOLLOWING and not is_chat(message):
                return None
            if message["event"] == "GO":
                name = message.get("player")
                return self.players.index(name) if name in self.players else None
        return None

    def half_told(self, seat: int, actions: Sequence[Action]) -> int | None:
        """Where the rest of a choice is told, which is one of `actions`; None at the end."""
        self.check_decides(seat)
        if not any(self.may(seat, action) for action in actions):
            raise NotationError(str(self.narrator.table.refusal(actions[0])))
        return self.ahead()

    def may(self, seat: int, action: Action) -> bool:
        """Whether the seat may play that, as far as a seat's view can tell."""
        table = self.narrator.table
        if isinstance(table, SeatView) and seat != table.viewer:
            return True
        index = action.index
        return seat == table.seat and index is not None and table.in_mask(index)

    def withdraw(self) -> None:
        """Take the offer that waits for an answer from the engine's table."""
        if self.asked is not None:
            self.asked = None
            self.follow(self.narrator.table.seat, Action.reject())


def event_of(message: Any) -> str | None:
    """A message's event, whose shape was not looked at yet."""
    event = message.get("event") if isinstance(message, dict) else None
    return event if isinstance(event, str) else None


def is_chat(message: Any) -> bool:
    """Whether the message is talk: a seat's leaving is said in the same way, but happens."""
    value = message.get("value") if isinstance(message, dict) else None
    return event_of(message) == "CH" and not (isinstance(value, dict) and LEFT in value)
