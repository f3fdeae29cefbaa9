"""A run that was killed and resumed has the weights of an uninterrupted one, bit by bit."""

import os
import pickle
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.training import agent  # noqa: E402
from catan_env.training.decisions import Decisions  # noqa: E402
from catan_env.training.networks import KINDS  # noqa: E402
from catan_env.training.optimizers import Adam  # noqa: E402
from catan_env.training.ppo_update import PPO  # noqa: E402
from catan_env.training.self_play import Args, Run, main  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CONFIG = """
num_envs = 8
num_steps = 16
total_timesteps = 640
minibatch_size = 64
checkpoint_every = 2
network = "mirrored"
control_variate = "catan_env.training.control_variate:Dice"
opponents = ["random", "builder"]
opponent_fraction = 0.7
past_selves = 2
teacher = "catan_env.policies.greedy:rank"
teacher_steps = 350
teacher_fraction = 0.5
[env_options]
seats = 2
rules = "duel"
max_turns = 30
[network_options]
hidden = 8
local = 4
"""
KILLED = """
import os, signal, sys
import torch
from catan_env.training import ppo_update, rollouts, self_play

where, when = sys.argv.pop(1), int(sys.argv.pop(1))
def killing(function):
    calls = []
    def wrapped(*given, **options):
        calls.append(1)
        if len(calls) == when:
            if where == "save":  # half of the file is written
                function(*given, **options)
                with open(given[1].name, "r+b") as file:
                    file.truncate(1000)
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **options)
    return wrapped
if where == "collect":
    rollouts.Collector._step = killing(rollouts.Collector._step)
elif where == "update":
    ppo_update.PPO._step = killing(ppo_update.PPO._step)
else:
    torch.save = killing(torch.save)
self_play.main(sys.argv[1:])
"""


def config_in(folder):
    path = folder / "small.toml"
    path.write_text(CONFIG)
    return str(path)


def state_of(folder):
    return torch.load(folder / "state.pt")


@pytest.fixture(scope="module")
def ends():
    """The ends of uninterrupted runs, by whether they computed in bfloat16."""
    return {}


@pytest.fixture
def uninterrupted(ends, tmp_path_factory):
    """The end of an uninterrupted run that computed as the test does."""
    in_bfloat16 = agent.has_bfloat16(torch.device("cpu"))
    if in_bfloat16 not in ends:
        folder = tmp_path_factory.mktemp("uninterrupted")
        main([config_in(folder), str(folder / "run")])
        ends[in_bfloat16] = state_of(folder / "run")
    return ends[in_bfloat16]


class Ended(BaseException):
    """Ends a run where no part of it expects it, as a signal does."""


def test_a_run_that_ended_amid_an_update_ends_as_one_that_did_not(
    uninterrupted, tmp_path, monkeypatch
):
    command, step, calls = [config_in(tmp_path), str(tmp_path / "run")], PPO._step, count(1)

    def ending(*given):
        if next(calls) == 14:
            raise Ended
        return step(*given)

    with monkeypatch.context() as patched, pytest.raises(Ended):
        patched.setattr(PPO, "_step", ending)
        main(command)
    assert_resumed(command, uninterrupted)


