"""Games over the protocols, at many parallel tables, and lost workers."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from catan_env.cli import main
from tests.arena.league import deadly
from tests.arena.league.places import HOSTILE, ROOT, league

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.check import Check
from catan_env.arena.league.database import LedgerError
from catan_env.arena.league.entrant import Entrant, EntrantFiles
from catan_env.arena.league.league import MOST_LOSSES, League, RunSettings
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.league.over_tcp import contest
from catan_env.arena.league.pairing import SCHEDULES
from catan_env.arena.league.task import Task
from catan_env.arena.league.workers import Alone, News, Processes, Worker
from catan_env.machine import usable_processors

pytestmark = pytest.mark.usefixtures("in_the_root")
linux = pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")
BINARY = ("--seats", "2", "--protocol", "binary", "--memory", "1024", "--timeout", "2")


def add_command(place: str, name: str, line: str, *more: str) -> None:
    assert main(["league", "add", place, "--command", line, "--name", name, *more]) == 0


@linux
def test_commands_policies_and_folders_of_files_meet_over_the_binary_protocol(tmp_path):
    place = league(tmp_path, "greedy", table=(*BINARY, "--max-turns", "12"))
    add_command(place, "exits", f"{HOSTILE} exits {tmp_path.name}")
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "agent.sh").write_text("#!/bin/sh\ntest -r agent.sh && exit 5\n")
    (folder / "agent.sh").chmod(0o755)
    add_command(place, "files", "./agent.sh", "--files", str(folder))
    shutil.rmtree(folder)
    assert main(["league", "run", place, "--games", "6", "--workers", "1"]) == 0
    games = list(Ledger(place).games())
    assert {game.played for game in games} == {"binary"}
    assert {len(game.secret) for game in games} == {64} and len({g.secret for g in games}) == 6
    reasons = {game.seats[kick.seat]: kick.reason for game in games for kick in game.removals}
    assert reasons == {2: "its process exited with status 3", 3: "its process exited with status 5"}
    of_greedy = [game.clocks[game.seats.index(1)] for game in games if 1 in game.seats]
    assert all(clock.slowest <= clock.spent for clock in of_greedy)
    assert main(["league", "check", place]) == 0


@linux
def test_the_agents_output_of_every_game_is_stored_in_a_folder_of_its_line_up(tmp_path):
    place, logs = league(tmp_path, table=BINARY), tmp_path / "logs"
    for name in ("a", "b", "c"):
        add_command(place, name, f"/bin/echo {name}")
    for workers in ("1", "2"):
        options = ("--games", "6", "--workers", workers, "--log-dir", str(logs))
        assert main(["league", "run", place, *options]) == 0
    games = list(Ledger(place).games())
    names = {1: "a", 2: "b", 3: "c"}
    stored = {
        logs / f"line-up-{game.meeting.key.replace(' ', '-')}"
        / f"game-{game.meeting.number + 1:04}-seat-{seat}.out": names[entrant]
        for game in games for seat, entrant in enumerate(game.seats)
    }  # fmt: skip
    assert len(games) == 12 and len(stored) == 24
    assert {path: path.read_text().split()[0] for path in logs.glob("*/*.out")} == stored
    assert len(list(logs.glob("*/*.err"))) == 24


def test_an_agent_sees_the_output_of_no_line_up(tmp_path):
    """Nor that of its own one."""
    settings = MatchSettings(seats=2, protocol="binary")
    entrants = [Entrant(k, f"agent {k}", "command", "true") for k in (1, 2)]
    entrant_files = EntrantFiles()
    one = contest(settings, Meeting((1, 2), 0), entrants, entrant_files, tmp_path)
    assert tmp_path in one.sandbox_of(0).private
    entrant_files.close()


def test_a_game_without_a_line_for_each_seat_is_not_played(tmp_path, monkeypatch, capsys):
    """Agents that cannot connect would lose it."""
    place = league(tmp_path, "random", "greedy", table=BINARY)
    monkeypatch.setattr("resource.getrlimit", lambda _: (129, 1 << 20))
    assert main(["league", "run", place, "--games", "1", "--workers", "1", "--over-tcp"]) == 2
    assert "2 seats need 130 open files" in capsys.readouterr().err
    assert Ledger(place).count() == 0
    assert main(["league", "run", place, "--games", "1", "--workers", "1"]) == 0


@pytest.mark.nightly
@linux
def test_agents_in_c_meet_from_folders_of_files(tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    source, folder = ROOT / "examples" / "c_agent" / "agent.c", tmp_path / "c"
    folder.mkdir()
    subprocess.run([compiler, "-O1", "-o", folder / "agent", source], check=True)
    place = league(tmp_path, table=(*BINARY[:-1], "60", "--max-turns", "400"))
    for name in ("one", "two"):
        add_command(place, name, "./agent", "--files", str(folder))
    assert main(["league", "run", place, "--games", "4", "--workers", "2"]) == 0
    games = list(Ledger(place).games())
    assert not any(game.removals for game in games)
    assert all(clock.asked > 5 and not clock.late for game in games for clock in game.clocks)
    assert main(["league", "check", place]) == 0


@linux
def test_a_late_agent_s_time_outs_and_a_played_game_s_times_are_kept(tmp_path):
    table = (*BINARY[:-2], "--timeout", "1", "--max-turns", "2")
    place = league(tmp_path, "greedy", table=table)
    add_command(place, "silent", f"{HOSTILE} silent {tmp_path.name}")
    assert main(["league", "run", place, "--games", "2", "--workers", "1", "--over-tcp"]) == 0
    games = list(Ledger(place).games())
    clocks = [pair for game in games for pair in zip(game.seats, game.clocks, strict=True)]
    assert all(clock.late for entrant, clock in clocks if entrant == 2)
    assert any(clock.asked and clock.spent for entrant, clock in clocks if entrant != 2)
    assert main(["league", "check", place]) == 0


@pytest.mark.nightly
@linux
def test_policies_meet_over_the_german_protocol(tmp_path):
    table = ("--seats", "3", "--protocol", "german", "--max-turns", "8", "--memory", "1024")
    place = league(tmp_path, "a=random", "b=random", "c=builder", table=table)
    assert main(["league", "run", place, "--games", "3", "--workers", "1", "--over-tcp"]) == 0
    games = list(Ledger(place).games())
    assert {game.played for game in games} == {"german"}
    assert all(sorted(game.seats) == [1, 2, 3] and not game.removals for game in games)
    assert len({game.seats[0] for game in games}) == 3, "everybody begins once on the same board"
    assert main(["league", "check", place]) == 0


@linux
def test_an_agent_that_does_not_come_to_a_german_game_has_failed_and_lost(tmp_path):
    place = league(tmp_path, "builder", table=("--seats", "2", "--protocol", "german"))
    add_command(place, "absent", "/bin/false")
    assert main(["league", "run", place, "--games", "2", "--workers", "1"]) == 0
    games = list(Ledger(place).games())
    assert [game.seats[game.winner] for game in games] == [1, 1]
    assert all(game.has_failed(2) and not game.has_failed(1) for game in games)
    assert {r.reason for game in games for r in game.removals} == {
        "its process exited with status 1"
    }
    assert main(["league", "check", place]) == 0
    assert main(["league", "standings", place, "--luck"]) == 0


def test_a_game_over_tcp_and_one_in_this_process_start_equally(tmp_path):
    """The same meeting of deterministic policies is the same game, wherever it is played."""
    table = (*BINARY[:-1], "0", "--seed", "5")  # no clock: no safe moves on a busy machine
    places = [league(tmp_path / where, "a=greedy", "b=builder", table=table) for where in "xy"]
    for place, over_tcp in zip(places, (False, True), strict=True):
        list(League(Ledger(place)).run(1, RunSettings(over_tcp=over_tcp)))
    here, there = (list(Ledger(place).games()) for place in places)
    assert [game.state for game in here] == [game.state for game in there]


SHOWS_PROCESSORS = f"{sys.executable} -I -S -c 'import os; print(*os.sched_getaffinity(0))'"


@linux
@pytest.mark.parametrize("slot", [0, 1])
def test_agents_of_workers_in_different_slots_play_on_different_processors(tmp_path, slot):
    """Each worker plays meeting 0 of its line-up first, so meetings do not count processors."""
    place = league(tmp_path, table=("--seats", "3", "--protocol", "binary"))
    for name in "abc":
        add_command(place, name, SHOWS_PROCESSORS)
    ledger, worker = Ledger(place), Worker(str(tmp_path), slot)
    entrants = tuple(ledger.entrants(with_files=True))
    meetings = (Meeting(tuple(entrant.id for entrant in entrants), 0),)
    settings = MatchSettings.from_settings(ledger.settings)
    try:
        worker.wire.send(Task(settings, meetings, entrants, True, tmp_path))
        while worker.wire.recv():
            pass
    finally:
        worker.close()
    logs = tmp_path / "line-up-1-2-3"
    found = [int((logs / f"game-0001-seat-{seat}.out").read_text()) for seat in range(3)]
    usable = usable_processors()
    assert found == [usable[(3 * slot + seat) % len(usable)] for seat in range(3)]


def test_workers_at_work_have_different_slots_after_one_is_gone(tmp_path):
    workers = Processes(3)
    try:
        for _ in range(3):
            for _ in range(3):
                workers.give(Task(MatchSettings(), (), (), over_tcp=True))
            slots = {worker.process.pid: worker.slot for worker, _ in workers._at_work.values()}
            assert sorted(slots.values()) == [0, 1, 2]
            os.kill(next(pid for pid, slot in slots.items() if slot == 1), signal.SIGKILL)
            while workers.free < 3:
                list(workers.poll())
    finally:
        workers.close()


def test_a_lost_worker_s_games_are_played_again_and_counted_once(tmp_path, capsys):
    place = league(tmp_path, "builder", "random", "lazy=random")
    workers = Processes(2)
    killed = False
    for _ in League(Ledger(place)).run(40, workers=workers):
        if not killed and workers.free == 0:
            os.kill(next(iter(workers._at_work.values()))[0].process.pid, signal.SIGKILL)
            killed = True
    assert killed and "a worker is gone: exit status -9" in capsys.readouterr().err
    games = list(Ledger(place).games())
    assert len(games) == 40
    assert len({(game.meeting.key, game.meeting.number) for game in games}) == 40
    assert not Ledger(place).missing()
    assert not list(Check(Ledger(place)).faults())


class Dying(Alone):
    """A worker in this process that is gone whenever these entrants are to play."""

    def __init__(self, *deadly):
        super().__init__()
        self._deadly = set(deadly)

    def poll(self, timeout=None):
        if not self._deadly <= set(self._tasks[0].meetings[0].line_up):
            yield from super().poll(timeout)
        else:
            yield News(self._tasks.pop(), [], True, "a worker is gone: exit status 7")


def test_a_line_up_that_loses_three_workers_is_skipped(tmp_path, capsys):
    place = league(tmp_path, "builder", "random", "lazy=random")
    list(League(Ledger(place)).run(24, workers=Dying(3)))
    assert capsys.readouterr().err.count("a worker is gone: exit status 7") == 2 * MOST_LOSSES
    assert {game.meeting.key for game in Ledger(place).games()} == {"1 2"}


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("seats", [2, 3])
def test_entrants_of_a_skipped_line_up_play_in_all_others(tmp_path, schedule, seats):
    table = ("--seats", str(seats), "--seed", "5", "--max-turns", "8")
    place = league(tmp_path, "random", *(f"{name}=random" for name in "abcd"), table=table)
    deadly = range(1, seats + 1)
    list(League(Ledger(place)).run(16 * seats, RunSettings(schedule), Dying(*deadly)))
    played = Counter(e for game in Ledger(place).games() for e in game.seats)
    assert all(played[entrant] >= 2 * seats for entrant in deadly), played


def test_a_run_ends_when_every_line_up_has_cost_three_workers(tmp_path, capsys):
    place = league(tmp_path, "builder", "random", "lazy=random")
    with pytest.raises(LedgerError, match="every line-up has cost 3 workers"):
        list(League(Ledger(place)).run(24, workers=Dying()))
    assert capsys.readouterr().err.count("a worker is gone") == 3 * MOST_LOSSES


@pytest.mark.nightly
def test_a_line_up_that_crashes_workers_repeatedly_is_skipped(tmp_path, capsys):
    place = league(tmp_path, "builder", "random", f"deadly={deadly.__name__}:Deadly")
    assert main(["league", "run", place, "--games", "24", "--workers", "2"]) == 0
    assert capsys.readouterr().err.count("a worker is gone: exit status 7") >= 3
    assert {game.meeting.key for game in Ledger(place).games()} == {"1 2"}


class RayHere:
    """A replacement for the `ray` module: tasks are played in this process, the first is lost."""

    def __init__(self, error):
        self.exceptions = SimpleNamespace(RayError=error)
        self.lost = []

    def is_initialized(self):
        return True

    def remote(self, **_):
        return lambda play: SimpleNamespace(remote=lambda *task: (play, task))

    def wait(self, references, num_returns, timeout):
        return references[:num_returns], references[num_returns:]

    def get(self, reference):
        play, task = reference
        if not self.lost:
            self.lost.append(task)
            raise self.exceptions.RayError("The worker died.\nSome more.")
        return play(*task)

    def shutdown(self):
        pass


def test_a_task_that_ray_loses_is_played_again_and_every_game_once(tmp_path, monkeypatch, capsys):
    pytest.importorskip("ray")
    from catan_env.arena.league import over_ray

    ray = RayHere(over_ray.ray.exceptions.RayError)
    monkeypatch.setattr(over_ray, "ray", ray)
    place = league(tmp_path, "builder", "random", "lazy=random")
    list(League(Ledger(place)).run(12, workers=over_ray.RayWorkers(count=2)))
    games = list(Ledger(place).games())
    assert len({(game.meeting.key, game.meeting.number) for game in games}) == len(games) == 12
    assert len(ray.lost) == 1 and "a worker is gone: The worker died." in capsys.readouterr().err


@pytest.mark.nightly
def test_two_workers_of_ray_s_play_every_game_once(tmp_path):
    pytest.importorskip("ray")
    from catan_env.arena.league.over_ray import RayWorkers

    place = league(tmp_path, "builder", "random", "greedy")
    workers = RayWorkers(count=2)
    list(League(Ledger(place)).run(24, workers=workers))
    games = list(Ledger(place).games())
    assert len({(game.meeting.key, game.meeting.number) for game in games}) == len(games) == 24
    assert not list(Check(Ledger(place)).faults())
    assert Path(place, "league.db").exists()


class LateRay:
    """A replacement for `ray.init`: a node that misses its deadline that many times."""

    def __init__(self, misses):
        self.misses, self.starts = misses, 0

    def __call__(self, **_):
        self.starts += 1
        if self.starts <= self.misses:
            raise Exception("The current node timed out during startup.\nSome more.")


@pytest.mark.parametrize(
    ("misses", "address", "starts"), [(0, None, 1), (2, None, 3), (3, None, 3), (1, "auto", 1)]
)
def test_ray_is_started_again_after_a_late_start(monkeypatch, capsys, misses, address, starts):
    ray = pytest.importorskip("ray")
    from catan_env.arena.league import over_ray

    late = LateRay(misses)
    monkeypatch.setattr(ray, "init", late)
    if misses < starts:
        over_ray._start(address, 1)
    else:
        with pytest.raises(
            OSError, match=r"^Ray does not start: The current node timed out dur.*\.$"
        ):
            over_ray._start(address, 1)
    assert late.starts == starts
    assert capsys.readouterr().err.count("trying again") == starts - 1


def test_a_cluster_that_is_not_there_is_one_line(tmp_path, capfd):
    pytest.importorskip("ray")
    place = league(tmp_path, "builder", "random")
    capfd.readouterr()
    assert main(["league", "run", place, "--games", "4", "--ray", "127.0.0.1:9"]) == 2
    assert capfd.readouterr().err.splitlines() == [
        "catan-env league: no Ray at 127.0.0.1:9: Connection refused"
    ]


def environment_of(process: int) -> set[str]:
    """The arguments of the process, once it runs the intended program."""
    until = time.monotonic() + 600
    while not (found := Path(f"/proc/{process}/environ").read_text()):
        assert time.monotonic() < until, "the process does not begin"
        time.sleep(0.01)
    return set(found.split("\0"))


@linux
def test_a_worker_computes_with_as_many_threads_as_the_user_says(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    before = dict(os.environ)
    worker = Worker(str(tmp_path))
    try:
        found = environment_of(worker.process.pid)
    finally:
        worker.close()
    assert {"OPENBLAS_NUM_THREADS=3", "OMP_NUM_THREADS=3"} <= found
    assert dict(os.environ) == before
