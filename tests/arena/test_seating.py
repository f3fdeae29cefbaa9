"""A seat belongs to the agent that was started for it."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from catan_env.arena import origin, seating
from catan_env.arena.commands import WAIT, name_of
from catan_env.arena.games import play_all
from catan_env.arena.german import GermanTournament
from catan_env.arena.origin import is_from_elsewhere, keeper_of, other_end
from catan_env.arena.outcome import Outcome
from catan_env.arena.sandbox import LONGEST_END, Agent, Limits, Sandbox, strongest
from catan_env.arena.tournament import Tournament
from catan_env.net.serve import listen
from catan_env.protocols.catan_binary.opening import Settings
from tests.arena.attacked import wait_until
from tests.arena.waiting import server_that_waits

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux"),
    pytest.mark.usefixtures("in_the_root"),
]

THIEF = f"{sys.executable} -I -S {Path(__file__).with_name('thieves.py')}"
GOOD = f"{sys.executable} -m catan_env agent --policy builder"

NO_PROCESS = 2**22 + 1
"""A number that no process has."""

ipv6 = pytest.mark.skipif(not Path("/proc/net/tcp6").exists(), reason="this kernel has no IPv6")


def play(commands: list[str], log_dir: Path, games: int = 1, threads: int = 1) -> list[Outcome]:
    tournament = Tournament(
        tuple(commands),
        seed=3,
        settings=Settings(timeout_secs=1, thread_limit=threads, max_turns=8),
        log_dir=log_dir,
        sandbox=Sandbox(strongest()),
    )
    return asyncio.run(play_all(tournament, games, 0, 1, lambda outcome: None))


def test_an_agent_that_connects_four_times_has_one_seat(tmp_path):
    (outcome,) = play([f"{THIEF} sits_four_times x", GOOD, GOOD], tmp_path)
    assert (tmp_path / "game-0001-seat-0.out").read_text() == "seats 1\n"
    assert not {1, 2} & {outcome.seats[kick.seat] for kick in outcome.removals}
    assert all(outcome.decision_times[agent] for agent in (1, 2))


def test_connections_left_behind_take_no_seat_of_the_next_game(tmp_path):
    """An agent that reconnects repeatedly may be disconnected before the other has decided."""
    outcomes = play([f"{THIEF} stays_in_the_backlog x", GOOD], tmp_path, games=2, threads=2)
    for outcome in outcomes:
        assert not [kick for kick in outcome.removals if outcome.seats[kick.seat] == 1]
        reasons = {kick.reason for kick in outcome.removals}
        assert outcome.decision_times[1] or reasons == {"connected 16 times more"}


def test_the_limits_of_all_seats_apply_if_one_is_removed_while_others_are_awaited(tmp_path):
    record = tmp_path / "game-0001-seat-0.out"
    six_threads = f"{THIEF} runs_six_threads_at_last {record}"
    tournament = Tournament(
        (f"{THIEF} connects_too_often x", six_threads, GOOD),
        settings=Settings(timeout_secs=1, thread_limit=1, max_turns=8),
        log_dir=tmp_path,
        sandbox=Sandbox("limits", grace=LONGEST_END - 1),
    )
    (outcome,) = asyncio.run(play_all(tournament, 1, 0, 1, lambda outcome: None))
    assert {outcome.seats[kick.seat]: kick.reason for kick in outcome.removals} == {
        0: f"connected {seating.MOST_SURPLUS} times more",
        1: "it ran 6 threads; allowed are 1",
    }


def test_a_port_scan_takes_no_seat_of_an_agent_that_is_started_elsewhere():
    with server_that_waits(GOOD, "--timeout", "30") as (server, host, port):
        for _ in range(5):
            socket.create_connection((host, int(port))).close()
        agent = subprocess.run([*GOOD.split(), host, port], capture_output=True, text=True)
        assert agent.returncode == 0, agent.stderr
        assert server.stdout is not None and server.stderr is not None
        table = server.stdout.read()
        assert re.search(r"2 wait +\d", table) and server.wait(30) == 0
        assert not [line for line in server.stderr if "kicked" in line]


@pytest.mark.parametrize(
    "trick", ["sends_itself_a_connection", pytest.param("connects_over_ipv6", marks=ipv6)]
)
def test_a_started_agent_takes_no_seat_of_one_that_is_started_elsewhere(trick, tmp_path):
    options = ["--timeout", "1", "--log-dir", str(tmp_path)]
    with server_that_waits(f"{THIEF} {trick} x", *options) as (server, host, port):
        said = tmp_path / "game-0001-seat-0.out"
        wait_until(lambda: said.exists() and said.read_text())
        assert said.read_text() == "refused\n"
        agent = subprocess.run([*GOOD.split(), host, port], capture_output=True, text=True)
        assert agent.returncode == 0, agent.stderr
        assert server.wait(30) == 0


def test_a_silent_stranger_in_a_waiting_seat_only_uses_up_its_clocks(tmp_path):
    results = tmp_path / "results.json"
    options = ["--timeout", "1", "--json", str(results)]
    with server_that_waits(GOOD, *options) as (server, host, port):
        with socket.create_connection((host, int(port))):
            assert server.wait(60) == 0
    *_, game = map(json.loads, results.read_text().splitlines())
    assert game["kicks"] == [] and game["timeouts"][0] == 0 and game["timeouts"][1] >= 2


def test_a_seat_without_an_agent_is_not_waited_for_forever(tmp_path, monkeypatch):
    monkeypatch.setattr(seating, "LONG_PATIENCE", 1.0)
    (outcome,) = play([GOOD, "wait"], tmp_path)
    assert [(outcome.seats[kick.seat], kick.reason) for kick in outcome.removals] == [
        (1, "never connected")
    ]
    assert outcome.winner == 0


def test_a_client_that_comes_during_a_game_is_refused_and_tries_until_the_next_one():
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    options = ["--timeout", "1", "--games", "2", "--port", str(port)]
    with server_that_waits(GOOD, *options) as (server, *address):
        with socket.create_connection(("127.0.0.1", port)) as silent:
            assert silent.recv(1), "the first game has begun"
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port))
            agent = subprocess.run([*GOOD.split(), *address], capture_output=True, text=True)
        assert agent.returncode == 0 and "refused; trying for 60 s" in agent.stderr
        assert server.wait(30) == 0


@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("::ffff:127.0.0.1", marks=ipv6)])
def test_the_process_that_holds_a_connection_is_known(host):
    code = "import socket as s, sys; s.create_connection(sys.argv[1:]).recv(1)"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        program = [sys.executable, "-c", code, host, port]
        with subprocess.Popen(["sh", "-c", '"$@"; :', "sh", *program]) as shell:
            wire, _ = listener.accept()
            with wire:
                assert other_end(wire) is not None
                assert keeper_of(wire, [shell.pid]) == shell.pid
                assert keeper_of(wire, [NO_PROCESS]) is None
                assert keeper_of(wire, [os.getpid()]) == os.getpid()


@contextmanager
def connection() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The server's end and this process's."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with socket.create_connection(listener.getsockname()) as guest:
            wire, _ = listener.accept()
            with wire:
                yield wire, guest


@contextmanager
def hidden_connection() -> Iterator[socket.socket]:
    """The server's end of a connection whose other end is on its way between two sockets."""
    here, there = socket.socketpair()
    with connection() as (wire, guest), here, there:
        socket.send_fds(here, [b"x"], [guest.fileno()])
        guest.close()
        yield wire


