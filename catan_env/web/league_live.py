"""Live tables of a league: its games in progress, wherever they are played, for spectators."""

import asyncio
import time
from dataclasses import dataclass

from catan_env.arena.league.database import LedgerError
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.live import EVERY, Snapshot
from catan_env.arena.league.live_games import number_of, shown
from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.league.moves import MovesError, Unpacker
from catan_env.notation.record import different_names
from catan_env.web.messages import Over
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.secret import new_link
from catan_env.web.shown_table import ShownTable
from catan_env.web.watch import WatchedTable


@dataclass
class _Playing:
    names: tuple[str, ...]
    secret: str
    seating: Seating
    table: WatchedTable
    game: Unpacker


class LiveTables:
    """A room with a table for each of the ledger's games in progress.

    Spectators see what all players see. At a game's end they are sent to its replay.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.room = TableRoom()
        self._ledger, self._rules = ledger, MatchSettings.from_settings(ledger.settings)
        self._playing: dict[Meeting, _Playing] = {}
        self._ended: list[Seating] = []
        self._looked_at = float("-inf")

    async def keep_looking(self) -> None:
        """Follow the games without end."""
        while True:
            self.look()
            await asyncio.sleep(EVERY)

    def listed(self) -> list[tuple[str, str]]:
        """Each table's address, and its players."""
        if time.monotonic() > self._looked_at + EVERY:
            self.look()
        return [(f"/table#{p.secret}", ", ".join(p.names)) for p in self._playing.values()]

    def look(self) -> None:
        """Read the current games, if the ledger can be read."""
        self._looked_at = time.monotonic()
        try:
            snapshots = shown(self._ledger)
            for meeting in set(self._playing) - {snapshot.meeting for snapshot in snapshots}:
                self._end(meeting)
        except LedgerError:
            return
        for snapshot in snapshots:
            self._follow(snapshot)
        self._clear_away()

    def _follow(self, snapshot: Snapshot) -> None:
        playing = self._playing.get(snapshot.meeting) or self._lay(snapshot)
        try:
            playing.game.follow(snapshot.moves)
        except MovesError:  # its worker was lost, and the game is played again
            self._clear(self._playing.pop(snapshot.meeting).seating)

    def _lay(self, snapshot: Snapshot) -> _Playing:
        """A table for a new game."""
        begun, names = self._rules.new_game(snapshot.meeting), different_names(snapshot.names)
        game, secret = Unpacker(begun.copy()), new_link()
        table = WatchedTable(begun, names, lambda: game.game.events)
        seating = Seating(table, {secret: None})
        self.room.add(seating)
        self._playing[snapshot.meeting] = _Playing(names, secret, seating, table, game)
        return self._playing[snapshot.meeting]

    def _end(self, meeting: Meeting) -> None:
        """A game is no longer in progress: it was stored, or is lost."""
        number = number_of(self._ledger, meeting)
        result = None if number is None else self._ledger.game(number)
        playing = self._playing.pop(meeting)
        try:
            if result is None:
                raise MovesError("it was not kept")
            playing.game.follow(result.moves)
        except MovesError:
            self._clear(playing.seating)
            return

        def keep(_: ShownTable) -> Over:
            return Over(f"/game/{number}.html", f"/game/{number}.sgn.json")

        playing.seating.keep = keep
        playing.table.is_ended = True
        self._ended.append(playing.seating)

    def _clear_away(self) -> None:
        """Forget tables whose end was shown, unless a spectator is still there."""
        for seating in [s for s in self._ended if s.over is not None and not s.lines]:
            self._ended.remove(seating)
            self._clear(seating)

    def _clear(self, seating: Seating) -> None:
        self.room.carry_out(self.room.remove(seating))
