"""The server's room: names, the waiting list, and many games; it does no I/O.

Rule 1: every message is answered, except answers.
Rule 2: a line without a name may only join; one that waits may set a game up, if it is the first.
Rule 3: a player who leaves keeps the seat, and returns to it by name until the game has ended; of
games without any player only the last MOST_DESERTED are kept.
Rule 4: a game is saved before any player is sent what has happened in it, its end too.
"""

import random
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.messages.network import SILENCE
from catan_env.guests.renaissance.native.state import SEATS
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.seated_game import SeatedGame
from catan_env.net.room import Close, Effect, Garbled, Send

LONGEST_NAME = 64
"""Most characters of a new nickname, which the events of its player repeat."""
MOST_WAITING = 16
"""Most commands per line that may wait until the rules are compiled."""
MOST_DESERTED = 1000
"""Most games without a player; one more, and the game deserted longest is deleted.

Those in which not every seat has made its choices of the set-up are deleted first.
"""
GRACE = 5.0
"""Seconds after the first return to a resumed game during which no seat's turn is skipped.

A saved game that has ended waits as long for its players, from the start of the server.
"""
ABSENCE = 86_400.0
"""Seconds after the start of the server in which the first player may return to a resumed game.

After that it is a game without a player like others.
"""


@dataclass
class Guest:
    """One line: its name, its seat, and the time of its last message."""

    heard: float
    name: str | None = None
    table: SeatedGame | None = None
    seat: int = -1
    is_deaf: bool = False
    asked: float | None = None
    """The time of the heartbeat request that is still unanswered, if any."""

    @property
    def due(self) -> float:
        """The time at which its silence is too long."""
        return (self.heard if self.asked is None else self.asked) + SILENCE


