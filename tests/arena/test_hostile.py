"""Agents that send garbage, hang, fork or eat memory do not disturb the others' game."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from catan_env import Game
from catan_env.arena.games import play_all
from catan_env.arena.keeper import children_of
from catan_env.arena.outcome import Outcome
from catan_env.arena.sandbox import LONGEST_END, Sandbox, strongest
from catan_env.arena.tournament import Tournament
from catan_env.protocols.catan_binary.opening import Settings
from tests.arena.processes import all_gone, running

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux"),
    pytest.mark.usefixtures("in_the_root"),
]

HOSTILE = Path(__file__).with_name("hostile.py")
GOOD = f"{sys.executable} -m catan_env agent --policy builder"
BARE = f"{sys.executable} -I -S"


def hostile(behaviour: str, marker: str) -> str:
    return f"{BARE} {HOSTILE} {behaviour} {marker}"


def play(commands: list[str], log_dir: Path, patience: float = 30.0, **settings: int) -> Outcome:
    """One short game."""
    given = {"timeout_secs": 1, "thread_limit": 1, "memory_limit": 256, "max_turns": 12, **settings}
    tournament = Tournament(
        tuple(commands), seed=3, settings=Settings(**given), log_dir=log_dir, patience=patience,
        sandbox=Sandbox(strongest()),
    )  # fmt: skip
    tournament.check()
    (outcome,) = asyncio.run(play_all(tournament, 1, 0, 1, lambda outcome: None))
    return outcome


# The reason of the removal, by behaviour; None: not removed.
SWEEP = {
    "garbage": "a message begins with|out of turn|expected",
    "half": "timed out after 1 s in the middle of a message",
    "flood": "out of turn|MSG_ROLL; expected|its connection broke",
    "flood_of_answers": "unexpected messages",
    "another_seat": "says it is from seat",
    "silent": None,
    "exits": "its process exited with status 3",
    "dies_early": "its process exited with status 4",
    "forks": "it ran 2 threads; allowed are 1",
    "leaves_a_daemon": r"it ran [23] threads; allowed are 1",
    "bomb": r"it ran \d+ threads; allowed are 1|its processes hold \d+ MiB; allowed are 256",
    "allocates": "its process exited with status 1",
    "threads": r"it ran \d+ threads; allowed are 1",
    "writes": "its process exited with status 1",
    "hangs_up": "it closed its connection|its connection broke|never connected",
    "never_comes": "never connected",
}

PAIRS = list(zip(list(SWEEP)[::2], list(SWEEP)[1::2], strict=True))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-and-".join(pair))
def test_a_hostile_agent_is_kicked_and_the_game_continues(pair, tmp_path):
    marker = f"marker-{os.getpid()}-{pair[0]}"
    good = f"{GOOD} --seed 1"
    is_waited_for = {"never_comes", "hangs_up"} & set(pair)
    patience = 15.0 if is_waited_for else 30.0
    commands = [good, *(hostile(behaviour, marker) for behaviour in pair), good]
    outcome = play(commands, tmp_path, patience)
    reasons = {outcome.seats[kick.seat]: kick.reason for kick in outcome.removals}
    for agent, behaviour in enumerate(pair, 1):
        if SWEEP[behaviour] is None:
            assert agent not in reasons
        else:
            assert agent in reasons, behaviour
            assert re.search(SWEEP[behaviour], reasons[agent]), reasons
    assert not {0, 3} & set(reasons)
    assert outcome.turns == 12
    assert Game.from_sgn((tmp_path / "game-0001.sgn.json").read_text()).turn == 13
    assert all(outcome.decision_times[agent] for agent in (0, 3))
    assert all_gone(marker)


def test_the_memory_of_children_counts(tmp_path):
    marker = f"marker-{os.getpid()}-children"
    outcome = play([GOOD, hostile("allocates_in_children", marker)], tmp_path, thread_limit=20)
    assert [outcome.seats[kick.seat] for kick in outcome.removals] == [1]
    assert "MiB; allowed are 256" in outcome.removals[0].reason
    assert outcome.winner == 0
    assert all_gone(marker)


def test_every_agent_has_time_for_its_last_line(tmp_path):
    marker = f"marker-{os.getpid()}-goodbye"
    tournament = Tournament(
        (hostile("says_goodbye", marker),) * 4, settings=Settings(1, max_turns=1),
        log_dir=tmp_path, sandbox=Sandbox(strongest(), grace=LONGEST_END - 1),
    )  # fmt: skip
    asyncio.run(play_all(tournament, 3, 0, 3, lambda outcome: None))
    said = [file.read_text() for file in tmp_path.glob("*.out")]
    assert said == ["the game is over\n"] * 12


@pytest.mark.parametrize(
    "after", [1.2, *(pytest.param(after, marks=pytest.mark.nightly) for after in (0.3, 3.0))]
)
def test_a_killed_server_leaves_no_process_and_no_half_record(after, tmp_path):
    marker = f"marker-{os.getpid()}-killed-{after}"
    results = tmp_path / "results.json"
    commands = [GOOD, GOOD, hostile("leaves_a_daemon", marker), hostile("silent", marker)]
    server = subprocess.Popen(
        [
            sys.executable, "-m", "catan_env", "serve",
            *(word for command in commands for word in ("--agent", f"{command}")),
            "--games", "50", "--max-turns", "4", "--timeout", "1", "--threads", "9",
            "--log-dir", str(tmp_path), "--json", str(results),
        ],
        env={**os.environ, "CATAN_ENV_ENGINE": "python"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    time.sleep(after)
    server.send_signal(signal.SIGKILL)
    server.wait()
    assert all_gone(marker)
    assert all_gone(str(tmp_path))
    if results.exists():
        assert all(map(json.loads, results.read_text().splitlines()))
    for record in tmp_path.glob("*.sgn.json"):
        assert Game.from_sgn(record.read_text()).events


@pytest.mark.parametrize(
    "are_stopped",
    [
        pytest.param(False, id="keepers-run", marks=pytest.mark.nightly),
        pytest.param(True, id="keepers-are-stopped"),
    ],
)
def test_a_second_ctrl_c_ends_the_server_and_its_agents(are_stopped, tmp_path):
    marker = f"marker-{os.getpid()}-second-{are_stopped}"
    commands = [hostile("silent", marker), hostile("leaves_a_daemon", marker)]
    server = subprocess.Popen(
        [
            sys.executable, "-m", "catan_env", "serve", "--timeout", "0", "--threads", "9",
            *(word for command in commands for word in ("--agent", command)),
            "--log-dir", str(tmp_path),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    until = time.monotonic() + 600
    while len(running(marker)) < 3 and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(1)
    for keeper in children_of(server.pid) if are_stopped else ():
        os.kill(keeper, signal.SIGSTOP)
    server.send_signal(signal.SIGINT)
    time.sleep(0.3)
    server.send_signal(signal.SIGINT)
    _, said = server.communicate(timeout=600)  # agents that it waited for would sleep for an hour
    assert server.returncode == 130 and b"Traceback" not in said, said
    assert all_gone(marker)
