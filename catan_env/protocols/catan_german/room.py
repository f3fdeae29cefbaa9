"""The server's side of the German protocol: connections, the lobby, chat, refusals, and the end.

It contains no rules of Catan: `game` does, and `play` announces the results. The numbers in
brackets are the points of docs/german.md.
"""

from collections.abc import Callable, Collection
from random import Random
from typing import Any

from catan_env.game.game import Game
from catan_env.net.room import Close, Effect, Garbled, Removal, Send
from catan_env.protocols.catan_german import opening, words
from catan_env.protocols.catan_german.announcements import Announcer
from catan_env.protocols.catan_german.lobby import (
    LONGEST_NAME,
    Guest,
    Lobby,
    first_of,
    rolls_for_order,
)
from catan_env.protocols.catan_german.messages import (
    Answer,
    AnswerOffer,
    CancelOffer,
    Chat,
    ClientHello,
    Conclude,
    Failure,
    Hello,
    Introduce,
    Message,
    Offer,
    Player,
    SendChat,
    StartGame,
    StatusUpdate,
    Welcome,
)
from catan_env.protocols.catan_german.places import Places
from catan_env.protocols.catan_german.play import Play, Refusal, Settings

MOST_REFUSALS = 200
"""Refusals of one guest in a turn, after which its line is closed (9)."""
LONGEST_CHAT = 500


