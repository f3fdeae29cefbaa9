"""A server of live tables: one address, its room, its stored games and its people."""

import os
import socket
import time
import webbrowser
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from catan_env.net.address import in_url, is_loopback, reachable
from catan_env.web.advisers import Advisers
from catan_env.web.hall import TableHall
from catan_env.web.page import start_page, table_page
from catan_env.web.people import People
from catan_env.web.room import TableRoom
from catan_env.web.serve import run as serve
from catan_env.web.shelf import Shelf, Storage
from catan_env.web.table import STAND_IN, LiveTable


class TableServer:
    """The room, the stored games and the pages behind one listening socket."""

    def __init__(
        self,
        host: str,
        listener: socket.socket,
        folder: Path,
        advisers: Advisers,
        ask: str | None,
        pace: float,
    ) -> None:
        self._listener, self._host = listener, host
        port = listener.getsockname()[1]
        self.address = f"http://{in_url(reachable(host))}:{port}"
        self.folder = folder
        storage = Storage(folder, host, port, pace)
        self.pages = {"/": table_page(), "/start": start_page()}
        people = People(_state_folder() / "people.db")
        self.shelf = Shelf(self.pages, storage, partial(_report, people),
                           advisers.named(ask or STAND_IN), advisers)  # fmt: skip
        self.room = TableRoom((), pace, self.shelf.reopen)
        self.room.hall = TableHall(self.room, self.shelf, people, advisers, ask)

    def announce(self, secrets: Mapping[str, int | None], names: Sequence[str]) -> None:
        """Print the links of a table; `names` are by seat."""
        for secret, seat in secrets.items():
            who = "watch" if seat is None else names[seat]
            print(f"{who}: {self.address}/#{secret}", flush=True)

    def run(self, secret: str, no_open: bool) -> None:
        """Open the page of that secret, unless `no_open`, and serve until interrupted."""
        print(f"more tables: {self.address}/start", flush=True)
        print(f"stored in {self.folder}: --resume continues from there", flush=True)
        if not no_open:
            webbrowser.open(f"{self.address}/#{secret}")
        is_public = not is_loopback(self._host)
        serve(self.room, self.pages, self._listener, is_public)


def new_folder() -> Path:
    """A new folder for the games of one server, readable by this user alone."""
    tables = _state_folder() / "tables"
    tables.mkdir(exist_ok=True)
    return Path(mkdtemp(prefix=time.strftime("%Y-%m-%d-"), dir=tables))


def _state_folder() -> Path:
    """The folder of games and people that outlive a server."""
    given = os.environ.get("XDG_STATE_HOME")
    state = (Path(given) if given else Path.home() / ".local" / "state") / "catan_env"
    try:
        state.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"cannot keep games in {state}: {error.strerror}; set XDG_STATE_HOME to a folder that "
            "can be written"
        ) from None
    return state


def _report(people: People, table: LiveTable, path: str) -> None:
    """Note the end of a game, and print its record."""
    people.end(path, table.game.winner, table.game.turn)
    if table.journal is not None:
        print(f"record: {table.journal.path}", flush=True)
