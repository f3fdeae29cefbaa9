"""One game of a server: its seats, their lines, and the messages to each."""

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.announcements import EVERYBODY, Announcement, Announcer
from catan_env.guests.renaissance.command import Swap
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.judge import Refusal, judge
from catan_env.guests.renaissance.position import Position
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.snapshot import update_game
from catan_env.net.room import Effect, Send

MOST_EXCHANGES = 64
"""Most exchanges in one turn. The rules have no limit (R015), but each is stored."""


class SeatedGame:
    """A game with its seats' names and lines; `lines[seat]` is None while the seat is away."""

    def __init__(self, number: int, game: Game, names: list[str], records: Records) -> None:
        self.number, self.game, self.names = number, game, names
        self.ids = Ids.given(number)
        self.lines: list[int | None] = [None] * len(names)
        self.expected: set[int] = set()
        """Seats that were present when the server was killed, and count as present for a while."""
        self.deadline: float | None = None
        """The time at which they no longer do."""
        self._exchanges = 0, 0
        """The turn of the last exchange, and the number of exchanges in it."""
        self._records = records
        self._kept = len(game.marks_from(0))

    @property
    def present(self) -> set[int]:
        """Seats that count as present."""
        return {seat for seat, line in enumerate(self.lines) if line is not None} | self.expected

    @property
    def is_deserted(self) -> bool:
        """True if no seat is connected or expected."""
        return not self.present

    def begin(self) -> list[Effect]:
        """Send the game to every seat."""
        return [effect for seat in range(len(self.names)) for effect in self._snapshot(seat)]

    def command(self, seat: int, message: m.Command) -> list[Effect]:
        """Judge and carry out a seat's request."""
        game = self.game
        try:
            command = judge(game, seat, self.ids, message)
        except Refusal as refusal:
            return self._say([Announcement(seat, refusal.error)])
        if command is None:
            return self._say(
                [Announcement(EVERYBODY, m.UpdateAction(self.names[seat], "ACTIVATE_LEADER"))]
            )
        if isinstance(command, Swap) and not self._may_exchange():
            return self._say([Announcement(seat, m.ErrAction("TOO_MANY_EXCHANGES"))])
        before = game.position()
        if not game.is_playing:
            game.ask(seat, isinstance(message, m.ReqChooseResources))
        if isinstance(command, Swap):
            game.exchange(command.a, command.b)
        else:
            game.play_command(command)
        self._keep()
        return self._say(Announcer(before, game, self.names, self.ids, seat).announce(command))

    def _may_exchange(self) -> bool:
        """Count an exchange; False if there have been too many in this turn."""
        turn, (last, count) = int(self.game.state["turn"]), self._exchanges
        self._exchanges = turn, 1 + (count if turn == last else 0)
        return self._exchanges[1] <= MOST_EXCHANGES

    def leave(self, seat: int) -> list[Effect]:
        """Handle the loss of a seat's line."""
        self.lines[seat] = None
        self.expected.discard(seat)
        if self.game.is_over:
            return []
        before, game = self.game.position(), self.game
        game.go_away(seat)
        self._keep()
        return self._say(self._status(seat, before))

    def come_back(self, seat: int, line: int) -> list[Effect]:
        """Connect a seat to a line again; a player who returned in time has missed nothing."""
        before, game = self.game.position(), self.game
        self.lines[seat] = line
        self.expected.discard(seat)
        if game.state["away"][seat] and not game.is_over:
            game.come_back(seat)
            self._keep()
        events = self._status(seat, before)
        others = [one for one in self._say(events) if isinstance(one, Send) and one.line != line]
        own = self._say([Announcement(seat, events[0].message)])
        done = [Announcement(seat, event.message) for event in events[1:]]
        return [*others, *own, *self._snapshot(seat), *self._say(done)]

    def forget(self) -> None:
        """Delete the game from the records."""
        self._records.forget(self.number)

    def give_up_waiting(self) -> list[Effect]:
        """Mark seats as away that have not returned since the server was killed."""
        self.deadline = None
        return [effect for seat in sorted(self.expected) for effect in self.leave(seat)]

    def _status(self, seat: int, before: Position) -> list[Announcement]:
        """Announce a seat's leaving or return: the set-up's completion again, then the turn."""
        is_there = seat in self.present
        announced = [
            Announcement(EVERYBODY, m.UpdatePlayerStatus(is_there, player=self.names[seat]))
        ]
        if self.game.is_playing:
            announced.append(Announcement(EVERYBODY, m.UpdateSetupDone()))
        announcer = Announcer(before, self.game, self.names, self.ids, seat)
        if self.game.is_over or self.game.state["turn"] != before.state["turn"]:
            announced += announcer.turn_passed()
        return announced

    def _snapshot(self, seat: int) -> list[Effect]:
        line = self.lines[seat]
        if line is None:
            return []
        return [Send(line, update_game(self.game, self.names, self.ids, seat, self.present))]

    def _say(self, announced: list[Announcement]) -> list[Effect]:
        effects: list[Effect] = []
        for seat, message in announced:
            lines = self.lines if seat == EVERYBODY else [self.lines[seat]]
            effects += [Send(line, message) for line in lines if line is not None]
        return effects

    def _keep(self) -> None:
        """Save what has happened, before any message announces it."""
        marks = self.game.marks_from(self._kept)
        self._records.add(self.number, self._kept, marks)
        self._kept += len(marks)
