"""A game as messages."""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha1

from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.narrator import Narrator, redacted, say
from catan_env.notation.record import Chat, Setup, player_names
from catan_env.notation.setup import Agreement, from_agreement, map_message
from catan_env.notation.values import ADMIN, Message, to_word

NAMESPACE = uuid.UUID("8f1b3c52-6e0d-5c8e-9f0a-3d1d5a4b7c21")


def to_sgn(
    game: Game,
    players: Sequence[str] | None = None,
    chat: Iterable[Chat] = (),
    viewer: int | None = None,
) -> list[Message]:
    """Return the record of a game: its messages, ready for JSON.

    `players` are the seats' names, "1" to "4" by default; `chat` is inserted at its place. With
    `viewer` the record has only that seat's knowledge: no hidden cards and no seed. The same
    game gives the same uuids. NotationError for a game that did not begin with its set-up, for
    a board that the notation cannot express, and for chat that no reader would accept.
    """
    names = player_names(players, game.seats)
    if viewer is not None and not 0 <= viewer < game.seats:
        raise ValueError(f"viewer is {viewer}; expected 0..{game.seats - 1}")
    shown = None if viewer is None else names[viewer]
    agreement = Agreement(game.rules, game.first_seat, game.seed, game.layout, secret=game.secret)
    setup = Setup(game.board, names, agreement)
    chat = list(chat)
    _check_chat(chat, names, len(game.events))
    written = _Writer(setup, sorted(chat, key=lambda line: line.after), shown)
    return written.write(game.events, game)


def _check_chat(chat: Sequence[Chat], names: tuple[str, ...], events: int) -> None:
    """Raise NotationError for a line that no reader would find in the record, or accept."""
    for k, (after, player, text, identifier) in enumerate(chat):
        if not 0 <= after <= events:
            raise unlike(after, f"expected 0..{events}, the events of the game", f"chat[{k}].after")
        if player not in (ADMIN, *names):
            raise unlike(player, f"expected A or {', '.join(names)}", f"chat[{k}].player")
        to_word(text, f"chat[{k}].text")
        to_word(identifier, f"chat[{k}].uuid")


def of_a_seat(
    begun: SeatView, events: Sequence[Event], players: Sequence[str] | None = None
) -> list[Message]:
    """Return the record of a game seen by one seat only, from its first view `begun`.

    `events` are as that seat saw them. NotationError as in `to_sgn`.
    """
    names = player_names(players, begun.seats)
    viewer = names[begun.viewer]
    agreement = Agreement(begun.rules, begun.first_seat, viewer=viewer)
    return _Writer(Setup(begun.board, names, agreement), [], viewer).write(events)


class GrowingRecord:
    """The record of a game that is being played: messages as they come, with no hidden part.

    >>> game = Game(seats=2, seed=1)
    >>> record = GrowingRecord(game)
    >>> begun = record.messages(game)
    >>> event = game.play(next(iter(game.legal_actions)))
    >>> begun + record.messages(game) == to_sgn(game)
    True
    """

    def __init__(self, game: Game, players: Sequence[str] | None = None) -> None:
        names = player_names(players, game.seats)
        agreement = Agreement(
            game.rules, game.first_seat, game.seed, game.layout, secret=game.secret
        )
        self._writer = _Writer(Setup(game.board, names, agreement), [], None)
        self._writer.open()
        self._returned = 0

    def messages(self, game: Game) -> list[Message]:
        """Return the messages since the last call, up to the game's current position."""
        self._writer.follow(game.events)
        new = self._writer.written[self._returned :]
        self._returned += len(new)
        return new


class _Writer:
    """Adds uuids, batches and chat to messages."""

    def __init__(self, setup: Setup, chat: list[Chat], viewer: str | None) -> None:
        self.setup = setup
        self.chat = chat
        self.viewer = viewer
        self.written: list[Message] = []
        self.talked = 0
        self._narrator = Narrator(setup.begin(), setup.players)
        self._happened = 0
        """Batches written for events; the table's own placements come first."""
        agreement = setup.agreement
        source = str(agreement.seed)
        if agreement.secret is not None:  # games on one board differ in it
            source += f" {agreement.secret.hex()}"
        if viewer is not None:  # the seed would reveal hidden information
            source = f"{setup.board} {setup.players} {viewer}"
        self.hashed = sha1(NAMESPACE.bytes + f"{source} ".encode())

    def write(self, events: Sequence[Event], end: Game | None = None) -> list[Message]:
        """Return all messages of the game, which must end in the position `end`."""
        self.open()
        self.follow(events)
        self._talk(self._happened)
        if end is not None and self._narrator.table != end:
            raise NotationError("the game did not begin with its set-up: a record cannot tell it")
        return self.written

    def open(self) -> None:
        """Write the messages before the first choice."""
        for message in self._setup():
            self._add([message])
        opening, *placed = self._narrator.opening()
        self._add(opening)
        for batch in placed:
            self._talk(self._happened)
            self._add(batch)
            self._happened += 1

    def follow(self, events: Sequence[Event]) -> None:
        """Write the messages of those events that have none yet."""
        for batch in self._follow(events, self._narrator):
            self._talk(self._happened)
            self._add(batch)
            self._happened += 1
            if batch[0]["event"] == "TO":
                self._narrator.offer_uuid = self.written[-1]["uuid"]

    def _setup(self) -> Iterator[Message]:
        agreement = self.setup.agreement._replace(viewer=self.viewer)
        yield {**say(ADMIN, "PS", phase="Setup"), **from_agreement(agreement)}
        for name in self.setup.players:
            yield say(ADMIN, "PA", player=name)
        yield {**say(ADMIN, "MD"), **map_message(self.setup.board)}

    def _follow(self, events: Sequence[Event], narrator: Narrator) -> Iterator[list[Message]]:
        table = narrator.table
        happened = len(table.events) if isinstance(table, Game) else self._happened
        while happened < len(events):
            try:
                batches = narrator.follow(events[happened])
            except IllegalActionError as error:
                raise NotationError(f"the game did not begin with its set-up: {error}") from error
            happened += len(batches)
            yield from batches

    def _add(self, batch: list[Message]) -> None:
        for k, message in enumerate(batch):
            if self.viewer is not None:
                message = redacted(message, self.viewer)
            sealed = {"uuid": self._uuid(f"{len(self.written) - self.talked}"), **message}
            if len(batch) > 1:
                sealed["batch"] = [k + 1, len(batch)]
            self.written.append(sealed)

    def _talk(self, happened: int) -> None:
        """Add the chat that came before the events from number `happened` on."""
        while self.chat and self.chat[0].after <= happened:
            line = self.chat.pop(0)
            self.talked += 1
            identifier = line.uuid or self._uuid(f"chat {self.talked}")
            message = say(line.player, "CH", msg=line.text)
            self.written.append({"uuid": identifier, **message})

    def _uuid(self, name: str) -> str:
        """Return `uuid.uuid5` of the source and the name, five times as fast."""
        digest = self.hashed.copy()
        digest.update(name.encode())
        octets = bytearray(digest.digest()[:16])
        octets[6] = octets[6] & 0x0F | 0x50
        octets[8] = octets[8] & 0x3F | 0x80
        text = octets.hex()
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
