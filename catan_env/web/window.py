"""One game at a time in a browser, shown by a program that keeps running."""

import asyncio
import threading
import time
import webbrowser
from collections import deque
from collections.abc import Sequence

from catan_env.game.game import Game
from catan_env.net.serve import listen
from catan_env.net.websocket import Page
from catan_env.web.page import table_page
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.secret import new_link
from catan_env.web.serve import serve_tables
from catan_env.web.watch import WatchedTable


class Window:
    """A page that follows the positions it is given; a new game replaces the old one.

    It opens in the browser with the first position, and its link is printed. `pace` is the time
    in seconds for which a position stays while a spectator is there.
    """

    def __init__(self, pace: float = 0.25) -> None:
        self.pace = pace
        self._secret = new_link()
        self._room = TableRoom()
        self._pages: dict[str, Page] = {"/": table_page()}
        self._seating: Seating | None = None
        self._listener = listen("127.0.0.1", 0)
        self._loop = asyncio.new_event_loop()
        self._serving = self._loop.create_task(
            serve_tables(self._room, self._pages, self._listener)
        )
        self._thread = threading.Thread(target=self._serve, name="window", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """The page's link."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/#{self._secret}"

    def show(self, game: Game) -> None:
        """Show the current position, with the events since the last one."""
        is_first = self._seating is None
        table = self._seating.table if self._seating is not None else None
        if isinstance(table, _Followed) and table.is_followed_by(game):
            table.coming.append(game)
        else:
            self._begin(game)
        if is_first:
            print(f"the game is shown at {self.address}", flush=True)
            webbrowser.open(self.address)
        if self._room.lines:
            time.sleep(self.pace)

    def close(self) -> None:
        """Close the page's connection, and the port."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._serving.cancel)
            self._thread.join()
        self._listener.close()

    def _begin(self, game: Game) -> None:
        names = [f"player_{seat}" for seat in range(game.seats)]
        before, self._seating = self._seating, Seating(_Followed(game, names), {self._secret: None})
        self._loop.call_soon_threadsafe(self._lay, before, self._seating)

    def _lay(self, before: Seating | None, now: Seating) -> None:
        """Replace the table; its lines reconnect by themselves."""
        if before is not None:
            self._room.carry_out(self._room.remove(before))
        self._room.add(now)

    def _serve(self) -> None:
        try:
            self._loop.run_until_complete(self._serving)
        except asyncio.CancelledError:
            pass
        finally:
            self._loop.close()


class _Followed(WatchedTable):
    """A table that receives whole games, everything visible."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.coming: deque[Game] = deque()
        self._latest = game
        super().__init__(game, names, tuple, is_full=True)

    def is_followed_by(self, game: Game) -> bool:
        """True if that is the same game at a later point."""
        last, self._latest = self._latest, game
        known = len(last.events)
        return (
            game.board == last.board
            and game.turn >= last.turn
            and game.seed == last.seed
            and game.events[:known] == last.events
        )

    def look(self, now: float) -> None:
        """Show the games that have arrived."""
        while self.coming:
            game = self.coming.popleft()
            happened = len(self.game.events)
            if len(game.events) > happened:
                for event in game.events[happened:]:
                    self._show(event)
            elif game != self.game:  # a game without events
                self.game = game
                self._write(())
