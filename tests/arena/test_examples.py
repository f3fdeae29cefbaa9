"""The example agents play on a real server without being removed."""

import asyncio
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from catan_env import Game
from catan_env.arena.commands import WAIT
from catan_env.arena.games import play_all
from catan_env.arena.tournament import Tournament
from catan_env.net.serve import listen
from catan_env.policy import load_policy
from catan_env.protocols.catan_binary.opening import Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def agent(tmp_path_factory) -> str:
    """The C agent, compiled."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    program = tmp_path_factory.mktemp("c_agent") / "agent"
    source = EXAMPLES / "c_agent" / "agent.c"
    subprocess.run(
        [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True
    )
    return str(program)


@pytest.mark.parametrize("order", ["big", pytest.param("little", marks=pytest.mark.nightly)])
def test_the_agent_in_c_plays_legal_moves(agent, order):
    tournament = Tournament(
        (agent,) * 4, seed=40, settings=Settings(timeout_secs=30, memory_limit=32), byte_order=order
    )
    outcomes = asyncio.run(play_all(tournament, 6, 0, 2, lambda outcome: None))
    assert not any(outcome.removals for outcome in outcomes)
    assert sum(outcome.winner is not None for outcome in outcomes) >= 3


def test_the_agent_in_c_follows_trades_and_development_cards(agent, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES.parent))
    others = [
        f"{sys.executable} -m catan_env agent --policy {name}" for name in ("random", "greedy")
    ]
    tournament = Tournament((agent, *others), seed=5, settings=Settings(timeout_secs=30))
    outcomes = asyncio.run(play_all(tournament, 1, 0, 1, lambda outcome: None))
    assert not any(outcome.removals for outcome in outcomes)


def test_the_agent_in_c_started_again_after_a_game_joins_the_next_one(agent):
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    tournament = Tournament((WAIT, WAIT), settings=Settings(timeout_secs=30, max_turns=6))

    async def play_twice() -> list[int]:
        codes = []
        for _ in range(2):
            process = await asyncio.create_subprocess_exec(agent, "127.0.0.1", str(port))
            codes.append(await process.wait())
        return codes

    async def play() -> list[list[int]]:
        playing = play_all(tournament, 2, port, 1, lambda outcome: None)
        outcomes, *codes = await asyncio.gather(playing, play_twice(), play_twice())
        assert not any(outcome.removals for outcome in outcomes)
        return codes

    assert asyncio.run(play()) == [[0, 0], [0, 0]]


def test_a_policy_of_ten_lines_plays_a_whole_game(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    policies = import_module("deploy_a_policy").Builder(), load_policy("random", 1)
    game = Game(2, seed=1)
    while not game.is_over:
        game.play(policies[game.seat].act(game.view(game.seat)))
    assert game.winner is not None


@pytest.mark.nightly
def test_a_policy_of_ten_lines_is_deployed():
    done = subprocess.run(
        [sys.executable, EXAMPLES / "deploy_a_policy.py"],
        env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    first, builder, rival, last = done.stdout.splitlines()
    assert "kicked" in first and "deploy_a_policy:Builder" in builder and "random" in rival
    assert last.startswith("2 games, 0 without a winner") and "was kicked" not in done.stderr
