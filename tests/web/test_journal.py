"""Tables on disk: restored with the same links, whenever they stopped."""

import os
import random
import signal
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from selenium import webdriver
from websockets.exceptions import ConnectionClosed

from catan_env import cli
from catan_env.cli.folders import only_server_in
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.address import reachable
from catan_env.net.serve import listen
from catan_env.notation import loads, read, write_game
from catan_env.web.hall import TableHall
from catan_env.web.journal import begin_record, stored_tables, write_private
from catan_env.web.messages import (
    Act,
    Choices,
    Enter,
    Over,
    Preparing,
    Refused,
    Step,
    Undo,
    Welcome,
)
from catan_env.web.room import TableRoom
from catan_env.web.shelf import Shelf, Storage
from catan_env.web.turn_clock import TurnClock
from tests.render.browser import leave_pages
from tests.web.house import House, new_table
from tests.web.tables import SECRETS, Tables, live_table
from tests.web.test_page import wait
from tests.web.test_serve import heard, line_to, say, sit

ANN, BEN = 1, 2
MOMENTS = 10
PATIENCE = 600


def stored(folder: Path, seed: int, **options: Any) -> Tables:
    """A table of two people that is stored in the folder."""
    tables = Tables(live_table(seed, **options), seed)
    seating = shelf_at(folder).seating(tables.table, dict(SECRETS))
    tables.room = TableRoom([seating])
    for line, secret in ((ANN, "ann"), (BEN, "ben")):
        tables.open(line, secret)
    return tables


def shelf_at(folder: Path) -> Shelf:
    return Shelf({}, storage=Storage(folder, "127.0.0.1", 8000, 0.0))


def restored(folder: Path) -> Tables:
    """The same table in another process, loaded from its folder."""
    ((record, links, *_),) = stored_tables(folder)
    seating = shelf_at(folder).restored(record, links)
    tables = Tables(seating.table)  # type: ignore[arg-type]
    tables.room = TableRoom([seating])
    tables.open(ANN, "ann")
    tables.open(BEN, "ben")
    return tables


def test_a_table_is_restored_with_its_links_and_continues_with_the_same_dice(
    tmp_path: Path,
) -> None:
    tables = stored(tmp_path, 5, rules=replace(Rules.base(), points_to_win=4))
    for count in (0, 1, 7, 60):
        tables.play_on({0: ANN, 1: BEN}, count)
        again = restored(tmp_path)
        assert again.table.game == tables.table.game
        assert again.table.game.events == tables.table.game.events
        assert again.table.step == tables.table.step
        assert again.table.may_undo == tables.table.may_undo
        assert again.heard[ANN][0].seat == 0
        tables.table.journal.rewrite(tables.table.game)  # type: ignore[union-attr]
    tables.play_on({0: ANN, 1: BEN})
    assert tables.table.game.is_over
    over = tables.heard[ANN][-1]
    again = restored(tmp_path)
    again.wait()  # it was over: its replay is generated again
    again.open(9, "ann")
    assert isinstance(over, Over) and again.heard[9][-1] == over


def test_a_choice_that_was_taken_back_is_not_in_the_record(tmp_path: Path) -> None:
    tables = stored(tmp_path, 1)
    choices = tables.choices(ANN)
    assert choices is not None
    ((record, *_),) = stored_tables(tmp_path)
    begun = len(read(record).events)
    tables.say(ANN, Act(choices.actions[0].index, choices.step))
    assert len(read(record).events) == begun + 1
    tables.say(ANN, Undo(tables.table.step))
    assert len(read(record).events) == begun
    tables.play_on({0: ANN, 1: BEN}, 30)
    assert loads(record.read_text("utf-8")).game == tables.table.game


def test_a_record_that_is_cut_within_a_step_loses_that_step_alone(tmp_path: Path) -> None:
    tables = stored(tmp_path, 2)
    tables.play_on({0: ANN, 1: BEN}, 25)
    ((record, *_),) = stored_tables(tmp_path)
    whole = tables.table.game.events
    for cut in (1, 40, 200):
        record.write_bytes(record.read_bytes()[:-cut])
        events = restored(tmp_path).table.game.events
        assert len(whole) - len(events) <= 3 and whole[: len(events)] == events


def test_only_the_owner_can_read_the_links_and_the_secret_of_the_dice(tmp_path: Path) -> None:
    stored(tmp_path, 3)
    modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == {0o600}