def run_of(kind, folder, seed=1, **options):
    widths = {"hidden": 12} | ({} if kind == "flat" else {"local": 4})
    args = Args(
        seed=seed, num_envs=8, num_steps=16, minibatch_size=64, total_timesteps=512, network=kind,
        network_options=widths, env_options={"seats": 2, "rules": "duel", "max_turns": 30},
        opponent_fraction=0.5, past_selves=1, **options,
    )  # fmt: skip
    return Run(args, folder, "cpu", 1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_of_every_network_ends_as_one_that_was_not_resumed(kind, tmp_path):
    states = []
    for is_resumed in (False, True):
        folder = tmp_path / str(is_resumed)
        run = run_of(kind, folder)
        for _ in range(3):
            run.rollout()
            run.checkpoint()
            run = run_of(kind, folder) if is_resumed else run
        states.append(run.agent.network.state_dict())
    assert_same(*states)


class Adaptive(PPO):
    """PPO that learns one coefficient more, by a second optimizer, and keeps a running mean."""

    def __init__(self, agent, args):
        super().__init__(agent, args)
        self.coefficient = torch.zeros((), requires_grad=True)
        self.second = Adam([self.coefficient], lr=0.1)
        self.mean_return = np.float64(0)

    def update(self, decisions, timesteps):
        self.coefficient.grad = torch.tensor(decisions.advantages.std())
        self.second.step()
        self.mean_return += 0.1 * (decisions.values.mean() - self.mean_return)
        return super().update(decisions, timesteps)

    def state_dict(self):
        return {
            "coefficient": self.coefficient.detach(), "second": self.second.state_dict(),
            "mean_return": self.mean_return,
        }  # fmt: skip

    def load_state_dict(self, state):
        with torch.no_grad():
            self.coefficient.copy_(state["coefficient"])
        self.second.load_state_dict(state["second"])
        self.mean_return = state["mean_return"]


def adaptive_in(folder):
    return run_of("flat", folder, algorithm=f"{__name__}:Adaptive")


def test_the_state_of_an_algorithm_of_ones_own_is_that_of_an_uninterrupted_run(tmp_path):
    ends = []
    for is_resumed in (False, True):
        folder = tmp_path / str(is_resumed)
        run = adaptive_in(folder)
        for _ in range(3):
            run.rollout()
            run.checkpoint()
            run = adaptive_in(folder) if is_resumed else run
        ends.append(run.algorithm.state_dict() | {"network": run.agent.network.state_dict()})
    assert float(ends[0]["coefficient"]) == float(ends[1]["coefficient"]) != 0
    assert ends[0]["mean_return"] == ends[1]["mean_return"] != 0
    assert_same(*(end["second"]["state"][0] for end in ends))
    assert_same(*(end["network"] for end in ends))


def test_a_checkpoint_without_the_algorithms_state_is_resumed_with_a_line(tmp_path, capsys):
    run = adaptive_in(tmp_path)
    run.rollout()
    run.checkpoint()
    state = state_of(tmp_path)
    del state["algorithm"]
    torch.save(state, tmp_path / "state.pt")
    capsys.readouterr()
    run = adaptive_in(tmp_path)
    run.rollout()
    assert run.rollouts == 2
    assert f"{tmp_path}: resumed without the algorithm's state" in capsys.readouterr().err


def test_a_flat_run_without_its_scale_is_refused_in_one_line(tmp_path, capsys):
    config, folder = tmp_path / "flat.toml", tmp_path / "run"
    config.write_text('network = "flat"\nnum_envs = 8\nnum_steps = 16\ntotal_timesteps = 128\n')
    main([str(config), str(folder)])
    state = state_of(folder)
    del state["network"]["scale"]
    torch.save(state, folder / "state.pt")
    with pytest.raises(SystemExit, match=r"self_play: .* earlier version.* initial_weights"):
        main([str(config), str(folder), "--total-timesteps", "256"])


@pytest.mark.nightly
@pytest.mark.parametrize(("where", "when"), [("collect", 250), ("update", 14), ("save", 2)])
def test_a_killed_run_ends_as_one_that_was_not(where, when, uninterrupted, tmp_path):
    command = [config_in(tmp_path), str(tmp_path / "run")]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, where, str(when), *command],
        cwd=ROOT, capture_output=True, timeout=900, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert_resumed(command, uninterrupted)


def assert_resumed(command, uninterrupted):
    folder = Path(command[1])
    assert 0 < state_of(folder)["rollouts"] < 5, "it was killed after a checkpoint"
    main(command)
    resumed = state_of(folder)
    assert_same(resumed["network"], uninterrupted["network"])
    moments = [state["optimizer"]["state"] for state in (resumed, uninterrupted)]
    for one, other in zip(*(state.values() for state in moments), strict=True):
        assert_same(one, other)
    assert resumed["ratings"] == uninterrupted["ratings"]
    assert resumed["timesteps"] == uninterrupted["timesteps"] == 640


def assert_same(one, other):
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture
def short_run(tmp_path):
    """The command of a run with a past self, and its folder."""
    config, folder = tmp_path / "short.toml", tmp_path / "run"
    config.write_text(
        'network = "flat"\nnum_envs = 8\nnum_steps = 16\ntotal_timesteps = 128\npast_selves = 1\n'
        "checkpoint_every = 1\nnetwork_options = {hidden = 8}\n"
        "[env_options]\nseats = 2\nrules = 'duel'\nmax_turns = 20\n"
    )
    command = [str(config), str(folder)]
    main(command)
    return command, folder


def test_a_state_from_before_decisions_had_a_file_of_their_own_is_read():
    """Its pickle names the class by the file that it was in."""
    assert pickle.loads(b"ccatan_env.training.rollouts\nDecisions\n.") is Decisions


def refusal(command, capsys):
    """The one line that ends a command."""
    with pytest.raises(SystemExit) as ended:
        main(command)
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2
    return line


def test_a_damaged_state_or_a_missing_past_self_is_refused_in_one_line(short_run, capsys):
    command, folder = short_run
    capsys.readouterr()
    state = (folder / "state.pt").read_bytes()
    for damaged in (b"", b"text", state[:1000], state[: len(state) // 2]):
        (folder / "state.pt").write_bytes(damaged)
        assert f"{folder / 'state.pt'}: it is damaged; restore it" in refusal(command, capsys)
    (folder / "state.pt").write_bytes(state)
    (folder / "past_128.npz").unlink()
    assert f"{folder / 'past_128.npz'}: it is missing" in refusal(command, capsys)


def test_a_run_without_its_state_says_that_it_begins_again(short_run, capsys):
    command, folder = short_run
    assert "begins again" not in capsys.readouterr().err
    (folder / "state.pt").unlink()
    main(command)
    assert f"{folder}: it has final.npz but no state.pt: the run begins again" in (
        capsys.readouterr().err
    )
