"""A server's memory over a day of tables: it does not grow with the games that were played."""

import gc
import tracemalloc
from dataclasses import replace
from pathlib import Path
from weakref import ref

import pytest

from catan_env.game.board import Board
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.websocket import Page
from catan_env.policy import decide, load_policy
from catan_env.web.messages import Act, Propose, Sit, Undo
from catan_env.web.room import TableRoom
from catan_env.web.shelf import Shelf, Storage
from catan_env.web.table import LiveTable
from tests.web.tables import Tables

DAY = 24 * 60 * 60.0
SPARE = 1_000_000
"""Bytes by which two moments may differ; 16 games whose tables or pages stayed would be more."""
MOST_STORED, MOST_OPEN = 4, 2
SHORT = replace(Rules.named("duel"), points_to_win=3)


class Day(Tables):
    """A server at which a person plays one short game after another, on a simulated clock."""

    def __init__(self, folder: Path) -> None:
        super().__init__(self.new_table(0))
        self.pages: dict[str, Page] = {}
        storage = Storage(folder, "127.0.0.1", 8000, 0.0)
        self.shelf = Shelf(self.pages, storage, most=MOST_STORED)
        self.room = TableRoom(reopen=self.shelf.reopen, most=MOST_OPEN)
        self.guide = load_policy("greedy")
        self.played = 0

    @staticmethod
    def new_table(seed: int) -> LiveTable:
        game = Game(2, seed=seed, rules=SHORT, board=Board.spiral(seed % 4))
        return LiveTable(game, ["Ann", "Ben"], {1: load_policy("random")})

    def play(self) -> None:
        """Another game, from the first click until its page is closed."""
        self.played += 1
        line, table = 2 * self.played, self.new_table(self.played)
        assert self.room.make_place()
        seating = self.shelf.seating(table, {f"ann {line}": 0, f"watch {line}": None})
        self.room.add(seating)
        self.open(line, f"ann {line}")
        self.open(line + 1, f"watch {line}")
        self.heard[line], self.heard[line + 1] = [], []
        for k in range(400):
            if table.game.is_over:
                break
            if table.waits_for_policy:
                self.wait()
            else:
                index = decide(self.guide, table.game.view(0))
                self.say(line, Act(index, table.step))
            if k % 20 == 0:
                self.say(line, Undo(table.step))
                self.say(line, Propose((0,) * 5, (0,) * 5, table.step))
        assert table.game.is_over
        for one in (line, line + 1):
            self.take(self.room.closed(one, "it closed its connection", self.now))
            del self.heard[one]
        self.closed.clear()

    def pass_time(self, seconds: float) -> None:
        """Let time pass; a line that never says a secret comes and goes."""
        self.open(1)
        self.now += seconds
        self.take(self.room.time(self.now))
        self.open(1)
        self.say(1, Sit("guessed"))
        del self.heard[1]
        self.closed.clear()


def test_only_the_last_tables_and_pages_stay_in_memory(tmp_path: Path) -> None:
    day = Day(tmp_path)
    tables = []
    lay = day.new_table
    day.new_table = lambda seed: tables.append(table := lay(seed)) or table  # type: ignore
    for _ in range(MOST_STORED + 2):
        day.play()
    alive = [ref(table) for table in tables]
    tables.clear()
    gc.collect()
    assert sum(table() is not None for table in alive) <= MOST_OPEN
    assert len(day.pages) == 2 * MOST_STORED and len(day.room._seatings) == MOST_OPEN


@pytest.mark.nightly
def test_memory_is_the_same_after_a_day_of_games(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """16 games after as many as a server stores; 1,000 with --games 150000."""
    rounds = max(16, pytestconfig.getoption("--games") // 150)
    day = Day(tmp_path)
    day.play()
    tracemalloc.start()
    try:
        for _ in range(MOST_STORED + 2):
            day.play()
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(rounds):
            day.play()
            day.pass_time(DAY / rounds)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(day.pages) == 2 * MOST_STORED and len(day.room._seatings) == MOST_OPEN
    assert after - before < SPARE