def test_a_step_that_cannot_be_stored_is_refused_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = stored(tmp_path, 4)
    choices = tables.choices(ANN)
    assert choices is not None
    before = tables.table.game.copy()
    act = Act(choices.actions[0].index, choices.step)
    write = os.write

    def half(file: int, data: bytes) -> int:
        return write(file, data[: len(data) // 2])

    monkeypatch.setattr("catan_env.web.journal.os.write", half)
    tables.say(ANN, act)
    reason = tables.heard[ANN][-1].reason
    assert "cannot be stored" in reason and str(tmp_path) not in reason
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be stored" in line and str(tmp_path) in line
    assert tables.table.game == before and restored(tmp_path).table.game == before
    monkeypatch.setattr("catan_env.web.journal.os.write", write)
    tables.say(ANN, act)
    assert tables.table.game != before
    assert restored(tmp_path).table.game == tables.table.game


def test_tables_of_one_seed_that_begin_at_once_have_a_record_each(tmp_path: Path) -> None:
    game, together = Game(2, seed=7), Barrier(8)

    def begin(_: int) -> Path:
        together.wait()
        return begin_record(tmp_path, game, ["Ann", "Ben"]).path

    with ThreadPoolExecutor(8) as threads:
        paths = [path for _ in range(5) for path in threads.map(begin, range(8))]
    assert sorted(paths) == sorted(tmp_path.iterdir()) and len(paths) == 40
    assert all(read(path).game == game for path in paths)


@pytest.mark.parametrize("written", [0, 1])
def test_a_table_that_cannot_be_stored_leaves_no_file(
    written: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither without space for its record nor without space for its links."""
    shelf, table, synced = shelf_at(tmp_path), live_table(4), 0

    def sync(file: int) -> None:
        nonlocal synced
        if synced == written:
            raise OSError(28, "No space left on device")
        synced += 1

    monkeypatch.setattr("catan_env.web.journal.os.fsync", sync)
    with pytest.raises(OSError, match="No space"):
        shelf.seating(table, dict(SECRETS))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_leaves_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "record").mkdir()
    with pytest.raises(OSError):
        write_private(tmp_path / "record", "text")
    assert [file.name for file in tmp_path.iterdir()] == ["record"]


class FullDisk:
    """A journal without space for a step, until it is `freed`."""

    def __init__(self) -> None:
        self.tries = 0
        self.freed = False

    def follow(self, game: Any) -> None:
        self.tries += 1
        if not self.freed:
            raise OSError(28, "No space left on device")


def wait_until(tables: Tables, time: float) -> None:
    while (deadline := tables.room.deadline) is not None and deadline <= time:
        tables.wait()
    tables.now = time


@pytest.mark.parametrize("policies", [("random", "random"), ()])
def test_a_table_goes_on_by_itself_when_its_disk_has_space_again(policies: tuple[str, ...]) -> None:
    """Policies act, and the table chooses for people whose time is over."""
    tables = Tables(live_table(1, policies=policies))
    (seating,) = tables.room._seatings
    seating.clock, seating.pace = TurnClock(60.0), 1.0
    tables.open(ANN, "ann")
    tables.open(BEN, "ben")
    while policies and not tables.table.waits_for_policy:
        tables.choose(ANN if tables.table.game.seat == 0 else BEN)
    tables.table.journal = disk = FullDisk()
    step = tables.table.step
    wait_until(tables, 200.0)
    assert tables.table.step == step and 20 < disk.tries < 50
    refusals = [message for message in tables.heard[ANN] if isinstance(message, Refused)]
    assert len(refusals) == 1 and "No space left" in refusals[0].reason
    disk.freed = True
    wait_until(tables, 300.0)
    assert tables.table.step > step


def test_a_game_that_ends_while_its_disk_is_full_is_stored_when_there_is_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = stored(tmp_path, 5, rules=replace(Rules.base(), points_to_win=4))
    journal, attempts = tables.table.journal, []

    def fail(game: Any) -> None:
        attempts.append(game)
        raise OSError(28, "No space left on device", "a")

    with monkeypatch.context() as full:
        full.setattr(journal, "finish", fail)
        tables.play_on({0: ANN, 1: BEN})
        tables.open(9, "watch")
        wait_until(tables, tables.now + 20.0)
    refusals = [message for message in tables.heard[ANN] if isinstance(message, Refused)]
    assert len(attempts) == 5 and len(refusals) == 1
    assert capsys.readouterr().err == "the game is not stored: a: No space left on device\n"
    assert "not stored: No space left" in refusals[0].reason
    wait_until(tables, tables.now + 5.0)
    assert all(isinstance(tables.heard[line][-1], Over) for line in (ANN, BEN, 9))
    assert tables.room.deadline is None


def test_a_game_whose_server_was_killed_after_the_last_move_has_its_result(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.room._at[1].keep = None  # the server is killed before the game is stored
    house.play_table(1)
    again = House(tmp_path)
    assert isinstance(again.room.hall, TableHall)
    ((record, links, *_),) = stored_tables(tmp_path)
    again.room.add(again.room.hall._shelf.restored(record, links))
    again.wait()
    (game,) = again.ask(Enter(ann.key)).games
    assert game.won is not None and f"{game.path}.html" in again.pages


def test_links_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    stored(tmp_path, 3)
    (links,) = tmp_path.glob("*.table.json")
    links.write_text(links.read_text("utf-8").replace('"pace"', '"peace"'), "utf-8")
    with pytest.raises(ValueError, match=f"{links.name}.*peace"):
        stored_tables(tmp_path)


@pytest.mark.parametrize("suffix", [".table.json", ".sgn.json"])
def test_a_damaged_table_is_left_out_and_named_and_the_others_are_restored(
    tmp_path: Path, suffix: str
) -> None:
    for seed in (3, 4, 5):
        stored(tmp_path, seed)
    damaged = tmp_path / f"game-4{suffix}"
    damaged.write_text("")
    reasons: list[str] = []
    tables = stored_tables(tmp_path, reasons.append)
    assert {table.record.name for table in tables} == {"game-3.sgn.json", "game-5.sgn.json"}
    assert len(reasons) == 1 and damaged.name in reasons[0]


def test_a_server_restores_the_games_in_progress_before_those_that_have_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = replace(Rules.base(), points_to_win=3)
    for seed in (1, 2, 3, 4):
        tables = Tables(live_table(seed, rules), seed)
        secrets = {f"{name}{seed}": seat for name, seat in SECRETS.items()}
        tables.room = TableRoom([shelf_at(tmp_path).seating(tables.table, secrets)])
        for line, name in ((ANN, "ann"), (BEN, "ben")):
            tables.open(line, f"{name}{seed}")
        tables.play_on({0: ANN, 1: BEN}, 10 if seed in (2, 4) else 10_000)
        os.utime(tmp_path / f"game-{seed}.table.json", (seed, seed))
    assert [table.is_over for table in stored_tables(tmp_path)] == [False, True, False, True]
    rooms: list[TableRoom] = []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("catan_env.cli.table_server.serve", lambda room, *_: rooms.append(room))
    for most, seeds in ((4, {1, 2, 3, 4}), (3, {2, 3, 4}), (1, {4})):
        monkeypatch.setattr("catan_env.cli.table.MOST_TABLES", most)
        with listen("127.0.0.1", 0) as free:
            port = str(free.getsockname()[1])
        assert cli.main(["table", "--resume", str(tmp_path), "--no-open", "--port", port]) == 0
        rooms[-1].time(0.0)
        assert {seating.table.game.seed for seating in rooms[-1]._seatings} == seeds
    second = tmp_path / "game-2.sgn.json"
    assert capsys.readouterr().err.splitlines() == [
        "ended games that are left out: 1; a server holds 3 tables",
        f"a table is left out: {second}: in progress, but a server holds 1 tables",
        "ended games that are left out: 2; a server holds 1 tables",
    ]


def test_a_restored_table_has_the_policies_that_played_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms: list[TableRoom] = []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("catan_env.cli.table_server.serve", lambda room, *_: rooms.append(room))
    source = write_game(tmp_path / "source", Game(4, 1), ["Ann", "Ben", "Cid", "Dan"])
    line = ["--from", str(source), "--step", "0", "--seat", "1", "--against", "random", "builder"]
    folder = tmp_path / "tables"
    assert cli.main(["table", *line, "--no-open", "--record", str(folder)]) == 0
    rooms[0].time(0.0)
    (seating,) = rooms[0]._seatings
    playing = {seat: policy.name for seat, policy in seating.table.policies.items()}
    assert playing == {0: "random", 2: "builder", 3: "builder"}
    (laid,) = stored_tables(folder)
    assert {seat: laid.links.policies[seat] for seat in playing} == playing


@pytest.mark.skipif(not find_spec("fcntl"), reason="this system has no such lock")
@pytest.mark.parametrize("option", ["--record", "--resume"])
def test_a_second_server_in_a_folder_is_refused_and_changes_no_record(
    tmp_path: Path, option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = stored(tmp_path, 1)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with only_server_in(tmp_path):
        assert cli.main(["table", option, str(tmp_path), "--no-open"]) == 2
    reason = f"{tmp_path}: another server is running in this folder"
    assert capsys.readouterr() == ("", f"catan-env table: {reason}\n")
    tables.play_on({0: ANN, 1: BEN}, 5)
    assert restored(tmp_path).table.game == tables.table.game


class Players:
    """The pages of people on a server that is killed now and then."""

    def __init__(self, folder: Path, people: int = 1, host: str = "127.0.0.1") -> None:
        self.chance = random.Random(1)
        self.steps: list[list[Any]] = [[] for _ in range(people)]
        """The steps that each page has received."""
        with listen("127.0.0.1", 0) as free:
            self.port = free.getsockname()[1]
        new = ["--record", str(folder), "--port", str(self.port), "--pace", "0", "--host", host]
        self.run = self._started(*new, "--people", str(people), "--against", "random", "random")
        assert self.run.stdout is not None
        links = [self.run.stdout.readline() for _ in range(people)]
        self.secrets = [link.strip().rpartition("#")[2] for link in links]
        self.address = links[0].partition(": ")[2].partition("/#")[0]
        self.folder = folder

    def _started(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "catan_env", "table", "--no-open", *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def kill_and_resume(self) -> None:
        """Kill the server immediately, and start another one on its folder."""
        self.run.send_signal(signal.SIGKILL)
        self.run.wait()
        self.run = self._started("--resume", str(self.folder))

    def play(self, choices: int) -> None:
        """Make that number of choices, and kill the server after the last."""
        with ExitStack() as stack:
            lines = [stack.enter_context(self.line()) for _ in self.secrets]
            for page, line in enumerate(lines):
                self._sit(page, line)
            while choices > 0:
                for page, line in enumerate(lines):
                    choices -= self._choose(page, line)
            with suppress(ConnectionClosed):
                self.kill_and_resume()

    def _sit(self, page: int, line: Any) -> None:
        """Take the seat again; what the page has received before is unchanged."""
        message = sit(line, self.secrets[page])
        while not isinstance(message, Welcome):
            message = heard(line)
        again = message.data["steps"]
        assert again[: len(self.steps[page])] == self.steps[page]
        self.steps[page] = again

    def _choose(self, page: int, line: Any) -> bool:
        """Read a message, if there is one; True if it was answered by a choice."""
        try:
            message = heard(line, 0.02)
        except TimeoutError:
            return False
        if isinstance(message, Step):
            self.steps[page][message.number :] = [message.step]
        if isinstance(message, Choices):
            choice = self.chance.choice(message.actions)
            say(line, Act(choice.index, message.step))
        return isinstance(message, Choices)

    def line(self) -> Any:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return line_to(f"{self.address}/")
            except OSError:
                assert time.monotonic() < until
                time.sleep(0.05)


@pytest.mark.parametrize(
    ("people", "moments"),
    [(1, 2), *(pytest.param(n, MOMENTS, marks=pytest.mark.nightly) for n in (1, 2))],
)
def test_a_server_that_is_killed_at_any_moment_loses_nothing_that_was_shown(
    people: int, moments: int, tmp_path: Path
) -> None:
    players = Players(tmp_path, people)
    try:
        for moment in range(moments):
            players.play(1 + 2 * moment)
        players.play(1)
        ((record, *_),) = stored_tables(tmp_path)
        assert len(read(record).events) >= max(map(len, players.steps)) - 1 > moments
    finally:
        players.run.kill()


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_links_lead_to_the_server_from_wherever_it_can_be_reached(
    host: str, tmp_path: Path
) -> None:
    players = Players(tmp_path, host=host)
    try:
        assert players.address == f"http://{reachable(host)}:{players.port}"
        with players.line() as line:
            assert isinstance(sit(line, players.secrets[0]), (Preparing, Welcome))
    finally:
        players.run.kill()


NOTE_REFUSALS = """
window.noted = [];
new MutationObserver(() => window.noted.push($('refused').textContent))
  .observe($('refused'), { childList: true });
"""
"""Keep what the page says while its server is gone, which may be a moment only."""


@pytest.mark.parametrize("kills", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_an_open_page_reconnects_to_a_server_that_was_killed(
    kills: int, chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    player = Players(tmp_path)
    try:
        player.line().close()  # the server is up
        chromium.get(f"http://127.0.0.1:{player.port}/#{player.secrets[0]}")
        for before in range(1, kills + 1):
            wait(chromium, "window.replay && !$('choices').hidden && !$('choices').inert")
            chromium.execute_script(
                "$('choices').dataset.seen = 1;"
                "document.querySelector('.choice').dispatchEvent(new MouseEvent('click'))"
            )
            wait(chromium, f"replay.last >= {before}")
            chromium.execute_script(NOTE_REFUSALS)
            player.kill_and_resume()
            wait(chromium, "window.noted.some((text) => text.includes('reconnecting'))")
            wait(chromium, "$('refused').textContent === ''")
            assert chromium.execute_script("return $('choices').dataset.seen") == "1"
    finally:
        player.run.kill()
        leave_pages(chromium)
