"""A record: a game's messages, and the game they describe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from catan_env.core.constants import Layout
from catan_env.game.board import Board
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation.errors import NotationError
from catan_env.notation.follow import follow
from catan_env.notation.setup import Agreement
from catan_env.notation.values import ADMIN, BANK, Message, to_word


class Chat(NamedTuple):
    """A chat message of a player, or of "A", and the number of events before it."""

    after: int
    player: str
    text: str
    uuid: str = ""


@dataclass(frozen=True)
class Setup:
    """Everything before the first choice."""

    board: Board
    players: tuple[str, ...]
    agreement: Agreement

    @property
    def viewer(self) -> int | None:
        """The seat whose record this is; None if nothing is hidden."""
        name = self.agreement.viewer
        return None if name is None else self.players.index(name)

    def begin(self) -> Game | SeatView:
        """Return the game, or the seat's view of it, before any event; NotationError if invalid."""
        rules, first_seat, seed, layout, _, secret = self.agreement
        seats, viewer = len(self.players), self.viewer
        try:
            if viewer is not None:
                return SeatView.begin(self.board, viewer, seats, rules, first_seat)
            laid = self.board if layout == Layout.GIVEN else layout.name.lower()
            return Game(seats, seed, rules, laid, first_seat, secret=secret)
        except ValueError as error:
            raise NotationError(f"the set-up is invalid: {error}") from error


@dataclass(frozen=True)
class Record:
    """A record that was read: its original messages and their content.

    It may end anywhere. `table` is None if it ends before the map and the players.
    """

    messages: tuple[Message, ...]
    table: Setup | None
    events: tuple[Event, ...]
    chat: tuple[Chat, ...]
    position: Game | SeatView | None
    """The position at the end; in a redacted record, a seat's view of it."""
    is_cut: bool = False
    """True if the text ended within a message, which was left out."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return self._table().players

    @property
    def game(self) -> Game:
        """Return the game at the end of the record; NotationError if the record is incomplete."""
        if isinstance(self.position, Game):
            return self.position
        viewer = self._table().agreement.viewer
        raise NotationError(
            f"the record contains only what player {viewer} saw: it has a view, no game"
        )

    def view(self, seat: int | None = None) -> SeatView:
        """Return the view of `seat`, or of the seat whose record this is, at the end."""
        if isinstance(self.position, Game):
            if seat is None:
                raise NotationError(
                    "the record contains all cards: name the seat whose view you want"
                )
            return self.position.view(seat)
        viewer = self._table().viewer
        if self.position is None or seat not in (None, viewer):
            raise NotationError(f"the record contains only what seat {viewer} saw")
        return self.position

    @property
    def viewer(self) -> int | None:
        """The seat whose redacted record this is; None if nothing is hidden."""
        return self._table().viewer

    def begin(self) -> Game | SeatView:
        """Return the position before the first choice of a seat."""
        return self._table().begin()

    def replay(self) -> Iterator[tuple[tuple[Event, ...], Game | SeatView]]:
        """Yield the events of each step and the position after it, which is updated in place.

        The first step is the beginning, including the table's own placements. Other steps are one
        event, or a roll and the discards that the table chose.
        """
        position = self.begin()
        done = position.events if isinstance(position, Game) else ()
        yield done, position
        happened = len(done)
        while happened < len(self.events):
            done = follow(position, self.events[happened])
            happened += len(done)
            yield done, position

    def _table(self) -> Setup:
        if self.table is None:
            raise NotationError("the record ends before the map is defined and two players sit")
        return self.table


def player_names(players: Sequence[str] | None, seats: int) -> tuple[str, ...]:
    """Return the names by seat, "1" to "4" by default; NotationError if they are invalid."""
    if players is None:
        return tuple(str(seat + 1) for seat in range(seats))
    names = tuple(players)
    if len(names) != seats:
        raise NotationError(f"{len(names)} names for {seats} seats")
    if len(set(names)) < seats or {ADMIN, BANK, ""} & set(names):
        raise NotationError(f"the names {names}; expected different ones, but neither A nor B")
    for seat, name in enumerate(names):
        to_word(name, f"player {seat + 1}")
    return names


def different_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names; repeated or reserved ones get the number of their seat, or the next free.

    >>> different_names(["Ann", "Ben", "Ann"]), different_names(["Ann", "Ann", "Ann 1"])
    (('Ann 1', 'Ben', 'Ann 3'), ('Ann 2', 'Ann 3', 'Ann 1'))
    """
    reserved = {ADMIN, BANK, ""}
    taken = {*reserved, *names}
    different = []
    for seat, name in enumerate(names):
        if name in reserved or names.count(name) > 1:
            numbered = (f"{name} {number}".strip() for number in count(seat + 1))
            name = next(free for free in numbered if free not in taken)
            taken.add(name)
        different.append(name)
    return tuple(different)
