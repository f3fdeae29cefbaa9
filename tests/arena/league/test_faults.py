"""Kills, lost databases and full disks: every game of a league counts once or not at all.

One place is killed once; nightly, each is killed twice. A soak: LEAGUE_KILLS=100 python -m pytest
-n 0 --nightly tests/arena/league/test_faults.py -k killed
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from catan_env.arena import bubblewrap
from catan_env.cli import main
from tests.arena.league.places import DUEL, ROOT, league

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.check import Check
from catan_env.arena.league.database import PATIENCE, LedgerError, UnreachableError
from catan_env.arena.league.ledger import Ledger

KILLS = int(os.environ.get("LEAGUE_KILLS", "2"))
POLICIES = ("builder", "random", "lazy=random")


def running(place: str, *more: str) -> "subprocess.Popen[str]":
    """A league that plays until it is stopped."""
    command = [sys.executable, "-m", "catan_env", "league", "run", place, "--workers", "2", *more]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def counts_every_game_once(place: str) -> int:
    """Check everything stored; return the number of games."""
    ledger = Ledger(place)
    games = list(ledger.games())
    assert len({(game.meeting.key, game.meeting.number) for game in games}) == len(games)
    assert not list(Check(ledger).faults())
    return len(games)


def kill_again_and_again(place: str, *more: str, kills: int = KILLS) -> None:
    """Kill the runner at random moments; then replay the lost games."""
    chance, most = random.Random(5), 3.0
    for _ in range(kills):
        before = Ledger(place).count()
        runner = running(place, *more)
        until = time.monotonic() + 600
        while Ledger(place).count() <= before and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(chance.random() * most)
        runner.send_signal(signal.SIGKILL)
        assert runner.wait() == -signal.SIGKILL, runner.stderr and runner.stderr.read()
        assert Ledger(place).count() > before
    assert counts_every_game_once(place) > 0
    lost = sum(map(len, Ledger(place).missing().values()))
    assert main(["league", "run", place, "--games", str(lost + 6), "--workers", "1"]) == 0
    assert not Ledger(place).missing()
    counts_every_game_once(place)


@pytest.mark.parametrize("kills", [1, pytest.param(KILLS, marks=pytest.mark.nightly)])
def test_a_killed_league_has_counted_every_game_once_and_resumes(kills, tmp_path):
    kill_again_and_again(league(tmp_path, *POLICIES), kills=kills)


@pytest.mark.nightly
def test_a_killed_league_in_postgresql_has_counted_every_game_once_and_resumes(cluster):
    assert main(["league", "init", cluster.url, *DUEL]) == 0
    for name in ("builder", "random"):
        assert main(["league", "add", cluster.url, name]) == 0
    kill_again_and_again(cluster.url)


@pytest.mark.nightly
def test_a_killed_league_with_workers_of_ray_s_has_counted_every_game_once(tmp_path):
    pytest.importorskip("ray")
    kill_again_and_again(league(tmp_path, *POLICIES), "--ray")


@pytest.mark.parametrize("database", ["file", "cluster"])
def test_of_leagues_that_are_created_in_one_place_the_first_remains(database, tmp_path, request):
    """None of them sees another when it begins, and they are created simultaneously."""
    place = str(tmp_path) if database == "file" else request.getfixturevalue("cluster").url
    ledgers = [Ledger(place) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(ledger.create, {"seats": 2}) for ledger in ledgers]
    errors = [each.exception() for each in done if each.exception()]
    assert len(errors) == 3 and all(isinstance(error, LedgerError) for error in errors)
    assert all(str(error).endswith(": there is a league already") for error in errors), errors
    assert Ledger(place).settings["seats"] == 2


def test_a_lost_server_is_unreachable_and_the_same_ledger_finds_it_again(cluster):
    assert main(["league", "init", cluster.url, *DUEL]) == 0
    ledger = Ledger(cluster.url)
    cluster.stop()
    with pytest.raises(UnreachableError):
        ledger.count()
    cluster.start()
    assert ledger.count() == 0
    ledger.close()


@pytest.mark.nightly
def test_a_league_waits_for_a_lost_database_and_continues(cluster):
    assert main(["league", "init", cluster.url, *DUEL]) == 0
    for name in ("builder", "random"):
        assert main(["league", "add", cluster.url, name]) == 0
    runner = running(cluster.url)
    try:
        while not Ledger(cluster.url).count():
            time.sleep(0.1)
        cluster.stop()
        assert runner.stderr is not None
        heard = []
        for line in runner.stderr:
            heard.append(line)
            if "trying again" in line:  # psycopg may log a line first
                break
        assert "trying again" in heard[-1], heard
        cluster.start()
        before, until = Ledger(cluster.url).count(), time.monotonic() + 600
        while Ledger(cluster.url).count() <= before and time.monotonic() < until:
            time.sleep(0.1)
        assert Ledger(cluster.url).count() > before
    finally:
        runner.kill()
        runner.communicate()
    counts_every_game_once(cluster.url)


@pytest.mark.parametrize("door", ["entrants", "keep"])
def test_the_league_waits_wherever_the_database_is_unreachable(tmp_path, monkeypatch, capsys, door):
    place = league(tmp_path, *POLICIES)
    ask, lost = getattr(Ledger, door), [UnreachableError("gone")]

    def miss_once(self, *given, **named):
        if lost and (door == "keep" or named.get("with_files")):
            raise lost.pop()
        return ask(self, *given, **named)

    monkeypatch.setattr(Ledger, door, miss_once)
    assert main(["league", "run", place, "--games", "6", "--workers", "1"]) == 0
    assert not lost and "gone; trying again" in capsys.readouterr().err
    assert counts_every_game_once(place) == 6


def test_a_full_disk_is_one_line_and_the_game_is_not_stored(tmp_path):
    if bubblewrap.why_not():
        pytest.skip(bubblewrap.why_not())
    place = league(tmp_path, *POLICIES)
    inside = ["--size", str(300_000), "--tmpfs", "/mnt", "--chdir", str(ROOT)]
    script = (
        f"cp {place}/league.db /mnt/ && {sys.executable} -m catan_env league run /mnt --workers 1"
    )
    line = ["bwrap", "--unshare-user", "--dev-bind", "/", "/", *inside, "--", "sh", "-c"]
    keep = f"{script}; status=$?; cp /mnt/league.db* {place}/; exit $status"
    done = subprocess.run([*line, keep], capture_output=True, text=True, timeout=900)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("catan-env league: /mnt: ")
    assert "full" in done.stderr.splitlines()[-1] or "disk I/O" in done.stderr.splitlines()[-1]
    assert counts_every_game_once(place) > 0
    before = Ledger(place).count()
    assert main(["league", "run", place, "--games", "6", "--workers", "1"]) == 0
    assert Ledger(place).count() == before + 6


def test_a_file_that_is_not_a_database_or_of_a_later_version_is_one_line(tmp_path, capsys):
    place = league(tmp_path, *POLICIES)
    ledger = Ledger(place)
    with ledger._store.writing() as connection:
        connection.exec_driver_sql("update facts set value = '99' where name = 'version'")
    with pytest.raises(LedgerError, match="its tables have version 99"):
        Ledger(place)
    Path(place, "league.db").write_bytes(b"no database at all, though it is long enough" * 50)
    assert main(["league", "standings", place]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"catan-env league: {place}: the file is damaged (file is not a databa")
    assert said.count("\n") == 1


def test_a_file_that_another_process_has_locked_is_waited_for(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("catan_env.arena.league.database.PATIENCE", 0.05)
    place = league(tmp_path, *POLICIES)
    other = sqlite3.connect(Path(place) / "league.db", isolation_level=None)
    waited = []

    def unlock_at_the_third_try(_: float) -> None:
        waited.append(1)
        if len(waited) == 3:
            other.execute("rollback")

    monkeypatch.setattr("catan_env.arena.league.patience.time.sleep", unlock_at_the_third_try)
    other.execute("begin immediate")
    assert main(["league", "run", place, "--games", "6", "--workers", "1"]) == 0
    other.close()
    assert capsys.readouterr().err.count("database is locked; trying again") == 3
    assert counts_every_game_once(place) == 6


def test_every_kind_of_lock_may_be_waited_for(tmp_path):
    ledger = Ledger(league(tmp_path, *POLICIES))
    file, touch = Path(ledger.place) / "league.db", "update facts set value = value || ' '"
    with pytest.raises(UnreachableError, match="locked"), ledger._store.reading() as connection:
        connection.exec_driver_sql("begin")
        connection.exec_driver_sql("select * from facts").all()
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute(touch)
        connection.exec_driver_sql(touch)  # SQLITE_BUSY_SNAPSHOT
    with pytest.raises(UnreachableError, match="locked"), ledger._store.reading() as connection:
        unread = connection.connection.cursor().execute("select * from entrants")
        assert unread.fetchone()
        connection.exec_driver_sql("drop table entrants")  # SQLITE_LOCKED
    ledger.close()


def test_sqlite_waits_for_a_lock_by_itself_first(tmp_path):
    ledger = Ledger(league(tmp_path, *POLICIES))
    with ledger._store.reading() as connection:
        timeout = connection.exec_driver_sql("pragma busy_timeout").scalar()
    assert timeout == 1000 * PATIENCE
    ledger.close()


def test_a_damaged_file_is_refused_before_anything_is_written(tmp_path, capsys):
    place = league(tmp_path, *POLICIES)
    assert main(["league", "run", place, "--games", "40", "--workers", "1"]) == 0
    file = Path(place) / "league.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    whole = file.read_bytes()
    pages = [k for k in range(len(whole) // 4096) if k > 0]
    damaged = bytearray(whole)
    for page in pages[len(pages) // 2 :]:
        damaged[page * 4096 : page * 4096 + 100] = b"\xff" * 100
    file.write_bytes(damaged)
    capsys.readouterr()
    for command in (["run", place, "--games", "6"], ["add", place, "greedy"], ["standings", place]):
        assert main(["league", *command]) == 2
        said = " ".join(capsys.readouterr().err.split())
        assert f"{place}: the file is damaged (" in said and f"sqlite3 {file} .recover" in said
    Ledger(place, read_only=True).close()  # readers read what they can
    assert file.read_bytes() == damaged


@pytest.mark.parametrize("at, length", [(0, 100), (100, 4000), (4096, 3000)])
def test_a_file_that_cannot_be_opened_is_refused_with_the_same_advice(tmp_path, capsys, at, length):
    place = league(tmp_path, *POLICIES)
    file = Path(place) / "league.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    damaged = bytearray(file.read_bytes())
    damaged[at : at + length] = b"\xa5" * length
    file.write_bytes(damaged)
    capsys.readouterr()
    for command in ["run", "standings"]:
        assert main(["league", command, place]) == 2
        said = " ".join(capsys.readouterr().err.split())
        assert f"{place}: the file is damaged (" in said and f"sqlite3 {file} .recover" in said
    assert file.read_bytes() == damaged


def test_the_file_of_a_league_is_its_owner_s_alone(tmp_path):
    before = os.umask(0)
    try:
        place = league(tmp_path, *POLICIES)
        ledger = Ledger(place)
        ledger.remove("builder")
        files = sorted(Path(place).glob("league.db*"))
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        assert len(files) > 1  # SQLite's additional files too
    finally:
        os.umask(before)
    ledger.close()
