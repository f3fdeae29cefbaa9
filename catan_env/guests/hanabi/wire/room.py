"""The room: the server's lobby, game and ending, in three dialects.

The order of checks is the dialect's; explanations are those of 2015 where it has them.
"""

import random
from collections.abc import Callable, Collection
from typing import Any

from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.dialect import SPEC, Dialect
from catan_env.guests.hanabi.wire.dialect_game import DialectGame, Refused
from catan_env.net.room import Close, Effect, Garbled, Send

NOT_TEXT = "The received message could not be read as a String."
NO_TYPE = "The type of the message could not be read."
BAD_PAYLOAD = "The payload of the received message could not be deserialized."
NAME_TAKEN = "A Player with the chosen name already exists."
ALREADY_JOINED = "The Player is already connected."
TOO_LATE = "Connection refused because the game has already started."
STARTED_ALREADY = "The game cannot be started because it's started already."
NOT_JOINED = "The Player is not yet connected."
NOT_YOUR_TURN = "Tried to send a request when it was someone else's turn."
NOT_STARTED = "The game has not started yet."
NO_ROOM = "The game is full, no more Players can join."
TOO_FEW = "The game cannot be started with so few Players."

Respond = Callable[[str | None], Any]
"""The response for each viewer, by name; None for one copy to all."""


