"""The agent's process: small, careful, and clear about errors."""

import asyncio
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from catan_env import OBSERVATION_SIZE, Action, Board, Game, Resource
from catan_env.arena.games import play_all
from catan_env.arena.seat import SeatSettings, announces, binary_seat, play
from catan_env.arena.time_limited import TimeLimitedPolicy
from catan_env.arena.tournament import Tournament
from catan_env.core.constants import Phase
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.net import Connection
from catan_env.net.serve import listen, serve
from catan_env.policies.network import Network, save
from catan_env.policies.search.search import ensure_search
from catan_env.policy import load_policy
from catan_env.protocols.catan_binary.agent import DIALECT
from catan_env.protocols.catan_binary.messages import (
    Begin,
    BinaryCodec,
    Cell,
    TilePos,
    TileType,
)
from catan_env.protocols.catan_binary.opening import Settings, begin_message, setup_message
from catan_env.render.reasons import corner_pips
from tests.cli.test_every_command import is_one_line, outcomes
from tests.protocols.in_memory import tournament

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = (512, 512)
PATIENCE = 600
"""Seconds that a process may take to start or end on a busy machine."""


def weights(path: Path) -> Path:
    """An untrained network of a tournament agent's size."""
    chance = np.random.default_rng(0)
    sizes = (OBSERVATION_SIZE, *HIDDEN, 848)
    layers = [(chance.normal(size=(a, b)) / 30, chance.normal(size=b)) for a, b in pairwise(sizes)]
    save(path, layers)
    return path


def start_agent(port: int, *options: str, **how) -> subprocess.Popen:
    command = [sys.executable, "-m", "catan_env", "agent", *options, "127.0.0.1", str(port)]
    return subprocess.Popen(command, cwd=ROOT, **how)


def status_of(process: int) -> dict[str, str]:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return dict(line.split(":", 1) for line in lines if ":" in line)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_an_agent_with_a_network_is_small_and_has_one_thread(tmp_path):
    path = weights(tmp_path / "weights.npz")
    room = tournament(2, 3, timeout_secs=30, max_turns=40)
    seen: list[dict[str, str]] = []

    async def play():
        processes = []

        async def look():
            while True:
                seen.extend(filter(None, (status_of(process.pid) for process in processes)))
                await asyncio.sleep(0.02)

        with listen("127.0.0.1", 0) as listener:
            looking = asyncio.create_task(look())
            port = listener.getsockname()[1]
            processes += [start_agent(port, "--policy", str(path)) for _ in range(2)]
            await serve(room, lambda: Connection(BinaryCodec()), listener)
            looking.cancel()
        return [process.wait(PATIENCE) for process in processes]

    assert asyncio.run(play()) == [0, 0]
    assert not room.removals
    assert max(int(status["VmRSS"].split()[0]) for status in seen if "VmRSS" in status) < 64 << 10
    assert {status["Threads"].strip() for status in seen} == {"1"}


@pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")
def test_an_agent_with_a_network_keeps_to_192_mebibytes_and_one_thread(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path = weights(tmp_path / "weights.npz")
    command = f"{sys.executable} -m catan_env agent --policy {path}"
    settings = Settings(timeout_secs=30, thread_limit=1, memory_limit=192, max_turns=6)
    tournament = Tournament((command, command), settings=settings)
    (outcome,) = asyncio.run(play_all(tournament, 1, 0, 1, lambda outcome: None))
    assert outcome.removals == () and outcome.turns == 6


@pytest.mark.skipif(not MACHINE_CODE, reason="the engine is interpreted here")
def test_a_compiled_search_keeps_to_the_default_limits(monkeypatch):
    ensure_search()
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    agents = [f"{sys.executable} -m catan_env agent {o}" for o in ("--compiled", "--seed 1")]
    settings = Settings(max_turns=6)
    tournament = Tournament(
        (f"{agents[0]} --policy search", f"{agents[1]} --policy random"), settings=settings
    )
    (outcome,) = asyncio.run(play_all(tournament, 1, 0, 1, lambda outcome: None))
    assert outcome.removals == () and outcome.turns == 6


def test_an_agent_prints_one_line_without_numba_to_compile_with():
    blocked = (
        "import sys, importlib.util as u, catan_env.cli as c; u.find_spec = lambda name: None; "
    )
    blocked += "sys.exit(c.main(['agent', '--compiled', '--policy', 'search', '127.0.0.1', '1']))"
    done = subprocess.run(
        [sys.executable, "-c", blocked], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "--compiled needs Numba" in done.stderr


def test_a_network_chooses_the_best_legal_action_alone_and_in_batches(tmp_path):
    network = Network(weights(tmp_path / "weights.npz"))
    views = [Game(seats=4, seed=seed, rules="tournament").view(0) for seed in range(5)]
    alone = [network.act(view) for view in views]
    observations = np.stack([view.observation for view in views])
    masks = np.stack([view.action_mask for view in views])
    assert network.act_batch(observations, masks).tolist() == alone
    assert all(view.action_mask[index] for view, index in zip(views, alone, strict=True))


def other_layout(path: Path) -> None:
    with np.load(weights(path)) as file:
        arrays = dict(file)
    np.savez(path, **{**arrays, "observation_version": np.array(999)})


def test_an_agent_prints_in_one_line_why_it_cannot_load_its_policy(tmp_path):
    lines: list[tuple[list[str], str]] = []
    other_layout(tmp_path / "other.npz")
    (tmp_path / "broken.npz").write_bytes(b"PK nothing")
    np.savez(tmp_path / "odd.npz", numbers=np.arange(3))
    for policy, complaint in (
        ("missing", "unknown policy 'missing'"),
        ("catan_env.policies.builder:Greed", "no 'Greed' in catan_env.policies.builder"),
        (str(tmp_path / "other.npz"), "observation layout 999"),
        (str(tmp_path / "broken.npz"), "cannot read the weights"),
        (str(tmp_path / "odd.npz"), "is not a weights file"),
        (str(tmp_path / "none.npz"), "cannot read the weights"),
    ):
        lines.append((["agent", "--policy", policy, "127.0.0.1", "1"], complaint))
    for (_, complaint), done in zip(
        lines, outcomes(tmp_path, [line for line, _ in lines]), strict=True
    ):
        assert done["status"] == 2 and is_one_line(done) and complaint in done["err"], done


def server_that_says(data: bytes) -> int:
    """The port of a server that sends this to one agent."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        wire, _ = listener.accept()
        with wire, listener:
            wire.sendall(data)
            wire.settimeout(PATIENCE)
            while wire.recv(4096):
                pass

    Thread(target=answer, daemon=True).start()
    return listener.getsockname()[1]


MANY = BinaryCodec().encode(Begin(5, 1, 512, 2, 0, 19, 9, 5))


def larger_board() -> bytes:
    """MSG_BEGIN and MSG_SETUP of a board with a tile of land outside the usual ones."""
    game = Game(seats=2, seed=1, rules="tournament")
    begin, setup = begin_message(game, 0, Settings()), setup_message(game)
    far = Cell(TilePos(3, 0), TileType.HILLS, 5)
    codec = BinaryCodec()
    return codec.encode(replace(begin, board_radius=3, cell_count=20)) + codec.encode(
        replace(setup, cells=(*setup.cells, far))
    )


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "a message begins with 72"),
        (MANY, "player_count is 5; this agent plays with 2, 3 or 4"),
        (larger_board(), "no tile of the board is at TilePos(q=3, r=0)"),
        (b"\x0a\x00", "the game continued before MSG_BEGIN"),
    ],
)
def test_an_agent_prints_in_one_line_that_a_server_has_another_protocol(data, complaint):
    agent = start_agent(
        server_that_says(data), "--policy", "random", stderr=subprocess.PIPE, text=True
    )
    _, said = agent.communicate(timeout=PATIENCE)
    assert agent.returncode == 2 and said.count("\n") == 1 and complaint in said, said


def test_text_of_a_server_cannot_control_the_terminal():
    hello = b'{"Hallo":{"Version":"x","Protokoll":"9\\u001b[31mEVIL\\u202e"}}\n'
    options = ("--policy", "random", "--protocol", "german")
    agent = start_agent(server_that_says(hello), *options, stderr=subprocess.PIPE, text=True)
    _, said = agent.communicate(timeout=PATIENCE)
    assert agent.returncode == 2 and "Protokoll 9?[31mEVIL?;" in said
    assert said.strip().isprintable()


def test_an_agent_prints_in_one_line_that_there_is_no_server():
    with socket.socket() as bound:  # no process listens there, nor can another one
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        agent = start_agent(
            port, "--policy", "random", "--wait", "0", stderr=subprocess.PIPE, text=True
        )
        _, said = agent.communicate(timeout=PATIENCE)
    assert agent.returncode == 2 and said.count("\n") == 1
    assert f"cannot connect to 127.0.0.1 {port}" in said


@pytest.mark.parametrize("protocol", ["binary", "german"])
def test_an_agent_whose_server_closes_early_prints_it_and_has_failed(protocol, capsys):
    with listen("127.0.0.1", 0) as listener:
        closing = Thread(target=lambda: listener.accept()[0].close())
        closing.start()
        port = listener.getsockname()[1]
        assert play(SeatSettings("127.0.0.1", port, "random", protocol=protocol)) == 1
        closing.join()
    reason = "the server closed the connection before the game was over\n"
    assert capsys.readouterr().err == reason


class Failing:
    def act(self, view):
        raise RuntimeError("no idea")


class Illegal:
    def act(self, view):
        return 1


class Slow:
    """Takes longer than any turn, unless it is cut off; counts its calls."""

    asked = 0

    def act(self, view):
        self.asked += 1
        time.sleep(30)
        pytest.fail("the decision was not cut off")


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        (Failing(), "RuntimeError: no idea"),
        (Illegal(), "IllegalActionError: "),
        (Slow(), "0.70 s of thinking are used up"),
    ],
)
def test_a_failing_policy_is_replaced_by_a_safe_move(policy, why, capsys):
    game = Game(seats=2, seed=1, rules="tournament")
    limited = TimeLimitedPolicy(policy)
    limited.timeout_secs = 1
    assert limited.act(game.view(0)) == Action.roll().index
    assert f"the policy failed ({why}" in capsys.readouterr().err


class CatchesOnce:
    """Catches everything for as long as it is not cut off, then is slow."""

    def act(self, view):
        try:
            time.sleep(30)
        except BaseException:
            pass
        Slow().act(view)


class Finalized:
    """Loses what is raised in its finalizer, as Python does, then is slow."""

    def act(self, view):
        class Last:
            def __del__(self):
                time.sleep(30)

        Last()
        Slow().act(view)


@pytest.mark.parametrize("policy", [CatchesOnce(), Finalized()])
def test_a_policy_that_loses_its_time_out_is_cut_off_by_the_next_one(policy, monkeypatch, capsys):
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: None)
    game = Game(seats=2, seed=1, rules="tournament")
    limited = TimeLimitedPolicy(policy)
    limited.timeout_secs = 1
    assert limited.act(game.view(0)) == Action.roll().index
    assert "the policy failed (0.70 s of thinking are used up" in capsys.readouterr().err


def test_no_time_out_comes_after_the_decision():
    game = Game(seats=2, seed=1, rules="tournament")
    before = signal.getsignal(signal.SIGALRM)
    for policy in (load_policy("builder"), Slow()):
        limited = TimeLimitedPolicy(policy)
        limited.timeout_secs = 1
        limited.act(game.view(0))
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) is before


def test_without_an_answer_the_first_settlements_are_where_the_pips_are():
    game = Game(seats=4, seed=3)
    limited = TimeLimitedPolicy(Failing())
    while game.phase in (Phase.PLACE_SETTLEMENT, Phase.PLACE_ROAD):
        before, seat, free = game.phase, game.seat, game.legal_actions
        action = Action.from_index(limited.act(game.view(seat)))
        if before == Phase.PLACE_SETTLEMENT:
            pips = [sum(corner_pips(game.board, other.args[0]).values()) for other in free]
            assert sum(corner_pips(game.board, action.args[0]).values()) == max(pips)
        game.play(action)


def test_without_an_answer_the_cards_of_which_most_are_held_are_discarded():
    game = Game.from_position(
        board=Board.beginner(), seats=2, settlements={0: [10], 1: [40]}, roads={0: [20]},
        hands={0: {Resource.BRICK: 2, Resource.WOOL: 5, Resource.ORE: 3}}, phase=Phase.ROLL,
    )  # fmt: skip
    game.play(Action.roll(), outcome=(3, 4))
    limited = TimeLimitedPolicy(Failing())
    while game.phase == Phase.DISCARD:
        game.play(limited.act(game.view(0)))
    assert game.hand(0) == (1, 0, 0, 2, 2)


def test_when_the_turns_time_is_used_up_safe_moves_come_immediately():
    game = Game(seats=2, seed=1, rules="tournament")
    slow = Slow()
    limited = TimeLimitedPolicy(slow)
    limited.timeout_secs = 1
    game.play(limited.act(game.view(0)), outcome=(1, 1))
    assert limited.act(game.view(0)) == Action.end_turn().index
    assert slow.asked == 1, "a policy without time is not asked"


def test_a_working_policy_is_left_alone(capsys):
    game = Game(seats=2, seed=1, rules="tournament")
    limited = TimeLimitedPolicy(load_policy("builder"))
    for _ in range(100):
        game.play(limited.act(game.view(game.seat)))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("option", "variable", "announced"),
    [
        (None, None, None),
        (None, "literal", False),
        (None, "announced", True),
        ("auto", "announced", None),
        ("literal", "announced", False),
        (None, "of a later version", None),
    ],
)
def test_an_agent_takes_the_dialect_from_its_option_or_from_its_server(
    option, variable, announced, monkeypatch
):
    monkeypatch.delenv(DIALECT, raising=False)
    if variable is not None:
        monkeypatch.setenv(DIALECT, variable)
    assert announces(option) is announced


@pytest.mark.parametrize(
    ("option", "variable", "by_rule"),
    [
        (None, None, False),
        ("auto", None, False),
        ("literal", None, True),
        ("announced", None, True),
        (None, "literal", True),
        ("auto", "literal", True),
    ],
)
def test_an_agent_relies_on_the_rule_of_discards_where_it_was_given_the_dialect(
    option, variable, by_rule, monkeypatch
):
    monkeypatch.delenv(DIALECT, raising=False)
    if variable is not None:
        monkeypatch.setenv(DIALECT, variable)
    settings = SeatSettings("127.0.0.1", 4000, "random", dialect=option)
    agent, _ = binary_seat(settings, TimeLimitedPolicy(load_policy("random")), None)
    agent.follower.watch(Game(seats=2, seed=1, rules="tournament").view(0))
    assert agent.follower.account._tracked.discards_by_rule is by_rule
