"""An agent that cannot be started ends the command, not only its game."""

import asyncio
import errno
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from catan_env.arena.games import play_all
from catan_env.arena.german import GermanTournament
from catan_env.arena.outcome import Outcome
from catan_env.arena.sandbox import Agent, Limits, Sandbox
from catan_env.arena.tournament import Tournament
from catan_env.game.game import Game
from catan_env.protocols.catan_binary.opening import Settings
from tests.arena.processes import all_gone

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux"),
    pytest.mark.usefixtures("in_the_root"),
]

HOSTILE = Path(__file__).with_name("hostile.py")
WITHOUT_A_TEMPORARY_FOLDER = """
import sys, tempfile
from catan_env.cli import main
tempfile.tempdir = sys.argv[1]
sys.exit(main(sys.argv[2:]))
"""


def silent(marker: str) -> str:
    return f"{sys.executable} -I -S {HOSTILE} silent {marker}"


class WithRoomForThree:
    """Starts three agents; then the disk is full."""

    def sandbox_of(self, agent: int) -> Sandbox:
        if len(Agent.keepers) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/x")
        return Sandbox("limits")


@dataclass(frozen=True)
class Binary(WithRoomForThree, Tournament):
    pass


@dataclass(frozen=True)
class German(WithRoomForThree, GermanTournament):
    pass


@pytest.mark.parametrize("kind", [Binary, German])
def test_an_agent_that_cannot_be_started_ends_all_games_and_their_agents(kind):
    marker = f"marker-{os.getpid()}-{kind.__name__}"
    tournament = kind((silent(marker),) * 2)

    async def play() -> list[Outcome]:
        return await asyncio.wait_for(play_all(tournament, 2, 0, 2, lambda outcome: None), 600)

    said = "game 2: cannot start the agent of seat 1: No space left on device"
    with pytest.raises(OSError, match=f"^{said}$"):
        asyncio.run(play())
    assert not Agent.keepers and all_gone(marker)


def test_an_agent_that_cannot_be_started_ends_its_command_with_one_line(tmp_path):
    marker = f"marker-{os.getpid()}-command"
    words = ["match", "--agent", silent(marker), "--agent", silent(marker), "--sandbox", "limits"]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_TEMPORARY_FOLDER, tmp_path / "gone", *words,
         "--log-dir", tmp_path / "out"],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 2 and done.stdout == ""
    *_, said = done.stderr.splitlines()
    reason = "game 1: cannot start the agent of seat 0: No such file or directory"
    assert said == f"catan-env match: {reason}" and "Traceback" not in done.stderr


def test_an_agent_without_a_keeper_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    null = Path(os.devnull)
    with pytest.raises(FileNotFoundError):
        Sandbox("limits").start(["true"], 4, Limits(), null, null, 0)
    assert not list(tmp_path.iterdir()) and not Agent.keepers


def test_an_observer_that_fails_ends_its_game():
    marker = f"marker-{os.getpid()}-observer"

    class Observer:
        def begin(self, number: int, game: Game, names: list[str], played: object) -> None:
            raise OSError("the page is full")

        def end(self, number: int, outcome: Outcome | None = None) -> None:
            pytest.fail("the game was played to its end")

    settings = Settings(timeout_secs=1, max_turns=3)
    agents = Tournament((silent(marker),) * 2, settings=settings, sandbox=Sandbox("limits"))
    with pytest.raises(OSError, match="the page is full"):
        asyncio.run(play_all(agents, 1, 0, 1, lambda outcome: None, Observer()))
    assert all_gone(marker)
