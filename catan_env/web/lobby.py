"""Watchable contests: the games in progress, the standings, and the finished games."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from threading import Lock
from typing import Any, Protocol

from catan_env.arena.outcome import Outcome
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.net.websocket import Page
from catan_env.notation.record import different_names
from catan_env.render.replay import file
from catan_env.web.messages import Over
from catan_env.web.page import HTML, JSON, table_page
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.secret import new_link
from catan_env.web.shelf import Shelf
from catan_env.web.shown_table import ShownTable
from catan_env.web.watch import WatchedTable

RECENT = 20
"""The number of finished games listed."""
LOBBY = "lobby.json"


class Played(Protocol):
    """A game in progress as a contest reports it, such as `arena.seating.GameRoom`."""

    @property
    def game(self) -> Game:
        """The game in its current state."""


@dataclass
class _Table:
    number: int
    names: tuple[str, ...]
    secret: str
    seating: Seating
    table: WatchedTable


@dataclass(frozen=True)
class _Ended:
    number: int
    names: tuple[str, ...]
    winner: str | None
    turns: int
    over: Over


@dataclass
class SpectatorLobby:
    """A room with a table for each game in progress, and the pages that link to them.

    Cards are hidden unless `is_full`; everything is shown `delay` seconds late. A finished game is
    listed once its end has been shown. If every card is shown, the address of the pages that link
    to the tables contains a secret: otherwise an agent that plays here could read them.
    """

    title: str
    entrants: Sequence[str]
    is_full: bool = False
    delay: float = 0.0
    room: TableRoom = field(init=False)
    pages: dict[str, Page] = field(init=False)
    root: str = field(init=False)
    """The path of the page that lists the tables."""

    def __post_init__(self) -> None:
        self.root = f"/{new_link()}/" if self.is_full else "/"
        self.pages = {self.root: lobby_page(), "/table": table_page()}
        self._shelf = Shelf(self.pages)
        self.room = TableRoom(reopen=self._shelf.reopen)
        self._lock = Lock()
        """Held while the tables and lists change or are written: jobs store games in threads."""
        self._tables: dict[int, _Table] = {}
        self._outcomes: list[Outcome] = []
        self._ended: list[_Ended] = []
        self._seatings: list[Seating] = []
        self._write()

    def begin(self, number: int, game: Game, names: Sequence[str], played: Played) -> None:
        """Open a table for a game that begins; `played` reports its progress."""

        def source() -> Sequence[Event]:
            return played.game.events

        names = different_names(names)
        table = WatchedTable(game, names, source, self.is_full, self.delay)
        secret = new_link()
        seating = self._shelf.seating(table, {secret: None})
        keep = seating.keep
        assert keep is not None

        def keep_and_list(ended: ShownTable) -> Over:
            with self._lock:
                shown = self._tables.pop(number)
            over = keep(ended)
            with self._lock:
                self._list(shown, over)
            return over

        seating.keep = keep_and_list
        self._clear_away()
        self._seatings.append(seating)
        self.room.add(seating)
        with self._lock:
            self._tables[number] = _Table(number, names, secret, seating, table)
            self._write()

    def end(self, number: int, outcome: Outcome | None = None) -> None:
        """Mark a game as over, with or without a winner."""
        with self._lock:
            if number in self._tables:
                self._tables[number].table.is_ended = True
            if outcome is not None:
                self._outcomes.append(outcome)
            self._write()

    async def wait_for_watchers(self, every: float = 0.2) -> None:
        """Wait until everything has been shown and all spectators have left."""
        while self._tables or self.room.lines:
            await asyncio.sleep(every)

    def _clear_away(self) -> None:
        """Remove tables that ended long ago, unless a spectator is still connected."""
        for seating in self._seatings[:-RECENT]:
            if seating.over is not None and not seating.lines:
                self._seatings.remove(seating)
                self.room.carry_out(self.room.remove(seating))

    def _list(self, shown: _Table, over: Over) -> None:
        game = shown.table.game
        winner = None if game.winner is None else shown.names[game.winner]
        played = (one.turns for one in self._outcomes if one.number == shown.number)
        ended = _Ended(shown.number, shown.names, winner, next(played, game.turn), over)
        self._ended = [ended, *self._ended][:RECENT]
        self._write()

    def _write(self) -> None:
        """Write the data of the lobby page."""
        tables = [
            {"number": t.number, "names": t.names, "link": f"/table#{t.secret}"}
            for t in self._tables.values()
        ]
        games = [
            {
                "number": e.number,
                "names": e.names,
                "winner": e.winner,
                "turns": e.turns,
                "replay": e.over.replay,
                "record": e.over.record,
            }
            for e in self._ended
        ]
        lobby = {"title": self.title, "tables": tables, "games": games, "standings": self._rows()}
        self.pages[self.root + LOBBY] = Page(JSON, json.dumps(lobby).encode())

    def _rows(self) -> list[dict[str, Any]]:
        """Each entrant's games, wins and mean points, the most wins first."""
        known = [outcome for outcome in self._outcomes if outcome.number not in self._tables]
        rows: list[dict[str, Any]] = [
            {
                "name": name,
                "games": len(known),
                "wins": sum(outcome.winning_entrant == entrant for outcome in known),
                "points": sum(o.by_entrant(o.points)[entrant] for o in known) / max(len(known), 1),
            }
            for entrant, name in enumerate(self.entrants)
        ]
        return sorted(rows, key=lambda row: (-row["wins"], -row["points"]))


def lobby_page() -> Page:
    """The page that lists tables, standings and games; it polls for updates."""
    text = resources.files("catan_env.web").joinpath("lobby.html").read_text("utf-8")
    return Page(HTML, text.replace("<!--style-->", file("page.css")).encode())