class GermanRoom:
    """One table; a `net.room.Room`. `game` is a game before its first settlement.

    `reserved` places are for lines that `reserve` names; the others go to the first ids.
    """

    def __init__(self, game: Game, settings: Settings | None = None, reserved: int = 0) -> None:
        game.rules.check_wire("the German protocol")
        self.settings = settings or Settings()
        self.removals: list[Removal] = []
        """Seats whose connections were lost; before the game, the places of missing players."""
        self.play: Play | None = None
        """The game, once the lobby is left."""
        self._game = game
        self._lobby = Lobby(game.seats, reserved)
        self._seated: list[Guest] = []
        self._effects: list[Effect] = []
        self._has_closed = False

    @property
    def game(self) -> Game:
        """The game in its current state."""
        return self._game if self.play is None else self.play.game

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due."""
        return self._lobby.deadline if self.play is None else self.play.deadline

    @property
    def is_over(self) -> bool:
        """True if the game has ended and its end was announced."""
        return self._has_closed

    @property
    def seated(self) -> tuple[Guest, ...]:
        """The players by seat, once the lobby is left."""
        return tuple(self._seated)

    @property
    def winner(self) -> int | None:
        """The seat that has won, also if its only opponent did not come to the game."""
        return self._unopposed if self.play is None else self.play.winner

    @property
    def _unopposed(self) -> int | None:
        """The place that is left of reserved ones, if those present continue without the others."""
        missing = {removal.seat for removal in self.removals}
        left = [place for place in range(self.game.seats) if place not in missing]
        is_decided = self.settings.go_on and self._lobby.are_all_reserved and len(left) == 1
        return left[0] if is_decided else None

    @property
    def decision_times(self) -> list[list[float]]:
        """By seat: the seconds that each decision took."""
        return (
            [[] for _ in range(self.game.seats)] if self.play is None else self.play.decision_times
        )

    @property
    def timeouts(self) -> list[int]:
        """By seat: the number of time-outs."""
        return [0] * self.game.seats if self.play is None else self.play.timeouts

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat: the one reserved for its line; the rest in the order of ids."""
        if self.play is None:
            return tuple(range(self.game.seats))
        place_of = dict(self._lobby.place_of)
        free = [place for place in range(self.game.seats) if place not in place_of.values()]
        others = [guest for guest in self._seated if guest.line not in place_of]
        for guest, place in zip(sorted(others, key=lambda guest: guest.id), free, strict=False):
            place_of[guest.line] = place
        return tuple(place_of[guest.line] for guest in self._seated)

    def reserve(self, line: int, place: int) -> None:
        """Identify a line as the one that a place is reserved for."""
        self._lobby.place_of[line] = place

    def leave(self, place: int, reason: str, now: float) -> list[Effect]:
        """Handle the loss of a reserved player, without whom there is no game."""
        lines = [line for line, taken in self._lobby.place_of.items() if taken == place]
        guests = [guest for guest in self._lobby.guests.values() if guest.line in lines]
        for guest in guests:
            self._dismiss(guest, reason, now)
        if self.play is None and not self._has_closed:
            self._miss(place, reason)
        return self._flush()

    def hears(self, line: int) -> bool:
        """True if the line's messages can still have an effect."""
        return not self._has_closed and line in self._lobby.guests

    def opened(self, line: int, now: float) -> list[Effect]:
        """Greet a new line."""
        if self._has_closed or self.play is not None:
            self._turn_away(line, "Das Spiel läuft schon")
        else:
            self._lobby.guests[line] = Guest(line, now)
            hello = Hello(version=opening.SOFTWARE, protocol=self.settings.version)
            self._effects.append(Send(line, hello))
        return self._flush()

    def received(self, line: int, message: Message | Garbled, now: float) -> list[Effect]:
        """Execute a message's request, or refuse it with a reason."""
        guest = self._lobby.guests.get(line)
        if guest is not None and not self._has_closed:
            try:
                self._hear(guest, message, now)
            except Refusal as refusal:
                self._refuse(guest, str(refusal), now)
        return self._flush()

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """Handle a lost line (7)."""
        guest = self._lobby.guests.pop(line, None)
        if guest is not None and not self._has_closed:
            self._lose(guest, reason, now)
        return self._flush()

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Act for seats that are out of time (6), and clear the lobby."""
        if self.play is None:
            for guest in self._lobby.late(now):
                self._send(guest, Answer("Zu lange gewartet"))
                self._dismiss(guest, "did not start the game", now)
        due = self.deadline
        if self.play is not None and due is not None and now >= due:
            for seat in self.play.time(now):
                self._dismiss(self._seated[seat], "it let three decisions in a row run out", now)
            self._see_to_the_end()
        return self._flush()

    def _hear(self, guest: Guest, message: Message | Garbled, now: float) -> None:
        if isinstance(message, Garbled):
            raise Refusal(f"Nicht verstanden: {message.reason}")
        if guest.id == 0 and not isinstance(message, ClientHello):
            raise Refusal("Erst kommt Hallo")
        heard = _HEARD.get(type(message))
        if heard is not None:
            heard(self, guest, message, now)
        elif self.play is None:
            raise Refusal("Das Spiel hat noch nicht begonnen")
        else:
            _PLAYED.get(type(message), Play.act)(self.play, guest.seat, message, now)
            self._see_to_the_end()

    def _greeted(self, guest: Guest, message: ClientHello, now: float) -> None:
        if guest.id:
            raise Refusal("Hallo war schon")
        if not self._lobby.has_place_for(guest.line):
            del self._lobby.guests[guest.line]
            self._turn_away(guest.line, "Kein Platz frei")
            return
        guest.id = self._lobby.free_id(guest.line)
        self._send(guest, Welcome(guest.id))
        for other in self._lobby.players:
            if other is not guest:
                self._send(guest, self._status_of(other, guest))
        self._tell_of(guest)

    def _turn_away(self, line: int, reason: str) -> None:
        self._effects += [Send(line, Answer(reason)), Close(line)]

    def _tell_of(self, guest: Guest) -> None:
        """Announce a change in the lobby to all there."""
        for hearer in self._lobby.players:
            self._send(hearer, self._status_of(guest, hearer))

    def _status_of(self, guest: Guest, hearer: Guest) -> Message:
        said = Player(guest.id, guest.colour, guest.name, guest.status)
        return StatusUpdate(opening.newcomer(said, self.settings.version, guest is hearer))

    def _introduced(self, guest: Guest, message: Introduce, now: float) -> None:
        if guest.status != words.CHOOSING:
            raise Refusal("Name und Farbe stehen fest")
        name = guest.name if message.name is None else one_line(message.name)
        colour = message.colour or guest.colour
        if name is None or colour is None:
            raise Refusal(f"{'Name' if name is None else 'Farbe'} fehlt")
        if not 1 <= len(name) <= LONGEST_NAME:
            raise Refusal(f"Ein Name hat 1 bis {LONGEST_NAME} Zeichen")
        self._count_idle_talk(guest, now)
        guest.name, guest.colour = name, colour
        self._tell_of(guest)
        self._send(guest, Answer(words.OK))

    def _started(self, guest: Guest, message: StartGame, now: float) -> None:
        if guest.status not in (words.CHOOSING, words.READY):
            raise Refusal("Das Spiel läuft schon")
        if guest.name is None:
            raise Refusal("Erst kommen Name und Farbe")
        self._count_idle_talk(guest, now)
        if guest.status == words.CHOOSING and self._lobby.is_taken(guest.colour):
            self._refuse_colour(guest)
            return
        if guest.status == words.CHOOSING:
            guest.status = words.READY
            self._tell_of(guest)
        self._send(guest, Answer(words.OK))
        if self._lobby.all_wait:
            self._begin(now)

    def _refuse_colour(self, guest: Guest) -> None:
        """Refuse a colour, up to 0.3 also by the Serverantwort that a client waits for."""
        self._send(guest, Failure(words.COLOUR_TAKEN))
        if self.settings.version != "1.0":
            self._send(guest, Answer(words.COLOUR_TAKEN))

    def _begin(self, now: float) -> None:
        """Send the map, the rolls for the order, and the first settlement."""
        players = self._lobby.players
        for guest in [guest for guest in self._lobby.guests.values() if not guest.id]:
            del self._lobby.guests[guest.line]
            self._turn_away(guest.line, "Das Spiel läuft schon")
        rolls = rolls_for_order(len(players), Random(f"order {self._game.seed}"))
        self._show_order(players, rolls)
        first = first_of(rolls)
        self._seated = players[first:] + players[:first]
        for seat, guest in enumerate(self._seated):
            guest.seat, guest.status = seat, words.WAIT
        named = [Player(guest.id, guest.colour, guest.name) for guest in self._seated]
        self.play = Play(self._game, self.settings, named, self._say)
        self.play.begin(now)

    def _show_order(self, players: list[Guest], rolls: list[tuple[int, tuple[int, int]]]) -> None:
        version = self.settings.version
        announcer = Announcer(version, [player.id for player in players])
        said: list[Message] = [opening.game_started(self._game, Places(version))]
        said += [announcer.rolled(player, dice) for player, dice in rolls]
        for message in said:
            for player in players:
                self._send(player, message)

    def _chatted(self, guest: Guest, message: SendChat, now: float) -> None:
        """Send to all, including the sender (10)."""
        if len(message.text) > LONGEST_CHAT:
            raise Refusal(f"Eine Nachricht hat höchstens {LONGEST_CHAT} Zeichen")
        self._count_idle_talk(guest, now)
        self._send(guest, Answer(words.OK))
        for hearer in self._lobby.players:
            self._send(hearer, Chat(sender=guest.id, text=one_line(message.text)))

    def _count_idle_talk(self, guest: Guest, now: float) -> None:
        if not guest.may_talk(now):
            raise Refusal("Zu viele Nachrichten")

    def _refuse(self, guest: Guest, reason: str, now: float) -> None:
        """Refuse without a change; a guest that is refused too often is disconnected (9)."""
        self._send(guest, Answer(reason))
        turn = self.game.turn
        guest.refusals = guest.refusals + 1 if guest.refused_in == turn else 1
        guest.refused_in = turn
        if guest.refusals >= MOST_REFUSALS:
            self._dismiss(guest, f"refused {MOST_REFUSALS} times in a turn", now)
            self._see_to_the_end()

    def _dismiss(self, guest: Guest, reason: str, now: float) -> None:
        """Close a line."""
        if self._lobby.guests.pop(guest.line, None) is not None:
            self._effects.append(Close(guest.line))
            self._lose(guest, reason, now)

    def _lose(self, guest: Guest, reason: str, now: float) -> None:
        """In the lobby, free the id and colour, or the place stays empty; in a game, see (7)."""
        if self.play is not None and guest.seat is not None:
            self.removals.append(Removal(guest.seat, self.game.turn, reason))
            if not self.play.is_over:
                self.play.lose(guest.seat, now)
            self._see_to_the_end()
            return
        if guest.id:
            guest.status = words.GONE
            self._tell_of(guest)
        if guest.line in self._lobby.place_of:
            self._miss(self._lobby.place_of[guest.line], reason)

    def _miss(self, place: int, reason: str) -> None:
        """End without a game, for lack of the player that a place is reserved for."""
        self.removals.append(Removal(place, 0, reason))
        self._close_all()

    def _see_to_the_end(self) -> None:
        """Disconnect all when the game is over."""
        if self.play is not None and self.play.is_over and not self._has_closed:
            self._close_all()

    def _close_all(self) -> None:
        self._has_closed = True
        self._effects += [Close(line) for line in self._lobby.guests]
        self._lobby.guests.clear()

    def _say(self, seat: int, message: Message) -> None:
        self._send(self._seated[seat], message)

    def _send(self, guest: Guest, message: Message) -> None:
        if guest.line in self._lobby.guests:
            self._effects.append(Send(guest.line, message))

    def _flush(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects


def one_line(text: str) -> str:
    r"""A text with line breaks replaced by spaces.

    >>> one_line(" a\r\nb ")
    'a b'
    """
    return text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ").strip()


_HEARD: dict[type, Callable[[GermanRoom, Guest, Any, float], None]] = {
    ClientHello: GermanRoom._greeted,
    Introduce: GermanRoom._introduced,
    StartGame: GermanRoom._started,
    SendChat: GermanRoom._chatted,
}
_PLAYED: dict[type, Callable[[Play, Any, Any, float], None]] = {
    Offer: Play.propose,
    AnswerOffer: Play.answer,
    CancelOffer: Play.cancel,
    Conclude: Play.conclude,
}
"""A request that is not a game action."""