def test_a_connection_of_our_user_is_a_guests_if_a_process_outside_the_agents_holds_it():
    with connection() as (wire, _):
        assert is_from_elsewhere(wire, [NO_PROCESS])
        assert not is_from_elsewhere(wire, [NO_PROCESS, os.getpid()])
        assert not is_from_elsewhere(wire, [os.getppid()])
    with hidden_connection() as wire:
        assert not is_from_elsewhere(wire, [NO_PROCESS])


def test_a_connection_of_another_user_machine_or_namespace_is_a_guests(monkeypatch):
    with hidden_connection() as wire:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert is_from_elsewhere(wire, [NO_PROCESS])
        monkeypatch.undo()
        monkeypatch.setattr(origin, "other_end", lambda _: None)
        assert is_from_elsewhere(wire, [NO_PROCESS])


def test_a_server_that_has_started_no_agents_needs_no_tables_of_linux(monkeypatch):
    monkeypatch.setattr(origin, "other_end", lambda _: pytest.fail("read the tables"))
    with hidden_connection() as wire:
        assert keeper_of(wire, {}) is None and is_from_elsewhere(wire, set())


@pytest.mark.parametrize("kind", [Tournament, GermanTournament])
def test_no_protocol_admits_a_hidden_connection_while_agents_run(kind, monkeypatch, capsys):
    tournament = kind((WAIT, WAIT))

    async def is_admitted(wire: socket.socket) -> bool:
        seating = tournament.seating(tournament.new_game(0), lambda seat: None)
        seating._start_all()
        return seating._admit(0, wire)

    with hidden_connection() as wire:
        assert asyncio.run(is_admitted(wire))
        monkeypatch.setattr(Agent, "keepers", {NO_PROCESS})
        assert not asyncio.run(is_admitted(wire))
        assert capsys.readouterr().err == f"{seating.REFUSED}\n"


def test_the_keepers_of_all_running_agents_are_known(tmp_path):
    out, err = tmp_path / "out", tmp_path / "err"
    agent = Sandbox("none").start(["sleep", "3600"], 4, Limits(), out, err, 0)
    assert agent.keeper in Agent.keepers
    agent.close(0)
    assert agent.keeper not in Agent.keepers


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("catan-env agent --policy best --dialect auto", "best"),
        ("python3 -u bots/clever.py --seed 1", "clever"),
        ("./agents/mine 1", "mine"),
        ("python3.11 -m bots.mine", "bots.mine"),
        ("catan-env agent --seed 1 --policy nets/two.npz", "two"),
        ("wait", "wait"),
        ("'my agents/one' auto", "one"),
    ],
)
def test_agents_are_named_after_their_commands(command, name):
    assert name_of(command) == name