class RenaissanceRoom:
    """A server of the AM49 protocol; `seed` determines seats and games, for tests.

    Before `is_ready`, commands wait, at most MOST_WAITING per line, and saved games are not loaded.

    >>> room = RenaissanceRoom(Records())
    >>> room.opened(0, now=0.0)
    [Send(line=0, message=ReqWelcome())]
    >>> room.received(0, m.ReqJoin("ann"), now=0.1)
    [Send(line=0, message=UpdateBookedSeats(bookedSeats=1, canPrepareNewGame='ann'))]
    """

    def __init__(
        self,
        records: Records,
        cards: str = "printed",
        seed: int | None = None,
        is_ready: bool = True,
    ) -> None:
        self._records, self._cards = records, cards
        self._random = random.Random(seed)
        self._guests: dict[int, Guest] = {}
        self._waiting: list[int] = []
        self._players_count: int | None = None
        self._seats_of: dict[str, tuple[SeatedGame, int]] = {}
        self._waited_for: set[SeatedGame] = set()
        self._deserted: dict[SeatedGame, None] = {}
        """Games without a player, in the order in which they were deserted."""
        self.deadline: float | None = None
        self.is_over = self.is_ready = False
        self._held: deque[tuple[int, Any]] = deque()
        """Waiting commands, with their lines."""
        if is_ready:
            self.be_ready(0.0)

    @property
    def tables(self) -> set[SeatedGame]:
        """The games that have not ended."""
        return {table for table, _ in self._seats_of.values()}

    def be_ready(self, now: float) -> int:
        """Load the saved games, once the rules are compiled; return the number of waiting commands.

        Each is handled by `obey_waiting`, so that an error in one does not lose the others.
        """
        self.is_ready = True
        for kept in list(self._records.games()):
            table = SeatedGame(kept.number, kept.game, kept.nicknames, self._records)
            self._restore(table, now)
        return len(self._held)

    def obey_waiting(self, now: float) -> list[Effect]:
        """Handle the first waiting command, if any is left."""
        return self._obey(*self._held.popleft(), now) if self._held else []

    def hears(self, line: int) -> bool:
        """True: every message is read, because every message is answered."""
        return True

    def opened(self, line: int, now: float) -> list[Effect]:
        """Welcome a new line."""
        self._guests[line] = Guest(now)
        self._wake_at(now + SILENCE)
        return [Send(line, m.ReqWelcome())]

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """Handle a message."""
        guest = self._guests.get(line)
        if guest is None:
            return []
        guest.heard, guest.asked = now, None
        if isinstance(message, Garbled):
            return [Send(line, m.ErrProtocol(message.reason))]
        answer = _ANSWERS.get(type(message))
        if answer is not None:
            return [Send(line, answer())] if answer is not m.ResGoodbye else self._part(line, now)
        if isinstance(message, m.ResGoodbye):
            return [*self.closed(line, "it said goodbye", now), Close(line)]
        if guest.is_deaf or isinstance(message, m.NETWORK):
            return []
        return self._obey(line, message, now) if self.is_ready else self._hold(line, message)

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """Remove a line, which counts as leaving."""
        guest = self._guests.pop(line, None)
        self._held = deque(one for one in self._held if one[0] != line)
        return [] if guest is None else self._quit(line, guest)

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Request heartbeats from silent lines, close dead ones, and end waits that are due."""
        effects: list[Effect] = []
        for line, guest in list(self._guests.items()):
            if guest.due > now:
                continue
            if guest.asked is not None:
                effects += [*self.closed(line, "no heartbeat", now), Close(line)]
            else:
                guest.asked = now
                effects.append(Send(line, m.ReqHeartbeat()))
        for table in [one for one in self._waited_for if one.deadline is not None]:
            if table.deadline is not None and table.deadline <= now:
                self._waited_for.discard(table)
                effects += table.give_up_waiting()
                self._clear(table)
                self._limit_deserted(table)
        dues = [guest.due for guest in self._guests.values()]
        dues += [one.deadline for one in self._waited_for if one.deadline is not None]
        self.deadline = min(dues, default=None)
        return effects

    def _hold(self, line: int, message: Any) -> list[Effect]:
        """Queue a command; a repeated one is queued once."""
        waiting = [one for held, one in self._held if held == line]
        if message in waiting:
            return []
        if len(waiting) >= MOST_WAITING:
            return [Send(line, m.ErrProtocol("the server is starting: too many waiting commands"))]
        self._held.append((line, message))
        return []

    def _obey(self, line: int, message: Any, now: float) -> list[Effect]:
        guest = self._guests.get(line)
        if guest is None or guest.is_deaf:
            return []
        return self._command(line, guest, message, now)

    def _command(self, line: int, guest: Guest, message: Any, now: float) -> list[Effect]:
        if isinstance(message, m.ReqQuit):
            effects = self._quit(line, guest)
            guest.is_deaf = True
            return [*effects, Send(line, m.ResQuit())]
        if isinstance(message, m.ReqJoin):
            return self._join(line, guest, message.nickname, now)
        if guest.name is None:
            return [Send(line, m.ErrNickname("NOT_SET"))]
        if isinstance(message, m.ReqNewGame):
            return self._prepare(line, message.playersCount)
        if guest.table is None:
            return [Send(line, m.ErrNickname("NOT_IN_GAME"))]
        effects = guest.table.command(guest.seat, message)
        self._clear(guest.table)
        return effects

    def _part(self, line: int, now: float) -> list[Effect]:
        """Handle a goodbye: leave the game first, if necessary."""
        effects = self.closed(line, "it said goodbye", now)
        return [*effects, Send(line, m.ResGoodbye()), Close(line)]

    def _join(self, line: int, guest: Guest, name: str, now: float) -> list[Effect]:
        reason = self._refusal_of_name(guest, name)
        if reason is not None:
            return [Send(line, m.ErrNickname(reason))]
        guest.name = name
        if name in self._seats_of:
            return self._sit_down_again(line, guest, now)
        self._waiting.append(line)
        effects = self._say_who_waits()
        if self._players_count is not None:
            effects.append(Send(line, m.UpdateJoinGame(self._players_count)))
        return effects + self._begin_if_enough()

    def _refusal_of_name(self, guest: Guest, name: str) -> str | None:
        if guest.name is not None:
            return "ALREADY_SET"
        if not name.strip():
            return "NOT_SET"
        if len(name) > LONGEST_NAME and name not in self._seats_of:
            return "TOO_LONG"
        is_taken = any(other.name == name for other in self._guests.values())
        return "TAKEN" if is_taken else None

    def _sit_down_again(self, line: int, guest: Guest, now: float) -> list[Effect]:
        assert guest.name is not None
        guest.table, guest.seat = self._seats_of[guest.name]
        table = guest.table
        self._deserted.pop(table, None)
        effects = table.come_back(guest.seat, line)
        if not table.expected:
            table.deadline = None
            self._waited_for.discard(table)
        elif table.deadline is None or table.deadline > now + GRACE:
            table.deadline = now + GRACE
            self._wake_at(table.deadline)
        self._clear(table)
        return effects

    def _prepare(self, line: int, count: int) -> list[Effect]:
        if not self._waiting or self._waiting[0] != line:
            return [Send(line, m.ErrNewGame(False))]
        if not 1 <= count <= SEATS:
            return [Send(line, m.ErrNewGame(True))]
        self._players_count = count
        joined = [Send(other, m.UpdateJoinGame(count)) for other in self._waiting[:count]]
        return [*joined, *self._begin_if_enough()]

    def _say_who_waits(self) -> list[Effect]:
        first = self._guests[self._waiting[0]].name if self._waiting else None
        message = m.UpdateBookedSeats(len(self._waiting), first or "")
        return [Send(line, message) for line in self._waiting]

    def _begin_if_enough(self) -> list[Effect]:
        count = self._players_count
        if count is None or len(self._waiting) < count:
            return []
        lines, self._waiting = self._waiting[:count], self._waiting[count:]
        self._players_count = None
        self._random.shuffle(lines)
        names = [self._guests[line].name or "" for line in lines]
        game = Game(count, self._random.getrandbits(63), self._cards)
        table = SeatedGame(self._records.begin(game, names), game, names, self._records)
        for seat, line in enumerate(lines):
            guest = self._guests[line]
            guest.table, guest.seat, table.lines[seat] = table, seat, line
            self._seats_of[names[seat]] = table, seat
        return [*table.begin(), *self._say_who_waits()]

    def _quit(self, line: int, guest: Guest) -> list[Effect]:
        """Remove a line from its game, which reserves its name, or from the waiting list."""
        table, guest.table, guest.name = guest.table, None, None
        if line in self._waiting:
            self._waiting.remove(line)
        if table is None or table.lines[guest.seat] != line:
            return []
        effects = table.leave(guest.seat)
        self._clear(table)
        self._limit_deserted(table)
        return effects

    def _clear(self, table: SeatedGame) -> None:
        """Free the names of a game that has ended, and delete it once every player has left.

        Until then it stays saved: a server killed before its players have received the end shows
        it to those that return.
        """
        if not table.game.is_over or table.expected:
            return
        self._waited_for.discard(table)
        self._free_names(table)
        if table.is_deserted:
            table.forget()

    def _limit_deserted(self, table: SeatedGame) -> None:
        """Count a game that has no player, and delete one if there are too many."""
        if table.game.is_over or not table.is_deserted:
            return
        self._deserted[table] = None
        if len(self._deserted) > MOST_DESERTED:
            least = min(self._deserted, key=lambda one: one.game.is_playing)
            del self._deserted[least]
            self._free_names(least)
            least.forget()

    def _free_names(self, table: SeatedGame) -> None:
        for name in table.names:
            if self._seats_of.get(name, (None, 0))[0] is table:
                del self._seats_of[name]

    def _restore(self, table: SeatedGame, now: float) -> None:
        """Resume a game of the previous server of these records; an ended one only for a while."""
        for seat, name in enumerate(table.names):
            self._seats_of[name] = table, seat
        away = table.game.state["away"]
        table.expected = {seat for seat in range(len(table.names)) if not away[seat]}
        self._waited_for.add(table)
        table.deadline = now + (GRACE if table.game.is_over else ABSENCE)
        self._wake_at(table.deadline)
        self._limit_deserted(table)

    def _wake_at(self, when: float) -> None:
        self.deadline = when if self.deadline is None else min(self.deadline, when)


_ANSWERS: dict[type[Any], type[m.Message]] = {
    m.ReqWelcome: m.ResWelcome,
    m.ReqHeartbeat: m.ResHeartbeat,
    m.ReqGoodbye: m.ResGoodbye,
}
