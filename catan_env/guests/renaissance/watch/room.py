"""The room behind the page of a server's games: each line watches one of them.

Rule 1. A line is sent the list of games when it opens and when the list changes.
Rule 2. A line that asks for a game is sent its frames so far, then the new ones.
Rule 3. Only what every player may know is sent: no leaders in hand, no choices of an open set-up.
Rule 4. Unreadable input closes the line; a request for an unknown game is answered with the list.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any, Protocol

import msgspec

from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.watch.frames import Film, Frame
from catan_env.net.room import Close, Effect, Garbled, Send

LOOK_EVERY = 0.1
"""Seconds between two checks for new events."""
LOOK_SELDOM = 1.0
"""The same while there are no spectators, for games that end before one comes."""
MOST_ENDED = 20
"""The number of ended games that can still be watched."""


class Played(Protocol):
    """A game in progress at a server."""

    number: int
    game: Game
    names: list[str]


class Watch(msgspec.Struct, tag="watch", forbid_unknown_fields=True):
    """A request to watch a game."""

    number: int


class Listed(msgspec.Struct):
    """A game in the list."""

    number: int
    names: list[str]
    is_over: bool


class Games(msgspec.Struct, tag="games"):
    """The games that can be watched, the latest first, ended ones last."""

    games: list[Listed]


class Shown(msgspec.Struct, tag="game"):
    """A game so far: what stays the same, and its frames."""

    number: int
    fixed: Frame
    frames: list[Frame]


class News(msgspec.Struct, tag="frames"):
    """New frames of a game."""

    number: int
    frames: list[Frame]


class WatchRoom:
    """A room of spectators; `games` returns the games in progress.

    >>> room = WatchRoom(lambda: [])
    >>> room.opened(0, now=0.0)
    [Send(line=0, message=Games(games=[]))]
    """

    def __init__(self, games: Callable[[], Iterable[Played]]) -> None:
        self.is_over = False
        self.deadline: float | None = 0.0
        self._games = games
        self._playing: dict[int, Played] = {}
        self._ended: dict[int, Played] = {}
        self._films: dict[int, Film] = {}
        self._lines: dict[int, int | None] = {}
        """The game that each line watches."""

    def hears(self, line: int) -> bool:
        """True: spectators may always choose another game."""
        return True

    def opened(self, line: int, now: float) -> list[Effect]:
        """Send the list of games to a new line."""
        self._lines[line] = None
        self.deadline = now
        self._look_for_games()
        return [Send(line, self._list())]

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """Show the game that a line asks for."""
        if isinstance(message, Garbled):
            self.closed(line, message.reason, now)
            return [Close(line)]
        played = self._playing.get(message.number) or self._ended.get(message.number)
        if played is None:
            return [Send(line, self._list())]
        effects = self._news(message.number) if message.number in self._films else []
        if message.number not in self._films:
            self._films[message.number] = Film(played.game, played.names, is_full=False)
            self._news(message.number)
        self._lines[line] = message.number
        film = self._films[message.number]
        return [*effects, Send(line, Shown(message.number, film.fixed, film.frames[:]))]

    def closed(self, line: int, reason: str, now: float) -> list[Effect]:
        """Remove a line."""
        self._lines.pop(line, None)
        return []

    def time(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Look for new games and events."""
        self.deadline = now + (LOOK_EVERY if self._lines else LOOK_SELDOM)
        effects: list[Effect] = []
        if self._look_for_games():
            listed = self._list()
            effects += [Send(line, listed) for line in self._lines]
        watched = {number for number in self._lines.values() if number is not None}
        for number in [number for number in self._films if number not in watched]:
            del self._films[number]
        return effects + [effect for number in sorted(watched) for effect in self._news(number)]

    def _news(self, number: int) -> list[Effect]:
        """The new frames of a game, to its lines."""
        film = self._films[number]
        known = len(film.frames)
        played = self._playing.get(number) or self._ended[number]
        film.follow(played.game.record()["marks"])
        if len(film.frames) == known:
            return []
        news = News(number, film.frames[known:])
        return [Send(line, news) for line, watched in self._lines.items() if watched == number]

    def _look_for_games(self) -> bool:
        """Note the games that have begun or ended; True if there are any."""
        now = {played.number: played for played in self._games()}
        ended = {number: self._playing[number] for number in self._playing.keys() - now.keys()}
        has_changed = bool(ended) or bool(now.keys() - self._playing.keys())
        self._playing = now
        watched = set(self._lines.values())
        kept = sorted({**self._ended, **ended}.items(), reverse=True)
        recent = [number for number, _ in kept[:MOST_ENDED]]
        self._ended = {n: played for n, played in kept if n in recent or n in watched}
        return has_changed

    def _list(self) -> Games:
        rows = [
            Listed(number, played.names, is_over)
            for games, is_over in ((self._playing, False), (self._ended, True))
            for number, played in sorted(games.items(), reverse=True)
        ]
        return Games(rows)
