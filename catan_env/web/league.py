"""A league's pages, made on request or written as files. Read-only."""

import asyncio
import json
import re
import socket
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from catan_env.arena.league.database import LedgerError, UnreachableError
from catan_env.arena.league.entrant import Entrant
from catan_env.arena.league.league import League
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.moves import MovesError
from catan_env.arena.league.standings import Standing, standings
from catan_env.arena.league.strength import MEAN
from catan_env.arena.league.tally import Tally
from catan_env.net.websocket import Page
from catan_env.notation import Record, dumps, loads, to_sgn
from catan_env.notation.record import different_names
from catan_env.render.replay import replay_html
from catan_env.web.league_live import LiveTables
from catan_env.web.league_page import Point, Shown, as_json, index_html
from catan_env.web.page import HTML, JSON, table_page
from catan_env.web.serve import serve_tables

FRESH = 2.0
"""Seconds after which the ledger is read again."""
SHOWN_GAMES = 200
MOST_POINTS = 24
"""The number of points in the history of ratings."""
UNREACHABLE = Page(
    "text/plain; charset=utf-8",
    b"The league's database cannot be reached at the moment.\n",
    HTTPStatus.SERVICE_UNAVAILABLE,
)
GAME = re.compile(r"/game/(\d{1,9})\.(html|sgn\.json)")


class Site(Mapping[str, Page]):
    """The pages of a league by path, extended by what new games add.

    With `live` they list the games that are being played.
    """

    def __init__(self, ledger: Ledger, live: LiveTables | None = None) -> None:
        self._ledger, self._league, self._live = ledger, League(ledger), live
        self._tally = Tally(ledger.settings["seats"])
        self._history: list[_Past] = []
        self._shown: Shown
        self._pages: dict[str, Page] = {}
        self._shown_state: tuple[int, list[Entrant]] = (-1, [])
        """The number of the last game, and the entrants with their pardons."""
        self._looked_at = float("-inf")
        self._is_readable = True
        self.refresh()

    def __getitem__(self, path: str) -> Page:
        if match := GAME.fullmatch(path):
            try:
                return self._game_page(int(match[1]), match[2])
            except UnreachableError:
                return UNREACHABLE
        if time.monotonic() > self._looked_at + FRESH:
            self._look()
        return self._pages[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def __len__(self) -> int:
        return len(self._pages)

    def _look(self) -> None:
        """Refresh; while the database cannot be read, the pages stay the same."""
        try:
            self.refresh()
            self._is_readable = True
        except LedgerError as error:
            if self._is_readable:
                print(f"{error}; showing the pages made before", file=sys.stderr, flush=True)
            self._is_readable = False
            self._looked_at = time.monotonic()

    def refresh(self) -> None:
        """Take in new games and changes of entrants; without any, the pages stay the same."""
        state = self._ledger.last(), self._ledger.entrants()
        live = None if self._live is None else self._live.listed()
        is_new = state != self._shown_state
        if is_new:
            self._read_on(*state)
            self._shown_state = state
        if is_new or live != self._shown.live:
            self._shown = replace(self._shown, live=live)
            self._pages = {
                "/": self._index("game/{}"),
                "/standings.json": self._data,
                "/table": table_page(),
            }
        self._looked_at = time.monotonic()

    def _read_on(self, last: int, entrants: Sequence[Entrant]) -> None:
        """New games in parts, so that the history has points in between."""
        begun = self._tally.upto
        step = max(1, -(-(last - begun) // max(1, MOST_POINTS - len(self._history))))
        edges = [*range(begun, last, step), last]
        for after, upto in pairwise(edges):
            self._tally.merge(Tally.of(self._ledger, after, upto))
            if self._tally.games:
                lines = standings(self._tally, entrants).lines
                self._history.append(_Past.of(self._tally.games, lines))
        if len(self._history) > MOST_POINTS:
            self._history = [*self._history[:-1:2], self._history[-1]]
        out = self._league.quarantined(self._tally)
        skills = self._league.skills()
        found = standings(self._tally, entrants, out, skills)
        games = list(self._ledger.games(max(0, last - SHOWN_GAMES)))[::-1]
        history = [past.without(out) for past in self._history]
        self._shown = Shown(self._tally, found, history, games, self._ledger.settings)

    def _index(self, of_game: str) -> Page:
        return Page(HTML, index_html(self._shown, of_game).encode())

    @property
    def _data(self) -> Page:
        return Page(JSON, json.dumps(as_json(self._shown)).encode())

    def _game_page(self, number: int, kind: str) -> Page:
        """A game's replay or record; KeyError if there is none, UnreachableError at present."""
        try:
            record = self._record(number)
        except UnreachableError:
            raise
        except (LedgerError, MovesError) as error:
            raise KeyError(str(error)) from None
        if kind == "html":
            title = f"Game {number}: {', '.join(record.players)}"
            return Page(HTML, replay_html(record, title).encode())
        return Page(JSON, dumps(record.messages).encode())

    def _record(self, number: int) -> Record:
        result = self._ledger.game(number)
        titles = {entrant.id: entrant.title for entrant in self._ledger.entrants()}
        names = different_names([titles[entrant] for entrant in result.seats])
        return loads(to_sgn(self._league.replayed(result), players=names))

    def write(self, folder: Path, replays: int) -> int:
        """Write everything as files, with the last games' replays; returns the number of files."""
        (folder / "game").mkdir(parents=True, exist_ok=True)
        games = self._shown.games[:replays]
        files = {"index.html": self._index("game/{}"), "standings.json": self._data}
        for game in games:
            for kind in ("html", "sgn.json"):
                files[f"game/{game.number}.{kind}"] = self._game_page(game.number, kind)
        for name, content in files.items():
            (folder / name).write_bytes(content.body)
        return len(files)


class _Past(NamedTuple):
    """The ratings after a number of games, with all entrants on the scale."""

    games: int
    ratings: dict[int, float]
    on_scale: frozenset[int]
    """The entrants that set the scale then, unless they are quarantined later."""

    @classmethod
    def of(cls, games: int, lines: Collection[Standing]) -> "_Past":
        ratings = {line.entrant.id: line.rating for line in lines}
        return cls(games, ratings, frozenset(e.entrant.id for e in lines if e.sets_scale))

    def without(self, out: Collection[int]) -> Point:
        """The ratings in a league where these entrants do not set the scale."""
        scale = self.on_scale.difference(out) or self.ratings.keys()
        shift = MEAN - fmean(self.ratings[entrant] for entrant in scale)
        return self.games, {entrant: rating + shift for entrant, rating in self.ratings.items()}


def serve(ledger: Ledger, listener: socket.socket, is_public: bool = False) -> None:
    """Serve a league's pages and live tables until interrupted."""
    asyncio.run(_serve(ledger, listener, is_public))


async def _serve(ledger: Ledger, listener: socket.socket, is_public: bool) -> None:
    live = LiveTables(ledger)
    site = Site(ledger, live)
    looking = asyncio.create_task(live.keep_looking())
    try:
        await serve_tables(live.room, site, listener, is_public)
    finally:
        looking.cancel()


def write_site(ledger: Ledger, folder: Path, replays: int = SHOWN_GAMES) -> int:
    """Write a league's pages as files; returns their number."""
    return Site(ledger).write(folder, min(replays, SHOWN_GAMES))
