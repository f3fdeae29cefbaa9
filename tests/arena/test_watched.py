"""The reason of a kick, whether the server notices the connection or the process first."""

import asyncio
import sys
from pathlib import Path

import pytest

from catan_env.arena.games import play_all
from catan_env.arena.sandbox import Sandbox, strongest
from catan_env.arena.seating import LAST_WORDS, Watched
from catan_env.arena.tournament import Tournament
from catan_env.net.serve import CONNECTION_BROKE, CONNECTION_CLOSED
from catan_env.protocols.catan_binary.opening import Settings
from tests.protocols.conversation import FIRST_LINE
from tests.protocols.rules.table import open_turn

MALFORMED = "a message begins with 250"
EXITED = "its process exited with status 0"


class Agent:
    """Seat 0's agent in its turn; what the server notices of it comes in the test's order."""

    def __init__(self) -> None:
        self.table = open_turn()
        self.watched = Watched(self.table.room)
        self.watched.living.update(range(4))
        for seat in range(4):
            self.watched.reserve(FIRST_LINE + seat, seat)
            self.watched.opened(FIRST_LINE + seat, 100.0)

    def line_ends(self, reason: str) -> None:
        self.watched.closed(FIRST_LINE, reason, 100.0)

    def exits(self) -> None:
        self.watched.died(0, EXITED, 100.0)

    def wait(self, seconds: float) -> None:
        self.watched.time(100.0 + seconds)

    @property
    def reasons(self) -> list[str]:
        return self.table.reasons


@pytest.mark.parametrize("first", ["line", "process"])
@pytest.mark.parametrize(
    ("reason", "given"),
    [(MALFORMED, MALFORMED), (CONNECTION_CLOSED, EXITED), (CONNECTION_BROKE, EXITED)],
)
def test_the_fault_of_an_agent_that_then_exits_is_its_message(first, reason, given):
    agent = Agent()
    happens = [lambda: agent.line_ends(reason), agent.exits]
    for event in happens if first == "line" else reversed(happens):
        event()
    agent.wait(2 * LAST_WORDS)
    assert agent.reasons == [given]


def test_a_process_that_is_gone_is_removed_though_its_connection_seems_open():
    agent = Agent()
    agent.exits()
    assert not agent.reasons
    assert agent.watched.deadline == 100.0 + LAST_WORDS
    agent.wait(LAST_WORDS)
    assert agent.reasons == [EXITED] and agent.watched.deadline != 100.0 + LAST_WORDS


def test_a_connection_that_ends_while_its_process_lives_is_the_reason_in_the_end():
    agent = Agent()
    agent.line_ends(CONNECTION_CLOSED)
    assert not agent.reasons
    agent.wait(LAST_WORDS)
    assert agent.reasons == [CONNECTION_CLOSED]


def test_a_process_that_is_gone_before_it_has_connected_is_removed_at_once():
    agent = Agent()
    unconnected = Watched(agent.table.room)
    unconnected.living.add(0)
    unconnected.died(0, EXITED, 100.0)
    assert agent.reasons == [EXITED]


SPEAKS = """\
import socket, sys, time
wire = socket.create_connection(sys.argv[-2:])
wire.recv(1, socket.MSG_PEEK)
time.sleep(0.1)
wire.sendall(bytes.fromhex("fa0102"))
while {waits} and wire.recv(4096):
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")
@pytest.mark.usefixtures("in_the_root")
@pytest.mark.parametrize("waits", [(False, True), (True, False)])
def test_agents_that_send_garbage_and_exit_learn_that_it_was_garbage(waits, tmp_path):
    commands = []
    for seat, waiting in enumerate(waits):
        script = Path(tmp_path, f"speaks_{seat}.py")
        script.write_text(SPEAKS.format(waits=waiting))
        commands.append(f"{sys.executable} -I -S {script}")
    tournament = Tournament(
        (*commands, f"{sys.executable} -m catan_env agent --policy builder"),
        seed=3, settings=Settings(timeout_secs=1, max_turns=8), log_dir=tmp_path,
        sandbox=Sandbox(strongest()),
    )  # fmt: skip
    (outcome,) = asyncio.run(play_all(tournament, 1, 0, 1, lambda outcome: None))
    reasons = [kick.reason for kick in outcome.removals]
    assert len(reasons) == 2 and all("a message begins with 250" in why for why in reasons)