class HanabiRoom:
    """The behaviour of one server; see `catan_env.net.room.Room`.

    `players`: the exact number, if given; `order`: fifty ids of 2015, first dealt first, for every
    game; `games`: number of games after which the room is over, 0 for no limit; `turn_timeout`:
    seconds, 0 for no limit.
    """

    def __init__(
        self,
        dialect: Dialect = SPEC,
        *,
        players: int | None = None,
        seed: int | None = None,
        order: list[int] | None = None,
        turn_timeout: float = 0.0,
        games: int = 0,
    ) -> None:
        if order is not None and sorted(order) != list(places.IDS):
            raise ValueError("an order is a permutation of 1..50")
        if players is not None:
            dialect.check_players(players)
        self.dialect = dialect
        self._players, self._order, self._timeout = players, order, turn_timeout
        self._games_left = games or None
        self._random = random.Random(seed)
        self._open: list[int] = []
        self.deadline: float | None = None
        """The time at which the mover's turn times out."""
        self._begin_lobby()

    @property
    def is_over(self) -> bool:
        """True if all games have been played."""
        return self._games_left == 0

    def hears(self, line: int) -> bool:
        """True for every open connection."""
        return line in self._open

    def opened(self, line: int, now: float) -> list[Effect]:
        """Register a connection, which has not joined."""
        self._open.append(line)
        return []

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """Handle a request, or a message that tells how far decoding got."""
        if line not in self._open:
            return []
        try:
            self._check(line, message)
            return self._carry_out(line, message, now)
        except Refused as refusal:
            is_about_content = str(refusal) in (NOT_TEXT, BAD_PAYLOAD)
            details = message.details if is_about_content else None
            return [Send(line, m.ErrorResponse(str(refusal), details))]

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """Remove a connection."""
        if line in self._open:
            self._open.remove(line)
        if line not in self._names or not self.dialect.notices_leaving:
            return []
        del self._names[line]
        if self._has_started:
            return self._end()
        return self._to_all(m.ConnectionResponse(self._listed()))

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """End the game if the mover's turn has timed out."""
        if self.deadline is None or now < self.deadline:
            return []
        line = next(n for n, name in self._names.items() if name == self.table.next_player)
        if not self.dialect.notices_leaving:
            self.deadline = None
            return []
        return self._end() if line in self._names else []

    def _begin_lobby(self) -> None:
        self._names: dict[int, str] = {}
        self._has_started = False
        self.deadline = None
        order = self._order or self._random.sample(places.IDS, len(places.IDS))
        shown = list(places.IDS)
        if not self.dialect.ids_are_cards:
            self._random.shuffle(shown)
        self._deal = (order, shown)
        self.table = DialectGame(self.dialect, order, shown)

    def _check(self, line: int, message: Any) -> None:
        if isinstance(message, m.NotText):
            raise Refused(NOT_TEXT)
        if self.dialect.checks_turn_first and line in self._names:
            self._check_turn(line)
        if isinstance(message, m.NoType | Garbled):
            raise Refused(NO_TYPE)
        self._check_presence(line, message)
        if isinstance(message, m.BadPayload):
            raise Refused(BAD_PAYLOAD)
        if isinstance(message, m.ActionRequest) and not self.dialect.checks_turn_first:
            if not self._has_started:
                raise Refused(NOT_STARTED)
            self._check_turn(line)

    def _check_presence(self, line: int, message: Any) -> None:
        is_connection = isinstance(message, m.ConnectionRequest) or (
            isinstance(message, m.BadPayload) and message.is_connection
        )
        has_joined = line in self._names
        if is_connection and has_joined:
            raise Refused(ALREADY_JOINED)
        if is_connection and self._has_started:
            raise Refused(TOO_LATE)
        if not is_connection and not has_joined:
            raise Refused(NOT_JOINED)

    def _check_turn(self, line: int) -> None:
        if self._names[line] != self.table.next_player:
            raise Refused(NOT_YOUR_TURN)

    def _carry_out(self, line: int, message: Any, now: float) -> list[Effect]:
        match message:
            case m.ConnectionRequest(name):
                return self._join(line, name)
            case m.GameStartRequest():
                return self._start(now)
        return self._act(message, now)

    def _join(self, line: int, name: str) -> list[Effect]:
        if name in self._names.values():
            raise Refused(NAME_TAKEN)
        most = self._players or self.dialect.most
        if most is not None and len(self._names) >= most:
            raise Refused(NO_ROOM)
        if self.dialect.deals_on_joining:
            self.table.join(name)
        self._names[line] = name
        return self._to_all(m.ConnectionResponse(self._listed()))

    def _listed(self) -> list[str]:
        if self.dialect.names_by_age:
            return [self._names[line] for line in sorted(self._names)]
        return list(self._names.values())

    def _start(self, now: float) -> list[Effect]:
        if self._has_started:
            raise Refused(STARTED_ALREADY)
        count = len(self._names)
        if count < self.dialect.fewest or (self._players or count) != count:
            raise Refused(TOO_FEW)
        if not self.dialect.deals_on_joining:
            self.table = DialectGame(self.dialect, *self._deal)
            for name in self._names.values():
                self.table.join(name)
        self._has_started = True
        self._set_deadline(now)
        return self._tell(lambda viewer: m.GameStartResponse(self.table.state(viewer)))

    def _act(self, request: m.ActionRequest, now: float) -> list[Effect]:
        response = self._play(request)
        if self.table.is_over:
            return self._end()
        self._set_deadline(now)
        return self._tell(response)

    def _play(self, request: m.ActionRequest) -> Respond:
        """Carry out an action; return the response for each viewer."""
        table, mover = self.table, self.table.next_player
        match request:
            case m.HintColorRequest(target, color):
                table.hint(target, color)
                return lambda viewer: m.HintColorResponse(mover, target, color, table.state(viewer))
            case m.HintNumberRequest(target, number):
                table.hint(target, number)
                return lambda viewer: m.HintNumberResponse(
                    mover, target, number, table.state(viewer)
                )
            case m.DiscardCardRequest(shown):
                gone, drawn = table.discard(int(shown))
                return lambda viewer: m.DiscardCardResponse(
                    discarding_player=mover,
                    discarded_card=table.card(gone),
                    drawn_card=self._drawn(drawn, mover, viewer),
                    game_state=table.state(viewer),
                )
            case m.PlayCardRequest(shown):
                played, new, success = table.play(int(shown))
                return lambda viewer: m.PlayCardResponse(
                    playing_player=mover,
                    played_card=table.card(played),
                    drawn_card=self._drawn(new, mover, viewer),
                    success=success,
                    game_state=table.state(viewer),
                )

    def _drawn(self, number: int | None, drawer: str, viewer: str | None) -> m.WireCard | None:
        if number is None:
            return None
        return self.table.card(number, is_hidden=self.dialect.hides and viewer == drawer)

    def _set_deadline(self, now: float) -> None:
        self.deadline = now + self._timeout if self._timeout and self._has_started else None

    def _end(self) -> list[Effect]:
        """Announce the score, close the connections, and open the next lobby."""
        effects = self._to_all(m.GameOverResponse(self.table.score))
        self.deadline = None
        if self.dialect.stays_closed:
            effects += [Close(line) for line in self._names if line in self._open]
            self._open = [line for line in self._open if line not in self._names]
            self._names = {}
            self._has_started = True
        else:
            effects += [Close(line) for line in self._open]
            self._open = []
            self._begin_lobby()
        if self._games_left:
            self._games_left -= 1
        return effects

    def _tell(self, response: Respond) -> list[Effect]:
        """Each client's copy of a response: the same for all, or a separate one per player."""
        if self.dialect.hides:
            return [Send(line, response(name)) for line, name in self._names.items()]
        return self._to_all(response(None))

    def _to_all(self, message: Any) -> list[Effect]:
        lines = self._names if self.dialect.hides else self._open
        return [Send(line, message) for line in lines if line in self._open]
