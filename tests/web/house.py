"""A room that opens tables, and the request for one."""

from pathlib import Path
from typing import Any

from catan_env.policy import decide, load_policy
from catan_env.web.advisers import Advisers
from catan_env.web.hall import TableHall
from catan_env.web.messages import Act, Open
from catan_env.web.page import start_page, table_page
from catan_env.web.people import People
from catan_env.web.room import MOST_TABLES, TableRoom
from catan_env.web.shelf import MOST_KEPT, Shelf, Storage
from tests.web.tables import Tables, live_table


class House(Tables):
    """A room that opens tables, in memory; people play as the greedy policy would."""

    def __init__(
        self, folder: Path, most: int = MOST_TABLES, keep: int = MOST_KEPT, ask: str = ""
    ) -> None:
        super().__init__(live_table(1))
        self.people = People(folder / "people.db")
        self.pages: dict[str, Any] = {"/": table_page(), "/start": start_page()}
        storage = Storage(folder, "127.0.0.1", 8000, 0.0)
        shelf = Shelf(
            self.pages, storage,
            lambda table, path: self.people.end(path, table.game.winner, table.game.turn),
            most=keep,
        )  # fmt: skip
        self.room = TableRoom(reopen=shelf.reopen, most=most)
        self.room.hall = TableHall(self.room, shelf, self.people, Advisers(), ask)
        self._next = 100

    def ask(self, message: Any) -> Any:
        """The answer to a start page's message."""
        self._next += 1
        self.open(self._next)
        self.say(self._next, message)
        while self.room.jobs.soon:
            self.wait()
        return self.heard[self._next][-1]

    def sit(self, line: int, secret: str) -> None:
        self.open(line, secret)
        while self.room.jobs.soon:
            self.wait()

    def play_table(self, *lines: int) -> None:
        """Play the table of these lines to its end."""
        guide = load_policy("greedy")
        table: Any = self.room._at[lines[0]].table
        for _ in range(20_000):
            if table.game.is_over:
                break
            if table.waits_for_policy:
                self.wait()
            else:
                seat = table.game.seat
                line = next(one for one in lines if self.room._at[one].lines[one] == seat)
                index = decide(guide, table.game.view(seat))
                self.say(line, Act(index, table.step))


def new_table(*seats: str, key: str = "", name: str = "Ann", **more: Any) -> Open:
    rules = "duel" if len(seats) == 2 else "base"  # a duel is over soon
    return Open(**{
        "key": key, "name": name, "seats": list(seats), "rules": rules, "board": "spiral",
        "pace": 0.0, **more,
    })  # fmt: skip
