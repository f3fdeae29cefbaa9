"""With one malicious agent of each kind in a seat, the others finish every game."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from catan_env.arena.games import play_all
from catan_env.arena.outcome import Outcome
from catan_env.arena.sandbox import Sandbox, strongest
from catan_env.arena.tournament import Tournament
from catan_env.protocols.catan_binary.opening import Settings
from tests.arena.test_hostile import GOOD, SWEEP, hostile
from tests.arena.test_seating import THIEF

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")

ATTACKS = f"{sys.executable} -I -S {Path(__file__).with_name('attacks.py')}"
MARKER = f"marker-{os.getpid()}-sly"
SLY = [
    *(hostile(behaviour, MARKER) for behaviour in SWEEP),
    *(f"{THIEF} {trick} x" for trick in ("sits_four_times", "stays_in_the_backlog")),
    *(f"{ATTACKS} {attack}" for attack in ("kills", "reads_memory", "stops_its_keeper")),
    f"{ATTACKS} takes_processors",
    f"{ATTACKS} fills_the_disk",
]


def failures(outcome: Outcome, sly: int) -> list[str]:
    """The problems in a game for any agent but `sly`."""
    wrong = [f"{kick}" for kick in outcome.removals if outcome.seats[kick.seat] != sly]
    if outcome.winner is None and outcome.turns != 30:
        wrong.append(f"it ended in turn {outcome.turns}")
    silent = [a for a, times in enumerate(outcome.decision_times) if a != sly and not times]
    return wrong + [f"agent {agent} decided nothing" for agent in silent]


async def play_one(k: int, folder: Path, free: asyncio.Semaphore) -> list[str]:
    """Game number k, with its malicious agent; the problems of the others."""
    sly = k % 3
    commands = [f"{GOOD} --seed {k}"] * 3
    commands[sly] = SLY[(7 * k) % len(SLY)]
    settings = Settings(timeout_secs=3, memory_limit=256, max_turns=30)
    tournament = Tournament(
        tuple(commands), seed=k, settings=settings, log_dir=folder, patience=15.0,
        sandbox=Sandbox(strongest()),
    )  # fmt: skip
    folder.mkdir()
    async with free:
        (outcome,) = await play_all(tournament, 1, 0, 1, lambda outcome: None)
    return [f"game {k}, {commands[sly]}: {wrong}" for wrong in failures(outcome, sly)]


async def play_games(games: int, folder: Path, jobs: int) -> list[str]:
    """Run several games in parallel: most of a game is spent waiting for silent agents."""
    free = asyncio.Semaphore(jobs)
    played = (play_one(k, folder / str(k), free) for k in range(games))
    return [wrong for each in await asyncio.gather(*played) for wrong in each]


@pytest.mark.nightly
@pytest.mark.usefixtures("in_the_root")
def test_honest_agents_play_to_the_end_of_every_game(tmp_path):
    """Three kinds; SLY_GAMES=200 includes all, SLY_JOBS sets the parallel games."""
    games, jobs = (int(os.environ.get(name, "3")) for name in ("SLY_GAMES", "SLY_JOBS"))
    assert asyncio.run(play_games(games, tmp_path, jobs)) == []
